/**
 * Every order in history is as it was placed, and its end equals its fills and the core: it is open exactly
 * as long as in the core, for any interruption of the projection (docs/reference/orders.md#order).
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Command } from '../../core/commands/command.ts'
import type { PlaceOrder } from '../../core/commands/orders.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import type { OrderAccepted } from '../../core/questions/reply.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { SELF_TRADE_MODES } from '../../units/order-enums.ts'
import { amount, type Lots, type Price, type TimeMs } from '../../units/quantities.ts'
import { untilMet } from '../../units/random-rounds.fixture.ts'
import { bigintOf } from '../../units/whole.ts'
import { openMarkets, TRADERS } from '../follower/journaled-exchange.fixture.ts'
import { limit } from '../writer/commands.fixture.ts'
import type { HistoryTrade } from './history.ts'
import { HistoryProjection } from './history-projection.ts'
import { type HistoryOrder, historyOrder } from './order-history.ts'

const operator = { actor: 'test', note: '' }

const placing = fc
  .record({
    who: fc.constantFrom(...TRADERS),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    price: fc.integer({ min: 97, max: 103 }),
    quantity: fc.integer({ min: 1, max: 9 }).map((n) => n * 1_000_000),
    kind: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'MARKET', 'TOTAL'),
    mode: fc.constantFrom(undefined, ...SELF_TRADE_MODES),
    clientOrderId: fc.option(fc.uuid(), { nil: undefined }),
  })
  .map(({ who, side, price: ticks, quantity: size, kind, mode: selfTradeMode, clientOrderId }): Command => {
    const [price, quantity, worth] = [ticks as Price, size as Lots, amount(BigInt(ticks * size))]
    const common = {
      kind: 'PlaceOrder' as const,
      accountId: who as AccountId,
      symbolId: 0 as SymbolId,
      selfTradeMode,
      clientOrderId,
    }
    if (kind === 'GTC' || kind === 'IOC')
      return { ...common, type: 'LIMIT', side, timeInForce: kind, price, quantity, total: undefined }
    const byTotal = kind === 'TOTAL'
    if (side === 'BUY')
      return { ...common, type: 'MARKET', side, total: worth, quantity: byTotal ? undefined : quantity }
    return { ...common, type: 'MARKET', side, total: byTotal ? worth : undefined, quantity }
  })

const canceling = fc
  .record({ who: fc.constantFrom(...TRADERS), number: fc.integer({ min: 1, max: 30 }) })
  .map(
    ({ who, number }): Command => ({
      kind: 'CancelOrder',
      accountId: who as AccountId,
      orderNumber: number as OrderNumber,
      orderTime: timeOf(number),
    }),
  )

const sweeping = fc.constantFrom(...TRADERS).map(
  (who): Command => ({
    kind: 'CancelOrders',
    operator,
    accountId: who as AccountId,
    symbol: undefined,
  }),
)

const commands = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: placing },
    { weight: 3, arbitrary: canceling },
    { weight: 1, arbitrary: sweeping },
  ),
  { minLength: 1, maxLength: 60 },
)

/** Order n is placed at this time, so that it can be canceled without its answer. */
function timeOf(orderNumber: number): TimeMs {
  return (1_700_000_000_000 + orderNumber) as TimeMs
}

type Seen = {
  readonly exchange: Exchange
  readonly placed: Map<OrderNumber, { command: PlaceOrder; reply: OrderAccepted }>
  readonly orders: HistoryOrder[]
  readonly ends: ReturnType<HistoryProjection['drain']>['ends'][number][]
  readonly trades: HistoryTrade[]
  /** By order: the last quantity to which it was amended. */
  readonly amended: Map<OrderNumber, number>
}

/** Continues from a snapshot after every `cut` commands, like a restarted follower. */
function play(list: readonly Command[], cut: number): Seen {
  let exchange = new Exchange()
  let projection = new HistoryProjection(exchange)
  const seen: Omit<Seen, 'exchange'> = {
    placed: new Map(),
    orders: [],
    ends: [],
    trades: [],
    amended: new Map(),
  }
  let nextOrder = 1
  const give = (command: Command): void => {
    const time = timeOf(nextOrder)
    const reply = exchange.apply(command, time, (event) => {
      projection.sink(event)
      if (event.kind === 'OrderAmended') seen.amended.set(event.orderNumber, event.quantity)
    })
    projection.note({ seq: exchange.seq, time, command, reply })
    const { orders, ends, trades } = projection.drain()
    seen.orders.push(...orders)
    seen.ends.push(...ends)
    seen.trades.push(...trades)
    if (reply.kind !== 'OrderAccepted' || command.kind !== 'PlaceOrder') return
    seen.placed.set(reply.orderNumber, { command, reply })
    nextOrder = reply.orderNumber + 1
  }
  const restart = (): void => {
    exchange = Exchange.decodeSnapshot(exchange.encodeSnapshot())
    projection = new HistoryProjection(exchange)
  }
  const setUp: Command[] = [{ kind: 'SetRulesVersion', operator, version: RULES_VERSION }, ...openMarkets()]
  for (const command of setUp) give(command)
  for (const [i, command] of list.entries()) {
    give(command)
    if ((i + 1) % cut === 0) restart()
  }
  // Random cancels and amendments seldom concern an order that is open.
  const [who] = TRADERS
  give(limit(who, 'BUY', 1, 1_000_000))
  const last = { orderNumber: (nextOrder - 1) as OrderNumber, orderTime: timeOf(nextOrder - 1) }
  const accountId = who as AccountId
  give({ kind: 'AmendOrder', accountId, target: last, quantity: amount(7n * 10n ** 15n) })
  if (list.length % 2 === 0) restart()
  give({ kind: 'CancelOrder', accountId, ...last })
  return { exchange, ...seen }
}

function check({ exchange, placed, orders, ends, trades, amended }: Seen, met: Record<string, number>): void {
  expect(orders.map(({ orderNumber }) => orderNumber)).toEqual([...placed.keys()])
  const parties = trades.flatMap(({ maker, taker }) => [maker, taker]).map(({ record }) => record)
  for (const order of orders) {
    const { orderNumber, quantity, accountId } = order
    const { command, reply } = placed.get(orderNumber) as { command: PlaceOrder; reply: OrderAccepted }
    const { side, type, timeInForce, price, total, clientOrderId } = order
    expect([side, type, timeInForce, price, quantity, total, accountId, clientOrderId]).toEqual([
      command.side,
      command.type,
      command.timeInForce,
      command.price,
      command.quantity,
      command.total,
      command.accountId,
      command.clientOrderId,
    ])
    const isDone = reply.status === 'FILLED' || reply.status === 'CANCELED'
    expect(order.end !== undefined).toBe(isDone)
    const all = ends.filter((end) => end.orderNumber === orderNumber)
    const [open] = exchange.ordersByNumber({ accountId, orderNumbers: [orderNumber] })
    expect(all.length + Number(isDone) + Number(open !== undefined)).toBe(1)
    const { end } = historyOrder(order, all[0])
    const fills = parties.filter((record) => record.orderNumber === orderNumber)
    const executed = fills.reduce((sum, fill) => sum + fill.quantity, 0)
    const exact = fills.reduce((sum, fill) => sum + BigInt(fill.price) * BigInt(fill.quantity), 0n)
    const charged = fills.reduce((sum, fill) => sum + bigintOf(fill.commission), 0n)
    const found = end ?? open
    expect(found?.executedQuantity as number).toBe(executed)
    expect(bigintOf(found?.executedNotional ?? -1n)).toBe(exact)
    expect(bigintOf(found?.commission ?? -1n)).toBe(charged)
    if (open !== undefined) expect(open.clientOrderId).toBe(command.clientOrderId)
    if (end === undefined) continue
    expect(end.amendedQuantity as number | undefined).toBe(amended.get(orderNumber))
    for (const what of [end.cause ?? 'FILLED', ...(end.amendedQuantity === undefined ? [] : ['amended'])])
      met[what] = (met[what] ?? 0) + 1
    if (isDone) expect(end.cause === undefined).toBe(reply.status === 'FILLED')
    if (order.type !== 'MARKET' && quantity !== undefined) {
      const rest = (end.amendedQuantity ?? quantity) - executed - end.preventedQuantity
      const isGivenUp = end.cause !== undefined && end.cause !== 'SELF_TRADE'
      expect(isGivenUp ? rest >= 0 : rest === 0).toBe(true)
    }
  }
}

/** Every cause of an order's end, with and without an earlier amendment. */
const ENDS = ['FILLED', 'IOC', 'MARKET_REMAINDER', 'OPERATOR', 'SELF_TRADE', 'USER', 'amended']

test('an order in history is open as long as it is in the core, and ends with the sums of its fills, also after a snapshot', async () => {
  const met: Record<string, number> = Object.fromEntries(ENDS.map((what) => [what, 0]))
  const property = fc.property(commands, fc.integer({ min: 1, max: 70 }), (list, cut) => {
    check(play(list, cut), met)
    const { orders, ends } = play(list, 1)
    const whole = play(list, list.length + 1)
    expect({ orders, ends }).toEqual({ orders: whole.orders, ends: whole.ends })
  })
  await untilMet(met, () => fc.assert(property, { numRuns: 150 }))
  expect(Object.keys(met)).toEqual(ENDS)
})
