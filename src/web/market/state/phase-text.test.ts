import { expect, test } from 'bun:test'
import { timeMs } from '../../../units/quantities.ts'
import { phaseText } from './phase-text.ts'

const AT = timeMs(Date.UTC(2026, 11, 1, 2, 0))

test('no notice is shown while the symbol and the exchange trade, and nothing else is planned', () => {
  expect(phaseText({ state: 'TRADING', phase: 'TRADING', planned: [] })).toBeUndefined()
})

test('a forbidden action is explained, for the exchange before the symbol, with planned changes after it', () => {
  const closed = 'The exchange is closed: orders can be neither placed nor canceled.'
  expect(phaseText({ state: 'HALTED', phase: 'CLOSED', planned: [] })).toBe(closed)
  expect(phaseText({ state: 'HALTED', phase: 'TRADING', planned: [] })).toContain('halted')
  const planned = [
    { phase: 'CANCEL_ONLY', at: AT },
    { phase: 'TRADING', at: timeMs(AT + 600_000) },
  ]
  const plan = 'Planned: canceling only from 2026-12-01 02:00, trading from 2026-12-01 02:10 (UTC).'
  expect(phaseText({ state: 'TRADING', phase: 'CLOSED', planned })).toBe(`${closed} ${plan}`)
  expect(phaseText({ state: 'TRADING', phase: 'TRADING', planned })).toBe(plan)
})
