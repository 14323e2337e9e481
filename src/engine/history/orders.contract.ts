/** Rules for orders and queries for them in every store of history; part of its contract suite. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { CANCEL_CAUSES } from '../../core/events/event.ts'
import type { AccountId, KeyNumber, ListNumber, OrderNumber, SymbolId } from '../../units/ids.ts'
import { LIST_ROLES, ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../units/order-enums.ts'
import { amount, lots, notional, type Price, type Seq, type TimeMs, timeMs } from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type { HistoryStore, OrderRange } from './history.ts'
import { at } from './history-trades.fixture.ts'
import { type EndedOrder, type HistoryOrder, historyOrder, type OrderEnd } from './order-history.ts'

const timeOf = (number: number): TimeMs => (1_700_000_000_000 + number) as TimeMs

/** An end for tests, derived from the order's number. */
export function anEnd(number: number, seq: number, time: number): OrderEnd {
  return {
    seq: seq as Seq,
    time: timeOf(time),
    cause: [undefined, ...CANCEL_CAUSES][number % (CANCEL_CAUSES.length + 1)],
    executedQuantity: lots(number * 3),
    executedNotional: notional(2n ** 80n + BigInt(number)),
    commission: amount(BigInt(number) * 10n ** 18n),
    preventedQuantity: lots(number % 2),
    amendedQuantity: number % 5 === 0 ? lots(number * 4) : undefined,
    learnedTotal: number % 7 === 0 ? amount(BigInt(number * 5)) : undefined,
  }
}

export type OrderTerms = {
  readonly number: number
  readonly account?: number
  readonly symbol?: number
  readonly seq?: number
  readonly time?: number
  readonly endsAtOnce?: boolean
}

/** An order for tests: every field not given is derived from the order's number. */
export function anOrder({ number, account = 10, symbol = 0, ...terms }: OrderTerms): HistoryOrder {
  const { seq = number, time = number, endsAtOnce = false } = terms
  const at = (list: readonly unknown[]): number => number % list.length
  return {
    kind: 'OrderPlaced',
    seq: seq as Seq,
    time: timeOf(time),
    accountId: account as AccountId,
    symbolId: symbol as SymbolId,
    orderNumber: number as OrderNumber,
    keyNumber: number % 3 === 0 ? undefined : (number as KeyNumber),
    side: SIDES[at(SIDES)] ?? 'BUY',
    type: ORDER_TYPES[at(ORDER_TYPES)] ?? 'LIMIT',
    timeInForce: [undefined, ...TIMES_IN_FORCE][number % 4],
    price: number % 2 === 0 ? undefined : (number as Price),
    quantity: number % 3 === 0 ? undefined : lots(number * 7),
    total: number % 5 === 0 ? amount(10n ** 30n) : undefined,
    stopPrice: number % 7 === 0 ? (number as Price) : undefined,
    trailingDelta: number % 11 === 0 ? (number as TrailingDelta) : undefined,
    icebergQuantity: number % 5 === 0 ? (number as HistoryOrder['quantity']) : undefined,
    expireTime: number % 11 === 0 ? timeMs(time + number) : undefined,
    selfTradeMode: SELF_TRADE_MODES[at(SELF_TRADE_MODES)] ?? 'NONE',
    clientOrderId: number % 4 === 0 ? `id-${number}` : undefined,
    inList:
      number % 6 === 0
        ? { listNumber: (number - 1) as ListNumber, role: LIST_ROLES[at(LIST_ROLES)] ?? 'ABOVE' }
        : undefined,
    end: endsAtOnce ? anEnd(number, seq, time) : undefined,
  }
}

function range(account: number, terms: Partial<OrderRange> = {}): OrderRange {
  return {
    accountId: account as AccountId,
    symbolId: undefined,
    from: undefined,
    to: undefined,
    before: undefined,
    limit: 100,
    ...terms,
  }
}

async function pagesOf(store: HistoryStore, asked: OrderRange): Promise<HistoryOrder[][]> {
  const pages: HistoryOrder[][] = []
  for (let before = asked.before; ; ) {
    const { orders, next } = await store.orders({ ...asked, before })
    pages.push([...orders])
    if (next === undefined) return pages
    before = next.orderNumber
  }
}

export function orderContract(store: () => HistoryStore, open: () => Promise<HistoryStore>): void {
  const numbers = (...all: number[]): OrderNumber[] => all as OrderNumber[]

  test('an empty store has no orders, and no next page', async () => {
    expect(await store().orders(range(10))).toEqual({ orders: [], next: undefined })
    expect(await store().numberedOrders({ orderNumbers: numbers(1, 2) })).toEqual([])
  })

  test('an order is found by its number, for any account, in the order of the question', async () => {
    const orders = [1, 2, 4].map((number) => anOrder({ number, account: number }))
    await store().append([], at(4), { orders })
    const found = await store().numberedOrders({ orderNumbers: numbers(4, 3, 1) })
    expect(found.map(({ orderNumber, accountId }) => [orderNumber, accountId] as unknown)).toEqual([
      [4, 4],
      [1, 1],
    ])
  })

  test('an order has its end once it has ended: at once, with the same append, or much later', async () => {
    const [atOnce, same, later, never] = [1, 2, 3, 4].map((number) =>
      anOrder({ number, endsAtOnce: number === 1 }),
    ) as [HistoryOrder, HistoryOrder, HistoryOrder, HistoryOrder]
    const endOf = ({ orderNumber }: HistoryOrder, seq: number): EndedOrder => ({
      orderNumber,
      ...anEnd(orderNumber, seq, seq),
    })
    const [sameEnd, laterEnd] = [endOf(same, 5), endOf(later, 6)]
    await store().append([], at(5), { orders: [atOnce, same, later, never], ends: [sameEnd] })
    expect((await store().numberedOrders({ orderNumbers: numbers(3) }))[0]?.end).toBeUndefined()
    await store().append([], at(6), { ends: [laterEnd] })
    const expected = [
      never,
      { ...later, end: anEnd(3, 6, 6) },
      { ...same, end: anEnd(2, 5, 5) },
      { ...atOnce, end: anEnd(1, 1, 1) },
    ]
    expect((await store().orders(range(10))).orders).toEqual(expected)
    expect(await store().numberedOrders({ orderNumbers: numbers(4, 3, 2, 1) })).toEqual(expected)
    await store().clear()
    expect(await store().numberedOrders({ orderNumbers: numbers(4, 3, 2, 1) })).toEqual([])
  })

  test('the oldest orders from a number and a time on come in place of the newest', async () => {
    const orders = [1, 2, 4, 5, 7].map((number) => anOrder({ number }))
    await store().append([], at(7), { orders })
    const numbersOf = async (terms: Partial<OrderRange>) =>
      (await store().orders(range(10, terms))).orders.map(({ orderNumber }) => Number(orderNumber))
    const [from, first] = numbers(2, 0)
    expect(await numbersOf({ oldestFrom: from, limit: 2 })).toEqual([4, 2])
    expect(await numbersOf({ oldestFrom: first, from: timeOf(3), limit: 2 })).toEqual([5, 4])
    expect(await numbersOf({ oldestFrom: first, to: timeOf(4) })).toEqual([4, 2, 1])
    expect(await numbersOf({ oldestFrom: 8 as OrderNumber })).toEqual([])
    expect((await store().orders(range(10, { oldestFrom: first, limit: 1 }))).next).toBeUndefined()
  })

  test('limits and numbers of orders out of range are bugs of the caller', async () => {
    for (const limit of [0, 1_001, 0.5]) {
      await expect(store().orders(range(1, { limit }))).rejects.toThrow('limit must be 1 to 1000')
    }
    const many = Array.from({ length: 1_001 }, (_, i) => i as OrderNumber)
    await expect(store().numberedOrders({ orderNumbers: many })).rejects.toThrow('at most 1000 orders')
  })

  const placed = fc.record({
    account: fc.integer({ min: 10, max: 12 }),
    symbol: fc.integer({ min: 0, max: 1 }),
    step: fc.integer({ min: 0, max: 2 }),
    endsAtOnce: fc.boolean(),
    endsLater: fc.boolean(),
  })
  const option = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined })
  const asked = fc.record({
    account: fc.integer({ min: 10, max: 12 }),
    symbol: option(1),
    from: option(40),
    to: option(40),
    before: option(90),
    limit: fc.integer({ min: 1, max: 7 }),
  })

  test('pages of orders, one after another, are the filtered list, whatever the request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(placed, { maxLength: 80 }), fc.array(asked), async (terms, questions) => {
        const fresh = await open()
        let now = 0
        const orders = terms.map(({ step, endsLater: _, ...one }, i) => {
          now += step
          return anOrder({ number: i + 1, time: now, ...one })
        })
        const ends = orders
          .filter((order, i) => order.end === undefined && terms[i]?.endsLater === true)
          .map(({ orderNumber }): EndedOrder => ({ orderNumber, ...anEnd(orderNumber, 100, now) }))
        await fresh.append([], at(100), { orders, ends })
        const whole = orders.map((order) =>
          historyOrder(
            order,
            ends.find(({ orderNumber }) => orderNumber === order.orderNumber),
          ),
        )
        for (const { account, symbol, from, to, before, limit } of questions) {
          const question = range(account, {
            symbolId: symbol as SymbolId | undefined,
            from: from === undefined ? undefined : timeOf(from),
            to: to === undefined ? undefined : timeOf(to),
            before: before as OrderNumber | undefined,
            limit,
          })
          const expected = whole
            .filter(({ accountId }) => accountId === question.accountId)
            .filter(({ symbolId }) => symbol === undefined || symbolId === question.symbolId)
            .filter(({ time }) => time >= (question.from ?? 0) && time <= (question.to ?? Number.MAX_VALUE))
            .filter(({ orderNumber }) => before === undefined || orderNumber < before)
            .reverse()
          const pages = await pagesOf(fresh, question)
          expect(pages.flat()).toEqual(expected)
          expect(pages.every((page) => page.length <= limit)).toBe(true)
        }
        await fresh.close()
      }),
      { numRuns: 40 },
    )
  })
}
