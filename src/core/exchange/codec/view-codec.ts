/**
 * Views of the state as bytes, to cross from the engine's thread to the thread that asked.
 */

import { type ByteReader, BytesFault, type ByteWriter } from '../../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../../units/field-codec.ts'
import type { AccountId, AssetId, ListNumber, OrderNumber, SymbolId } from '../../../units/ids.ts'
import { LIST_KINDS, LIST_ROLES, ORDER_STATUSES, SIDES } from '../../../units/order-words.ts'
import {
  type Amount,
  type Lots,
  NO_LOTS,
  type Notional,
  type Price,
  type Seq,
  type TimeMs,
} from '../../../units/quantities.ts'
import { CORE_REASONS } from '../../../units/reasons.ts'
import { isAsked } from '../../ledger/asked-withdrawals.ts'
import { readWithdrawal, writeWithdrawal } from '../../ledger/withdrawals.ts'
import type { Level } from '../../market/order-book.ts'
import { readApiKey, writeApiKey } from '../../registry/records-codec.ts'
import { CANCEL_CAUSES } from '../event.ts'
import type { TestedFill, TestedOrder } from '../tested-order.ts'
import { termsAt, termsOf } from '../trading/order-terms.ts'
import type {
  BackOfficeRecords,
  Balance,
  BookView,
  Bootstrap,
  ClientList,
  ClientListQuery,
  ClientOrderAnswer,
  ClientOrderQuery,
  ListPlace,
  OpenOrder,
  OpenOrderStop,
  OpenOrdersPage,
  OpenOrdersPlace,
  OpenOrdersQuery,
  OrdersByNumberQuery,
} from '../view.ts'
import * as backOffice from './back-office-codec.ts'
import { readHandling, writeHandling } from './handling-codec.ts'
import { readPhases, writePhases } from './phases-codec.ts'
import * as record from './record-codec.ts'
import { readAcceptance, writeAcceptance } from './reply-codec.ts'
import { hasRights, readRights, writeRights } from './rights-view-codec.ts'
import { readRulesVersion } from './rules-codec.ts'
import { readAskedOf, withAsked, withHandlings, writeAskedOf } from './withdrawals-view-codec.ts'

export function writeOpenOrdersQuery(w: ByteWriter, { accountId, symbolId, after }: OpenOrdersQuery): void {
  w.uint(accountId)
  w.uint(symbolId === undefined ? 0 : symbolId + 1)
  writePlace(w, after)
}

export function readOpenOrdersQuery(r: ByteReader): OpenOrdersQuery {
  const accountId = r.uint() as AccountId
  const symbol = r.uint()
  const symbolId = symbol === 0 ? undefined : ((symbol - 1) as SymbolId)
  return { accountId, symbolId, after: readPlace(r) }
}

export function writeOpenOrdersPage(w: ByteWriter, page: OpenOrdersPage): void {
  writeList(w, page.orders, writeOpenOrder)
  w.uint(page.total)
  writePlace(w, page.next)
}

export function readOpenOrdersPage(r: ByteReader): OpenOrdersPage {
  return { orders: readList(r, readOpenOrder), total: r.uint(), next: readPlace(r) }
}

export function writeOrdersByNumberQuery(w: ByteWriter, query: OrdersByNumberQuery): void {
  w.uint(query.accountId)
  writeList(w, query.orderNumbers, (writer, number) => writer.uint(number))
}

export function readOrdersByNumberQuery(r: ByteReader): OrdersByNumberQuery {
  const accountId = r.uint() as AccountId
  return { accountId, orderNumbers: readList(r, (reader) => reader.uint() as OrderNumber) }
}

export function writeOpenOrders(w: ByteWriter, orders: readonly OpenOrder[]): void {
  writeList(w, orders, writeOpenOrder)
}

export function readOpenOrders(r: ByteReader): OpenOrder[] {
  return readList(r, readOpenOrder)
}

export function writeClientOrderQuery(w: ByteWriter, { accountId, clientOrderId }: ClientOrderQuery): void {
  w.uint(accountId)
  w.text(clientOrderId)
}

export function readClientOrderQuery(r: ByteReader): ClientOrderQuery {
  return { accountId: r.uint() as AccountId, clientOrderId: r.text() }
}

export function writeClientOrderAnswer(w: ByteWriter, { order, time }: ClientOrderAnswer): void {
  w.uint(time)
  w.bool(order !== undefined)
  if (order === undefined) return
  w.uint(order.orderNumber)
  w.uint(order.time)
  w.uint(order.symbolId)
  w.bool(order.isOpen)
}

export function readClientOrderAnswer(r: ByteReader): ClientOrderAnswer {
  const time = r.uint() as TimeMs
  if (!r.bool()) return { order: undefined, time }
  const orderNumber = r.uint() as OrderNumber
  const placedAt = r.uint() as TimeMs
  const symbolId = r.uint() as SymbolId
  return { order: { orderNumber, time: placedAt, symbolId, isOpen: r.bool() }, time }
}

const TESTED_KINDS = ['Tested', 'Refused', 'OrderRepeated'] as const satisfies readonly TestedOrder['kind'][]

export function writeClientListQuery(w: ByteWriter, { accountId, listClientOrderId }: ClientListQuery): void {
  w.uint(accountId)
  w.text(listClientOrderId)
}

export function readClientListQuery(r: ByteReader): ClientListQuery {
  return { accountId: r.uint() as AccountId, listClientOrderId: r.text() }
}

export function writeClientList(w: ByteWriter, list: ClientList | undefined): void {
  w.bool(list !== undefined)
  if (list === undefined) return
  w.uint(list.listNumber)
  w.uint(list.time)
  writeWord(w, LIST_KINDS, list.kind)
}

export function readClientList(r: ByteReader): ClientList | undefined {
  if (!r.bool()) return undefined
  return { listNumber: r.uint() as ListNumber, time: r.uint() as TimeMs, kind: readWord(r, LIST_KINDS) }
}

export function writeTestedOrder(w: ByteWriter, tested: TestedOrder): void {
  writeWord(w, TESTED_KINDS, tested.kind)
  if (tested.kind === 'OrderRepeated') {
    writeAcceptance(w, tested)
    return
  }
  if (tested.kind === 'Refused') {
    writeWord(w, CORE_REASONS, tested.reason)
    return
  }
  writeWord(w, ORDER_STATUSES, tested.status)
  w.bool(tested.cause !== undefined)
  if (tested.cause !== undefined) writeWord(w, CANCEL_CAUSES, tested.cause)
  w.uint(tested.executedQuantity)
  w.whole(tested.executedNotional)
  w.whole(tested.total)
  w.whole(tested.commission)
  w.whole(tested.hold)
  w.uint(tested.fillCount)
  writeList(w, tested.fills, writeTestedFill)
}

export function readTestedOrder(r: ByteReader): TestedOrder {
  const kind = readWord(r, TESTED_KINDS)
  if (kind === 'Refused') return { kind, reason: readWord(r, CORE_REASONS) }
  if (kind === 'OrderRepeated') return { kind, ...readAcceptance(r) }
  return {
    kind,
    status: readWord(r, ORDER_STATUSES),
    cause: r.bool() ? readWord(r, CANCEL_CAUSES) : undefined,
    executedQuantity: r.uint() as Lots,
    executedNotional: r.whole() as Notional,
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
    hold: r.whole() as Amount,
    fillCount: r.uint(),
    fills: readList(r, readTestedFill),
  }
}

function writeTestedFill(w: ByteWriter, fill: TestedFill): void {
  w.uint(fill.price)
  w.uint(fill.quantity)
  w.whole(fill.total)
  w.whole(fill.commission)
}

function readTestedFill(r: ByteReader): TestedFill {
  return {
    price: r.uint() as Price,
    quantity: r.uint() as Lots,
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
  }
}

export function writeBalances(w: ByteWriter, balances: readonly Balance[]): void {
  writeList(w, balances, writeBalance)
}

export function readBalances(r: ByteReader): Balance[] {
  return readList(r, readBalance)
}

/** Bits of what follows a state. */
const HAS_BACK_OFFICE = 1
const HAS_PHASES = 2
/** Behind withdrawals that wait: what their traders have asked for. */
const HAS_ASKED = 4
const HAS_RIGHTS = 8
const HAS_HANDLINGS = 16

export function writeBootstrap(w: ByteWriter, bootstrap: Bootstrap): void {
  w.uint(bootstrap.seq)
  w.uint(bootstrap.time)
  w.uint(bootstrap.rulesVersion)
  writeList(w, bootstrap.assets, record.writeAsset)
  writeList(w, bootstrap.symbols, record.writeSymbol)
  writeList(w, bootstrap.accounts, record.writeAccount)
  writeList(w, bootstrap.apiKeys, writeApiKey)
  writeList(w, bootstrap.books, writeBook)
  const { backOffice, phases } = bootstrap
  const asked = (backOffice?.withdrawals ?? []).filter(isAsked)
  // Without phases, withdrawals of traders and rights the bytes are those of builds that know none.
  w.u8(
    (backOffice === undefined ? 0 : HAS_BACK_OFFICE) |
      (phases === undefined ? 0 : HAS_PHASES) |
      (asked.length === 0 ? 0 : HAS_ASKED) |
      (hasRights(backOffice) ? HAS_RIGHTS : 0) |
      (backOffice?.handlings === undefined ? 0 : HAS_HANDLINGS),
  )
  if (backOffice !== undefined) writeBackOffice(w, backOffice)
  if (phases !== undefined) writePhases(w, phases)
  if (asked.length > 0) writeList(w, asked, writeAskedOf)
  if (backOffice !== undefined && hasRights(backOffice)) writeRights(w, backOffice)
  if (backOffice?.handlings !== undefined) writeList(w, backOffice.handlings, writeHandling)
}

export function readBootstrap(r: ByteReader): Bootstrap {
  const state = readRegistryAndBooks(r)
  const has = r.u8()
  if (has > (HAS_BACK_OFFICE | HAS_PHASES | HAS_ASKED | HAS_RIGHTS | HAS_HANDLINGS))
    throw new BytesFault(`unknown parts ${has} of a state before byte ${r.at}`)
  const plain = has & HAS_BACK_OFFICE ? readBackOffice(r) : undefined
  const phases = has & HAS_PHASES ? readPhases(r) : undefined
  const asked = has & HAS_ASKED ? withAsked(plain, readList(r, readAskedOf), r) : plain
  if (has & HAS_RIGHTS && asked === undefined)
    throw new BytesFault(`rights of no operators before byte ${r.at}`)
  const withRights = has & HAS_RIGHTS && asked !== undefined ? readRights(r, asked) : asked
  const backOffice =
    has & HAS_HANDLINGS ? withHandlings(withRights, readList(r, readHandling), r) : withRights
  return {
    ...state,
    ...(backOffice === undefined ? {} : { backOffice }),
    ...(phases === undefined ? {} : { phases }),
  }
}

function readRegistryAndBooks(r: ByteReader): Omit<Bootstrap, 'backOffice' | 'phases'> {
  return {
    seq: r.uint() as Seq,
    time: r.uint() as TimeMs,
    rulesVersion: readRulesVersion(r),
    assets: readList(r, record.readAsset),
    symbols: readList(r, record.readSymbol),
    accounts: readList(r, record.readAccount),
    apiKeys: readList(r, readApiKey),
    books: readList(r, readBook),
  }
}

function writeBackOffice(w: ByteWriter, view: BackOfficeRecords): void {
  writeList(w, view.feeTiers, backOffice.writeFeeTier)
  writeList(w, view.tokens, backOffice.writeAdminToken)
  writeList(w, view.bans, backOffice.writeAddressBan)
  writeList(w, view.withdrawals, writeWithdrawal)
  writeList(w, view.approvals, backOffice.writeApproval)
}

function readBackOffice(r: ByteReader): BackOfficeRecords {
  return {
    feeTiers: readList(r, backOffice.readFeeTier),
    tokens: readList(r, backOffice.readAdminToken),
    bans: readList(r, backOffice.readAddressBan),
    withdrawals: readList(r, readWithdrawal),
    approvals: readList(r, backOffice.readApproval),
  }
}

function writePlace(w: ByteWriter, place: OpenOrdersPlace | undefined): void {
  w.bool(place !== undefined)
  if (place === undefined) return
  w.uint(place.before)
  w.uint(place.at)
}

function readPlace(r: ByteReader): OpenOrdersPlace | undefined {
  return r.bool() ? { before: r.uint() as OrderNumber, at: r.uint() as OrderNumber } : undefined
}

function writeOpenOrder(w: ByteWriter, order: OpenOrder): void {
  w.uint(order.orderNumber)
  w.uint(order.time)
  w.uint(order.accountId)
  w.uint(order.symbolId)
  writeWord(w, SIDES, order.side)
  w.uint(order.price)
  w.uint(order.quantity)
  w.bool(order.askedQuantity !== undefined)
  if (order.askedQuantity !== undefined) w.uint(order.askedQuantity)
  w.uint(order.executedQuantity)
  w.whole(order.executedNotional)
  w.whole(order.commission)
  w.uint(order.remaining)
  w.uint(termsOf(order.type, order.timeInForce, order.selfTradeMode).code)
  w.uint(order.updatedAt)
  writeStop(w, order.stop)
  w.bool(order.clientOrderId !== undefined)
  if (order.clientOrderId !== undefined) w.text(order.clientOrderId)
  w.uint(order.expireTime ?? NEVER)
  w.uint(order.icebergQuantity ?? NO_LOTS)
  writeListPlace(w, order.inList)
  w.bool(order.isPending)
}

/** Appends an order's place in a list, or that it has none. */
export function writeListPlace(w: ByteWriter, place: ListPlace | undefined): void {
  w.bool(place !== undefined)
  if (place === undefined) return
  w.uint(place.listNumber)
  writeWord(w, LIST_ROLES, place.role)
}

export function readListPlace(r: ByteReader): ListPlace | undefined {
  return r.bool() ? { listNumber: r.uint() as ListNumber, role: readWord(r, LIST_ROLES) } : undefined
}

/** In place of the time at which an order ends. */
const NEVER = 0

/** Bits of what an order waits for; 0: for nothing. */
const HAS_STOP = 1
const HAS_TOTAL = 2
const IS_TRIGGERED = 4
const STOP_MAX = 7

function writeStop(w: ByteWriter, stop: OpenOrderStop | undefined): void {
  if (stop === undefined) {
    w.u8(0)
    return
  }
  const { price, total, triggeredAt } = stop
  w.u8(HAS_STOP | (total === undefined ? 0 : HAS_TOTAL) | (triggeredAt === undefined ? 0 : IS_TRIGGERED))
  w.uint(price)
  if (total !== undefined) w.whole(total)
  if (triggeredAt !== undefined) w.uint(triggeredAt)
}

function readStop(r: ByteReader): OpenOrderStop | undefined {
  const has = r.u8()
  if (has === 0) return undefined
  if (has > STOP_MAX || (has & HAS_STOP) === 0) {
    throw new BytesFault(`what an order waits for before byte ${r.at} is unknown: ${has}`)
  }
  return {
    price: r.uint() as Price,
    total: has & HAS_TOTAL ? (r.whole() as Amount) : undefined,
    triggeredAt: has & IS_TRIGGERED ? (r.uint() as TimeMs) : undefined,
  }
}

function readOpenOrder(r: ByteReader): OpenOrder {
  return {
    orderNumber: r.uint() as OrderNumber,
    time: r.uint() as TimeMs,
    accountId: r.uint() as AccountId,
    symbolId: r.uint() as SymbolId,
    side: readWord(r, SIDES),
    price: r.uint() as Price,
    quantity: r.uint() as Lots,
    askedQuantity: r.bool() ? (r.uint() as Lots) : undefined,
    executedQuantity: r.uint() as Lots,
    executedNotional: r.whole() as Notional,
    commission: r.whole() as Amount,
    remaining: r.uint() as Lots,
    ...readTerms(r),
    updatedAt: r.uint() as TimeMs,
    stop: readStop(r),
    clientOrderId: r.bool() ? r.text() : undefined,
    expireTime: readEnd(r),
    icebergQuantity: readIcebergQuantity(r),
    inList: readListPlace(r),
    isPending: r.bool(),
  }
}

function readEnd(r: ByteReader): TimeMs | undefined {
  const time = r.uint()
  return time === NEVER ? undefined : (time as TimeMs)
}

/** 0: it hides nothing. */
function readIcebergQuantity(r: ByteReader): Lots | undefined {
  const quantity = r.uint() as Lots
  return quantity === NO_LOTS ? undefined : quantity
}

function readTerms(r: ByteReader): Pick<OpenOrder, 'type' | 'timeInForce' | 'selfTradeMode'> {
  const terms = termsAt(r.uint())
  if (terms === undefined) throw new BytesFault(`unknown terms of an order before byte ${r.at}`)
  const { type, timeInForce, selfTradeMode } = terms
  return { type, timeInForce, selfTradeMode }
}

function writeBalance(w: ByteWriter, balance: Balance): void {
  w.uint(balance.assetId)
  w.whole(balance.free)
  w.whole(balance.locked)
  w.whole(balance.freeze)
  w.whole(balance.savings)
}

function readBalance(r: ByteReader): Balance {
  return {
    assetId: r.uint() as AssetId,
    free: r.whole() as Amount,
    locked: r.whole() as Amount,
    freeze: r.whole() as Amount,
    savings: r.whole() as Amount,
  }
}

function writeBook(w: ByteWriter, book: BookView): void {
  w.uint(book.symbolId)
  writeList(w, book.sell, writeLevel)
  writeList(w, book.buy, writeLevel)
}

function readBook(r: ByteReader): BookView {
  return { symbolId: r.uint() as SymbolId, sell: readList(r, readLevel), buy: readList(r, readLevel) }
}

function writeLevel(w: ByteWriter, level: Level): void {
  w.uint(level.price)
  w.bigint(level.quantity)
}

function readLevel(r: ByteReader): Level {
  return { price: r.uint() as Price, quantity: r.bigint() }
}
