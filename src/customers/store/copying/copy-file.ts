/** A file with the store of another machine, into which pages of changes are written. */
import type { Database } from 'bun:sqlite'
import { openDatabase } from '../database.ts'
import { STORE_FORM } from '../schema.ts'
import { StoreFault } from '../sql.ts'
import { keyOfTable } from './log-schema.ts'
import type { ChangedRow, StoredValue } from './page.ts'

/** The position and the time of a copy. */
export type Copied = {
  /** The generation of the node's log. */
  readonly generation: string
  /** All changes up to this one are in the copy. */
  readonly number: number
  readonly atMs: number
  readonly hasKeys: boolean
}

type CopiedRow = {
  readonly generation: string
  readonly number: number
  readonly at_ms: number
  readonly has_keys: number
}

type TableOfCopy = { readonly columns: readonly string[]; readonly insert: string; readonly where: string }

export class CopyFile {
  readonly form: number
  readonly #db: Database
  readonly #tableByName = new Map<string, TableOfCopy>()
  #isOpen = false

  /**
   * `form`: the version of the file's tables. A file of an earlier version is updated. Throws `StoreFault`.
   */
  constructor(file: string, form: number) {
    this.form = form
    // Without a write-ahead log beside it, which another file of the same name could pick up.
    const steps = STORE_FORM.steps.slice(0, form)
    this.#db = openDatabase(file, { ...STORE_FORM, steps, isErasing: true })
    // Within a page, a row may come before the row that it belongs to.
    this.#db.run('PRAGMA foreign_keys = OFF')
  }

  /** Undefined if the file is not a copy. */
  copied(): Copied | undefined {
    const sql = 'SELECT generation, number, at_ms, has_keys FROM copied'
    const row = this.#db.query<CopiedRow, []>(sql).get()
    if (row === null) return undefined
    const { generation, number, at_ms, has_keys } = row
    return { generation, number, atMs: at_ms, hasKeys: has_keys === 1 }
  }

  /** Nothing in it is durable before the last `commit`: an incomplete copy is useless. */
  begin(): void {
    this.#db.run('PRAGMA synchronous = OFF')
  }

  /** Makes every commit durable from here on. */
  finish(): void {
    this.#db.run('PRAGMA synchronous = EXTRA')
  }

  /** Writes in the transaction that `commit` ends. Returns the owners of deleted rows. */
  apply(rows: readonly ChangedRow[]): readonly string[] {
    if (!this.#isOpen) this.#db.run('BEGIN IMMEDIATE')
    this.#isOpen = true
    return rows.flatMap((row) => this.#write(row))
  }

  commit({ generation, number, atMs, hasKeys }: Copied): void {
    if (!this.#isOpen) this.#db.run('BEGIN IMMEDIATE')
    this.#isOpen = true
    const sql = 'INSERT OR REPLACE INTO copied VALUES (1, ?, ?, ?, ?)'
    this.#db.query(sql).run(generation, number, atMs, hasKeys ? 1 : 0)
    // Deleted rows matter only to the log of the node.
    this.#db.run('DELETE FROM change WHERE gone_s IS NOT NULL')
    this.#db.run('COMMIT')
    this.#isOpen = false
  }

  rollback(): void {
    if (this.#isOpen) this.#db.run('ROLLBACK')
    this.#isOpen = false
  }

  persons(): number {
    return this.#db.query<{ count: number }, []>('SELECT count(*) AS count FROM person').get()?.count ?? 0
  }

  /** Whether any row may be sealed with the key of this owner. */
  hasOwner(owner: string): boolean {
    const sql = `SELECT EXISTS (SELECT 1 FROM person WHERE owner = ?1)
      OR EXISTS (SELECT 1 FROM sign_up WHERE owner = ?1) AS found`
    return this.#db.query<{ found: number }, [string]>(sql).get(owner)?.found === 1
  }

  close(): void {
    this.rollback()
    this.#db.close()
  }

  #write({ table, key, values }: ChangedRow): readonly string[] {
    const { columns, insert, where } = this.#tableOf(table)
    if (values !== undefined) {
      if (values.length !== columns.length)
        throw new StoreFault(`table ${table}: expected ${columns.length} columns, found ${values.length}`)
      this.#db.query(insert).run(...values)
      return []
    }
    if (table === 'person') this.#db.query('DELETE FROM passkey WHERE owner = ?').run(...key)
    const returning = columns.includes('owner') ? ' RETURNING owner' : ''
    const gone = this.#db.query(`DELETE FROM ${table} WHERE ${where}${returning}`).values(...key)
    return returning === '' ? [] : (gone as StoredValue[][]).map(([owner]) => String(owner))
  }

  #tableOf(name: string): TableOfCopy {
    const known = this.#tableByName.get(name)
    if (known !== undefined) return known
    const key = keyOfTable(name)
    if (key === undefined)
      throw new StoreFault(`expected a table of the customer store, found ${JSON.stringify(name)}`)
    const info = this.#db.query<{ name: string }, []>(`PRAGMA table_info(${name})`).all()
    const columns = info.map((column) => column.name)
    const table = {
      columns,
      insert: `INSERT OR REPLACE INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`,
      where: key.map((column) => `${column} = ?`).join(' AND '),
    }
    this.#tableByName.set(name, table)
    return table
  }
}
