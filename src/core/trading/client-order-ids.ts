/**
 * The client order ids that are remembered: of open orders, and of those that have ended less than 24 hours
 * ago (docs/reference/client-order-ids.md#how-long-an-id-is-remembered). There may be millions, so an order
 * is a row of typed arrays and some bytes in a pool. Traders choose the ids: they are found in sorted
 * records, where no choice makes a search long.
 */
import { BytePool } from '../../units/byte-pool.ts'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { AccountId, ListNumber, OrderNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import {
  CLIENT_ORDER_ID_LIFETIME_MS,
  CLIENT_ORDER_IDS_FORGOTTEN_MAX,
  CLIENT_ORDER_IDS_MAX,
  CLIENT_ORDER_IDS_PER_ACCOUNT_MAX,
} from '../../units/limits.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import { NO_RECORD, RecordIndex } from '../../units/record-index.ts'
import { SortedRecords } from '../../units/sorted-records.ts'
import { grownFloat64, grownInt32, grownUint16 } from '../../units/typed-arrays.ts'
import {
  accountOf,
  type Identified,
  placementOf,
  readIdentified,
  readKey,
  writeIdentified,
  writeKey,
} from './identified-order.ts'

export type ClientOrderIdLimits = {
  /** Maximum number of ids remembered at a time, for one account and in all. */
  readonly perAccount: number
  readonly inAll: number
  /** Time for which an id is remembered after its order's end. */
  readonly lifetimeMs: number
}

/** The limits required by the rules. */
export const CLIENT_ORDER_ID_LIMITS: ClientOrderIdLimits = {
  perAccount: CLIENT_ORDER_IDS_PER_ACCOUNT_MAX,
  inAll: CLIENT_ORDER_IDS_MAX,
  lifetimeMs: CLIENT_ORDER_ID_LIFETIME_MS,
}

const FIRST_ROWS = 16
const NO_ROW = -1

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

export class ClientOrderIds {
  readonly #limits: ClientOrderIdLimits
  readonly #pool = new BytePool()
  readonly #index = new SortedRecords()
  readonly #countByAccount = new Map<AccountId, number>()
  /** Rows of open orders, by order number. */
  readonly #openByNumber = new RecordIndex(FIRST_ROWS)
  /** By row: the bytes of the order, which are in the pool. */
  #handles = new Int32Array(FIRST_ROWS)
  #lengths = new Uint16Array(FIRST_ROWS)
  #numbers = new Float64Array(FIRST_ROWS)
  /** The time from which the row may be forgotten; not set for an open order. */
  #dues = new Float64Array(FIRST_ROWS)
  /** The row that is forgotten next after this one; for a vacant row, the next vacant one. */
  #next = new Int32Array(FIRST_ROWS)
  #firstDue = NO_ROW
  #lastDue = NO_ROW
  #firstVacant = NO_ROW
  #used = 0
  readonly #writer = new ByteWriter(512)
  /** The key to search for. */
  #key: Uint8Array = new Uint8Array(0)
  readonly #compare = (row: number): number => this.#compareWith(row)

  constructor(limits: ClientOrderIdLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#index.count
  }

  /** Whether `count` more ids of an account can be remembered. */
  hasRoom(accountId: AccountId, count = 1): boolean {
    const { perAccount, inAll } = this.#limits
    return this.count + count <= inAll && (this.#countByAccount.get(accountId) ?? 0) + count <= perAccount
  }

  /** The order or list of an account that is remembered under an id. */
  find(accountId: AccountId, clientOrderId: string): Identified | undefined {
    const row = this.#index.find(this.#seek(accountId, clientOrderId), this.#compare)
    return row === NO_RECORD ? undefined : readIdentified(new ByteReader(this.#bytesOf(row)))
  }

  /** The client order id of an open order; undefined if it has none. */
  idOfOpen(number: OrderNumber): string | undefined {
    if (this.#openByNumber.count === 0) return undefined
    const row = this.#openByNumber.find(this.#numbers, number)
    return row === NO_RECORD ? undefined : readKey(new ByteReader(this.#bytesOf(row))).clientOrderId
  }

  /**
   * Remembers an order or list that was just placed, under an id that is not in use. `isOpen` is false if it
   * has already ended.
   */
  add(identified: Identified, isOpen: boolean): void {
    const accountId = accountOf(identified)
    const { number, time } = placementOf(identified)
    const row = this.#vacantRow()
    this.#writer.reset()
    writeIdentified(this.#writer, identified)
    this.#handles[row] = this.#pool.add(this.#writer.peek())
    this.#lengths[row] = this.#writer.length
    this.#numbers[row] = number
    this.#index.add(this.#seek(accountId, identified.clientOrderId), row, this.#compare)
    this.#countByAccount.set(accountId, (this.#countByAccount.get(accountId) ?? 0) + 1)
    if (isOpen) this.#openByNumber.add(this.#numbers, row)
    else this.#endAt(row, time)
  }

  /** Records that an order or list, with or without an id, is no longer open. */
  end(number: OrderNumber | ListNumber, time: TimeMs): void {
    if (this.#openByNumber.count === 0) return
    const row = this.#openByNumber.remove(this.#numbers, number)
    if (row !== NO_RECORD) this.#endAt(row, time)
  }

  /** Forgets ids in the order in which their time ran out, at most `CLIENT_ORDER_IDS_FORGOTTEN_MAX`. */
  forgetDue(time: TimeMs): void {
    for (let left = CLIENT_ORDER_IDS_FORGOTTEN_MAX; left > 0; left--) {
      const row = this.#firstDue
      if (row === NO_ROW || (this.#dues[row] as number) > time) return
      this.#forget(row)
    }
  }

  /** Writes ended orders in the order in which they will be forgotten, then open orders by number. */
  write(w: ByteWriter): void {
    w.uint(this.count - this.#openByNumber.count)
    let last = 0
    for (let row = this.#firstDue; row !== NO_ROW; row = this.#next[row] as number) {
      const due = this.#dues[row] as number
      w.uint(due - last)
      w.raw(this.#bytesOf(row))
      last = due
    }
    w.uint(this.#openByNumber.count)
    for (const row of this.#openRows()) w.raw(this.#bytesOf(row))
  }

  /**
   * Fills an empty list from the output of `write`. `check` returns whether an order, open or not, is
   * possible. Throws `BytesFault`.
   */
  read(r: ByteReader, check: (identified: Identified, isOpen: boolean) => boolean): void {
    let due = 0
    for (let left = r.uint(); left > 0; left--) {
      due += r.uint()
      const identified = this.#readOne(r, (one) => check(one, false))
      const { number, time } = placementOf(identified)
      const ended = due - this.#limits.lifetimeMs
      if (ended < time)
        throw new BytesFault(`a client order id before byte ${r.at} would be forgotten too early`)
      this.add(identified, true)
      this.end(number, timeMs(ended))
    }
    let last = 0
    for (let left = r.uint(); left > 0; left--) {
      const identified = this.#readOne(r, (one) => placementOf(one).number > last && check(one, true))
      last = placementOf(identified).number
      this.add(identified, true)
    }
  }

  #readOne(r: ByteReader, check: (identified: Identified) => boolean): Identified {
    const identified = readIdentified(r)
    const { clientOrderId } = identified
    const isNew = this.find(accountOf(identified), clientOrderId) === undefined
    if (!isNew || !check(identified)) {
      throw new BytesFault(`client order id ${clientOrderId} before byte ${r.at} is not valid`)
    }
    return identified
  }

  /** Puts the row of an order that has just ended at the end of those to be forgotten. */
  #endAt(row: number, time: TimeMs): void {
    this.#dues[row] = time + this.#limits.lifetimeMs
    this.#next[row] = NO_ROW
    if (this.#lastDue === NO_ROW) this.#firstDue = row
    else this.#next[this.#lastDue] = row
    this.#lastDue = row
  }

  #forget(row: number): void {
    this.#firstDue = this.#next[row] as number
    if (this.#firstDue === NO_ROW) this.#lastDue = NO_ROW
    const identified = readIdentified(new ByteReader(this.#bytesOf(row)))
    const { clientOrderId } = identified
    const accountId = accountOf(identified)
    const removed = this.#index.remove(this.#seek(accountId, clientOrderId), this.#compare)
    invariant(
      removed === row,
      () => `expected client order id ${clientOrderId} in row ${row}, found ${removed}`,
    )
    const left = (this.#countByAccount.get(accountId) ?? 0) - 1
    if (left === 0) this.#countByAccount.delete(accountId)
    else this.#countByAccount.set(accountId, left)
    this.#pool.remove(this.#handles[row] as number)
    this.#next[row] = this.#firstVacant
    this.#firstVacant = row
  }

  #openRows(): number[] {
    const isOpen = new Uint8Array(this.#used).fill(1)
    for (let row = this.#firstDue; row !== NO_ROW; row = this.#next[row] as number) isOpen[row] = 0
    for (let row = this.#firstVacant; row !== NO_ROW; row = this.#next[row] as number) isOpen[row] = 0
    const rows: number[] = []
    for (let row = 0; row < this.#used; row++) if (isOpen[row] === 1) rows.push(row)
    return rows.sort((a, b) => (this.#numbers[a] as number) - (this.#numbers[b] as number))
  }

  #bytesOf(row: number): Uint8Array {
    return this.#pool.at(this.#handles[row] as number).subarray(0, this.#lengths[row])
  }

  /**
   * Sets the target of the search, and returns its sort key: FNV-1a with 32 bits, which is different for most
   * ids.
   */
  #seek(accountId: AccountId, clientOrderId: string): number {
    this.#writer.reset()
    writeKey(this.#writer, accountId, clientOrderId)
    const key = this.#writer.peek()
    this.#key = key
    let hash = FNV_OFFSET | 0
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ (key[i] as number), FNV_PRIME)
    return hash
  }

  /** Compares byte by byte: two keys differ before either of them ends. */
  #compareWith(row: number): number {
    const bytes = this.#pool.at(this.#handles[row] as number)
    const key = this.#key
    for (let i = 0; i < key.length; i++) {
      const difference = (key[i] as number) - (bytes[i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }

  #vacantRow(): number {
    const row = this.#firstVacant
    if (row !== NO_ROW) {
      this.#firstVacant = this.#next[row] as number
      return row
    }
    if (this.#used === this.#numbers.length) this.#grow(this.#used * 2)
    return this.#used++
  }

  #grow(rows: number): void {
    this.#handles = grownInt32(this.#handles, rows)
    this.#lengths = grownUint16(this.#lengths, rows)
    this.#numbers = grownFloat64(this.#numbers, rows)
    this.#dues = grownFloat64(this.#dues, rows)
    this.#next = grownInt32(this.#next, rows)
  }
}
