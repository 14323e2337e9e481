/**
 * Updates of accounts: a row for each append that has any, up to a number of commands ago. A row names the accounts in it, so that
 * whoever looks for one of them passes over the rest without reading it.
 *
 *   row      accounts, four bytes each; updates, each with its account and its length before it
 *   update   command and time; open orders; numbers of ended ones; fills; balances
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
import { RecentUpdates } from '../../../engine/recent-updates.ts'
import { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { readList, writeList } from '../../../units/field-codec.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../../units/ids.ts'
import { SIDES } from '../../../units/order-words.ts'
import { type Amount, lots, price, type Seq, seq, timeMs } from '../../../units/quantities.ts'
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

/** What is kept in memory, by `partsOf`: some 10 MB. */
const RECENT_PARTS_MAX = 40_000

/** What is found, and up to which command that is all. */
export type FoundUpdates = { readonly updates: readonly StoredUpdate[]; readonly upTo: Seq }

export class UpdateBlocks {
  readonly #statements: Statements<keyof typeof SQL>
  readonly #writer = new ByteWriter()
  readonly #body = new ByteWriter()
  #recent: RecentUpdates | undefined

  constructor(db: Database) {
    this.#statements = prepareAll(db, SQL)
  }

  /** Inside a transaction: those of the commands up to `last`. */
  add(updates: readonly StoredUpdate[], last: Seq): void {
    if (updates.length > 0) {
      const accounts = accountBytes(new Set(updates.map(({ accountId }) => accountId)))
      this.#statements.add.run(last, accounts, this.#blockOf(updates, accounts))
    }
    if (last > UPDATES_KEPT_COMMANDS) this.#statements.forget.run(last - UPDATES_KEPT_COMMANDS)
  }

  /** The transaction of `add` is done, and came after command `before`. */
  added(updates: readonly StoredUpdate[], before: Seq): void {
    this.#recent ??= new RecentUpdates(RECENT_PARTS_MAX, before)
    this.#recent.add(updates)
  }

  /** Those of an account after a command; all have been added up to `end`. */
  after(accountId: AccountId, after: Seq, end: Seq): FoundUpdates {
    const recent = this.#recent?.after(accountId, after)
    return recent === undefined ? this.#stored(accountId, after, end) : { updates: recent, upTo: end }
  }

  drop(): void {
    this.#statements.drop.run()
    this.#recent = undefined
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

  /** Adds those of the account in a block; returns the block's length. */
  #take(last: Seq, accountId: AccountId, after: Seq, updates: StoredUpdate[]): number {
    const [row] = this.#statements.block.values(last) as Row[]
    const [accounts, data] = row ?? []
    const reader = new ByteReader(unsealed(data))
    if (!(accounts instanceof Uint8Array) || reader.u32() !== Bun.hash.crc32(accounts)) {
      throw new DamagedRowFault(`the updates up to command ${last} are of other accounts than their row says`)
    }
    while (!reader.atEnd) {
      const isTheirs = reader.uint() === accountId
      const body = reader.bytes()
      if (!isTheirs) continue
      const update = readUpdate(new ByteReader(body), accountId)
      if (update.seq > after) updates.push(update)
    }
    return reader.at
  }

  /** Valid until the next call. */
  #blockOf(updates: readonly StoredUpdate[], accounts: Uint8Array): Uint8Array {
    this.#writer.reset()
    this.#writer.u32(Bun.hash.crc32(accounts))
    for (const update of updates) {
      this.#body.reset()
      writeUpdate(this.#body, update)
      this.#writer.uint(update.accountId)
      this.#writer.bytes(this.#body.peek())
    }
    return seal(this.#writer)
  }
}

function accountBytes(accounts: Iterable<AccountId>): Uint8Array {
  const writer = new ByteWriter(64)
  for (const accountId of accounts) writer.u32(accountId)
  return writer.take()
}

function writeUpdate(w: ByteWriter, { seq, time, open, ended, fills, balances }: StoredUpdate): void {
  w.uint(seq)
  w.uint(time)
  writeOpenOrders(w, open)
  writeList(w, ended, (writer, orderNumber) => writer.uint(orderNumber))
  writeList(w, fills, writeFill)
  writeBalances(w, balances)
}

function readUpdate(r: ByteReader, accountId: AccountId): StoredUpdate {
  const update = {
    seq: seq(r.uint()),
    time: timeMs(r.uint()),
    accountId,
    open: readOpenOrders(r),
    ended: readList(r, (reader) => reader.uint() as OrderNumber),
    fills: readList(r, readFill),
    balances: readBalances(r),
  }
  r.end()
  return update
}

function writeFill(w: ByteWriter, fill: TradeRecord): void {
  w.uint(fill.tradeNumber)
  w.uint(fill.time)
  w.uint(fill.symbolId * SIDES.length + SIDES.indexOf(fill.side))
  w.bool(fill.isMaker)
  w.uint(fill.orderNumber)
  w.uint(fill.orderTime)
  w.uint(fill.price)
  w.uint(fill.quantity)
  w.whole(fill.total)
  w.whole(fill.commission)
  w.uint(fill.commissionAssetId)
}

function readFill(r: ByteReader): TradeRecord {
  const tradeNumber = r.uint() as TradeNumber
  const time = timeMs(r.uint())
  const symbolAndSide = r.uint()
  return {
    tradeNumber,
    time,
    symbolId: Math.floor(symbolAndSide / SIDES.length) as SymbolId,
    side: SIDES[symbolAndSide % SIDES.length] as TradeRecord['side'],
    isMaker: r.bool(),
    orderNumber: r.uint() as OrderNumber,
    orderTime: timeMs(r.uint()),
    price: price(r.uint()),
    quantity: lots(r.uint()),
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
    commissionAssetId: r.uint() as AssetId,
  }
}
