import { expect, test } from 'bun:test'
import { Loss } from './loss.ts'

const ANSWERS = 200
/** Maximum number of promises that the runtime may still find on its stack. */
const SEEN_MAX = 20

test('an answer is given, until the leader is lost', async () => {
  const loss = new Loss()
  expect(await loss.or(async () => 1)).toBe(1)
  const waits = loss.or(() => new Promise<number>(() => {}))
  loss.happened('it is silent')
  loss.happened('the link has ended')
  expect(await waits).toBe('it is silent')
})

test('a leader that is lost is asked nothing more', async () => {
  const loss = new Loss()
  loss.happened('it is silent')
  let asked = 0
  const answer = await loss.or(async () => ++asked)
  expect([answer, asked]).toEqual(['it is silent', 0])
})

test('what the leader cannot answer is passed on', async () => {
  const answer = new Loss().or(() => Promise.reject(new Error('damaged')))
  expect(await answer.catch((cause: Error) => cause.message)).toBe('damaged')
})

test('an engine that follows for a long time keeps nothing of what it was given', async () => {
  const loss = new Loss()
  const given: WeakRef<object>[] = []
  for (let number = 0; number < ANSWERS; number++) {
    await loss.or(async () => {
      const answer = { batches: new Uint8Array(1_000) }
      given.push(new WeakRef(answer))
      return answer
    })
  }
  await Bun.sleep(1)
  Bun.gc(true)
  expect(given.filter((one) => one.deref() !== undefined).length).toBeLessThan(SEEN_MAX)
  loss.happened('it is silent')
})
