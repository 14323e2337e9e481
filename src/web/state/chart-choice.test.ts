import { expect, test } from 'bun:test'
import { readChoice, USUAL_CHOICE, writeChoice } from './chart-choice.ts'

function storage(kept?: string) {
  let text = kept ?? null
  return {
    getItem: () => text,
    setItem: (_name: string, value: string) => {
      text = value
    },
  }
}

test('the choice of interval and view of the chart is kept', () => {
  const kept = storage()
  writeChoice(() => kept, { interval: '1M', view: 'depth' })
  expect(readChoice(() => kept)).toEqual({ interval: '1M', view: 'depth' })
})

test('a choice of the chart that is damaged or not kept at all is the usual one', () => {
  for (const text of ['', '{', 'null', '7', '{"interval":"2m","view":1}'])
    expect(readChoice(() => storage(text))).toEqual(USUAL_CHOICE)
  const refuses = () => {
    throw new Error('no storage')
  }
  expect(readChoice(refuses)).toEqual(USUAL_CHOICE)
  writeChoice(refuses, USUAL_CHOICE)
})
