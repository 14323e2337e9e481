/**
 * Events as bytes, to cross from the engine's thread to read models. They are never journaled, so both ends are of
 * one version and the format may change with the code. Trades, levels and placements pass at the full rate.
 */

import { type ByteReader, BytesFault, type ByteWriter } from '../../../units/bytes.ts'
import { readWord, writeWord } from '../../../units/field-codec.ts'
import type {
  AccountId,
  AssetId,
  ListNumber,
  OrderNumber,
  SymbolId,
  TradeNumber,
} from '../../../units/ids.ts'
import { APPROVAL_STATES } from '../../../units/operator-words.ts'
import { LIST_ROLES, SIDES } from '../../../units/order-words.ts'
import type { Amount, Lots, Price, TimeMs } from '../../../units/quantities.ts'
import { CORE_REASONS } from '../../../units/reasons.ts'
import { readApiKey, writeApiKey } from '../../registry/records-codec.ts'
import { isPlainToken } from '../../registry/roles.ts'
import type * as E from '../event.ts'
import { CANCEL_CAUSES } from '../event.ts'
import { termsAt, termsOf } from '../trading/order-terms.ts'
import * as backOffice from './back-office-codec.ts'
import { readPhases, writePhases } from './phases-codec.ts'
import * as record from './record-codec.ts'
import { writeTokenTerms } from './rights-codec.ts'
import {
  RIGHTS_EVENT_CODES,
  readRightsEvent,
  TOKEN_WITH_TERMS,
  writeRightsEvent,
} from './rights-events-codec.ts'
import { readRulesVersion } from './rules-codec.ts'
import {
  ASKED_WITHDRAWAL_CHANGED,
  readWithdrawalEvent,
  WITHDRAWAL_EVENT_CODES,
  writeWithdrawalEvent,
} from './withdrawal-events-codec.ts'

const CODES = {
  OrderPlaced: 1,
  OrdersMatched: 2,
  LevelChanged: 3,
  OrderCanceled: 4,
  OrderDecremented: 5,
  ExternalTransfer: 6,
  AssetChanged: 7,
  SymbolChanged: 8,
  AccountCreated: 9,
  ApiKeyChanged: 10,
  AccountChanged: 11,
  FeeTierChanged: 12,
  AdminTokenChanged: 13,
  AddressBanned: 14,
  BanLifted: 15,
  ApprovalChanged: 17,
  RulesVersionChanged: 18,
  OrderTriggered: 19,
  OrderAmended: 20,
  PhasesChanged: 21,
  BalanceMoved: 30,
  OrderActivated: 54,
  ...WITHDRAWAL_EVENT_CODES,
  ...RIGHTS_EVENT_CODES,
} as const satisfies Record<E.ExchangeEvent['kind'], number>

type BackOfficeEvent = Extract<
  E.ExchangeEvent,
  {
    kind:
      | 'FeeTierChanged'
      | 'AdminTokenChanged'
      | 'AddressBanned'
      | 'BanLifted'
      | 'WithdrawalChanged'
      | 'WithdrawalAddressChanged'
      | 'WithdrawalHandled'
      | 'ApprovalChanged'
      | 'RulesVersionChanged'
      | 'PhasesChanged'
      | 'ApprovalGiven'
      | 'RoleChanged'
      | 'RoleLimitChanged'
      | 'ApprovalsNeededChanged'
  }
>

/** Appends `event`. A value without a form is an `InvariantError`. */
export function writeEvent(w: ByteWriter, event: E.ExchangeEvent): void {
  w.u8(codeOf(event))
  switch (event.kind) {
    case 'OrderPlaced':
      writeOrderPlaced(w, event)
      break
    case 'OrdersMatched':
      writeOrdersMatched(w, event)
      break
    case 'LevelChanged':
      writeLevelChanged(w, event)
      break
    case 'OrderCanceled':
      writeOrderCanceled(w, event)
      break
    case 'OrderTriggered':
      writeOrderTriggered(w, event)
      break
    case 'OrderActivated':
      writeOrderActivated(w, event)
      break
    case 'OrderDecremented':
      writeOrderLowered(w, event)
      break
    case 'OrderAmended':
      writeOrderLowered(w, event)
      w.uint(event.remaining)
      break
    default:
      writeRecordEvent(w, event)
  }
}

function codeOf(event: E.ExchangeEvent): number {
  if (event.kind === 'AdminTokenChanged' && !isPlainToken(event.token)) return TOKEN_WITH_TERMS
  const isAsked = event.kind === 'WithdrawalChanged' && event.withdrawal.asked !== undefined
  return isAsked ? ASKED_WITHDRAWAL_CHANGED : CODES[event.kind]
}

/** What is none of orders and books. */
type RecordEvent = Exclude<
  E.ExchangeEvent,
  | E.OrderPlaced
  | E.OrdersMatched
  | E.LevelChanged
  | E.OrderCanceled
  | E.OrderTriggered
  | E.OrderActivated
  | E.OrderDecremented
  | E.OrderAmended
>

function writeRecordEvent(w: ByteWriter, event: RecordEvent): void {
  switch (event.kind) {
    case 'ExternalTransfer':
      writeExternalTransfer(w, event)
      break
    case 'BalanceMoved':
      w.uint(event.accountId)
      w.uint(event.assetId)
      break
    case 'AssetChanged':
      record.writeAsset(w, event.asset)
      break
    case 'SymbolChanged':
      record.writeSymbol(w, event.symbol)
      break
    case 'AccountCreated':
    case 'AccountChanged':
      record.writeAccount(w, event.account)
      break
    case 'ApiKeyChanged':
      writeApiKey(w, event.apiKey)
      break
    default:
      writeBackOfficeEvent(w, event)
  }
}

/** Of what operators keep. */
function writeBackOfficeEvent(w: ByteWriter, event: BackOfficeEvent): void {
  switch (event.kind) {
    case 'FeeTierChanged':
      backOffice.writeFeeTier(w, event.feeTier)
      break
    case 'AdminTokenChanged':
      backOffice.writeAdminToken(w, event.token)
      if (!isPlainToken(event.token)) writeTokenTerms(w, event.token)
      break
    case 'AddressBanned':
      backOffice.writeAddressBan(w, event.ban)
      break
    case 'BanLifted':
      w.text(event.address)
      break
    case 'WithdrawalChanged':
    case 'WithdrawalAddressChanged':
    case 'WithdrawalHandled':
      writeWithdrawalEvent(w, event)
      break
    case 'ApprovalChanged':
      backOffice.writeApproval(w, event.approval)
      writeWord(w, APPROVAL_STATES, event.state)
      break
    case 'RulesVersionChanged':
      w.uint(event.version)
      break
    case 'PhasesChanged':
      writePhases(w, event.phases)
      break
    default:
      writeRightsEvent(w, event)
  }
}

/** Reads the event at `r`; whatever is not one is a `BytesFault` that names the position. */
export function readEvent(r: ByteReader): E.ExchangeEvent {
  const code = r.u8()
  switch (code) {
    case CODES.OrderPlaced:
      return readOrderPlaced(r)
    case CODES.OrdersMatched:
      return readOrdersMatched(r)
    case CODES.LevelChanged:
      return readLevelChanged(r)
    case CODES.OrderCanceled:
      return readOrderCanceled(r)
    case CODES.OrderTriggered:
      return readOrderTriggered(r)
    case CODES.OrderActivated:
      return readOrderActivated(r)
    case CODES.OrderDecremented:
      return { ...readOrderLowered(r), kind: 'OrderDecremented' }
    case CODES.OrderAmended:
      return { ...readOrderLowered(r), kind: 'OrderAmended', remaining: r.uint() as Lots }
    case CODES.ExternalTransfer:
      return readExternalTransfer(r)
    case CODES.BalanceMoved:
      return { kind: 'BalanceMoved', accountId: r.uint() as AccountId, assetId: r.uint() as AssetId }
    case CODES.AssetChanged:
      return { kind: 'AssetChanged', asset: record.readAsset(r) }
    case CODES.SymbolChanged:
      return { kind: 'SymbolChanged', symbol: record.readSymbol(r) }
    case CODES.AccountCreated:
      return { kind: 'AccountCreated', account: record.readAccount(r) }
    case CODES.ApiKeyChanged:
      return { kind: 'ApiKeyChanged', apiKey: readApiKey(r) }
    case CODES.AccountChanged:
      return { kind: 'AccountChanged', account: record.readAccount(r) }
    case CODES.FeeTierChanged:
      return { kind: 'FeeTierChanged', feeTier: backOffice.readFeeTier(r) }
    case CODES.AdminTokenChanged:
      return { kind: 'AdminTokenChanged', token: backOffice.readAdminToken(r) }
    case CODES.AddressBanned:
      return { kind: 'AddressBanned', ban: backOffice.readAddressBan(r) }
    case CODES.BanLifted:
      return { kind: 'BanLifted', address: r.text() }
    case CODES.ApprovalChanged:
      return {
        kind: 'ApprovalChanged',
        approval: backOffice.readApproval(r),
        state: readWord(r, APPROVAL_STATES),
      }
    case CODES.RulesVersionChanged:
      return { kind: 'RulesVersionChanged', version: readRulesVersion(r) }
    case CODES.PhasesChanged:
      return { kind: 'PhasesChanged', phases: readPhases(r) }
    default: {
      const event = readRightsEvent(code, r) ?? readWithdrawalEvent(code, r)
      if (event === undefined) throw new BytesFault(`unknown event code ${code} at byte ${r.at - 1}`)
      return event
    }
  }
}

/** Bits of what was asked for. */
const HAS_TIME_IN_FORCE = 1
const HAS_PRICE = 2
const HAS_QUANTITY = 4
const HAS_TOTAL = 8
const HAS_STOP_PRICE = 16
const HAS_CLIENT_ORDER_ID = 32
const HAS_EXPIRE_TIME = 64
const HAS_ICEBERG_QUANTITY = 128
const IS_IN_LIST = 256
const HAS_KNOWN = 511

function writeOrderPlaced(w: ByteWriter, e: E.OrderPlaced): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  w.uint(e.time)
  writeWord(w, SIDES, e.side)
  w.uint(termsOf(e.type, e.timeInForce, e.selfTradeMode).code)
  w.uint(
    (e.timeInForce === undefined ? 0 : HAS_TIME_IN_FORCE) |
      (e.price === undefined ? 0 : HAS_PRICE) |
      (e.quantity === undefined ? 0 : HAS_QUANTITY) |
      (e.total === undefined ? 0 : HAS_TOTAL) |
      (e.stopPrice === undefined ? 0 : HAS_STOP_PRICE) |
      (e.expireTime === undefined ? 0 : HAS_EXPIRE_TIME) |
      (e.icebergQuantity === undefined ? 0 : HAS_ICEBERG_QUANTITY) |
      (e.clientOrderId === undefined ? 0 : HAS_CLIENT_ORDER_ID) |
      (e.inList === undefined ? 0 : IS_IN_LIST),
  )
  if (e.price !== undefined) w.uint(e.price)
  if (e.quantity !== undefined) w.uint(e.quantity)
  if (e.total !== undefined) w.whole(e.total)
  if (e.stopPrice !== undefined) w.uint(e.stopPrice)
  if (e.expireTime !== undefined) w.uint(e.expireTime)
  if (e.icebergQuantity !== undefined) w.uint(e.icebergQuantity)
  if (e.clientOrderId !== undefined) w.text(e.clientOrderId)
  if (e.inList !== undefined) {
    w.uint(e.inList.listNumber)
    writeWord(w, LIST_ROLES, e.inList.role)
  }
}

function readOrderPlaced(r: ByteReader): E.OrderPlaced {
  const symbolId = r.uint() as SymbolId
  const accountId = r.uint() as AccountId
  const orderNumber = r.uint() as OrderNumber
  const time = r.uint() as TimeMs
  const side = readWord(r, SIDES)
  const terms = termsAt(r.uint())
  const has = r.uint()
  const hasTime = (has & HAS_TIME_IN_FORCE) !== 0
  const isKnown = has <= HAS_KNOWN && (has & ~HAS_KNOWN) === 0 && (hasTime || terms?.timeInForce === 'GTC')
  if (terms?.selfTradeMode === undefined || !isKnown) {
    throw new BytesFault(`unknown terms of an order before byte ${r.at}`)
  }
  const { type, selfTradeMode } = terms
  return {
    kind: 'OrderPlaced',
    symbolId,
    accountId,
    orderNumber,
    time,
    side,
    type,
    timeInForce: hasTime ? terms.timeInForce : undefined,
    price: has & HAS_PRICE ? (r.uint() as Price) : undefined,
    quantity: has & HAS_QUANTITY ? (r.uint() as Lots) : undefined,
    total: has & HAS_TOTAL ? (r.whole() as Amount) : undefined,
    stopPrice: has & HAS_STOP_PRICE ? (r.uint() as Price) : undefined,
    expireTime: has & HAS_EXPIRE_TIME ? (r.uint() as TimeMs) : undefined,
    icebergQuantity: has & HAS_ICEBERG_QUANTITY ? (r.uint() as Lots) : undefined,
    selfTradeMode,
    clientOrderId: has & HAS_CLIENT_ORDER_ID ? r.text() : undefined,
    inList:
      has & IS_IN_LIST ? { listNumber: r.uint() as ListNumber, role: readWord(r, LIST_ROLES) } : undefined,
  }
}

function writeOrderTriggered(w: ByteWriter, e: E.OrderTriggered): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  w.uint(e.time)
  writeWord(w, SIDES, e.side)
}

function readOrderTriggered(r: ByteReader): E.OrderTriggered {
  return {
    kind: 'OrderTriggered',
    symbolId: r.uint() as SymbolId,
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    time: r.uint() as TimeMs,
    side: readWord(r, SIDES),
  }
}

function writeOrderActivated(w: ByteWriter, e: E.OrderActivated): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  w.uint(e.time)
  writeWord(w, SIDES, e.side)
  w.bool(e.quantity !== undefined)
  if (e.quantity !== undefined) w.uint(e.quantity)
  w.bool(e.total !== undefined)
  if (e.total !== undefined) w.whole(e.total)
}

function readOrderActivated(r: ByteReader): E.OrderActivated {
  return {
    kind: 'OrderActivated',
    symbolId: r.uint() as SymbolId,
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    time: r.uint() as TimeMs,
    side: readWord(r, SIDES),
    quantity: r.bool() ? (r.uint() as Lots) : undefined,
    total: r.bool() ? (r.whole() as Amount) : undefined,
  }
}

function writeOrderCanceled(w: ByteWriter, e: E.OrderCanceled): void {
  writeOrderLowered(w, e)
  writeWord(w, CANCEL_CAUSES, e.cause)
  if (hasReason(e.cause)) writeWord(w, CORE_REASONS, e.reason ?? 'INTERNAL_ERROR')
}

function readOrderCanceled(r: ByteReader): E.OrderCanceled {
  const lowered = readOrderLowered(r)
  const cause = readWord(r, CANCEL_CAUSES)
  if (!hasReason(cause)) return { ...lowered, kind: 'OrderCanceled', cause }
  return { ...lowered, kind: 'OrderCanceled', cause, reason: readWord(r, CORE_REASONS) }
}

/** Whether an end of this cause says why the order was not taken. */
function hasReason(cause: E.CancelCause): boolean {
  return cause === 'TRIGGER_REFUSED' || cause === 'PENDING_REFUSED'
}

function writeOrdersMatched(w: ByteWriter, e: E.OrdersMatched): void {
  w.uint(e.symbolId)
  w.uint(e.tradeNumber)
  w.uint(e.time)
  w.uint(e.price)
  w.uint(e.quantity)
  writeWord(w, SIDES, e.takerSide)
  writeParty(w, e.maker)
  writeParty(w, e.taker)
}

function readOrdersMatched(r: ByteReader): E.OrdersMatched {
  return {
    kind: 'OrdersMatched',
    symbolId: r.uint() as SymbolId,
    tradeNumber: r.uint() as TradeNumber,
    time: r.uint() as TimeMs,
    price: r.uint() as Price,
    quantity: r.uint() as Lots,
    takerSide: readWord(r, SIDES),
    maker: readParty(r),
    taker: readParty(r),
  }
}

function writeParty(w: ByteWriter, party: E.TradeParty): void {
  w.uint(party.accountId)
  w.uint(party.orderNumber)
  w.uint(party.orderTime)
  w.whole(party.total)
  w.whole(party.commission)
}

function readParty(r: ByteReader): E.TradeParty {
  return {
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    orderTime: r.uint() as TimeMs,
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
  }
}

function writeLevelChanged(w: ByteWriter, e: E.LevelChanged): void {
  w.uint(e.symbolId)
  writeWord(w, SIDES, e.side)
  w.uint(e.price)
  w.bigint(e.quantity)
}

function readLevelChanged(r: ByteReader): E.LevelChanged {
  return {
    kind: 'LevelChanged',
    symbolId: r.uint() as SymbolId,
    side: readWord(r, SIDES),
    price: r.uint() as Price,
    quantity: r.bigint(),
  }
}

/** What an order's end, its lowering by self-trade prevention and its amendment have in common. */
function writeOrderLowered(w: ByteWriter, e: E.OrderCanceled | E.OrderDecremented | E.OrderAmended): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  writeWord(w, SIDES, e.side)
  w.uint(e.quantity)
}

function readOrderLowered(r: ByteReader): Omit<E.OrderDecremented, 'kind'> {
  return {
    symbolId: r.uint() as SymbolId,
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    side: readWord(r, SIDES),
    quantity: r.uint() as Lots,
  }
}

function writeExternalTransfer(w: ByteWriter, e: E.ExternalTransfer): void {
  w.uint(e.accountId)
  w.uint(e.assetId)
  w.whole(e.amount)
  w.text(e.reference)
}

function readExternalTransfer(r: ByteReader): E.ExternalTransfer {
  return {
    kind: 'ExternalTransfer',
    accountId: r.uint() as AccountId,
    assetId: r.uint() as AssetId,
    amount: r.whole() as Amount,
    reference: r.text(),
  }
}
