/**
 * An order that was placed under a client order id, as it is remembered: its request and its answer. Two
 * orders have the same meaning if the bytes of their requests are the same, so every new parameter of orders
 * becomes part of the meaning without a change in this file.
 */
import type { ByteReader, ByteWriter } from '../../units/bytes.ts'
import { BytesFault } from '../../units/bytes.ts'
import { readWord, wordAt, wordIndex, writeWord } from '../../units/field-codec.ts'
import type { AccountId, ListNumber, OrderNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { worthOf } from '../../units/notional.ts'
import { SELF_TRADE_MODES, type SelfTradeMode } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { CORE_REASONS } from '../../units/reasons.ts'
import { REPLACING_CODEC, type Replacement } from '../commands/order-changes.ts'
import type { PlaceList } from '../commands/order-lists.ts'
import type { PlaceOrder } from '../commands/orders.ts'
import { readPlaceList, writePlaceList } from '../commands/place-list-codec.ts'
import { readPlaceOrder, writePlaceOrder } from '../commands/place-order-codec.ts'
import type { Market } from '../exchange/market.ts'
import { paidFor, receivedFor } from '../ledger/money.ts'
import type { ListAccepted, OrderAccepted } from '../questions/reply.ts'
import {
  readAcceptance,
  readListAcceptance,
  writeAcceptance,
  writeListAcceptance,
} from '../questions/reply-codec.ts'

/** A bit beside the index of a self-trade mode in its list. */
const IS_REPLACEMENT = 8
invariant(
  SELF_TRADE_MODES.length <= IS_REPLACEMENT,
  'self-trade modes must fit in the bits below that of a replacement',
)

export type IdentifiedOrder = {
  readonly kind: 'ORDER'
  readonly clientOrderId: string
  /** The request with defaults filled in, without its id and without parameters that only check others. */
  readonly asked: PlaceOrder
  /**
   * The symbol's self-trade mode when the order was placed: a repeat that specifies no mode means this one.
   */
  readonly symbolMode: SelfTradeMode
  readonly answer: Omit<OrderAccepted, 'kind'>
  /**
   * For an order that replaced another one: the other parameters of the request, and the outcome of the
   * cancel.
   */
  readonly replacement: Replacement | undefined
}

/** An order of a list that was placed under an id of its own. No later request has the same meaning. */
export type IdentifiedLeg = {
  readonly kind: 'LEG'
  readonly clientOrderId: string
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly orderNumber: OrderNumber
  readonly time: TimeMs
}

/** A list that was placed under a client order id. */
export type IdentifiedList = {
  readonly kind: 'LIST'
  readonly clientOrderId: string
  /** The request with its self-trade mode filled in, without the list's own id. */
  readonly asked: PlaceList
  /** The symbol's self-trade mode when the list was placed. */
  readonly symbolMode: SelfTradeMode
  readonly answer: Omit<ListAccepted, 'kind'>
}

type PlacedOrder = Pick<IdentifiedLeg, 'orderNumber' | 'time' | 'symbolId'>

/** The record stored under a client order id. */
export type Identified = IdentifiedOrder | IdentifiedLeg | IdentifiedList

export function accountOf(identified: Identified): AccountId {
  return identified.kind === 'LEG' ? identified.accountId : identified.asked.accountId
}

/** The number of the remembered order or list (they share one sequence), and the time of its placement. */
export function placementOf(identified: Identified): {
  readonly number: OrderNumber | ListNumber
  readonly time: TimeMs
} {
  switch (identified.kind) {
    case 'ORDER':
      return { number: identified.answer.orderNumber, time: identified.answer.time }
    case 'LEG':
      return { number: identified.orderNumber, time: identified.time }
    case 'LIST':
      return { number: identified.answer.listNumber, time: identified.answer.time }
  }
}

/** The order with an id. */
export function placedOrder(identified: IdentifiedOrder | IdentifiedLeg): PlacedOrder {
  if (identified.kind === 'LEG') return identified
  const { orderNumber, time } = identified.answer
  return { orderNumber, time, symbolId: identified.asked.symbolId }
}

/**
 * The parameters of `command`, if the symbol's self-trade mode is `symbolMode`, regardless of its session and
 * its key: a client that returns with another session or key must learn the outcome of the order. The command
 * must be well-formed.
 */
export function meaningOf(command: PlaceOrder, market: Market, symbolMode: SelfTradeMode): PlaceOrder {
  const selfTradeMode = command.selfTradeMode ?? symbolMode
  const meaning: PlaceOrder = {
    ...command,
    clientOrderId: undefined,
    sessionNumber: undefined,
    keyNumber: undefined,
    selfTradeMode,
  }
  if (meaning.price === undefined || meaning.total === undefined) return meaning
  const worth = worthOf(meaning.price, meaning.quantity)
  const isProduct =
    meaning.total === receivedFor(worth, market.scale) || meaning.total === paidFor(worth, market.scale)
  return isProduct ? { ...meaning, total: undefined } : meaning
}

/** Appends the key by which an id is found: no key is a prefix of another. */
export function writeKey(w: ByteWriter, accountId: AccountId, clientOrderId: string): void {
  w.uint(accountId)
  w.text(clientOrderId)
}

/** Reads what `writeKey` has written. Throws `BytesFault`. */
export function readKey(r: ByteReader): { readonly accountId: AccountId; readonly clientOrderId: string } {
  return { accountId: r.uint() as AccountId, clientOrderId: r.text() }
}

/** In place of the self-trade mode of an order's symbol, for an order of a list and for a list. */
const LEG = 31
const LIST = 30

/** Appends a remembered order or list, its key first. */
export function writeIdentified(w: ByteWriter, identified: Identified): void {
  writeKey(w, accountOf(identified), identified.clientOrderId)
  switch (identified.kind) {
    case 'ORDER':
      writeOrder(w, identified)
      break
    case 'LEG':
      w.uint(LEG)
      w.uint(identified.symbolId)
      w.uint(identified.orderNumber)
      w.uint(identified.time)
      break
    case 'LIST':
      w.uint(LIST)
      writeWord(w, SELF_TRADE_MODES, identified.symbolMode)
      writePlaceList(w, identified.asked)
      writeListAcceptance(w, identified.answer)
      break
  }
}

/** Throws `BytesFault`. */
export function readIdentified(r: ByteReader): Identified {
  const { accountId, clientOrderId } = readKey(r)
  const tag = r.uint()
  if (tag === LEG) {
    const symbolId = r.uint() as SymbolId
    const orderNumber = r.uint() as OrderNumber
    return { kind: 'LEG', clientOrderId, accountId, symbolId, orderNumber, time: r.uint() as TimeMs }
  }
  const identified = tag === LIST ? readList(r, clientOrderId) : readOrder(r, clientOrderId, tag)
  const ownId =
    identified.kind === 'LIST' ? identified.asked.listClientOrderId : identified.asked.clientOrderId
  const { accountId: owner, sessionNumber, keyNumber } = identified.asked
  if (owner !== accountId || (ownId ?? sessionNumber ?? keyNumber) !== undefined) {
    throw new BytesFault(`the entry of client order id ${clientOrderId} before byte ${r.at} is not valid`)
  }
  return identified
}

function writeOrder(w: ByteWriter, { symbolMode, asked, answer, replacement }: IdentifiedOrder): void {
  const mode = wordIndex(SELF_TRADE_MODES, symbolMode)
  w.uint(replacement === undefined ? mode : mode | IS_REPLACEMENT)
  writePlaceOrder(w, asked)
  writeAcceptance(w, answer)
  if (replacement === undefined) return
  const { cancelRefusal } = replacement
  REPLACING_CODEC.write(w, replacement)
  w.bool(cancelRefusal !== undefined)
  if (cancelRefusal !== undefined) writeWord(w, CORE_REASONS, cancelRefusal)
}

function readOrder(r: ByteReader, clientOrderId: string, words: number): IdentifiedOrder {
  const symbolMode = wordAt(r, SELF_TRADE_MODES, words & ~IS_REPLACEMENT)
  const asked = readPlaceOrder(r)
  const answer = readAcceptance(r)
  const isReplacement = (words & IS_REPLACEMENT) !== 0
  const replacement = isReplacement ? readReplacement(r) : undefined
  return { kind: 'ORDER', clientOrderId, asked, symbolMode, answer, replacement }
}

function readReplacement(r: ByteReader): Replacement {
  return { ...REPLACING_CODEC.read(r), cancelRefusal: r.bool() ? readWord(r, CORE_REASONS) : undefined }
}

function readList(r: ByteReader, clientOrderId: string): IdentifiedList {
  const symbolMode = readWord(r, SELF_TRADE_MODES)
  return { kind: 'LIST', clientOrderId, symbolMode, asked: readPlaceList(r), answer: readListAcceptance(r) }
}
