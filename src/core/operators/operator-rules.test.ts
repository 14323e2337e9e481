/** Switches, delistings and named tokens restrict operators (docs/reference/admin.md#rules). */
import { describe, expect, test } from 'bun:test'
import { amount, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ALL_FLAGS, ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { FIRST_RULES_VERSION, RULES_VERSION } from '../exchange/rules.ts'
import type { AssetFlags } from '../registry/terms.ts'

const LIMIT = 1_000n

/** Alice with 100 units of BTC. Answers are the kind of the reply, or the reason for a refusal. */
function harness(version = RULES_VERSION) {
  const it = new ExchangeHarness()
  const alice = it.trader('alice', { BTC: 100n })
  let count = 0
  const ask = (command: Command): string => {
    const reply = it.give(command)
    if (reply.kind === 'Refused') return reply.reason
    return reply.kind === 'Done' && reply.repeated ? 'Repeated' : reply.kind
  }
  expect(ask({ kind: 'SetRulesVersion', operator: OPERATOR, version })).toBe('Done')
  const money = (kind: 'Credit' | 'Debit' | 'HoldWithdrawal', reference = `t${count++}`, units = 1n) =>
    ask({ kind, operator: OPERATOR, accountId: alice, asset: 'BTC', amount: amount(units), reference })
  const save = (reference = `t${count++}`) =>
    ask({
      kind: 'MoveBetweenBuckets',
      operator: OPERATOR,
      accountId: alice,
      asset: 'BTC',
      amount: amount(1n),
      from: 'free',
      to: 'savings',
      reference,
    })
  const flags = (change: Partial<AssetFlags>, code = 'BTC') =>
    ask({ kind: 'SetAssetFlags', operator: OPERATOR, code, flags: { ...ALL_FLAGS, ...change } })
  const state = (wanted: 'TRADING' | 'HALTED' | 'CANCEL_ONLY' | 'DELISTED') =>
    ask({ kind: 'SetSymbolState', operator: OPERATOR, symbol: 'BTC/USDT', state: wanted })
  const token = (name: string) =>
    ask({
      kind: 'AddAdminToken',
      operator: OPERATOR,
      name,
      role: 'OPERATOR',
      digest: new Uint8Array(32).fill(count++),
    })
  const credit = (actor: string, reference: string) =>
    ask({
      kind: 'Credit',
      operator: { actor, note: '' },
      accountId: alice,
      asset: 'BTC',
      amount: amount(LIMIT + 1n),
      reference,
    })
  const approve = (actor: string, reference: string) =>
    ask({ kind: 'Approve', operator: { actor, note: '' }, reference })
  const threshold = () => {
    const terms = { name: 'BTC', supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(LIMIT) }
    return ask({ kind: 'SetAssetTerms', operator: OPERATOR, code: 'BTC', ...terms })
  }
  return { it, alice, ask, money, save, flags, state, token, credit, approve, threshold }
}

test('a journal begins under the first rules, and records when it changes them', () => {
  const { it } = harness(FIRST_RULES_VERSION)
  expect(it.exchange.rulesVersion).toBe(FIRST_RULES_VERSION)
  const again = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
  const command = { kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION } as const
  for (const exchange of [it.exchange, again]) {
    expect(exchange.apply(command, timeMs(exchange.time + 1), () => {}).kind).toBe('Done')
  }
  expect([it.exchange.rulesVersion, again.rulesVersion]).toEqual([RULES_VERSION, RULES_VERSION])
  expect(again.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
})

describe('an asset', () => {
  test('whose deposits are off takes no credit, but says that an earlier one was made', () => {
    const { money, flags } = harness()
    expect(money('Credit', 'before')).toBe('Done')
    flags({ isDeposit: false })
    expect(money('Credit')).toBe('ASSET_NOT_DEPOSITABLE')
    expect(money('Credit', 'before')).toBe('Repeated')
    expect([money('Debit'), money('HoldWithdrawal')]).toEqual(['Done', 'Done'])
    flags({})
    expect(money('Credit')).toBe('Done')
  })

  test('whose withdrawals are off lets nothing out, but completes what was held before', () => {
    const { ask, money, flags } = harness()
    expect(money('HoldWithdrawal', 'held')).toBe('Done')
    flags({ isWithdraw: false })
    const payout = { asset: 'BTC', amount: amount(1n), reference: 'fees' }
    expect(ask({ kind: 'PayOutCommission', operator: OPERATOR, ...payout })).toBe('ASSET_NOT_WITHDRAWABLE')
    expect([money('Debit'), money('HoldWithdrawal')]).toEqual([
      'ASSET_NOT_WITHDRAWABLE',
      'ASSET_NOT_WITHDRAWABLE',
    ])
    expect(money('Credit')).toBe('Done')
    expect(ask({ kind: 'CompleteWithdrawal', operator: OPERATOR, reference: 'held' })).toBe('Done')
  })

  test('that may not be saved enters savings by no move', () => {
    const { save, flags } = harness()
    expect(save()).toBe('ASSET_NOT_SAVABLE')
    flags({ isSaving: true })
    expect(save('saved')).toBe('Done')
    flags({ isSaving: false })
    expect([save('saved'), save()]).toEqual(['Repeated', 'ASSET_NOT_SAVABLE'])
  })

  test('that is not traded closes every symbol with it as base or as quote', () => {
    const { it, alice, flags } = harness()
    const sell = () => it.order({ who: alice, side: 'SELL', price: 1_000_000, quantity: 10 })
    const answer = (reply: ReturnType<typeof sell>) => (reply.kind === 'Refused' ? reply.reason : reply.kind)
    for (const code of ['BTC', 'USDT']) {
      flags({ isTrade: false }, code)
      expect(answer(sell())).toBe('ASSET_NOT_TRADABLE')
      flags({}, code)
      expect(answer(sell())).toBe('OrderAccepted')
    }
  })
})

test('a delisted symbol is never opened again, and delisting it twice is no error', () => {
  const { state } = harness()
  expect(state('DELISTED')).toBe('Done')
  for (const wanted of ['TRADING', 'HALTED', 'CANCEL_ONLY'] as const) {
    expect(state(wanted)).toBe('SYMBOL_DELISTED')
  }
  expect(state('DELISTED')).toBe('Done')
})

describe('a large transfer', () => {
  test('is requested by the holder of a valid named token, and by no one else', () => {
    const { token, credit, threshold } = harness()
    token('ann')
    threshold()
    expect(credit('local:ann', 'c1')).toBe('NAMED_TOKEN_NEEDED')
    expect(credit('ann', 'c1')).toBe('ApprovalNeeded')
  })

  test('is approved by a token that existed before the request', () => {
    const { it, alice, token, credit, approve, threshold } = harness()
    token('ann')
    token('ben')
    threshold()
    expect(credit('ann', 'c1')).toBe('ApprovalNeeded')
    token('ann2')
    expect(approve('ann2', 'c1')).toBe('TOKEN_TOO_NEW')
    expect(approve('ann', 'c1')).toBe('SELF_APPROVAL')
    expect(approve('local:ben', 'c1')).toBe('NAMED_TOKEN_NEEDED')
    expect(approve('ben', 'c1')).toBe('Done')
    expect(it.money(alice, 0).free).toBe(100n + LIMIT + 1n)
  })

  test('is not approved by a token created at the same moment, nor by a revoked one', () => {
    const { it, alice, ask, token, credit, approve, threshold } = harness()
    token('ann')
    token('ben')
    threshold()
    token('eve')
    const operator = { actor: 'ann', note: '' }
    const what = { accountId: alice, asset: 'BTC', amount: amount(LIMIT + 1n), reference: 'c1' }
    const request = { kind: 'Credit', operator, ...what } as const
    expect(it.exchange.apply(request, it.exchange.time, () => {}).kind).toBe('ApprovalNeeded')
    expect(approve('eve', 'c1')).toBe('TOKEN_TOO_NEW')
    ask({ kind: 'RevokeAdminToken', operator: OPERATOR, name: 'ben' })
    expect(approve('ben', 'c1')).toBe('NAMED_TOKEN_NEEDED')
    expect(credit('ben', 'c2')).toBe('NAMED_TOKEN_NEEDED')
  })

  test('checks the switches of the asset again when it is approved', () => {
    const { token, credit, approve, threshold, flags } = harness()
    token('ann')
    token('ben')
    threshold()
    expect(credit('ann', 'c1')).toBe('ApprovalNeeded')
    flags({ isDeposit: false })
    expect(approve('ben', 'c1')).toBe('ASSET_NOT_DEPOSITABLE')
    flags({})
    expect(approve('ben', 'c1')).toBe('Done')
  })
})
