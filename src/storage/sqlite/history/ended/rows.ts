/**
 * How orders ended, as rows. What came lately is a log in the order in which it happened; what is older is in pages by the
 * order's number, where it is looked up.
 *
 *   log     number of its first end, command and time; each end: order, command and time, what was done; check
 *   done    cause, and whether it was amended; what was executed and prevented; the amended quantity
 *   page    its number; command and time; each end, by order: the same; check
 */
import { CANCEL_CAUSES } from '../../../../core/exchange/event.ts'
import type { EndedOrder, OrderEnd } from '../../../../engine/history/order-history.ts'
import { ByteReader, type ByteWriter } from '../../../../units/bytes.ts'
import type { OrderNumber } from '../../../../units/ids.ts'
import { type Amount, lots, type Notional, seq, timeMs } from '../../../../units/quantities.ts'
import { DamagedRowFault, seal, unsealed } from '../check.ts'

/** So many orders, by number, share a page: most of them end soon after one another. */
const PAGE_ORDERS = 32

/** A row of the log takes no more ends once it has this many bytes, so that four share a page of the file. */
export const LOG_ROW_BYTES = 900

/** `ended_log` has ends from the n-th on; `ended_page` those of `PAGE_ORDERS` orders. */
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

/** The page that has the end of an order. */
export function pageOf(orderNumber: number): number {
  return Math.floor(orderNumber / PAGE_ORDERS)
}

/** Begins a row of the log whose first end is the n-th, `first`. */
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
  writeDone(w, end)
}

/** Throws `DamagedRowFault` when `data` is not what was written as the row from the n-th end on. */
export function readLogRow(n: number, data: unknown): EndedOrder[] {
  const r = new ByteReader(unsealed(data))
  assertNumber('log of ends', n, r.uint())
  const [baseSeq, baseTime] = [r.uint(), r.uint()]
  const ends: EndedOrder[] = []
  while (!r.atEnd) {
    const orderNumber = r.uint() as OrderNumber
    ends.push({
      orderNumber,
      seq: seq(baseSeq + r.uint()),
      time: timeMs(baseTime + r.uint()),
      ...readDone(r),
    })
  }
  return ends
}

/** The bytes of a page of ends, by order and none twice; valid until `w` is used again. */
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
    writeDone(w, end)
  }
  return seal(w)
}

/** Throws `DamagedRowFault` when `data` is not what was written as this page. */
export function readPage(page: number, data: unknown): EndedOrder[] {
  const r = new ByteReader(unsealed(data))
  assertNumber('page of ends', page, r.uint())
  const [baseSeq, baseTime] = [r.uint(), r.uint()]
  const ends: EndedOrder[] = []
  while (!r.atEnd) {
    const orderNumber = (page * PAGE_ORDERS + r.uint()) as OrderNumber
    const [later, laterMs] = [Number(r.whole()), Number(r.whole())]
    ends.push({ orderNumber, seq: seq(baseSeq + later), time: timeMs(baseTime + laterMs), ...readDone(r) })
  }
  return ends
}

function assertNumber(what: string, expected: number, found: number): void {
  if (found !== expected)
    throw new DamagedRowFault(`the ${what} from ${found} is found as that from ${expected}`)
}

type Done = Omit<OrderEnd, 'seq' | 'time'>

export function writeDone(w: ByteWriter, done: Done): void {
  const cause = done.cause === undefined ? 0 : CANCEL_CAUSES.indexOf(done.cause) + 1
  w.uint(2 * cause + (done.amendedQuantity === undefined ? 0 : 1))
  w.uint(done.executedQuantity)
  w.whole(done.executedNotional)
  w.whole(done.commission)
  w.uint(done.preventedQuantity)
  if (done.amendedQuantity !== undefined) w.uint(done.amendedQuantity)
}

/** Throws `DamagedRowFault`. */
export function readDone(r: ByteReader): Done {
  const causeAndAmended = r.uint()
  const place = Math.floor(causeAndAmended / 2)
  const cause = CANCEL_CAUSES[place - 1]
  if (place > 0 && cause === undefined) throw new DamagedRowFault(`cause ${place} of an end is unknown`)
  return {
    cause,
    executedQuantity: lots(r.uint()),
    executedNotional: r.whole() as Notional,
    commission: r.whole() as Amount,
    preventedQuantity: lots(r.uint()),
    amendedQuantity: causeAndAmended % 2 === 1 ? lots(r.uint()) : undefined,
  }
}
