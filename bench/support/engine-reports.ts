/**
 * The reports of the public matching-engine benchmark: written consecutively into memory that another thread
 * may read, and their digest. Each report is one record of 64 bytes with all fields of the benchmark's own
 * (`me_report_t`), written in full before the next message is read.
 */

export const ORDER_ACK = 0
export const TRADE = 1
export const CANCEL_ACK = 2
export const MODIFY_ACK = 3
export const CANCEL_REJECT = 4
export const MODIFY_REJECT = 5

/** Numbers of a record: type, side, sequence number, order id, price, quantity, maker's id, taker's id. */
export const REPORT_FIELDS = 8
const TYPE = 0
const SIDE = 1
const SEQUENCE = 2
const ID = 3
const PRICE = 4
const QUANTITY = 5
const MAKER = 6
const TAKER = 7

const TEXT_BYTES = 1 << 20
const LINE_BYTES_MAX = 160

/** Reports in the order in which they were written. */
export class EngineReports {
  readonly #records: Float64Array
  #end = 0
  trades = 0

  /** Allocates room for `capacity` reports; its pages are touched before the measurement. */
  constructor(capacity: number) {
    this.#records = new Float64Array(capacity * REPORT_FIELDS).fill(-1)
  }

  get count(): number {
    return this.#end / REPORT_FIELDS
  }

  get records(): Float64Array {
    return this.#records
  }

  /** Throws if another record would not fit, so that no report is lost silently. */
  order(type: number, sequence: number, id: number, side: number, price: number, quantity: number): void {
    const records = this.#records
    const at = this.#end
    if (at + REPORT_FIELDS > records.length) throw new Error('expected room for another report')
    records[at] = type
    records[at + SIDE] = side
    records[at + SEQUENCE] = sequence
    records[at + ID] = id
    records[at + PRICE] = price
    records[at + QUANTITY] = quantity
    records[at + MAKER] = 0
    records[at + TAKER] = 0
    this.#end = at + REPORT_FIELDS
  }

  trade(sequence: number, price: number, quantity: number, maker: number, taker: number): void {
    const records = this.#records
    const at = this.#end
    if (at + REPORT_FIELDS > records.length) throw new Error('expected room for another report')
    records[at] = TRADE
    records[at + SIDE] = 0
    records[at + SEQUENCE] = sequence
    records[at + ID] = taker
    records[at + PRICE] = price
    records[at + QUANTITY] = quantity
    records[at + MAKER] = maker
    records[at + TAKER] = taker
    this.#end = at + REPORT_FIELDS
    this.trades++
  }
}

/**
 * SHA-256 of the reports in the form of the benchmark's `reference/correctness_hash.txt`: one line per
 * report, by sequence number and type, without a newline at the end. Throws if they were not written in that
 * order.
 */
export function digestOfReports(reports: EngineReports): string {
  const hasher = new Bun.CryptoHasher('sha256')
  const { records, count } = reports
  const text = Buffer.allocUnsafe(TEXT_BYTES)
  let length = 0
  let last = -1
  for (let i = 0; i < count; i++) {
    const record = records.subarray(i * REPORT_FIELDS, (i + 1) * REPORT_FIELDS)
    const rank = numberAt(record, SEQUENCE) * REPORT_FIELDS + numberAt(record, TYPE)
    if (rank < last) throw new Error(`expected report ${i} behind those of earlier messages and types`)
    last = rank
    if (length > TEXT_BYTES - LINE_BYTES_MAX) {
      hasher.update(text.subarray(0, length))
      length = 0
    }
    length += text.write(i === 0 ? lineOf(record) : `\n${lineOf(record)}`, length, 'latin1')
  }
  return hasher.update(text.subarray(0, length)).digest('hex')
}

function lineOf(record: Float64Array): string {
  const type = numberAt(record, TYPE)
  const head = `${type},${numberAt(record, SEQUENCE)}`
  const [side, id, price] = [numberAt(record, SIDE), numberAt(record, ID), numberAt(record, PRICE)]
  const quantity = numberAt(record, QUANTITY)
  switch (type) {
    case TRADE:
      return `${head},${price},${quantity},${numberAt(record, MAKER)},${numberAt(record, TAKER)}`
    case CANCEL_ACK:
      return `${head},${side},${id},${price}`
    case CANCEL_REJECT:
    case MODIFY_REJECT:
      return `${head},${id}`
    default:
      return `${head},${side},${id},${price},${quantity}`
  }
}

function numberAt(record: Float64Array, field: number): number {
  return record[field] as number
}
