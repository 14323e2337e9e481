/**
 * Operators' commands for one customer: cancel any order, note the owner of an account, and give it special
 * terms until a given time (docs/reference/admin.md#special-terms).
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { PROFILE_FIELDS_MAX, PROFILE_LABELS_MAX } from '../../units/limits.ts'
import { amount, type Rate, type TimeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import type { OrderAccepted, Reply } from '../questions/reply.ts'
import type { AccountProfile, SpecialTerms } from '../registry/records.ts'
import { orderRateInForce } from '../registry/special-terms.ts'
import { Exchange } from './exchange.ts'
import { ExchangeHarness, OPERATOR, orderOf } from './exchange-harness.fixture.ts'
import { RULES_VERSION } from './rules.ts'

const BTC = 100_000_000n
const NEVER = 0 as TimeMs
let it: ExchangeHarness
let ann: AccountId
let bob: AccountId

beforeEach(() => {
  it = new ExchangeHarness()
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  ann = it.trader('ann', { BTC: 100n * BTC, USDT: 10_000_000n * BTC })
  bob = it.trader('bob', { BTC: 100n * BTC, USDT: 10_000_000n * BTC })
})

const answerOf = (reply: Reply) => (reply.kind === 'Refused' ? reply.reason : reply.kind)
const give = (command: Command, afterMs?: number) => answerOf(it.give(command, afterMs))
const rate = (units: number) => units as Rate
const order = (who: AccountId, side: 'BUY' | 'SELL', price = 10_000) =>
  orderOf({ who, side, price, quantity: 1_000_000 })

function profile(accountId: AccountId, given: Partial<AccountProfile>): Command {
  const nothing = { customerId: '', labels: [], fields: [], remark: '' }
  return { kind: 'SetAccountProfile', operator: OPERATOR, accountId, ...nothing, ...given }
}

function terms(accountId: AccountId, given: SpecialTerms): Command {
  return { kind: 'SetSpecialTerms', operator: OPERATOR, accountId, ...given }
}

function mustBeKept(): Exchange {
  const bytes = it.exchange.encodeSnapshot()
  const read = Exchange.decodeSnapshot(bytes)
  expect(read.encodeSnapshot()).toEqual(bytes)
  return read
}

const accountOf = (id: AccountId) => it.exchange.bootstrap().accounts[id]
const inSeconds = (seconds: number) => (it.exchange.time + seconds * 1_000) as TimeMs

describe('one order of any account', () => {
  const cancel = ({ orderNumber, time }: OrderAccepted): Command => {
    return { kind: 'CancelAnyOrder', operator: OPERATOR, orderNumber, orderTime: time }
  }

  test('is canceled by an operator, and its money is free again', () => {
    const placed = it.give(order(ann, 'BUY')) as OrderAccepted
    expect(give(cancel(placed))).toBe('Done')
    expect(it.events).toMatchObject([
      { kind: 'OrderCanceled', accountId: ann, cause: 'OPERATOR' },
      { kind: 'LevelChanged', quantity: 0n },
    ])
    expect(it.exchange.balances(ann).map(({ locked }) => locked)).toEqual([amount(0n), amount(0n)])
    expect(give(cancel(placed))).toBe('UNKNOWN_ORDER')
  })

  test('is canceled while the exchange is closed, and no other order of the account is', () => {
    const [first, second] = [9_000, 9_100].map((price) => it.give(order(ann, 'BUY', price)) as OrderAccepted)
    give({ kind: 'SetPhase', operator: OPERATOR, phase: 'CLOSED' })
    expect(give(cancel(first as OrderAccepted))).toBe('Done')
    expect(it.exchange.isOpen(second?.orderNumber as OrderNumber)).toBe(true)
  })

  test('is identified by its number and its time together', () => {
    const placed = it.give(order(ann, 'BUY')) as OrderAccepted
    expect(give(cancel({ ...placed, time: (placed.time + 1) as TimeMs }))).toBe('UNKNOWN_ORDER')
    expect(it.exchange.isOpen(placed.orderNumber)).toBe(true)
  })
})

describe('a profile', () => {
  test('is stored, kept in snapshots, and removed by an empty one', () => {
    const before = mustBeKept().encodeSnapshot().length
    const given = {
      customerId: 'CRM-7',
      labels: ['mm', 'vip'],
      fields: [{ name: 'desk', value: 'Zürich' }],
      remark: 'calls on Mondays',
    }
    expect(give(profile(ann, given))).toBe('Done')
    expect(it.events).toMatchObject([{ kind: 'AccountChanged', account: { id: ann, profile: given } }])
    expect(mustBeKept().bootstrap().accounts[ann]?.profile).toEqual(given)
    expect(give(profile(ann, {}))).toBe('Done')
    expect(accountOf(ann)).not.toHaveProperty('profile')
    expect(mustBeKept().encodeSnapshot()).toHaveLength(before)
  })

  test('has a customer id that belongs to one account alone, even a closed one, until it is released', () => {
    const carol = it.trader('carol', {})
    expect(give(profile(carol, { customerId: 'CRM-7' }))).toBe('Done')
    give({ kind: 'CloseAccount', operator: OPERATOR, accountId: carol })
    expect(give(profile(ann, { customerId: 'CRM-7' }))).toBe('CUSTOMER_ID_TAKEN')
    it = Object.assign(it, { exchange: mustBeKept() })
    expect(give(profile(ann, { customerId: 'CRM-7' }))).toBe('CUSTOMER_ID_TAKEN')
    expect(give(profile(carol, {}))).toBe('Done')
    expect(give(profile(ann, { customerId: 'CRM-7' }))).toBe('Done')
    expect(give(profile(ann, { customerId: 'CRM-7', remark: 'again' }))).toBe('Done')
  })

  test('that is malformed or beyond its bounds is refused, and changes nothing', () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `label-${10 + i}`)
    const fields = (count: number) => words(count).map((name) => ({ name, value: 'x' }))
    const wrong: Partial<AccountProfile>[] = [
      { customerId: 'a b' },
      { customerId: 'x'.repeat(65) },
      { labels: ['Vip'] },
      { labels: ['vip', 'mm'] },
      { labels: ['vip', 'vip'] },
      { labels: words(PROFILE_LABELS_MAX + 1) },
      { fields: fields(PROFILE_FIELDS_MAX + 1) },
      { fields: [{ name: 'desk', value: '' }] },
      { fields: [{ name: '', value: 'x' }] },
      { remark: 'x'.repeat(201) },
    ]
    for (const each of wrong) expect([each, give(profile(ann, each))]).toEqual([each, 'INVALID_COMMAND'])
    expect(accountOf(ann)).not.toHaveProperty('profile')
    expect(give(profile(0 as AccountId, { remark: 'house' }))).toBe('INVALID_COMMAND')
    expect(give(profile(99 as AccountId, {}))).toBe('UNKNOWN_ACCOUNT')
    const most = { labels: words(PROFILE_LABELS_MAX), fields: fields(PROFILE_FIELDS_MAX) }
    expect(give(profile(ann, most))).toBe('Done')
  })
})

describe('special terms', () => {
  const commissions = () =>
    it.events.flatMap((event) =>
      event.kind === 'OrdersMatched' ? [event.maker.commission, event.taker.commission] : [],
    )
  const trade = (afterMs?: number) => {
    it.give(order(ann, 'SELL'), afterMs)
    it.give(order(bob, 'BUY'), 0)
    return commissions()
  }

  test('are paid in place of tier and symbol, and end at their moment without a command', () => {
    const [standardMaker, standardTaker] = trade()
    give({
      kind: 'SetFeeTier',
      operator: OPERATOR,
      name: 'vip',
      makerShare: rate(50_000_000),
      takerShare: rate(50_000_000),
    })
    give({ kind: 'SetAccountTerms', operator: OPERATOR, accountId: ann, feeTier: 'vip', openOrdersMax: 0 })
    const [tierMaker] = trade()
    expect(Number(tierMaker)).toBeLessThan(Number(standardMaker))
    const until = inSeconds(60)
    expect(give(terms(ann, { rates: { makerRate: rate(0), takerRate: rate(1), until } }))).toBe('Done')
    expect(trade()).toEqual([amount(0n), standardTaker as never])
    const left = until - it.exchange.time
    expect(trade(left - 1)).toEqual([amount(0n), standardTaker as never])
    const read = mustBeKept()
    expect(trade(1)).toEqual([tierMaker as never, standardTaker as never])
    expect(accountOf(ann)?.special).toEqual({ rates: { makerRate: rate(0), takerRate: rate(1), until } })
    expect(read.bootstrap().accounts[ann]?.special).toEqual(accountOf(ann)?.special as never)
  })

  test('are charged by the time of the fill, to an order that was placed before they began', () => {
    it.give(order(ann, 'SELL'))
    give(terms(ann, { rates: { makerRate: rate(0), takerRate: rate(0), until: NEVER } }))
    it.give(order(bob, 'BUY'))
    expect(commissions()[0]).toEqual(amount(0n))
  })

  test('limit open orders in place of the account’s and the symbol’s limit, until their moment', () => {
    give({ kind: 'SetAccountTerms', operator: OPERATOR, accountId: ann, feeTier: '', openOrdersMax: 1 })
    const until = inSeconds(60)
    expect(give(terms(ann, { openOrders: { max: 2, until } }))).toBe('Done')
    const place = (afterMs?: number) => give(order(ann, 'BUY'), afterMs)
    expect([place(), place(), place()]).toEqual(['OrderAccepted', 'OrderAccepted', 'TOO_MANY_OPEN_ORDERS'])
    give({ kind: 'CancelOrders', operator: OPERATOR, accountId: ann, symbol: undefined })
    expect([place(until - it.exchange.time), place()]).toEqual(['OrderAccepted', 'TOO_MANY_OPEN_ORDERS'])
  })

  test('have order limits per window, stored for the gateways that count them, and shown as over from their end on', () => {
    const until = inSeconds(60)
    expect(give(terms(ann, { orderRate: { times: 20, until } }))).toBe('Done')
    expect(accountOf(ann)?.special).toEqual({ orderRate: { times: 20, until } })
    const times = (at: number) => orderRateInForce(accountOf(ann)?.special, at as TimeMs)?.times
    expect([times(until - 1), times(until)]).toEqual([20, undefined])
    mustBeKept()
    expect(
      give(terms(ann, { openOrders: { max: 2, until }, orderRate: { times: 10_000, until: NEVER } })),
    ).toBe('Done')
    expect(times(until)).toBe(10_000)
    mustBeKept()
    for (const wrong of [
      { times: 0, until: NEVER },
      { times: 10_001, until: NEVER },
      { times: 2, until: it.exchange.time },
    ])
      expect(give(terms(ann, { orderRate: wrong }), 0)).toBe('INVALID_COMMAND')
  })

  test('that are over, outside their bounds or of an account that is closed are refused', () => {
    const now = inSeconds(0)
    const rates = { makerRate: rate(0), takerRate: rate(0), until: now }
    expect(give(terms(ann, { rates }), 0)).toBe('INVALID_COMMAND')
    expect(give(terms(ann, { openOrders: { max: 1, until: now } }), 0)).toBe('INVALID_COMMAND')
    expect(give(terms(ann, { openOrders: { max: 0, until: NEVER } }))).toBe('INVALID_COMMAND')
    const whole = { ...rates, takerRate: rate(100_000_000), until: NEVER }
    expect(give(terms(ann, { rates: whole }))).toBe('INVALID_COMMAND')
    const carol = it.trader('carol', {})
    give({ kind: 'CloseAccount', operator: OPERATOR, accountId: carol })
    expect(give(terms(carol, {}))).toBe('ACCOUNT_CLOSED')
    expect(accountOf(ann)).not.toHaveProperty('special')
  })

  test('that are empty count as none, and take no byte', () => {
    const before = it.exchange.encodeSnapshot().length
    give(terms(ann, { openOrders: { max: 2, until: NEVER } }))
    expect(give(terms(ann, {}))).toBe('Done')
    expect(accountOf(ann)).not.toHaveProperty('special')
    expect(it.exchange.encodeSnapshot()).toHaveLength(before)
  })
})
