import { expect, test } from 'bun:test'
import { sendCommand, shownAnswer } from './command-send.ts'

const done = { ok: true, result: 'done' } as const

test('a command is sent with the digest of what was shown, and without one where nothing was', async () => {
  const sent: unknown[] = []
  const parts = {
    command: {},
    digest: async (text: string) => `digest of ${text}`,
    ask: async (shown: string | undefined) => {
      sent.push(shown)
      return done
    },
  }
  expect(await sendCommand({ ...parts, shownText: 'this' })).toEqual(done)
  expect(await sendCommand({ ...parts, shownText: undefined })).toEqual(done)
  expect(sent).toEqual(['digest of this', undefined])
})

test('where the browser computes no digest nothing is sent, and the answer gives the reason', async () => {
  let sent = 0
  const answer = await sendCommand({
    command: {},
    shownText: 'this',
    digest: () => Promise.reject(new TypeError('no subtle crypto')),
    ask: async () => {
      sent++
      return done
    },
  })
  expect(answer).toMatchObject({ ok: false, error: { reason: 'NOT_SENT' } })
  expect(!answer.ok && answer.error.message).toContain('no subtle crypto')
  expect(sent).toBe(0)
})

test('a command that was carried out and cannot be shown is reported as done', () => {
  const shown = shownAnswer(
    () => {
      throw new Error('no file may be saved')
    },
    (problem) => `It was done: ${problem}`,
  )
  expect(shown).toBe('It was done: no file may be saved')
})
