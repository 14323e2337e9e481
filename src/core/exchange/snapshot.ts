/**
 * The whole state as bytes and back. Equal states give equal bytes, so that the hash of a snapshot is the hash
 * of the state. Orders are written in the order in which they would be matched: that is their time priority.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { SIDES, type Side } from '../../units/order-words.ts'
import { type Lots, price, seq, timeMs } from '../../units/quantities.ts'
import { Ledger } from '../ledger/ledger.ts'
import { commissionOf, commissionParts, NO_COMMISSION, type Worth } from '../ledger/money.ts'
import { References } from '../ledger/references.ts'
import { NO_SLOT, type OrderBook } from '../market/order-book.ts'
import { Registry } from '../registry/registry.ts'
import { auditHolds } from './audit.ts'
import type { Market } from './market.ts'
import { BackOffice } from './operators/back-office.ts'
import { RULES_VERSION } from './rules.ts'
import { ExchangeState, type StateParts } from './state.ts'
import type { Order } from './trading/open-orders.ts'

/** Versions of this layout; a snapshot of another version is not read but made anew from the journal. */
const PLAIN_LAYOUT = 1
/** The same, and at its end what operators keep: a state that makes no use of it is written as it always was. */
const OPERATED_LAYOUT = 2

export function writeState(w: ByteWriter, state: ExchangeState): void {
  const isOperated = !state.backOffice.isEmpty || state.registry.isAmended
  w.uint(isOperated ? OPERATED_LAYOUT : PLAIN_LAYOUT)
  w.uint(state.rulesVersion)
  w.uint(state.seq)
  w.uint(state.time)
  w.uint(state.nextOrder)
  w.uint(state.nextTrade)
  state.registry.write(w)
  state.ledger.write(w)
  state.references.write(w)
  w.uint(state.orders.size)
  for (const market of state.markets) {
    for (const side of SIDES) writeSide(w, state, market, side)
  }
  if (!isOperated) return
  state.registry.writeAmendments(w)
  state.backOffice.write(w)
}

/** Throws `BytesFault` for bytes that are not a state, or not one that could have come about. */
export function readState(r: ByteReader, createBook: () => OrderBook): ExchangeState {
  const version = r.uint()
  if (version !== PLAIN_LAYOUT && version !== OPERATED_LAYOUT) {
    throw new BytesFault(`snapshot layout ${version}, expected ${PLAIN_LAYOUT} or ${OPERATED_LAYOUT}`)
  }
  const rulesVersion = r.uint()
  if (rulesVersion > RULES_VERSION) {
    throw new BytesFault(`snapshot under rules ${rulesVersion}, the newest known are ${RULES_VERSION}`)
  }
  const parts: StateParts = {
    rulesVersion,
    seq: seq(r.uint()),
    time: timeMs(r.uint()),
    nextOrder: r.uint(),
    nextTrade: r.uint(),
    registry: Registry.read(r),
    ledger: Ledger.read(r),
    references: References.read(r),
  }
  checkCounts(parts)
  const state = new ExchangeState(parts, createBook)
  const count = r.uint()
  for (const market of state.markets) {
    for (const side of SIDES) readSide(r, state, market, side)
  }
  state.orders.sort()
  if (state.orders.size !== count) {
    throw new BytesFault(`${count} open orders announced, ${state.orders.size} found`)
  }
  if (version === OPERATED_LAYOUT) readBackOffice(r, state)
  r.end()
  checkHolds(state)
  return state
}

/** The last part of an `OPERATED_LAYOUT`, which has something in it. */
function readBackOffice(r: ByteReader, state: ExchangeState): void {
  state.registry.readAmendments(r)
  for (const { symbol } of state.markets) state.refreshSymbol(symbol.id)
  state.backOffice = BackOffice.read(r)
  if (state.backOffice.isEmpty && !state.registry.isAmended) {
    throw new BytesFault(`nothing in the part before byte ${r.at}, expected none`)
  }
  for (const { feeTier, name } of state.registry.accounts()) {
    const isKnown = feeTier === undefined || state.backOffice.feeTiers.get(feeTier) !== undefined
    if (!isKnown) throw new BytesFault(`account ${name} is of an unknown fee tier ${feeTier}`)
  }
  for (const { accountId, assetId } of state.backOffice.withdrawals.pending()) {
    const held = state.backOffice.withdrawals.held(accountId, assetId)
    const isKnown = state.isTrader(accountId) && state.registry.asset(assetId) !== undefined
    if (!isKnown || state.ledger.balance(accountId, assetId, 'freeze') < held) {
      throw new BytesFault(`account ${accountId} does not hold the ${held} of asset ${assetId} it withdraws`)
    }
  }
}

/** What is locked is what the open orders hold, account by account. */
function checkHolds(state: ExchangeState): void {
  for (const { id, code } of state.registry.assets()) {
    const { wrongHolds } = auditHolds(state, id)
    if (wrongHolds > 0) {
      throw new BytesFault(`${wrongHolds} accounts whose locked ${code} is not what their orders hold`)
    }
  }
}

/** Every account and asset that the registry knows has its place in the ledger, and no other. */
function checkCounts({ registry, ledger }: StateParts): void {
  const { assetCount, accountCount } = ledger
  if (accountCount !== registry.accountCount || assetCount !== registry.assetCount) {
    const known = `${registry.accountCount} accounts and ${registry.assetCount} assets`
    throw new BytesFault(`a ledger of ${accountCount} accounts and ${assetCount} assets, expected ${known}`)
  }
}

function writeSide(w: ByteWriter, state: ExchangeState, market: Market, side: Side): void {
  const { book } = market
  const slots = [...book.slots(side)]
  w.uint(slots.length)
  for (const slot of slots) {
    const order = state.orders.get(book.orderNumber(slot)) as Order
    w.uint(order.number)
    w.uint(order.time)
    w.uint(order.accountId)
    w.uint(order.price)
    w.uint(order.quantity)
    w.uint(order.remaining)
    w.uint(order.executedQuantity)
    w.whole(order.executedNotional)
    w.whole(commissionParts(order.commission))
  }
}

function readSide(r: ByteReader, state: ExchangeState, market: Market, side: Side): void {
  const count = r.uint()
  let last: Order | undefined
  for (let i = 0; i < count; i++) {
    const number = r.uint() as OrderNumber
    const time = timeMs(r.uint())
    const accountId = r.uint() as AccountId
    const limit = price(r.uint())
    const quantity = r.uint() as Lots
    const remaining = r.uint() as Lots
    const executedQuantity = r.uint() as Lots
    const executedNotional = r.whole() as Worth
    const commission = r.whole()
    const order: Order = {
      number,
      time,
      accountId,
      symbolId: market.symbol.id,
      side,
      price: limit,
      quantity,
      remaining,
      slot: NO_SLOT,
      executedQuantity,
      executedNotional,
      commission: commission > 0 ? commissionOf(commission) : NO_COMMISSION,
    }
    const isUntouched = executedQuantity === 0
    if (isUntouched ? executedNotional !== 0 || commission !== 0 : executedNotional < 0 || commission < 0) {
      throw impossible(r, market, number)
    }
    if (!isPossible(order, state) || (last !== undefined && !follows(last, order))) {
      throw impossible(r, market, number)
    }
    last = order
    order.slot = market.book.add(side, order.price, remaining, order.accountId, number)
    state.orders.add(order)
  }
}

function impossible(r: ByteReader, market: Market, number: OrderNumber): BytesFault {
  return new BytesFault(`order ${number} in ${market.symbol.name} before byte ${r.at} cannot be`)
}

function isPossible(order: Order, state: ExchangeState): boolean {
  return (
    state.isTrader(order.accountId) &&
    order.number < state.nextOrder &&
    !state.orders.has(order.number) &&
    order.price > 0 &&
    order.remaining > 0 &&
    order.executedQuantity + order.remaining <= order.quantity
  )
}

/** Price priority. Time priority is the order of writing itself: an amended order may be older than its place. */
function follows(before: Order, after: Order): boolean {
  return before.side === 'BUY' ? before.price >= after.price : before.price <= after.price
}
