/** Commands that change an open order of the trader's: its quantity, or the order for another one. */
import type { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { CANCEL_REPLACE_MODES, CANCEL_RESTRICTIONS } from '../../units/order-enums.ts'
import type { Amount, TimeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { integer, object, orUndefined, own, uint, word } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { PlaceOrder } from './orders.ts'
import { readPlaceOrder, writePlaceOrder } from './place-order-codec.ts'
import { type CommandIn, commandRows } from './row.ts'

/**
 * An open order as its owner names it: by number and time, which are in its UUID, or by its client order id.
 */
export type OrderTarget =
  | { readonly orderNumber: OrderNumber; readonly orderTime: TimeMs; readonly clientOrderId?: undefined }
  | { readonly clientOrderId: string; readonly orderNumber?: undefined; readonly orderTime?: undefined }

const ORDER_TARGET = own<OrderTarget>({
  write: (w: ByteWriter, target) => {
    w.bool(target.clientOrderId !== undefined)
    if (target.clientOrderId !== undefined) {
      w.text(target.clientOrderId)
      return
    }
    w.uint(target.orderNumber)
    w.uint(target.orderTime)
  },
  read: (r: ByteReader) => {
    if (r.bool()) return { clientOrderId: r.text() }
    return { orderNumber: r.uint() as OrderNumber, orderTime: r.uint() as TimeMs }
  },
})

const REPLACING = {
  target: ORDER_TARGET,
  mode: word(CANCEL_REPLACE_MODES),
  /** Undefined if the order may be in any open state. */
  restriction: orUndefined(word(CANCEL_RESTRICTIONS)),
}

/** The fields of a replacement besides its new order. */
export const REPLACING_CODEC = byteCodec(object(REPLACING))

export const ORDER_CHANGE_ROWS = commandRows({
  AmendOrder: {
    code: 42,
    fields: {
      accountId: uint<AccountId>(),
      target: ORDER_TARGET,
      /**
       * The new quantity, executed quantity included, in units of 10^-18 of the base asset, so that the
       * sender need not know the decimals of the symbol's quantities. At least 1.
       */
      quantity: integer<Amount>(),
    },
  },
  ReplaceOrder: {
    code: 43,
    fields: {
      ...REPLACING,
      /** The new order; the canceled order belongs to the same account. */
      order: own<PlaceOrder>({ write: writePlaceOrder, read: readPlaceOrder }),
    },
  },
})

type In<Kind extends keyof typeof ORDER_CHANGE_ROWS> = CommandIn<typeof ORDER_CHANGE_ROWS, Kind>

/**
 * Lowers the whole quantity of an order that rests in its book, without losing its place
 * (docs/reference/order-changes.md#lower-the-quantity).
 */
export interface AmendOrder extends In<'AmendOrder'> {}

/**
 * Cancels an order and places another one in its symbol, in one step
 * (docs/reference/order-changes.md#replace).
 */
export interface ReplaceOrder extends In<'ReplaceOrder'> {}

/** The parameters of a replacement besides its new order, and whether its cancel was refused. */
export type Replacement = Pick<ReplaceOrder, 'target' | 'mode' | 'restriction'> & {
  readonly cancelRefusal: CoreReason | undefined
}
