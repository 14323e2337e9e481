/**
 * Stores updates of accounts: a row for each append with updates, for a limited number of past commands. A
 * row lists its accounts, so that a search for one of them skips the others without reading them.
 *
 *   row   accounts, four bytes each; a block (`update-codec.ts`) after the accounts' checksum; the block's checksum
 */
import type { Database } from 'bun:sqlite'
import { UPDATE_PARTS_MAX, UPDATES_KEPT_COMMANDS } from '../../../engine/history/account-updates.ts'
import { RecentUpdates } from '../../../engine/history/recent-updates.ts'
import {
  partsOf,
  readUpdates,
  type StoredUpdate,
  type UpdateBlock,
} from '../../../engine/history/update-codec.ts'
import type { FoundUpdates } from '../../../engine/history/update-pages.ts'
import type { UpdatesAfter } from '../../../engine/port/ports.ts'
import { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import type { AccountId } from '../../../units/ids.ts'
import { type Seq, seq } from '../../../units/quantities.ts'
import { DamagedRowFault, type Row, seal, unsealed } from './check.ts'
import { finalizeAll, prepareAll, type Statements } from './statements.ts'

export const UPDATE_TABLE = `
CREATE TABLE update_block (
  last_seq INTEGER PRIMARY KEY,
  accounts BLOB NOT NULL,
  data BLOB NOT NULL
) STRICT;
`

const SQL = {
  add: 'INSERT INTO update_block (last_seq, accounts, data) VALUES (?, ?, ?)',
  forget: 'DELETE FROM update_block WHERE last_seq <= ?',
  after: 'SELECT last_seq, instr(accounts, ?) FROM update_block WHERE last_seq > ? ORDER BY last_seq LIMIT ?',
  block: 'SELECT accounts, data FROM update_block WHERE last_seq = ?',
  drop: 'DELETE FROM update_block',
} as const

/** Limits on the cost of one answer, and on memory. */
export type UpdateBounds = {
  /** Maximum number of rows examined for one answer. */
  readonly rowsMax: number
  /**
   * Number of bytes of rows read for one answer, unless their updates fill it before; the last row is read
   * completely.
   */
  readonly readBytesMax: number
  readonly recentBytesMax: number
}

/** Skipping this many rows takes about 2 ms. */
const BOUNDS: UpdateBounds = {
  rowsMax: 2_000,
  readBytesMax: 1024 * 1024,
  recentBytesMax: 4 * 1024 * 1024,
}

/** Length in bytes of the accounts' checksum, which precedes a block. */
const CHECK_BYTES = 4

export class UpdateBlocks {
  readonly #statements: Statements<keyof typeof SQL>
  readonly #writer = new ByteWriter()
  readonly #bounds: UpdateBounds
  #recent: RecentUpdates | undefined

  constructor(db: Database, bounds = BOUNDS) {
    this.#statements = prepareAll(db, SQL)
    this.#bounds = bounds
  }

  /** Must be called in a transaction: adds the updates of the commands up to `last`. */
  add(block: UpdateBlock | undefined, last: Seq): void {
    if (block !== undefined) {
      const accounts = accountBytes(block.accounts)
      this.#writer.reset()
      this.#writer.u32(Bun.hash.crc32(accounts))
      this.#writer.raw(block.data)
      this.#statements.add.run(last, accounts, seal(this.#writer))
    }
    if (last > UPDATES_KEPT_COMMANDS) this.#statements.forget.run(last - UPDATES_KEPT_COMMANDS)
  }

  /** Must be called when the transaction of `add`, which followed command `before`, was committed. */
  added(block: UpdateBlock | undefined, before: Seq, last: Seq): void {
    this.#recent ??= new RecentUpdates(this.#bounds.recentBytesMax, before)
    if (block !== undefined) this.#recent.add(block, last)
  }

  /** Whether all requested updates are in memory. */
  areRecent(accounts: readonly UpdatesAfter[]): boolean {
    return accounts.every((asked) => this.#recent?.has(asked) === true)
  }

  /**
   * Returns a function that reads an account's updates. It must be called for the requested accounts one by
   * one; all updates up to `end` must have been added.
   */
  reader(accounts: readonly UpdatesAfter[], end: Seq): (asked: UpdatesAfter) => FoundUpdates {
    const isRecent = (asked: UpdatesAfter): boolean => this.#recent?.has(asked) === true
    const recent = this.#recent?.after(accounts.filter(isRecent), end)
    return (asked) => recent?.get(asked.accountId) ?? this.#stored(asked, end)
  }

  drop(): void {
    this.#statements.drop.run()
    this.#recent = undefined
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #stored({ accountId, after }: UpdatesAfter, end: Seq): FoundUpdates {
    const { rowsMax, readBytesMax } = this.#bounds
    const account = accountBytes([accountId])
    const rows = this.#statements.after.values(account, after, rowsMax) as Row[]
    const updates: StoredUpdate[] = []
    let bytes = 0
    let parts = 0
    let upTo = after
    for (const [last, place] of rows) {
      if (bytes >= readBytesMax || parts >= UPDATE_PARTS_MAX) return { updates, upTo }
      upTo = seq(Number(last))
      if (Number(place) === 0) continue
      const data = this.#block(upTo)
      bytes += data.length
      readUpdates(
        data,
        (each) => each === accountId,
        (update) => {
          if (update.seq <= after) return
          updates.push(update)
          parts += partsOf(update)
        },
      )
    }
    return { updates, upTo: rows.length < rowsMax ? end : upTo }
  }

  /** The block of a row. */
  #block(last: Seq): Uint8Array {
    const [row] = this.#statements.block.values(last) as Row[]
    return updatesOfRow(last, row?.[0], row?.[1]).bytes
  }
}

/** The contents of a row: the accounts, and the block. Throws `DamagedRowFault`. */
export function updatesOfRow(last: number, accounts: unknown, data: unknown) {
  const bytes = unsealed(data)
  if (!(accounts instanceof Uint8Array) || new ByteReader(bytes).u32() !== Bun.hash.crc32(accounts)) {
    throw new DamagedRowFault(
      `the updates up to command ${last} do not belong to the accounts that their row lists`,
    )
  }
  const named = new Set<AccountId>()
  for (const reader = new ByteReader(accounts); !reader.atEnd; ) named.add(reader.u32() as AccountId)
  return { named, bytes: bytes.subarray(CHECK_BYTES) }
}

function accountBytes(accounts: Iterable<AccountId>): Uint8Array {
  const writer = new ByteWriter(64)
  for (const accountId of accounts) writer.u32(accountId)
  return writer.take()
}
