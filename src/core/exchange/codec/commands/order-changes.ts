/** Commands that change open orders as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import type { AccountId, OrderNumber } from '../../../../units/ids.ts'
import type { Amount, TimeMs } from '../../../../units/quantities.ts'
import type { AmendOrder, OrderTarget } from '../../commands/order-changes.ts'

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
