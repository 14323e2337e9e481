/**
 * A field that does not affect an order's execution, as bytes, by order number: one section for each such
 * field.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { CARRIED, CARRIED_ROWS, type Carried } from '../trading/carried.ts'
import type { StatePart } from './sections.ts'

export function carriedPart<Name extends keyof Carried>(field: Name): StatePart {
  const { section: number, name, since, isPossible } = CARRIED_ROWS[field]
  const { form } = CARRIED[field]
  const codec = byteCodec<NonNullable<Carried[Name]>>({ form })

  function write(w: ByteWriter, { orders }: ExchangeState): void {
    w.uint(orders.carryingCount(field))
    let last = 0
    for (const order of orders.byNumber()) {
      const value = order[field]
      if (value == null) continue
      w.uint(order.number - last)
      codec.write(w, value)
      last = order.number
    }
  }

  /** Sets the field of open orders in the state. Throws `BytesFault`. */
  function read(r: ByteReader, { orders, rulesVersion }: ExchangeState): void {
    let last = 0
    for (let left = r.uint(); left > 0; left--) {
      const number = (last + r.uint()) as OrderNumber
      const value = codec.read(r)
      const order = orders.get(number)
      if (order === undefined || rulesVersion < since || number <= last || !isPossible(value)) {
        throw new BytesFault(`the ${field} of order ${number} before byte ${r.at} is not valid`)
      }
      orders.carry(order, { [field]: value })
      last = number
    }
  }

  return { number, name, isEmpty: ({ orders }) => orders.carryingCount(field) === 0, write, read }
}
