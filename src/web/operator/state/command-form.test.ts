import { describe, expect, test } from 'bun:test'
import type { AdminCommand } from '../../../cli/admin/command.ts'
import { ADMIN_COMMANDS } from '../../../cli/admin/sections.ts'
import { commandLine, formFields, formRequest, proposedValues } from './command-form.ts'

function named(name: string): AdminCommand {
  const found = ADMIN_COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new Error(`there is no command ${name}`)
  return found
}

const credit = named('credit')
const typed = { account: 'alice', asset: 'BTC', amount: '1.5', reference: 'deposit-1042' }

describe('a form of the operator’s page', () => {
  test('has a field for each argument and option of the command line, and marks the required ones', () => {
    expect(formFields(credit).map(({ field, option, isNeeded }) => [field, option, isNeeded])).toEqual([
      ['account', undefined, true],
      ['asset', undefined, true],
      ['amount', undefined, true],
      ['reference', 'reference', true],
    ])
    for (const command of ADMIN_COMMANDS) {
      const names = formFields(command).map(({ field }) => field)
      expect([command.name, new Set(names).size]).toEqual([command.name, names.length])
    }
  })

  test('makes the request that the same command makes in a terminal, without an actor', () => {
    expect(formRequest(credit, typed, 'bank')).toEqual({ ok: true, request: { ...typed, note: 'bank' } })
    expect(commandLine(credit, typed, 'from the bank')).toBe(
      "bourse admin credit alice BTC 1.5 --reference deposit-1042 --note 'from the bank'",
    )
  })

  test('refuses what the command line refuses, and calls options by their labels', () => {
    expect(formRequest(credit, { ...typed, reference: '' }, '')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('credit needs “Reference”'),
    })
    expect(formRequest(credit, { ...typed, amount: '' }, '')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('“Amount” is missing'),
    })
    expect(formRequest(named('ban add'), { address: '192.0.2.7', minutes: 'ten' }, '')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('“Minutes” needs a whole number'),
    })
    expect(formRequest(named('account set'), { account: 'alice' }, '')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('needs at least one of “Fee tier”, “Maximum open orders”'),
    })
  })

  test('sends empty values only for what is to be removed', () => {
    const note = named('account note')
    const values = { account: 'alice', remark: '', labels: '' }
    expect(formRequest(note, values, 'why', new Set(['labels']))).toEqual({
      ok: true,
      request: { account: 'alice', labels: [], note: 'why' },
    })
    expect(commandLine(note, values, 'why', new Set(['labels']))).toBe(
      "bourse admin account note alice --labels '' --note why",
    )
  })

  test('writes a command that a shell reads as it was typed, and marks missing parts', () => {
    const text = 'a\'b $(c) "d"'
    const line = commandLine(credit, { ...typed, account: text }, text)
    const { stdout } = Bun.spawnSync(['sh', '-c', `printf '%s\\n' ${line}`])
    const words = stdout.toString().trimEnd().split('\n')
    expect([words[3], words.at(-1)]).toEqual([text, text])
    expect(commandLine(credit, {}, '')).toBe('bourse admin credit <account> <asset> <amount>')
    expect(commandLine(named('token revoke'), { name: 'dora' }, '')).toEndWith('dora --yes')
  })

  test('is filled from the beginning with what would be sent where it is left out', () => {
    const add = named('symbol add')
    const values = { ...proposedValues(add), symbol: 'BTC/USDT', baseFraction: '6', quoteFraction: '2' }
    expect(values).toMatchObject({ selfTradeMode: 'EXPIRE_MAKER' })
    expect(formRequest(add, values, '')).toMatchObject({ request: { selfTradeMode: 'EXPIRE_MAKER' } })
    expect(proposedValues(named('symbol set'))).toEqual({})
  })

  test('asks for no note where an operation only reads', () => {
    expect(formRequest(named('account list'), { limit: '5' }, 'a note')).toEqual({
      ok: true,
      request: { limit: 5 },
    })
  })
})
