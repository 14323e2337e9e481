/** Rows of operations on the command line: confirmation questions, and names of options. */
import { expect, test } from 'bun:test'
import type { AdminCommand } from './command.ts'
import { requestOf } from './request.ts'
import { ADMIN_COMMANDS } from './sections.ts'

function named(name: string): AdminCommand {
  const found = ADMIN_COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new Error(`expected a command ${name}`)
  return found
}

test('a question for confirmation names what the command affects, and says so where that is everything', () => {
  const { confirm } = named('order cancel-all')
  expect(confirm?.({ account: 'alice' })).toBe('Cancel all open orders of alice in all symbols?')
  expect(confirm?.({ symbol: 'BTC/USDT' })).toBe('Cancel all open orders of all accounts in BTC/USDT?')
  expect(named('house payout').confirm?.({ asset: 'USDT', amount: '1.5' })).toBe(
    "Pay out 1.5 USDT of the house's commission?",
  )
})

test('a value of an option is accepted in any letter case, with hyphens and with underscores', () => {
  const rights = (typed: string) =>
    requestOf(
      named('role set'),
      { words: ['desk'], options: new Map([['rights', typed]]) },
      { userName: 'dora' },
    ).rights
  expect(rights('master-key,READ')).toEqual(['master-key', 'read'])
  expect(rights('MASTER_KEY, keys.Stop')).toEqual(['master-key', 'keys.stop'])
  expect(() => rights('master key')).toThrow('--rights needs one of read, ')
})
