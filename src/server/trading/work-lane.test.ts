import { expect, test } from 'bun:test'
import { WorkLane } from './work-lane.ts'

/** Resolves after this turn of the event loop. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('pieces run one at a time, first and further ones in turns, each kind in the order of arrival', async () => {
  const lane = new WorkLane()
  const seen: string[] = []
  let running = 0
  const piece = (name: string) => async () => {
    expect(++running).toBe(1)
    await turn()
    seen.push(name)
    running--
    return name
  }
  const done = [lane.further(piece('further 1')), lane.further(piece('further 2'))]
  done.push(lane.first(piece('first 1')), lane.further(piece('further 3')), lane.first(piece('first 2')))
  expect(await Promise.all(done)).toEqual(['further 1', 'further 2', 'first 1', 'further 3', 'first 2'])
  expect(seen).toEqual(['further 1', 'first 1', 'further 2', 'first 2', 'further 3'])
})

test('between two pieces the event loop runs', async () => {
  const lane = new WorkLane()
  const seen: string[] = []
  const pieces = [1, 2, 3].map((number) => lane.further(() => void seen.push(`piece ${number}`)))
  const turns = (async () => {
    for (let number = 1; number <= 2; number++) {
      await turn()
      seen.push(`turn ${number}`)
    }
  })()
  await Promise.all([...pieces, turns])
  expect(seen.indexOf('turn 1')).toBeLessThan(seen.indexOf('piece 3'))
  expect(seen[0]).toBe('piece 1')
})

test('a piece that fails fails alone, and later ones run', async () => {
  const lane = new WorkLane()
  const broken = lane.first(() => {
    throw new Error('as the test wants it')
  })
  const next = lane.further(() => 'done')
  await expect(broken).rejects.toThrow('as the test wants it')
  expect(await next).toBe('done')
  expect(await lane.first(() => 'later')).toBe('later')
})

test('however many wait, all are run, in order', async () => {
  const lane = new WorkLane()
  const seen: number[] = []
  const numbers = Array.from({ length: 3_000 }, (_, number) => number)
  await Promise.all(numbers.map((number) => lane.further(() => void seen.push(number))))
  expect(seen).toEqual(numbers)
})
