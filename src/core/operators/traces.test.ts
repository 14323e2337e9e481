/** Records a change that a node makes outside the exchange. */
import { expect, test } from 'bun:test'
import { TEXT_MAX } from '../../units/limits.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import type { Reply } from '../questions/reply.ts'

const wordOf = (reply: Reply): string => (reply.kind === 'Refused' ? reply.reason : reply.kind)

const note = (harness: ExchangeHarness, subject: string, change: string): string =>
  wordOf(harness.give({ kind: 'NoteChange', operator: OPERATOR, subject, change }))

test('a trace changes nothing but the number of the last command', () => {
  const harness = new ExchangeHarness()
  const twin = new ExchangeHarness()
  expect(note(harness, 'webhook books', 'paused')).toBe('Done')
  // A twin with as many commands, whose last one has no effect.
  twin.give({ kind: 'LiftBan', operator: OPERATOR, address: '192.0.2.7' })
  expect(harness.exchange.encodeSnapshot()).toEqual(twin.exchange.encodeSnapshot())
})

test('a trace records the command and its outcome, in texts that are neither too long nor too short', () => {
  const harness = new ExchangeHarness()
  const longest = 'x'.repeat(TEXT_MAX)
  expect(note(harness, longest, longest)).toBe('Done')
  for (const wrong of ['', `${longest}x`, '\ud800']) {
    expect([note(harness, wrong, 'paused'), note(harness, 'webhook books', wrong)]).toEqual([
      'INVALID_COMMAND',
      'INVALID_COMMAND',
    ])
  }
})
