/**
 * Updates of accounts: a row for each append that has any, up to a number of commands ago. A row names the accounts in it, so that
 * whoever looks for one of them passes over the rest without reading it.
 *
 *   row      accounts, four bytes each; command and time of the first update; updates, each with its account and its length before it
 *   update   what it adds to those two; open orders; numbers of ended ones; fills; balances
 *
 * The newest rows are kept as they were written: nobody may ever ask for them, and whoever follows what happens now has them read once.
 */
import type { Database } from 'bun:sqlite'
import {
  readBalances,
  readOpenOrders,
  writeBalances,
  writeOpenOrders,
} from '../../../core/exchange/codec/view-codec.ts'
import { UPDATES_KEPT_COMMANDS } from '../../../engine/account-updates.ts'
import type { StoredUpdate, TradeRecord } from '../../../engine/ports.ts'
import { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { readList } from '../../../units/field-codec.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../../units/ids.ts'
import { SIDES } from '../../../units/order-words.ts'
import { type Amount, lots, price, type Seq, seq, type TimeMs, timeMs } from '../../../units/quantities.ts'
import { DamagedRowFault, type Row, seal, unsealed } from './check.ts'
import { finalizeAll, prepareAll, type Statements } from './statements.ts'

export const UPDATE_TABLE = `
CREATE TABLE update_block (
  last_seq INTEGER PRIMARY KEY,
  accounts BLOB NOT NULL,
  data BLOB NOT NULL
) STRICT;
`

/** Of rows, as numbers of accounts and of updates: every row carries a check of both. */
const SQL = {
  add: 'INSERT INTO update_block (last_seq, accounts, data) VALUES (?, ?, ?)',
  forget: 'DELETE FROM update_block WHERE last_seq <= ?',
  after: 'SELECT last_seq, instr(accounts, ?) FROM update_block WHERE last_seq > ? ORDER BY last_seq LIMIT ?',
  block: 'SELECT accounts, data FROM update_block WHERE last_seq = ?',
  drop: 'DELETE FROM update_block',
} as const

/** Rows that are passed over for one answer: some 2 ms. */
const ROWS_MAX = 2_000

/** Rows that are read for one answer, the last one whole: so many bytes of them. */
const READ_BYTES_MAX = 1024 * 1024

/** Of the newest rows, in memory. */
const RECENT_BYTES_MAX = 1024 * 1024

/** What is found, and up to which command that is all. */
export type FoundUpdates = { readonly updates: readonly StoredUpdate[]; readonly upTo: Seq }

export class UpdateBlocks {
  readonly #statements: Statements<keyof typeof SQL>
  readonly #writer = new ByteWriter()
  /** The newest rows, oldest first: all that came after command `#recentAfter`. Undefined: nothing has been added yet. */
  #recentAfter: Seq | undefined
  #recent: UpdateBlock[] = []
  #recentBytes = 0
  /** What the transaction under way adds. */
  #adding: UpdateBlock | undefined

  constructor(db: Database) {
    this.#statements = prepareAll(db, SQL)
  }

  /** Inside a transaction: those of the commands up to `last`. */
  add(updates: readonly StoredUpdate[], last: Seq): void {
    this.#adding = undefined
    if (updates.length > 0) {
      const accounts = accountBytes(new Set(updates.map(({ accountId }) => accountId)))
      const data = this.#blockOf(updates, accounts)
      this.#statements.add.run(last, accounts, data)
      this.#adding = new UpdateBlock(last, accounts, data.slice())
    }
    if (last > UPDATES_KEPT_COMMANDS) this.#statements.forget.run(last - UPDATES_KEPT_COMMANDS)
  }

  /** The transaction of `add` is done, and came after command `before`. */
  added(before: Seq): void {
    this.#recentAfter ??= before
    if (this.#adding === undefined) return
    this.#recent.push(this.#adding)
    this.#recentBytes += this.#adding.bytes
    this.#adding = undefined
    while (this.#recentBytes > RECENT_BYTES_MAX) {
      const oldest = this.#recent.shift() as UpdateBlock
      this.#recentBytes -= oldest.bytes
      this.#recentAfter = oldest.last
    }
  }

  /** Those of an account after a command; all have been added up to `end`. */
  after(accountId: AccountId, after: Seq, end: Seq): FoundUpdates {
    if (this.#recentAfter === undefined || after < this.#recentAfter)
      return this.#stored(accountId, after, end)
    const updates: StoredUpdate[] = []
    const first = this.#recent.findLastIndex(({ last }) => last <= after) + 1
    for (let i = first; i < this.#recent.length; i++) this.#recent[i]?.take(accountId, after, updates)
    return { updates, upTo: end }
  }

  drop(): void {
    this.#statements.drop.run()
    this.#recentAfter = undefined
    this.#recent = []
    this.#recentBytes = 0
    this.#adding = undefined
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #stored(accountId: AccountId, after: Seq, end: Seq): FoundUpdates {
    const account = accountBytes([accountId])
    const rows = this.#statements.after.values(account, after, ROWS_MAX) as Row[]
    const updates: StoredUpdate[] = []
    let bytes = 0
    let upTo = after
    for (const [last, place] of rows) {
      if (bytes >= READ_BYTES_MAX) return { updates, upTo }
      upTo = seq(Number(last))
      if (Number(place) > 0) bytes += this.#take(upTo, accountId, after, updates)
    }
    return { updates, upTo: rows.length < ROWS_MAX ? end : upTo }
  }

  /** Adds those of the account in a row; returns the row's length. */
  #take(last: Seq, accountId: AccountId, after: Seq, updates: StoredUpdate[]): number {
    const [row] = this.#statements.block.values(last) as Row[]
    const [accounts, data] = row ?? []
    const block = new UpdateBlock(last, accounts, data)
    block.take(accountId, after, updates)
    return block.bytes
  }

  /** Valid until the next call. */
  #blockOf(updates: readonly StoredUpdate[], accounts: Uint8Array): Uint8Array {
    const w = this.#writer
    const [base] = updates as [StoredUpdate]
    w.reset()
    w.u32(Bun.hash.crc32(accounts))
    w.uint(base.seq)
    w.uint(base.time)
    for (const update of updates) {
      w.uint(update.accountId)
      const start = w.length
      writeUpdate(w, update, base)
      w.field(start)
    }
    return seal(w)
  }
}

/** A row, looked into when somebody asks for an account. */
class UpdateBlock {
  readonly last: Seq
  readonly #accounts: unknown
  readonly #data: unknown
  /** Where the updates of each account lie. */
  #index: { readonly base: Base; readonly bodiesByAccount: Map<number, Uint8Array[]> } | undefined

  constructor(last: Seq, accounts: unknown, data: unknown) {
    this.last = last
    this.#accounts = accounts
    this.#data = data
  }

  get bytes(): number {
    return this.#data instanceof Uint8Array ? this.#data.length : 0
  }

  /** Adds those of the account after a command. Throws `DamagedRowFault`. */
  take(accountId: AccountId, after: Seq, updates: StoredUpdate[]): void {
    this.#index ??= this.#read()
    const { base, bodiesByAccount } = this.#index
    for (const body of bodiesByAccount.get(accountId) ?? []) {
      const update = readUpdate(new ByteReader(body), accountId, base)
      if (update.seq > after) updates.push(update)
    }
  }

  #read() {
    const reader = new ByteReader(unsealed(this.#data))
    if (!(this.#accounts instanceof Uint8Array) || reader.u32() !== Bun.hash.crc32(this.#accounts)) {
      throw new DamagedRowFault(
        `the updates up to command ${this.last} are of other accounts than their row says`,
      )
    }
    const base = { seq: seq(reader.uint()), time: timeMs(reader.uint()) }
    const bodiesByAccount = new Map<number, Uint8Array[]>()
    while (!reader.atEnd) {
      const account = reader.uint()
      const body = reader.bytes()
      const bodies = bodiesByAccount.get(account)
      if (bodies === undefined) bodiesByAccount.set(account, [body])
      else bodies.push(body)
    }
    return { base, bodiesByAccount }
  }
}

function accountBytes(accounts: Iterable<AccountId>): Uint8Array {
  const writer = new ByteWriter(64)
  for (const accountId of accounts) writer.u32(accountId)
  return writer.take()
}

/** The first update of a row, from which the others count. */
type Base = Pick<StoredUpdate, 'seq' | 'time'>

function writeUpdate(w: ByteWriter, update: StoredUpdate, base: Base): void {
  const { time, ended, fills } = update
  w.uint(update.seq - base.seq)
  w.whole(time - base.time)
  writeOpenOrders(w, update.open)
  w.uint(ended.length)
  for (const orderNumber of ended) w.uint(orderNumber)
  w.uint(fills.length)
  for (const fill of fills) writeFill(w, fill, time)
  writeBalances(w, update.balances)
}

function readUpdate(r: ByteReader, accountId: AccountId, base: Base): StoredUpdate {
  const place = seq(base.seq + r.uint())
  const time = timeMs(base.time + Number(r.whole()))
  const update = {
    seq: place,
    time,
    accountId,
    open: readOpenOrders(r),
    ended: readList(r, (reader) => reader.uint() as OrderNumber),
    fills: readList(r, (reader) => readFill(reader, time)),
    balances: readBalances(r),
  }
  r.end()
  return update
}

/** `time`: that of the command. */
function writeFill(w: ByteWriter, fill: TradeRecord, time: TimeMs): void {
  w.uint(fill.tradeNumber)
  w.whole(time - fill.time)
  w.uint((fill.symbolId * SIDES.length + SIDES.indexOf(fill.side)) * 2 + (fill.isMaker ? 1 : 0))
  w.uint(fill.orderNumber)
  w.whole(time - fill.orderTime)
  w.uint(fill.price)
  w.uint(fill.quantity)
  w.whole(fill.total)
  w.whole(fill.commission)
  w.uint(fill.commissionAssetId)
}

function readFill(r: ByteReader, time: TimeMs): TradeRecord {
  const tradeNumber = r.uint() as TradeNumber
  const tradedAt = timeMs(time - Number(r.whole()))
  const words = r.uint()
  const symbolAndSide = Math.floor(words / 2)
  return {
    tradeNumber,
    time: tradedAt,
    symbolId: Math.floor(symbolAndSide / SIDES.length) as SymbolId,
    side: SIDES[symbolAndSide % SIDES.length] as TradeRecord['side'],
    isMaker: words % 2 === 1,
    orderNumber: r.uint() as OrderNumber,
    orderTime: timeMs(time - Number(r.whole())),
    price: price(r.uint()),
    quantity: lots(r.uint()),
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
    commissionAssetId: r.uint() as AssetId,
  }
}
