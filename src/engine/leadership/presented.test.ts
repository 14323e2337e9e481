import { expect, test } from 'bun:test'
import { EMPTY_TAIL, JournalFault, type RememberedPlace } from '../port/journal.ts'
import { Presented } from './presented.ts'

const HASH = new Uint8Array(32).fill(7)
const tail = { ...EMPTY_TAIL, position: 9 }

function placeOf(position: number): RememberedPlace {
  return { ...EMPTY_TAIL, position, hash: HASH, journal: 'j' }
}

test('positions that many remember at once are looked up one after another', async () => {
  const looks: { readonly position: number; readonly answer: (hash: Uint8Array) => void }[] = []
  const journal = {
    hashAtPosition: (position: number) =>
      new Promise<Uint8Array>((answer) => looks.push({ position, answer })),
    givenUp: () => undefined,
  }
  const presented = new Presented()
  const verdicts = [1, 2, 3].map((position) =>
    presented.judge(placeOf(position), { journal, tail }, () => false),
  )
  for (const [i, verdict] of verdicts.entries()) {
    await Bun.sleep(0)
    expect(looks.map(({ position }) => position)).toEqual([1, 2, 3].slice(0, i + 1))
    looks[i]?.answer(HASH)
    expect(await verdict).toBeUndefined()
  }
})

test('a lookup that fails prevents no later one, and the loss of the journal is not reported as damage', async () => {
  const answers = [new JournalFault('FAILED', 'it is closed'), new JournalFault('DAMAGED', 'it is damaged')]
  const journal = { hashAtPosition: () => Promise.reject(answers.shift()), givenUp: () => undefined }
  const presented = new Presented()
  const judged = [1, 2].map((position) => presented.judge(placeOf(position), { journal, tail }, () => false))
  expect((await Promise.all(judged)).map((verdict) => verdict?.fault?.kind)).toEqual([undefined, 'DAMAGED'])
})
