/**
 * The open orders with all their data: the remaining quantity, and the quantities executed and charged so
 * far. An open order rests in a book or waits outside of one; books have the prices in force and the queues.
 * An open order is a row of typed arrays, so that millions of them burden neither memory nor the collector
 * (`npm run bench -- memory`). A record of it is created on request, and kept once the order was partly
 * executed or amended, or if it has a stop price or is an iceberg order.
 */
import type { AccountId, KeyNumber, OrderNumber, SymbolId } from '../../units/ids.ts'
import { InvariantError } from '../../units/invariant.ts'
import { isStopType, type Side, type TimeInForce } from '../../units/order-enums.ts'
import {
  type Lots,
  NO_LOTS,
  NO_NOTIONAL,
  type Notional,
  type Price,
  type TimeMs,
} from '../../units/quantities.ts'
import { NO_RECORD, RecordIndex } from '../../units/record-index.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'
import { type ExactCommission, NO_COMMISSION } from '../ledger/money.ts'
import { NO_SLOT, type Slot } from '../market/order-book.ts'
import type { Following } from '../market/trailing-side.ts'
import type { OpenOrderStop, OpenOrdersPlace, OpenOrdersQuery } from '../questions/view.ts'
import type { Carried } from './carried.ts'
import { OrderCounts } from './order-counts.ts'
import { type OrderTerms, PLAIN_TERMS, termsAt } from './order-terms.ts'

/**
 * As in views, except that a trailing order shares with its index the object that has the time at which it
 * began to follow the price.
 */
export type OrderStop = Omit<OpenOrderStop, 'trailing'> & {
  readonly trailing: { readonly delta: TrailingDelta; readonly following: Following } | undefined
}

/** One order's own record, from its placement until it ends. */
export type Order = Carried & {
  readonly number: OrderNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly side: Side
  /** The limit; 0 for an order without a limit, which never rests. */
  readonly price: Price
  /**
   * The requested quantity, or its last amendment; 0 for an order limited by its total alone, and while a
   * pending order waits for its quantity.
   */
  quantity: Lots
  /** The originally requested quantity, if it was amended since; undefined if that is `quantity`. */
  askedQuantity: Lots | undefined
  /** The type as placed, if the rules store it. */
  readonly terms: OrderTerms
  /**
   * The time at which its quantity was last executed or reduced, if the rules record it; initially the
   * order's own time.
   */
  updatedAt: TimeMs
  /** The quantity still to be traded; less than quantity - executed if self-trade prevention reduced it. */
  remaining: Lots
  /** The order's place in its symbol's book; `NO_SLOT` while it does not rest there. */
  slot: Slot
  executedQuantity: Lots
  executedNotional: Notional
  commission: ExactCommission
  /** Undefined for an order of a type that never waits. */
  stop: OrderStop | undefined
  /**
   * Visible quantity of an iceberg order, in lots; undefined if the book shows the whole remaining quantity.
   */
  icebergQuantity: Lots | undefined
}

/** A page of an account's open orders; see `OpenOrdersPage`. */
export type OrderPage = { readonly orders: readonly Order[]; readonly next: OpenOrdersPlace | undefined }

const FIRST_ROWS = 64
const NO_ROW = -1
/** In place of an order's number, for a row without an order. */
const VACANT = 0
/** In place of the number of a key, if there is none. */
const NO_KEY = 0

/** Finds orders by number, and by account and symbol. */
export class OpenOrders {
  readonly #rowByNumber = new RecordIndex(FIRST_ROWS)
  readonly #counts = new OrderCounts()
  /** By row, up to the last row that was ever used: the records that are kept. */
  readonly #records: (Order | undefined)[] = []
  #numbers = new Float64Array(FIRST_ROWS)
  #times = new Float64Array(FIRST_ROWS)
  #updates = new Float64Array(FIRST_ROWS)
  #prices = new Float64Array(FIRST_ROWS)
  /**
   * Two numbers for each row: the whole quantity and the remaining one. Side by side they cost one cache miss
   * less if there are many accounts (`npm run bench -- core`).
   */
  #quantities = new Float64Array(2 * FIRST_ROWS)
  #slots = new Int32Array(FIRST_ROWS)
  #accounts = new Int32Array(FIRST_ROWS)
  /** Codes of their terms. */
  #terms = new Int32Array(FIRST_ROWS)
  /** Numbers of the keys that placed them; 0 if there is none. */
  #keys = new Float64Array(FIRST_ROWS)
  /** Twice the symbol's id, plus 1 on the sell side. */
  #places = new Int32Array(FIRST_ROWS)
  /** Links of an account's orders, by number; a vacant row has the next vacant one in `#older`. */
  #older = new Int32Array(FIRST_ROWS)
  #newer = new Int32Array(FIRST_ROWS)
  /**
   * By account: the row that was added last; `NO_ROW` if there is none. Accounts beyond the column's end have
   * none either.
   */
  #newestByAccount = new Int32Array(FIRST_ROWS).fill(NO_ROW)
  /** Number of open orders by account, up to the same length as `#newestByAccount`. */
  #countByAccount = new Int32Array(FIRST_ROWS)
  readonly #countBySymbol: number[] = []
  /** By symbol: the orders that rest in no book; symbols without such orders are left out. */
  readonly #waitingBySymbol = new Map<SymbolId, Set<OrderNumber>>()
  /** Whether the order in a row has a value for a carried field. */
  readonly #carries: Readonly<Record<keyof Carried, (row: number) => boolean>> = {
    keyNumber: (row) => this.#keys[row] !== NO_KEY,
  }
  #firstVacant = NO_ROW
  #used = 0
  /** Number of iceberg orders. */
  #icebergCount = 0

  get size(): number {
    return this.#rowByNumber.count
  }

  /** Adds an order, newer than all others of its account. */
  add(order: Order): void {
    const row = this.#vacantRow()
    this.#numbers[row] = order.number
    this.#times[row] = order.time
    this.#updates[row] = order.updatedAt
    this.#terms[row] = order.terms.code
    this.#prices[row] = order.price
    this.#quantities[2 * row] = order.quantity
    this.#quantities[2 * row + 1] = order.remaining
    this.#slots[row] = order.slot
    this.#accounts[row] = order.accountId
    this.#keys[row] = order.keyNumber ?? NO_KEY
    this.#places[row] = order.symbolId * 2 + (order.side === 'SELL' ? 1 : 0)
    this.#rowByNumber.add(this.#numbers, row)
    this.#link(row, order.accountId)
    this.#counts.increase(order.accountId, order.symbolId)
    this.#countBySymbol[order.symbolId] = this.countIn(order.symbolId) + 1
    if (order.slot === NO_SLOT) this.#waits(order)
    if (order.icebergQuantity !== undefined) this.#icebergCount++
    this.#keepAt(row, order)
  }

  /**
   * Must be called after an open order was partly executed, reduced or amended, or after its place in the
   * book has changed.
   */
  keep(order: Order): void {
    const row = this.#rowByNumber.find(this.#numbers, order.number)
    this.#quantities[2 * row] = order.quantity
    this.#quantities[2 * row + 1] = order.remaining
    this.#slots[row] = order.slot
    this.#updates[row] = order.updatedAt
    if (order.slot === NO_SLOT) this.#waits(order)
    else if (this.#waitingBySymbol.size > 0) this.#waitsNoMore(order)
    this.#keepAt(row, order)
  }

  /** Sets the terms and the last change of an open order that is read from a snapshot. */
  describe(order: Order, terms: OrderTerms, updatedAt: TimeMs): void {
    const row = this.#rowByNumber.find(this.#numbers, order.number)
    this.#terms[row] = terms.code
    this.#updates[row] = updatedAt
    this.#keepAt(row, { ...order, terms, updatedAt })
  }

  /** Sets a carried field of an open order that is read from a snapshot. */
  carry(order: Order, carried: Partial<Carried>): void {
    const row = this.#rowByNumber.find(this.#numbers, order.number)
    const carrying = { ...order, ...carried }
    this.#keys[row] = carrying.keyNumber ?? NO_KEY
    this.#keepAt(row, carrying)
  }

  /** Number of open orders that have a value for a carried field. */
  carryingCount(name: keyof Carried): number {
    const has = this.#carries[name]
    let count = 0
    for (let row = 0; row < this.#used; row++) {
      if (this.#numbers[row] !== VACANT && has(row)) count++
    }
    return count
  }

  remove(order: Order): void {
    const row = this.#rowByNumber.remove(this.#numbers, order.number)
    if (row === NO_RECORD) throw new InvariantError(`order ${order.number} must be open to be removed`)
    if (row < this.#records.length) this.#records[row] = undefined
    if (order.icebergQuantity !== undefined) this.#icebergCount--
    this.#counts.decrease(order.accountId, order.symbolId)
    this.#countBySymbol[order.symbolId] = this.countIn(order.symbolId) - 1
    if (this.#waitingBySymbol.size > 0) this.#waitsNoMore(order)
    this.#unlink(row, order.accountId)
    this.#numbers[row] = VACANT
    this.#older[row] = this.#firstVacant
    this.#firstVacant = row
  }

  has(number: OrderNumber): boolean {
    return this.#rowByNumber.find(this.#numbers, number) !== NO_RECORD
  }

  /**
   * The record of an open order; undefined if it is not open. Changes to the record need a `keep` to last.
   */
  get(number: OrderNumber): Order | undefined {
    const row = this.#rowByNumber.find(this.#numbers, number)
    return row === NO_RECORD ? undefined : this.#recordAt(row)
  }

  /** The newest open order of an account; undefined if there is none. */
  newestOf(accountId: AccountId): OrderNumber | undefined {
    return this.#numberAt(this.#newestByAccount[accountId] ?? NO_ROW)
  }

  /** The next older open order of the same account; undefined if there is none. */
  olderThan(number: OrderNumber): OrderNumber | undefined {
    const row = this.#rowByNumber.find(this.#numbers, number)
    return row === NO_RECORD ? undefined : this.#numberAt(this.#older[row] as number)
  }

  #numberAt(row: number): OrderNumber | undefined {
    return row === NO_ROW ? undefined : (this.#numbers[row] as OrderNumber)
  }

  /** Number of open orders of `accountId` in `symbolId`, or in all symbols if it is undefined. */
  count(accountId: AccountId, symbolId: SymbolId | undefined): number {
    if (symbolId === undefined) return this.#countByAccount[accountId] ?? 0
    return this.#counts.get(accountId, symbolId)
  }

  /** Number of open orders of a symbol, of all accounts. */
  countIn(symbolId: SymbolId): number {
    return this.#countBySymbol[symbolId] ?? 0
  }

  /** Open orders of an account, in one symbol or in all, newest first: at most `limit` of them. */
  ofAccount(accountId: AccountId, symbolId: SymbolId | undefined, limit = Number.POSITIVE_INFINITY): Order[] {
    const orders: Order[] = []
    const wanted = Math.min(limit, this.count(accountId, symbolId))
    let row = this.#newestByAccount[accountId] ?? NO_ROW
    while (orders.length < wanted) {
      const isInSymbol = symbolId === undefined || (this.#places[row] as number) >>> 1 === symbolId
      if (isInSymbol) orders.push(this.#recordAt(row))
      row = this.#older[row] as number
    }
    return orders
  }

  /**
   * At most `ordersMax` open orders, newest first, after examining no more than `lookedAtMax`. See
   * `OpenOrdersPage`.
   */
  page({ accountId, symbolId, after }: OpenOrdersQuery, ordersMax: number, lookedAtMax: number): OrderPage {
    const orders: Order[] = []
    if (this.count(accountId, symbolId) === 0) return { orders, next: undefined }
    const isWhole = after === undefined && this.count(accountId, symbolId) <= ordersMax
    let before = after?.before ?? Number.POSITIVE_INFINITY
    let row = this.#rowAfter(accountId, after)
    for (let left = lookedAtMax; row !== NO_ROW; left--) {
      const number = this.#numbers[row] as OrderNumber
      const isWanted = symbolId === undefined || (this.#places[row] as number) >>> 1 === symbolId
      if (isWanted && number < before) orders.push(this.#recordAt(row))
      before = Math.min(before, number)
      row = this.#older[row] as number
      if (isWhole && orders.length === this.count(accountId, symbolId)) break
      const isFull = orders.length === ordersMax || left === 1
      if (isFull && row !== NO_ROW) return { orders, next: { before: before as OrderNumber, at: number } }
    }
    return { orders, next: undefined }
  }

  /** The row at which a search continues after `place`. */
  #rowAfter(accountId: AccountId, place: OpenOrdersPlace | undefined): number {
    const row = place === undefined ? NO_RECORD : this.#rowByNumber.find(this.#numbers, place.at)
    const isTheirs = row !== NO_RECORD && this.#accounts[row] === accountId
    return isTheirs ? (this.#older[row] as number) : (this.#newestByAccount[accountId] ?? NO_ROW)
  }

  /**
   * The open orders of a symbol that rest in no book, oldest first. No order may be added or removed during
   * the iteration.
   */
  *waitingIn(symbolId: SymbolId): Generator<Order, void> {
    for (const number of this.#waitingBySymbol.get(symbolId) ?? []) yield this.get(number) as Order
  }

  /** Number of orders of a symbol that are not in the book. */
  waitingCount(symbolId: SymbolId): number {
    return this.#waitingBySymbol.get(symbolId)?.size ?? 0
  }

  /** Orders that wait for a trigger or have waited for one, by number. */
  withStop(): Order[] {
    const orders: Order[] = []
    for (const order of this.#records) if (order?.stop !== undefined) orders.push(order)
    return orders.sort((a, b) => a.number - b.number)
  }

  /** Orders that follow the price, will follow it or have followed it, by number. */
  trailing(): Order[] {
    const orders: Order[] = []
    for (const order of this.#records) if (order?.stop?.trailing !== undefined) orders.push(order)
    return orders.sort((a, b) => a.number - b.number)
  }

  /** Whether any open order hides a part from its book. */
  get hasIcebergs(): boolean {
    return this.#icebergCount > 0
  }

  /** Iceberg orders, by number. */
  icebergs(): Order[] {
    const orders: Order[] = []
    for (const order of this.#records) if (order?.icebergQuantity !== undefined) orders.push(order)
    return orders.sort((a, b) => a.number - b.number)
  }

  /**
   * Makes an open order that rests in full show `icebergQuantity` lots at a time, as its snapshot requires.
   */
  hide(order: Order, icebergQuantity: Lots): void {
    this.#icebergCount++
    order.icebergQuantity = icebergQuantity
    this.keep(order)
  }

  /** Number of open orders of types that wait for a trigger, including those that now rest. */
  stopTypeCount(): number {
    let count = 0
    for (let row = 0; row < this.#used; row++) {
      if (this.#numbers[row] !== VACANT && isStopType(this.#termsAt(row).type)) count++
    }
    return count
  }

  /** Number of open orders placed with a time in force. */
  timeInForceCount(timeInForce: TimeInForce): number {
    let count = 0
    for (let row = 0; row < this.#used; row++) {
      if (this.#numbers[row] !== VACANT && this.#termsAt(row).timeInForce === timeInForce) count++
    }
    return count
  }

  #waits({ symbolId, number }: Order): void {
    const waiting = this.#waitingBySymbol.get(symbolId) ?? new Set()
    this.#waitingBySymbol.set(symbolId, waiting.add(number))
  }

  #waitsNoMore({ symbolId, number }: Order): void {
    const waiting = this.#waitingBySymbol.get(symbolId)
    if (waiting?.delete(number) && waiting.size === 0) this.#waitingBySymbol.delete(symbolId)
  }

  /**
   * Number of open orders that have other terms than `PLAIN_TERMS`, or were changed since they were placed.
   */
  describedCount(): number {
    let count = 0
    for (let row = 0; row < this.#used; row++) {
      if (this.#numbers[row] === VACANT) continue
      if (this.#terms[row] !== PLAIN_TERMS.code || this.#updates[row] !== this.#times[row]) count++
    }
    return count
  }

  /** Orders that were amended, by number. */
  amended(): Order[] {
    const orders: Order[] = []
    for (const order of this.#records) if (order?.askedQuantity !== undefined) orders.push(order)
    return orders.sort((a, b) => a.number - b.number)
  }

  /** Whether no order was amended. */
  get hasNoAmended(): boolean {
    return this.#records.every((order) => order?.askedQuantity === undefined)
  }

  /** Every open order that was partly executed, reduced or amended. */
  begun(): Order[] {
    const orders: Order[] = []
    for (let row = 0; row < this.#used; row++) {
      const isWhole =
        this.#quantities[2 * row] === this.#quantities[2 * row + 1] &&
        this.#records[row]?.askedQuantity === undefined
      if (this.#numbers[row] !== VACANT && !isWhole) orders.push(this.#recordAt(row))
    }
    return orders
  }

  /** All open orders, by number. No order may be added or removed during the iteration. */
  *byNumber(): Generator<Order> {
    const numbers = this.#numbers.slice(0, this.#used).sort()
    for (const number of numbers) {
      if (number !== VACANT) yield this.#recordAt(this.#rowByNumber.find(this.#numbers, number))
    }
  }

  #keepAt(row: number, order: Order): void {
    const isPlain =
      order.stop === undefined && order.icebergQuantity === undefined && order.askedQuantity === undefined
    if (isPlain && order.executedQuantity === 0) return
    while (this.#records.length <= row) this.#records.push(undefined)
    this.#records[row] = order
  }

  #recordAt(row: number): Order {
    const number = this.#numbers[row] as OrderNumber
    const kept = row < this.#records.length ? this.#records[row] : undefined
    if (kept !== undefined) return kept
    const place = this.#places[row] as number
    return {
      number,
      time: this.#times[row] as TimeMs,
      accountId: this.#accounts[row] as AccountId,
      keyNumber: (this.#keys[row] as KeyNumber) || undefined,
      symbolId: (place >>> 1) as SymbolId,
      side: sideOf(place),
      terms: this.#termsAt(row),
      updatedAt: this.#updates[row] as TimeMs,
      price: this.#prices[row] as Price,
      quantity: this.#quantities[2 * row] as Lots,
      askedQuantity: undefined,
      remaining: this.#quantities[2 * row + 1] as Lots,
      slot: this.#slots[row] as Slot,
      executedQuantity: NO_LOTS,
      executedNotional: NO_NOTIONAL,
      commission: NO_COMMISSION,
      stop: undefined,
      icebergQuantity: undefined,
    }
  }

  #termsAt(row: number): OrderTerms {
    return termsAt(this.#terms[row] as number) ?? PLAIN_TERMS
  }

  #link(row: number, account: AccountId): void {
    if (account >= this.#newestByAccount.length) this.#reach(account)
    const newest = this.#newestByAccount[account] as number
    this.#older[row] = newest
    this.#newer[row] = NO_ROW
    if (newest !== NO_ROW) this.#newer[newest] = row
    this.#newestByAccount[account] = row
    this.#countByAccount[account]!++
  }

  #unlink(row: number, account: AccountId): void {
    const older = this.#older[row] as number
    const newer = this.#newer[row] as number
    if (older !== NO_ROW) this.#newer[older] = newer
    if (newer !== NO_ROW) this.#older[newer] = older
    else this.#newestByAccount[account] = older
    this.#countByAccount[account]!--
  }

  #reach(account: AccountId): void {
    const reach = this.#newestByAccount.length
    const wanted = Math.max(account + 1, reach * 2)
    this.#newestByAccount = grownInt32(this.#newestByAccount, wanted).fill(NO_ROW, reach)
    this.#countByAccount = grownInt32(this.#countByAccount, wanted)
  }

  #vacantRow(): number {
    const row = this.#firstVacant
    if (row !== NO_ROW) {
      this.#firstVacant = this.#older[row] as number
      return row
    }
    if (this.#used === this.#numbers.length) this.#grow(this.#used * 2)
    return this.#used++
  }

  #grow(rows: number): void {
    this.#numbers = grownFloat64(this.#numbers, rows)
    this.#times = grownFloat64(this.#times, rows)
    this.#updates = grownFloat64(this.#updates, rows)
    this.#terms = grownInt32(this.#terms, rows)
    this.#prices = grownFloat64(this.#prices, rows)
    this.#quantities = grownFloat64(this.#quantities, 2 * rows)
    this.#slots = grownInt32(this.#slots, rows)
    this.#accounts = grownInt32(this.#accounts, rows)
    this.#keys = grownFloat64(this.#keys, rows)
    this.#places = grownInt32(this.#places, rows)
    this.#older = grownInt32(this.#older, rows)
    this.#newer = grownInt32(this.#newer, rows)
  }
}

function sideOf(place: number): Side {
  return (place & 1) === 0 ? 'BUY' : 'SELL'
}
