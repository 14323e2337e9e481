/** Exchanges that have every kind of state, to be written to a snapshot and read back. */
import { expect } from 'bun:test'
import { BytesFault } from '../../units/bytes.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { amount, lots, price, rate, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR, orderOf } from '../exchange/exchange-harness.fixture.ts'
import { FIRST_RULES_VERSION, RULES_VERSION } from '../exchange/rules.ts'
import type { OrderAccepted } from '../questions/reply.ts'
import {
  type LegWords,
  LOT,
  listedExchange,
  listOf,
  placed,
  scene,
  trade,
} from '../trading/lists/lists.fixture.ts'
import { sessionsExchange } from '../trading/timers/sessions.fixture.ts'

/** An exchange that has every basic kind of state: orders on both sides, one of them partly filled. */
export function busyExchange(rules = FIRST_RULES_VERSION): Exchange {
  const it = new ExchangeHarness({})
  if (rules > FIRST_RULES_VERSION) it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: rules })
  const alice = it.trader('alice', { BTC: 100n, USDT: 10_000_000_000n })
  const bob = it.trader('bob', { BTC: 100n, USDT: 10_000_000_000n })
  it.accepted({ who: alice, side: 'SELL', price: 5_000_000, quantity: 60 })
  it.accepted({ who: alice, side: 'SELL', price: 5_000_100, quantity: 40 })
  it.accepted({ who: bob, side: 'BUY', price: 5_000_000, quantity: 20 })
  it.accepted({ who: bob, side: 'BUY', price: 4_000_000, quantity: 30 })
  it.accepted({ who: bob, side: 'BUY', price: 3_000_000, quantity: 30, selfTradeMode: 'DECREMENT' })
  it.give({
    kind: 'CreateApiKey',
    operator: OPERATOR,
    accountId: alice,
    apiKey: 'key',
    sealedSecret: new Uint8Array([1, 2, 3]),
    permissions: ['TRADE'],
    addresses: ['10.0.0.0/8'],
    label: 'bot',
  })
  return it.exchange
}

/** The same exchange after operators have used all their operations. */
function operatedExchange(): Exchange {
  const exchange = busyExchange()
  const accountId = exchange.bootstrap().accounts.find(({ name }) => name === 'alice')?.id ?? (0 as AccountId)
  const operator = OPERATOR
  const digest = new Uint8Array(32).fill(7)
  const none = { supplyCap: amount(0n), creditMax: amount(0n) }
  const band = { minPrice: price(1), maxPrice: price(9_000_000) }
  const limits = { minTotal: amount(0n), minQuantity: lots(0), openOrdersMax: 9, levelsMax: 9 }
  const commands: Command[] = [
    { kind: 'SetAssetTerms', operator, code: 'USDT', name: 'Tether', ...none, approvalAbove: amount(50n) },
    { kind: 'SetSymbolTerms', operator, symbol: 'BTC/USDT', ...limits, selfTradeMode: 'NONE', ...band },
    { kind: 'SetFeeTier', operator, name: 'vip', makerShare: rate(0), takerShare: rate(99_999_999) },
    { kind: 'SetAccountTerms', operator, accountId, feeTier: 'vip', openOrdersMax: 3 },
    { kind: 'SetAccountRestrictions', operator, accountId, restrictions: ['LOGIN'] },
    { kind: 'RotateApiKey', operator, apiKey: 'key', sealedSecret: digest, previousUntil: timeMs(9) },
    { kind: 'AddAdminToken', operator, name: operator.actor, role: 'SUPPORT', digest },
    { kind: 'BanAddress', operator, address: '192.0.2.7', until: timeMs(10 ** 13) },
    { kind: 'HoldWithdrawal', operator, accountId, asset: 'USDT', amount: amount(60n), reference: 'out' },
    { kind: 'CompleteWithdrawal', operator, reference: 'out' },
  ]
  for (const command of commands) {
    expect(exchange.apply(command, exchange.time, () => {}).kind).not.toBe('Refused')
  }
  return exchange
}

/**
 * Roles, tokens with terms, partly used limits, numbers of approvals, two requests with approvals, and
 * special terms.
 */
function rightsExchange(): Exchange {
  const it = new ExchangeHarness({})
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const accountId = it.trader('alice', {})
  const operator = OPERATOR
  const by = (actor: string) => ({ actor, note: '' })
  const none = { supplyCap: amount(0n), creditMax: amount(0n) }
  const each = { inEach: amount(0n), inDay: amount(5_000n), outEach: amount(9n), outDay: amount(0n) }
  const token = (name: string, role: string, expiresAt: number, addresses: string[]): Command => {
    const digest = new Uint8Array(32).fill(name.charCodeAt(1))
    return { kind: 'AddToken', operator, name, role, digest, expiresAt: timeMs(expiresAt), addresses }
  }
  const credit = (actor: string, units: bigint, reference: string): Command => {
    return { kind: 'Credit', operator: by(actor), accountId, asset: 'BTC', amount: amount(units), reference }
  }
  const approve = (actor: string, reference: string): Command => {
    return { kind: 'Approve', operator: by(actor), reference }
  }
  const until = timeMs(10 ** 13)
  const commands: Command[] = [
    { kind: 'SetRole', operator, name: 'desk', rights: ['credit', 'approve'] },
    { kind: 'SetRole', operator, name: 'desl', rights: ['read'] },
    token('t1', 'desk', 0, []),
    token('t2', 'desl', 10 ** 13, []),
    token('t3', 'desk', 10 ** 13, ['10.0.0.0/8', '::1']),
    token('t4', 'OPERATOR', 0, ['::1']),
    token('t5', 'AUDITOR', 0, []),
    token('t6', 'OPERATOR', 0, []),
    { kind: 'SetAssetTerms', operator, code: 'BTC', name: 'BTC', ...none, approvalAbove: amount(100n) },
    { kind: 'SetRoleLimit', operator, role: 'desk', asset: 'BTC', ...each },
    { kind: 'SetRoleLimit', operator, role: 'OPERATOR', asset: 'BTC', ...each },
    { kind: 'SetApprovalsNeeded', operator, asset: '', needed: 3 },
    { kind: 'SetApprovalsNeeded', operator, asset: 'BTC', needed: 4 },
    credit('t1', 70n, 'c0'),
    credit('t1', 500n, 'c1'),
    credit('t1', 600n, 'c2'),
    approve('t3', 'c1'),
    approve('t4', 'c1'),
    approve('t4', 'c2'),
    { kind: 'SetSpecialTerms', operator, accountId, orderRate: { times: 20, until } },
  ]
  for (const command of commands) expect(it.give(command).kind).not.toBe('Refused')
  return it.exchange
}

/**
 * Orders of every type that waits: some wait for a price, some are due at two distances, one is set aside,
 * one was triggered and rests.
 */
function waitingExchange(): Exchange {
  const it = new ExchangeHarness({})
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const ann = it.trader('ann', { BTC: 10n ** 9n, USDT: 10n ** 9n })
  const ben = it.trader('ben', { BTC: 10n ** 9n, USDT: 10n ** 9n })
  const trade = (price: number) => {
    it.accepted({ who: ann, side: 'SELL', price, quantity: 10_000 })
    it.accepted({ who: ben, side: 'BUY', price, quantity: 10_000 })
  }
  const limit = { type: 'STOP_LOSS_LIMIT', price: 100, quantity: 10_000 } as const
  trade(100)
  for (const stopPrice of [101, 101, 102, 300]) it.accepted({ who: ann, side: 'BUY', stopPrice, ...limit })
  for (const stopPrice of [99, 50])
    it.accepted({ who: ann, side: 'SELL', type: 'STOP_LOSS', stopPrice, quantity: 2 })
  for (const stopPrice of [103, 200])
    it.accepted({ who: ben, side: 'SELL', type: 'TAKE_PROFIT', stopPrice, quantity: 2 })
  for (const stopPrice of [98, 97])
    it.accepted({ who: ben, side: 'BUY', type: 'TAKE_PROFIT', stopPrice, total: 7n })
  it.accepted({
    who: ben,
    side: 'BUY',
    stopPrice: 40,
    ...limit,
    type: 'TAKE_PROFIT_LIMIT',
    timeInForce: 'FOK',
  })
  trade(101)
  const [first, second] = it.exchange.due(2)
  it.give(first as Command)
  it.exchange.refuse(timeMs(it.exchange.time + 1), second)
  trade(98)
  trade(103)
  return it.exchange
}

/**
 * Trailing orders at every stage: some begin with the next trade, some at a price, some follow different
 * prices. Others are due, set aside, triggered and resting, or are or were pending in a list.
 */
function trailingExchange(): Exchange {
  const s = scene()
  const { it, ann, ben, cleo } = s
  const sell = { who: cleo, side: 'SELL', type: 'STOP_LOSS', quantity: LOT } as const
  const buy = { who: cleo, side: 'BUY', type: 'STOP_LOSS_LIMIT', price: 9_000, quantity: LOT } as const
  trade(s, 10_000)
  it.accepted({ ...sell, trailingDelta: 200 })
  it.accepted({ ...buy, trailingDelta: 100 })
  trade(s, 10_000)
  it.accepted({ ...sell, trailingDelta: 1_000 })
  it.accepted({ ...buy, side: 'SELL', price: 30_000, stopPrice: 9_750, trailingDelta: 150 })
  trade(s, 9_900)
  for (const [stopPrice, delta] of [
    [20_000, 10],
    [20_000, 2_000],
    [21_000, 50],
  ]) {
    it.accepted({ ...sell, type: 'TAKE_PROFIT', stopPrice, trailingDelta: delta })
  }
  const cheap = { who: cleo, side: 'BUY', type: 'TAKE_PROFIT', total: 7n } as const
  it.accepted({ ...cheap, trailingDelta: 77, stopPrice: 500 })
  const working: LegWords = { side: 'BUY', type: 'LIMIT', price: 9_850, quantity: LOT }
  const pair: readonly LegWords[] = [
    { side: 'SELL', type: 'TAKE_PROFIT', stopPrice: 12_000, trailingDelta: 100 },
    { side: 'SELL', type: 'STOP_LOSS', trailingDelta: 500 },
  ]
  placed(it, listOf('OTOCO', [working, ...pair], { who: cleo }))
  it.accepted({ who: ann, side: 'SELL', price: 9_850, quantity: LOT })
  it.carryOut()
  placed(it, listOf('OTOCO', [{ ...working, price: 5_000 }, ...pair], { who: cleo }))
  for (let i = 0; i < 3; i++)
    it.accepted({ who: ben, side: 'SELL', type: 'STOP_LOSS', quantity: LOT, trailingDelta: 10 })
  trade(s, 9_840)
  trade(s, 9_700)
  it.give(it.exchange.due(1)[0] as Command)
  it.exchange.refuse(it.exchange.time, it.exchange.due(1)[0])
  it.accepted({ ...sell, trailingDelta: 300 })
  return it.exchange
}

/** Orders that hide a part: one whole, one with a part begun, and one with the last part shown. */
function hidingExchange(): Exchange {
  const it = new ExchangeHarness({})
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const ann = it.trader('ann', { BTC: 1_000n, USDT: 10n ** 10n })
  const ben = it.trader('ben', { BTC: 1_000n, USDT: 10n ** 10n })
  const sell = { who: ann, side: 'SELL', price: 100 } as const
  const take = { who: ben, side: 'BUY', price: 100, timeInForce: 'IOC' } as const
  it.accepted({ ...sell, quantity: 5, icebergQuantity: 3 })
  it.accepted({ ...sell, quantity: 300, icebergQuantity: 3 })
  it.accepted({ ...take, quantity: 4 })
  it.accepted({ ...sell, quantity: 7, icebergQuantity: 7, type: 'LIMIT_MAKER' })
  it.accepted({ ...sell, side: 'BUY', price: 99, quantity: 9, icebergQuantity: 2 })
  return it.exchange
}

/** Two mass cancels in progress of one account, one of another that is set aside, and countdowns. */
function cancelingExchange(): Exchange {
  const it = new ExchangeHarness({ massCancelSteps: { first: 2, next: 1 } })
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const ann = it.trader('ann', { BTC: 10n ** 9n })
  const ben = it.trader('ben', { BTC: 10n ** 9n })
  for (const who of [ann, ben]) {
    for (let i = 0; i < 6; i++) it.accepted({ who, side: 'SELL', price: 100 + i, quantity: 10_000 })
  }
  it.give({ kind: 'CancelAllOrders', accountId: ben, symbolId: undefined })
  it.exchange.refuse(it.exchange.time, { kind: 'ContinueCancelAll', accountId: ben })
  const countdown = { kind: 'SetCountdown', accountId: ann, keepsStops: true } as const
  it.give({ ...countdown, symbolId: undefined, countdownMs: 1 })
  it.give({ kind: 'CancelAllOrders', accountId: ann, symbolId: 0 as SymbolId })
  it.give({ kind: 'FireCountdown', accountId: ann, symbolId: undefined })
  it.give({ ...countdown, symbolId: undefined, countdownMs: 70 })
  it.give({ ...countdown, symbolId: 0 as SymbolId, countdownMs: 60_000, keepsStops: false })
  return it.exchange
}

/**
 * Orders that end at a given time: one rests, one was partly executed, one waits, one was triggered, and one
 * is set aside.
 */
function endingExchange(): Exchange {
  const it = new ExchangeHarness({})
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const ann = it.trader('ann', { BTC: 10n ** 9n, USDT: 10n ** 9n })
  const ben = it.trader('ben', { BTC: 10n ** 9n, USDT: 10n ** 9n })
  const end = it.exchange.time + 100
  const limit = { who: ann, side: 'SELL', timeInForce: 'GTD', quantity: 10_000, price: 100 } as const
  it.accepted({ ...limit, expireTime: end, price: 101 })
  it.accepted({ ...limit, expireTime: end + 7 })
  it.accepted({ ...limit, expireTime: end + 300, type: 'STOP_LOSS_LIMIT', stopPrice: 50 })
  it.accepted({ ...limit, expireTime: end, type: 'TAKE_PROFIT_LIMIT', stopPrice: 100, price: 103 })
  const aside = it.accepted({ ...limit, expireTime: it.exchange.time + 2, price: 120 })
  it.accepted({ who: ben, side: 'BUY', price: 100, quantity: 20 })
  it.exchange.refuse(it.exchange.time, { kind: 'ExpireOrder', orderNumber: aside.orderNumber })
  it.carryOut()
  return it.exchange
}

/** Orders, some of them amended, one after a partial execution, and ids of orders that replaced others. */
function changedExchange(): Exchange {
  const it = new ExchangeHarness({})
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
  const who = it.trader('ann', { BTC: 10n ** 12n, USDT: 10n ** 15n })
  const sell = { who, side: 'SELL', price: 100, quantity: 10 ** 8 } as const
  const orders = [1, 2, 3].map(() => it.accepted(sell))
  it.accepted({ ...sell, side: 'BUY', quantity: 10 ** 7 })
  for (const { orderNumber, time: orderTime } of orders.slice(0, 2)) {
    const target = { orderNumber, orderTime }
    it.give({ kind: 'AmendOrder', accountId: who, target, quantity: amount(5n * 10n ** 17n) })
  }
  const replacing = { kind: 'ReplaceOrder', mode: 'ALLOW_FAILURE', restriction: 'ONLY_NEW' } as const
  const [, , { orderNumber, time: orderTime }] = orders as [OrderAccepted, OrderAccepted, OrderAccepted]
  const order = orderOf({ ...sell, price: 101, clientOrderId: 'one' })
  it.give({ ...replacing, target: { orderNumber, orderTime }, order })
  const alone = orderOf({ ...sell, price: 102, clientOrderId: 'two' })
  it.give({ ...replacing, target: { clientOrderId: 'nobody' }, order: alone })
  return it.exchange
}

/** The exchange that the bytes contain, or the reason why they are refused. */
export function decoded(bytes: Uint8Array): Exchange | BytesFault {
  try {
    return Exchange.decodeSnapshot(bytes)
  } catch (fault) {
    if (fault instanceof BytesFault) return fault
    throw fault
  }
}

/** Names of snapshots, each with a function that creates the exchange. */
export const SNAPSHOTS: readonly (readonly [string, () => Exchange])[] = [
  ['a snapshot', () => busyExchange()],
  ['a snapshot under the newest rules', () => busyExchange(RULES_VERSION)],
  ['a snapshot with what operators keep', operatedExchange],
  ['a snapshot with roles, terms of tokens, limits and approvals by several', rightsExchange],
  ['a snapshot with mass cancels and countdowns', () => cancelingExchange()],
  ['a snapshot with orders that end at a time', () => endingExchange()],
  ['a snapshot with orders that wait, are due, are set aside and were triggered', () => waitingExchange()],
  ['a snapshot with orders that follow the price, at every stage', () => trailingExchange()],
  ['a snapshot with orders that hide something', hidingExchange],
  ['a snapshot with orders that were amended and replaced', changedExchange],
  ['a snapshot with order lists at every stage, under ids and without', listedExchange],
  ['a snapshot with sessions with a connection, without one, and set aside', sessionsExchange],
]

/** Ways to damage a byte. */
export const DAMAGES = [1, 2, 0x40, 0x80, 0xff]

/**
 * Damages each byte in turn, in the ways that `damagesAt` returns for its place: each time the bytes must be
 * refused, or be the only form of another state. Returns the number of refusals.
 */
export function refusedOfDamaged(bytes: Uint8Array, damagesAt: (at: number) => readonly number[]): number {
  let refused = 0
  for (let at = 0; at < bytes.length; at++) {
    for (const damage of damagesAt(at)) {
      const damaged = bytes.slice()
      damaged[at] = (bytes[at] as number) ^ damage
      const found = decoded(damaged)
      if (found instanceof BytesFault) refused++
      else expect(found.encodeSnapshot()).toEqual(damaged)
    }
  }
  return refused
}
