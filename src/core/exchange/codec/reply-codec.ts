/**
 * Replies as bytes, to cross from the engine's thread to the thread that submitted the command. A reply does not say
 * which command it answers: the message that carries it does.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../../units/bytes.ts'
import { readWord, writeWord } from '../../../units/field-codec.ts'
import type {
  AccountId,
  AssetId,
  ListNumber,
  OrderNumber,
  SessionNumber,
  SymbolId,
} from '../../../units/ids.ts'
import { unreachable } from '../../../units/invariant.ts'
import { LIST_KINDS, ORDER_STATUSES } from '../../../units/order-words.ts'
import type { Lots, Notional, TimeMs } from '../../../units/quantities.ts'
import { CORE_REASONS } from '../../../units/reasons.ts'
import { type ListAccepted, type OrderAccepted, type OrderReplaced, type Reply, refused } from '../reply.ts'

const CODES = {
  OrderAccepted: 1,
  Refused: 2,
  Done: 3,
  AssetListed: 4,
  SymbolListed: 5,
  AccountOpened: 6,
  OrdersCanceled: 7,
  ApprovalNeeded: 8,
  OrderRepeated: 9,
  OrderAmended: 10,
  OrderReplaced: 11,
  CountdownSet: 20,
  ListAccepted: 54,
  ListRepeated: 55,
  SessionOpened: 56,
  WithdrawalAsked: 57,
  AddressAllowed: 58,
} as const satisfies Record<Reply['kind'], number>

/** Appends `reply`. A value without a form is an `InvariantError`. */
export function writeReply(w: ByteWriter, reply: Reply): void {
  w.u8(CODES[reply.kind])
  switch (reply.kind) {
    case 'OrderAccepted':
    case 'OrderRepeated':
      writeAcceptance(w, reply)
      break
    case 'ListAccepted':
    case 'ListRepeated':
      writeListAcceptance(w, reply)
      break
    case 'Refused':
      writeWord(w, CORE_REASONS, reply.reason)
      break
    case 'Done':
      w.bool(reply.repeated)
      break
    case 'AssetListed':
      w.uint(reply.assetId)
      break
    case 'SymbolListed':
      w.uint(reply.symbolId)
      break
    case 'AccountOpened':
      w.uint(reply.accountId)
      break
    case 'CountdownSet':
      w.uint(reply.triggerAt ?? OFF)
      break
    case 'SessionOpened':
      w.uint(reply.sessionNumber)
      w.uint(reply.time)
      w.uint(reply.attachment)
      break
    case 'WithdrawalAsked':
      w.text(reply.reference)
      w.uint(reply.time)
      w.bool(reply.repeated)
      break
    case 'AddressAllowed':
      w.uint(reply.usableAt)
      w.bool(reply.repeated)
      break
    case 'OrdersCanceled':
      w.uint(reply.canceled)
      w.uint(reply.left)
      break
    case 'OrderAmended':
      w.uint(reply.orderNumber)
      w.uint(reply.time)
      break
    case 'OrderReplaced':
      writeReplaced(w, reply)
      break
    case 'ApprovalNeeded':
      break
    default:
      unreachable(reply)
  }
}

/** Reads the reply at `r`; whatever is not one is a `BytesFault` that names the position. */
export function readReply(r: ByteReader): Reply {
  const code = r.u8()
  switch (code) {
    case CODES.OrderAccepted:
      return { ...readAcceptance(r), kind: 'OrderAccepted' }
    case CODES.OrderRepeated:
      return { ...readAcceptance(r), kind: 'OrderRepeated' }
    case CODES.ListAccepted:
      return { kind: 'ListAccepted', ...readListAcceptance(r) }
    case CODES.ListRepeated:
      return { kind: 'ListRepeated', ...readListAcceptance(r) }
    case CODES.Refused:
      return { kind: 'Refused', reason: readWord(r, CORE_REASONS) }
    case CODES.Done:
      return { kind: 'Done', repeated: r.bool() }
    case CODES.AssetListed:
      return { kind: 'AssetListed', assetId: r.uint() as AssetId }
    case CODES.SymbolListed:
      return { kind: 'SymbolListed', symbolId: r.uint() as SymbolId }
    case CODES.AccountOpened:
      return { kind: 'AccountOpened', accountId: r.uint() as AccountId }
    case CODES.CountdownSet:
      return { kind: 'CountdownSet', triggerAt: readTriggerAt(r) }
    case CODES.SessionOpened:
      return {
        kind: 'SessionOpened',
        sessionNumber: r.uint() as SessionNumber,
        time: r.uint() as TimeMs,
        attachment: r.uint(),
      }
    case CODES.WithdrawalAsked:
      return {
        kind: 'WithdrawalAsked',
        reference: r.text(),
        time: r.uint() as TimeMs,
        repeated: r.bool(),
      }
    case CODES.AddressAllowed:
      return { kind: 'AddressAllowed', usableAt: r.uint() as TimeMs, repeated: r.bool() }
    case CODES.OrdersCanceled:
      return { kind: 'OrdersCanceled', canceled: r.uint(), left: r.uint() }
    case CODES.OrderAmended:
      return { kind: 'OrderAmended', orderNumber: r.uint() as OrderNumber, time: r.uint() as TimeMs }
    case CODES.OrderReplaced:
      return readReplaced(r)
    case CODES.ApprovalNeeded:
      return { kind: 'ApprovalNeeded' }
    default:
      throw new BytesFault(`unknown reply code ${code} at byte ${r.at - 1}`)
  }
}

function writeReplaced(w: ByteWriter, { cancelRefusal, placed, repeated }: OrderReplaced): void {
  w.bool(repeated)
  w.bool(cancelRefusal !== undefined)
  if (cancelRefusal !== undefined) writeWord(w, CORE_REASONS, cancelRefusal)
  w.bool(placed.kind === 'OrderAccepted')
  if (placed.kind === 'OrderAccepted') writeAcceptance(w, placed)
  else writeWord(w, CORE_REASONS, placed.reason)
}

function readReplaced(r: ByteReader): OrderReplaced {
  const repeated = r.bool()
  const cancelRefusal = r.bool() ? readWord(r, CORE_REASONS) : undefined
  const placed = r.bool()
    ? ({ kind: 'OrderAccepted', ...readAcceptance(r) } as const)
    : refused(readWord(r, CORE_REASONS))
  return { kind: 'OrderReplaced', cancelRefusal, placed, repeated }
}

/** In place of the time at which a countdown ends. */
const OFF = 0

function readTriggerAt(r: ByteReader): TimeMs | undefined {
  const time = r.uint()
  return time === OFF ? undefined : (time as TimeMs)
}

/** What an order that was accepted is answered with. */
type Acceptance = Omit<OrderAccepted, 'kind'>

export function writeAcceptance(w: ByteWriter, reply: Acceptance): void {
  w.uint(reply.orderNumber)
  w.uint(reply.time)
  writeWord(w, ORDER_STATUSES, reply.status)
  w.uint(reply.executedQuantity)
  w.whole(reply.executedNotional)
}

export function readAcceptance(r: ByteReader): Acceptance {
  return {
    orderNumber: r.uint() as OrderNumber,
    time: r.uint() as TimeMs,
    status: readWord(r, ORDER_STATUSES),
    executedQuantity: r.uint() as Lots,
    executedNotional: r.whole() as Notional,
  }
}

/** What a list that was accepted is answered with. */
type ListAcceptance = Omit<ListAccepted, 'kind'>

export function writeListAcceptance(w: ByteWriter, reply: ListAcceptance): void {
  w.uint(reply.listNumber)
  w.uint(reply.time)
  writeWord(w, LIST_KINDS, reply.list)
}

export function readListAcceptance(r: ByteReader): ListAcceptance {
  return {
    listNumber: r.uint() as ListNumber,
    time: r.uint() as TimeMs,
    list: readWord(r, LIST_KINDS),
  }
}
