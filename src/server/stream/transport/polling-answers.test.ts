import { describe, expect, test } from 'bun:test'
import { PollEndedFault, PollingAnswers } from './polling-answers.ts'

const TEXT = Array.from({ length: 40_000 }, (_, index) => `${index};`).join('')

function begun() {
  const state = { now: 0 }
  const answers = new PollingAnswers(() => state.now)
  const headers = { 'content-type': 'text/plain' }
  const answer = answers.inSlices(new Response(TEXT, { headers }), TEXT.length)
  return { state, answers, answer, reader: () => (answer.body as ReadableStream<Uint8Array>).getReader() }
}

describe('a long answer to a poll', () => {
  test('is the same answer, and counts until all of it has been read', async () => {
    const { answers, answer } = begun()
    expect(answers.bytes).toBe(TEXT.length)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain'])
    expect(await answer.text()).toBe(TEXT)
    expect(answers.bytes).toBe(0)
  })

  test('is sent in slices, and counts as a whole after the first', async () => {
    const { answers, reader } = begun()
    const { value } = await reader().read()
    expect(value?.length).toBeLessThan(TEXT.length / 2)
    expect(answers.bytes).toBe(TEXT.length)
  })

  test('breaks off when its session ends, whether the client has begun to read or not', async () => {
    const { answers, reader } = begun()
    const reading = reader()
    await reading.read()
    answers.cut()
    expect(answers.bytes).toBe(0)
    await expect(reading.read()).rejects.toThrow(PollEndedFault)
    const unread = begun()
    unread.answers.cut()
    await expect(unread.reader().read()).rejects.toThrow(PollEndedFault)
  })

  test('breaks off when its session ends while its first slice is made', async () => {
    const { answers, reader } = begun()
    const first = reader().read()
    answers.cut()
    await expect(first).rejects.toThrow(PollEndedFault)
  })

  test('counts no more once its client has gone', async () => {
    const { answers, reader } = begun()
    await reader().cancel()
    expect(answers.bytes).toBe(0)
  })

  test('is stuck when nothing of it is read for too long', async () => {
    const { state, answers, reader } = begun()
    const reading = reader()
    state.now = 100
    expect([answers.isStuckFor(100), answers.isStuckFor(99)]).toEqual([false, true])
    await reading.read()
    expect(answers.isStuckFor(99)).toBe(false)
    await reading.cancel()
    state.now = 1_000
    expect(answers.isStuckFor(99)).toBe(false)
  })
})
