import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId, KeyNumber, OrderNumber, SymbolId } from '../../units/ids.ts'
import { lots, NO_NOTIONAL, price, type TimeMs } from '../../units/quantities.ts'
import { NO_COMMISSION } from '../ledger/money.ts'
import type { Slot } from '../market/order-book.ts'
import type { OpenOrdersPlace } from '../questions/view.ts'
import { OpenOrders, type Order } from './open-orders.ts'
import { PLAIN_TERMS } from './order-terms.ts'

const OURS = 1 as AccountId
const OTHERS = 2 as AccountId
const ORDERS_MAX = 3
const RECORDS_READ_MAX = 5

/** Open orders, and a plain map of them for comparison. */
class Table {
  readonly orders = new OpenOrders()
  readonly #openByNumber = new Map<number, Order>()
  #last = 0

  add(accountId: AccountId, symbol: number): number {
    const number = ++this.#last
    const order: Order = {
      number: number as OrderNumber,
      time: number as TimeMs,
      accountId,
      keyNumber: number as KeyNumber,
      symbolId: symbol as SymbolId,
      side: 'BUY',
      price: price(1),
      quantity: lots(1),
      remaining: lots(1),
      terms: PLAIN_TERMS,
      updatedAt: 0 as TimeMs,
      slot: number as Slot,
      executedQuantity: lots(0),
      executedNotional: NO_NOTIONAL,
      commission: NO_COMMISSION,
      askedQuantity: undefined,
      stop: undefined,
      icebergQuantity: undefined,
    }
    this.orders.add(order)
    this.#openByNumber.set(number, order)
    return number
  }

  /** Numbers of open orders of our account, in one symbol or in all, newest first. */
  open(symbol: number | undefined): number[] {
    return [...this.#openByNumber.values()]
      .filter(({ accountId, symbolId }) => accountId === OURS && (symbol ?? symbolId) === symbolId)
      .map(({ number }) => number as number)
      .reverse()
  }

  remove(number: number): void {
    const order = this.#openByNumber.get(number)
    if (order === undefined) return
    this.orders.remove(order)
    this.#openByNumber.delete(number)
  }
}

function pageOf(table: Table, symbol: number | undefined, after: OpenOrdersPlace | undefined) {
  const symbolId = symbol as SymbolId | undefined
  const page = table.orders.page({ accountId: OURS, symbolId, after }, ORDERS_MAX, RECORDS_READ_MAX)
  return { numbers: page.orders.map(({ number }) => number as number), next: page.next }
}

const change = fc.record({ removed: fc.array(fc.nat(80), { maxLength: 4 }), added: fc.nat(3) })

test('pages have each order that stays open once, none twice, newest first, whatever comes and goes between them', () => {
  const owners = fc.array(fc.record({ isOurs: fc.boolean(), symbol: fc.nat(1) }), { maxLength: 60 })
  fc.assert(
    fc.property(owners, fc.constantFrom(undefined, 0), fc.array(change), (start, symbol, changes) => {
      const table = new Table()
      for (const { isOurs, symbol: its } of start) table.add(isOurs ? OURS : OTHERS, its)
      let always = table.open(symbol)
      const first = table.open(symbol)
      const seen: number[] = []
      let after: OpenOrdersPlace | undefined
      for (let step = 0; step === 0 || after !== undefined; step++) {
        const page = pageOf(table, symbol, after)
        expect(page.numbers.length).toBeLessThanOrEqual(ORDERS_MAX)
        seen.push(...page.numbers)
        after = page.next
        const { removed, added } = changes[step] ?? { removed: [], added: 0 }
        for (const number of removed) table.remove(number)
        for (let left = added; left > 0; left--) table.add(OURS, 0)
        const open = new Set(table.open(symbol))
        if (after !== undefined) always = always.filter((number) => open.has(number))
      }
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a))
      expect(seen).toEqual(expect.arrayContaining(always))
      expect(first).toEqual(expect.arrayContaining(seen))
    }),
  )
})

test('a list that fits on one page ends with it, however many older orders of other symbols there are', () => {
  const table = new Table()
  for (let i = 0; i < 100; i++) table.add(OURS, 1)
  const numbers = [table.add(OURS, 0), table.add(OURS, 0)]
  expect(pageOf(table, 0, undefined)).toEqual({ numbers: numbers.toReversed(), next: undefined })
})

test('a page reads no more orders than allowed: where others come before the wanted one, it is empty and continues', () => {
  const table = new Table()
  const wanted = table.add(OURS, 0)
  for (let i = 0; i < RECORDS_READ_MAX; i++) table.add(OURS, 1)
  const page = pageOf(table, 0, undefined)
  expect(page.numbers).toEqual([])
  expect(pageOf(table, 0, page.next)).toEqual({ numbers: [wanted], next: undefined })
})

test('an order of another account is not a position in a list: the list starts at the newest and repeats orders', () => {
  const table = new Table()
  const [older, newer] = [table.add(OURS, 0), table.add(OURS, 0)] as const
  const theirs = table.add(OTHERS, 0) as OrderNumber
  const after = { before: newer as OrderNumber, at: theirs }
  expect(pageOf(table, undefined, after)).toEqual({ numbers: [older], next: undefined })
})
