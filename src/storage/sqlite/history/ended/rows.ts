/**
 * Ends of orders, as rows. The newest ends are in a log in the order in which they happened; older ones are
 * in pages, found by the order's number.
 *
 *   log     number of its first end, command and time; each end: order, command, time, done; check
 *   done    executed quantity and notional, commission, prevented quantity; cause; amended quantity and total
 *   page    its number; command and time; each end, by order: as in the log; check
 */
import { END_FIELDS, END_OPTIONS, type EndedOrder } from '../../../../engine/history/order-history.ts'
import { ByteReader, type ByteWriter } from '../../../../units/bytes.ts'
import type { OrderNumber } from '../../../../units/ids.ts'
import { type Seq, seq, type TimeMs, timeMs } from '../../../../units/quantities.ts'
import { type Filled, given, object } from '../../../../units/shapes/shape.ts'
import { byteCodec } from '../../../../units/shapes/shape-bytes.ts'
import { DamagedRowFault, seal, unsealed } from '../check.ts'

const OF_ROW = { orderNumber: given<OrderNumber>(), seq: given<Seq>(), time: given<TimeMs>() }
const DONE = byteCodec(object({ ...OF_ROW, ...END_FIELDS }, END_OPTIONS))

/** Number of orders per page: most orders end soon after orders with nearby numbers. */
const PAGE_ORDERS = 32

/** A row of the log is complete once it has this many bytes, so that four share a page of the file. */
export const LOG_ROW_BYTES = 900

/**
 * A row of `ended_log` has ends from the n-th on; a row of `ended_page` has those of `PAGE_ORDERS` orders.
 */
export const ENDED_TABLES = `
CREATE TABLE ended_log (
  first INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE ended_page (
  page INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
`

/** The page that holds the end of an order. */
export function pageOf(orderNumber: number): number {
  return Math.floor(orderNumber / PAGE_ORDERS)
}

/** Begins a row of the log: its first end is `first`, the n-th of all. */
export function beginLogRow(w: ByteWriter, n: number, first: EndedOrder): void {
  w.reset()
  w.uint(n)
  w.uint(first.seq)
  w.uint(first.time)
}

/** Adds the next end to a row that begins with `first`. */
export function addToLogRow(w: ByteWriter, first: EndedOrder, end: EndedOrder): void {
  w.uint(end.orderNumber)
  w.uint(end.seq - first.seq)
  w.uint(end.time - first.time)
  DONE.write(w, end)
}

/** Throws `DamagedRowFault` if `data` is not the row that was written for the ends from the n-th on. */
export function readLogRow(n: number, data: unknown): EndedOrder[] {
  const r = new ByteReader(unsealed(data))
  assertNumber('log of ends', n, r.uint())
  const [baseSeq, baseTime] = [r.uint(), r.uint()]
  const ends: EndedOrder[] = []
  while (!r.atEnd) {
    const orderNumber = r.uint() as OrderNumber
    const command = seq(baseSeq + r.uint())
    ends.push(readEnd(r, orderNumber, command, timeMs(baseTime + r.uint())))
  }
  return ends
}

/** The bytes of a page of ends, by order and without repetition; valid until `w` is used again. */
export function writePage(w: ByteWriter, page: number, ends: readonly EndedOrder[]): Uint8Array {
  const [first] = ends as [EndedOrder]
  w.reset()
  w.uint(page)
  w.uint(first.seq)
  w.uint(first.time)
  for (const end of ends) {
    w.uint(end.orderNumber - page * PAGE_ORDERS)
    w.whole(end.seq - first.seq)
    w.whole(end.time - first.time)
    DONE.write(w, end)
  }
  return seal(w)
}

/** Throws `DamagedRowFault` if `data` is not the row that was written for this page. */
export function readPage(page: number, data: unknown): EndedOrder[] {
  const r = new ByteReader(unsealed(data))
  assertNumber('page of ends', page, r.uint())
  const [baseSeq, baseTime] = [r.uint(), r.uint()]
  const ends: EndedOrder[] = []
  while (!r.atEnd) {
    const orderNumber = (page * PAGE_ORDERS + r.uint()) as OrderNumber
    const [later, laterMs] = [Number(r.whole()), Number(r.whole())]
    ends.push(readEnd(r, orderNumber, seq(baseSeq + later), timeMs(baseTime + laterMs)))
  }
  return ends
}

/** Completes the object that was read: a copy would take as long as reading. */
function readEnd(r: ByteReader, orderNumber: OrderNumber, command: Seq, time: TimeMs): EndedOrder {
  const end: Filled<EndedOrder> = DONE.read(r)
  end.orderNumber = orderNumber
  end.seq = command
  end.time = time
  return end
}

function assertNumber(what: string, expected: number, found: number): void {
  if (found !== expected)
    throw new DamagedRowFault(`the ${what} from ${found} is stored as that from ${expected}`)
}
