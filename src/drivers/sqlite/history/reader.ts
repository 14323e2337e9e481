/**
 * history.sqlite as an auditor reads it: for reading only, as it was at one moment, each row checked and told when it
 * is not what was written. A node may run on it meanwhile.
 */
import { type Database, SQLiteError, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import type { StoredAction, StoredRow } from '../../../engine/audit/actions.ts'
import type { ListName, StoredEnd, StoredHistory, StoredPiece } from '../../../engine/audit/history-source.ts'
import { HistoryFault } from '../../../engine/history.ts'
import type { Mark } from '../../../engine/journal.ts'
import type { AccountId } from '../../../units/ids.ts'
import { type Seq, seq } from '../../../units/quantities.ts'
import { openForReading } from '../reading.ts'
import type { Row } from './check.ts'
import { ALL_SYMBOLS, endOf, type Owner, ownerOf, readEnds, STEP, symbolOf, symbolsOf } from './lists/ends.ts'
import { ACTION_COLUMNS, readBlock, readPosition, readSoundAction, readStep, SQL } from './rows.ts'
import { HISTORY_APPLICATION_ID, HISTORY_SCHEMA_VERSION } from './schema.ts'

const AUDIT_SQL = {
  position: SQL.position,
  blockAfter: SQL.blockAfter,
  step: SQL.step,
  stepCount: 'SELECT count(*) FROM step',
  listEnds: 'SELECT owner, data FROM list_end ORDER BY owner',
  actionsAfter: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq > ? ORDER BY seq LIMIT ?`,
  fileProblems: 'PRAGMA integrity_check(10)',
} as const

type StatementName = keyof typeof AUDIT_SQL

export class HistoryReader implements StoredHistory {
  readonly position: Mark
  readonly endsTo: number
  readonly stepLength = STEP
  readonly #path: string
  readonly #db: Database
  readonly #statements: Readonly<
    Record<StatementName, Statement<Record<string, unknown>, SQLQueryBindings[]>>
  >
  readonly #leftovers: readonly string[]

  /**
   * Opens the file at `path`; undefined when there is none, or one of another version, which a node would drop.
   * `isAlone`: no node can be running, so nothing of SQLite's own needs to stay behind. Throws `HistoryFault`.
   */
  static open(path: string, isAlone: boolean): HistoryReader | undefined {
    if (!existsSync(path)) return undefined
    const made = ['-shm', '-wal'].map((suffix) => path + suffix).filter((name) => !existsSync(name))
    let db: Database | undefined
    try {
      db = openForReading(path).db
      if (pragma(db, 'application_id') !== HISTORY_APPLICATION_ID) {
        throw new HistoryFault('UNUSABLE', `${path} is not a history of ours`)
      }
      if (pragma(db, 'user_version') === HISTORY_SCHEMA_VERSION) {
        db.run('BEGIN')
        return new HistoryReader(path, db, isAlone ? made : [])
      }
      db.close()
      return undefined
    } catch (cause) {
      db?.close()
      throw asHistoryFault(path, cause)
    }
  }

  private constructor(path: string, db: Database, leftovers: readonly string[]) {
    this.#path = path
    this.#db = db
    this.#leftovers = leftovers
    const prepared = Object.entries(AUDIT_SQL).map(([name, sql]) => [name, db.prepare(sql)])
    this.#statements = Object.fromEntries(prepared)
    const { mark, endsTo } = readPosition(this.#rows('position')[0])
    this.position = mark
    this.endsTo = endsTo
  }

  get stepCount(): number {
    return Number(this.#rows('stepCount')[0]?.[0])
  }

  pieceAfter(first: number): StoredPiece | undefined {
    const [row] = this.#rows('blockAfter', first)
    if (row === undefined) return undefined
    return { first: Number(row[0]), trades: believed(() => readBlock(row).trades()) }
  }

  step({ accountId, symbolId }: ListName, n: number): StoredRow<number> | undefined {
    const isPublic = accountId === undefined
    const owner = isPublic ? ownerOf(symbolId) : accountId
    const [row] = this.#rows('step', owner, isPublic ? ALL_SYMBOLS : (symbolId ?? ALL_SYMBOLS), n)
    return row === undefined ? undefined : believed(() => readStep(row))
  }

  *ends(): Generator<{ readonly owner: string; readonly ends: StoredRow<readonly StoredEnd[]> }, void> {
    try {
      for (const { owner: id, data } of this.#statements.listEnds.iterate()) {
        const owner = Number(id)
        const who = owner < 0 ? `symbol ${symbolOf(owner)}` : `account ${owner}`
        yield { owner: who, ends: believed(() => endsIn(owner, data as Uint8Array)) }
      }
    } catch (cause) {
      throw asHistoryFault(this.#path, cause)
    }
  }

  actionsAfter(afterSeq: Seq, limit: number): readonly StoredAction[] {
    return this.#rows('actionsAfter', afterSeq, limit).map((row) => ({
      seq: seq(Number(row[0])),
      row: believed(() => readSoundAction(row)),
    }))
  }

  fileProblems(): readonly string[] {
    const problems = this.#rows('fileProblems').map(([text]) => String(text))
    return problems.length === 1 && problems[0] === 'ok' ? [] : problems
  }

  /** Ends what was begun with the connection itself: in a damaged file a statement that ends it may fail. */
  close(): void {
    for (const statement of Object.values(this.#statements)) statement.finalize()
    for (const path of this.#leftovers) if (existsSync(path)) rmSync(path, { force: true })
    this.#db.close(true)
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    try {
      return this.#statements[name].values(...bindings) as Row[]
    } catch (cause) {
      throw asHistoryFault(this.#path, cause)
    }
  }
}

function endsIn(owner: Owner, data: Uint8Array): readonly StoredEnd[] {
  const ends = readEnds(owner, data)
  const all = endOf(ends, undefined)
  if (owner < 0) return [{ list: { accountId: undefined, symbolId: symbolOf(owner) }, ...all }]
  const accountId = owner as AccountId
  const bySymbol = symbolsOf(ends).map((symbolId) => ({
    list: { accountId, symbolId },
    ...endOf(ends, symbolId),
  }))
  return [{ list: { accountId, symbolId: undefined }, ...all }, ...bySymbol]
}

/** What `read` gives, or why it cannot be believed: a damaged row can make it fail in any way. */
function believed<Value>(read: () => Value): StoredRow<Value> {
  try {
    return { value: read() }
  } catch (cause) {
    return { damage: cause instanceof Error ? cause.message : String(cause) }
  }
}

function asHistoryFault(path: string, cause: unknown): HistoryFault {
  if (cause instanceof HistoryFault) return cause
  const found = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof SQLiteError ? ` (${cause.code})` : ''
  return new HistoryFault('UNUSABLE', `${path}: ${found}${code}`, { cause })
}

function pragma(db: Database, name: 'application_id' | 'user_version'): number {
  using statement = db.prepare(`PRAGMA ${name}`)
  return Number(statement.values()[0]?.[0])
}
