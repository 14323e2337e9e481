/**
 * An order that was placed under a client order id, as it is remembered: what was asked for, and what was answered. Two orders have
 * the same meaning when the bytes of what they ask for are the same; so whatever a new order may ask for is
 * part of its meaning without a line here.
 */
import type { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { BytesFault } from '../../../units/bytes.ts'
import { readWord, wordAt, wordIndex, writeWord } from '../../../units/field-codec.ts'
import type { AccountId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { worthOf } from '../../../units/notional.ts'
import { SELF_TRADE_MODES, type SelfTradeMode } from '../../../units/order-words.ts'
import { CORE_REASONS } from '../../../units/reasons.ts'
import { paidFor, receivedFor } from '../../ledger/money.ts'
import { readReplacing, writeReplacing } from '../codec/commands/order-changes.ts'
import { readPlaceOrder, writePlaceOrder } from '../codec/commands/orders.ts'
import { readAcceptance, writeAcceptance } from '../codec/reply-codec.ts'
import type { Replacement } from '../commands/order-changes.ts'
import type { PlaceOrder } from '../commands/orders.ts'
import type { Market } from '../market.ts'
import type { OrderAccepted } from '../reply.ts'

/** Bit beside a self-trade mode's place in its list. */
const IS_REPLACEMENT = 8
invariant(SELF_TRADE_MODES.length <= IS_REPLACEMENT, 'self-trade modes must fit below their bit')

export type IdentifiedOrder = {
  readonly clientOrderId: string
  /** With everything filled in that it left to defaults, and without what only checks the rest; without its id. */
  readonly asked: PlaceOrder
  /** The symbol's self-trade mode when the order was placed: what a repeat means that names none. */
  readonly symbolMode: SelfTradeMode
  readonly answer: Omit<OrderAccepted, 'kind'>
  /** Of an order that was placed in the place of another one: what else was asked, and what became of the cancel. */
  readonly replacement: Replacement | undefined
}

/** What `command` asks for, where the symbol's self-trade mode is `symbolMode`. It is well-formed. */
export function meaningOf(command: PlaceOrder, market: Market, symbolMode: SelfTradeMode): PlaceOrder {
  const selfTradeMode = command.selfTradeMode ?? symbolMode
  const meaning: PlaceOrder = { ...command, clientOrderId: undefined, selfTradeMode }
  if (meaning.price === undefined || meaning.total === undefined) return meaning
  const worth = worthOf(meaning.price, meaning.quantity)
  const isProduct =
    meaning.total === receivedFor(worth, market.scale) || meaning.total === paidFor(worth, market.scale)
  return isProduct ? { ...meaning, total: undefined } : meaning
}

/** Appends what an id is found by: of two keys neither is the beginning of the other. */
export function writeKey(w: ByteWriter, accountId: AccountId, clientOrderId: string): void {
  w.uint(accountId)
  w.text(clientOrderId)
}

/** What `writeKey` wrote. Throws `BytesFault`. */
export function readKey(r: ByteReader): { readonly accountId: AccountId; readonly clientOrderId: string } {
  return { accountId: r.uint() as AccountId, clientOrderId: r.text() }
}

/** Appends `order`, its key first. */
export function writeIdentifiedOrder(w: ByteWriter, order: IdentifiedOrder): void {
  writeKey(w, order.asked.accountId, order.clientOrderId)
  const mode = wordIndex(SELF_TRADE_MODES, order.symbolMode)
  w.uint(order.replacement === undefined ? mode : mode | IS_REPLACEMENT)
  writePlaceOrder(w, order.asked)
  writeAcceptance(w, order.answer)
  if (order.replacement === undefined) return
  const { cancelRefusal } = order.replacement
  writeReplacing(w, order.replacement)
  w.bool(cancelRefusal !== undefined)
  if (cancelRefusal !== undefined) writeWord(w, CORE_REASONS, cancelRefusal)
}

/** Throws `BytesFault`. */
export function readIdentifiedOrder(r: ByteReader): IdentifiedOrder {
  const { accountId, clientOrderId } = readKey(r)
  const words = r.uint()
  const symbolMode = wordAt(r, SELF_TRADE_MODES, words & ~IS_REPLACEMENT)
  const asked = readPlaceOrder(r)
  if (asked.accountId !== accountId || asked.clientOrderId !== undefined) {
    throw new BytesFault(`the order under client order id ${clientOrderId} before byte ${r.at} cannot be`)
  }
  const answer = readAcceptance(r)
  const isReplacement = (words & IS_REPLACEMENT) !== 0
  return {
    clientOrderId,
    asked,
    symbolMode,
    answer,
    replacement: isReplacement ? readReplacement(r) : undefined,
  }
}

function readReplacement(r: ByteReader): Replacement {
  return { ...readReplacing(r), cancelRefusal: r.bool() ? readWord(r, CORE_REASONS) : undefined }
}
