/** Commands that change open orders as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { readWord, writeWord } from '../../../../units/field-codec.ts'
import type { AccountId, OrderNumber } from '../../../../units/ids.ts'
import { CANCEL_REPLACE_MODES, CANCEL_RESTRICTIONS } from '../../../../units/order-words.ts'
import type { Amount, TimeMs } from '../../../../units/quantities.ts'
import type { AmendOrder, OrderTarget, ReplaceOrder } from '../../commands/order-changes.ts'
import { readPlaceOrder, writePlaceOrder } from './orders.ts'

export function writeTarget(w: ByteWriter, target: OrderTarget): void {
  w.bool(target.clientOrderId !== undefined)
  if (target.clientOrderId !== undefined) {
    w.text(target.clientOrderId)
    return
  }
  w.uint(target.orderNumber)
  w.uint(target.orderTime)
}

export function readTarget(r: ByteReader): OrderTarget {
  if (r.bool()) return { clientOrderId: r.text() }
  return { orderNumber: r.uint() as OrderNumber, orderTime: r.uint() as TimeMs }
}

export function writeAmendOrder(w: ByteWriter, c: AmendOrder): void {
  w.uint(c.accountId)
  writeTarget(w, c.target)
  w.whole(c.quantity)
}

export function readAmendOrder(r: ByteReader): AmendOrder {
  return {
    kind: 'AmendOrder',
    accountId: r.uint() as AccountId,
    target: readTarget(r),
    quantity: r.whole() as Amount,
  }
}

export function writeReplaceOrder(w: ByteWriter, c: ReplaceOrder): void {
  writeReplacing(w, c)
  writePlaceOrder(w, c.order)
}

export function readReplaceOrder(r: ByteReader): ReplaceOrder {
  return { kind: 'ReplaceOrder', ...readReplacing(r), order: readPlaceOrder(r) }
}

type Replacing = Pick<ReplaceOrder, 'target' | 'mode' | 'restriction'>

/** What a replacement asks for beside its new order. */
export function writeReplacing(w: ByteWriter, { target, mode, restriction }: Replacing): void {
  writeTarget(w, target)
  writeWord(w, CANCEL_REPLACE_MODES, mode)
  w.bool(restriction !== undefined)
  if (restriction !== undefined) writeWord(w, CANCEL_RESTRICTIONS, restriction)
}

export function readReplacing(r: ByteReader): Replacing {
  return {
    target: readTarget(r),
    mode: readWord(r, CANCEL_REPLACE_MODES),
    restriction: r.bool() ? readWord(r, CANCEL_RESTRICTIONS) : undefined,
  }
}
