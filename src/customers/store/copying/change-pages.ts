/** Pages of the store's changes for standbys, at the node. */
import type { Database } from 'bun:sqlite'
import type { KeyFile } from '../key-file.ts'
import { STORE_FORM } from '../schema.ts'
import type { ChangeLog } from './change-log.ts'
import { keyOfTable } from './log-schema.ts'
import type { AskedPage, ChangedRow, ChangePage, StoredValue } from './page.ts'

/** Limits of one page, which is read in one piece: that takes about 10 ms. */
export type PageLimits = { readonly rowsMax: number; readonly bytesMax: number }
const LIMITS: PageLimits = { rowsMax: 500, bytesMax: 256 * 1024 }

type Change = {
  readonly number: number
  readonly name: string
  readonly key1: StoredValue
  readonly key2: StoredValue
}

export type PageParts = {
  readonly db: Database
  readonly keys: KeyFile
  readonly log: ChangeLog
  readonly randomBytes: (size: number) => Uint8Array
  readonly limits?: PageLimits
}

/** The changes after the standby's place, or a whole store if the changes do not continue its copy. */
export function changePage(parts: PageParts, { form, place, hasKeys }: AskedPage, nowMs: number): ChangePage {
  const { db, keys, log, randomBytes, limits = LIMITS } = parts
  // All reads are of one state of the store.
  return db.transaction((): ChangePage => {
    const isAnew = place === undefined || form !== STORE_FORM.steps.length || !log.continues(place)
    const after = isAnew ? 0 : place.number
    const head = log.head()
    const { rows, owners, last } = rowsAfter(db, after, limits)
    const keyByOwner = hasKeys ? keys.keysOf(owners) : undefined
    return {
      ...{ form: STORE_FORM.steps.length, isAnew, generation: log.generation, atMs: nowMs, rows },
      isEnd: last === undefined,
      number: last ?? head,
      floor: log.floor(),
      keys: keyByOwner === undefined ? new Uint8Array() : keys.sealForCopy(keyByOwner, randomBytes),
    }
  })()
}

type Found = {
  readonly rows: readonly ChangedRow[]
  readonly owners: ReadonlySet<string>
  /** The last change of this page; undefined if there are no more. */
  readonly last: number | undefined
}

function rowsAfter(db: Database, after: number, { rowsMax, bytesMax }: PageLimits): Found {
  const sql = 'SELECT number, name, key1, key2 FROM change WHERE number > ? ORDER BY number LIMIT ?'
  const changes = db.query<Change, [number, number]>(sql).all(after, rowsMax + 1)
  const rows: ChangedRow[] = []
  const owners = new Set<string>()
  let [bytes, last] = [0, after]
  for (const { number, name, key1, key2 } of changes) {
    if (rows.length === rowsMax || bytes >= bytesMax) return { rows, owners, last }
    const columns = keyOfTable(name)
    if (columns === undefined) throw new Error(`expected a logged table, found ${name}`)
    const key = columns.length === 2 ? [key1, key2] : [key1]
    const where = columns.map((column) => `${column} = ?`).join(' AND ')
    const query = db.query(`SELECT * FROM ${name} WHERE ${where}`)
    const [values] = query.values(...key) as StoredValue[][]
    const ownerAt = query.columnNames.indexOf('owner')
    if (values !== undefined && ownerAt >= 0) owners.add(String(values[ownerAt]))
    rows.push({ table: name, key, values })
    bytes += sizeOf(key) + sizeOf(values ?? [])
    last = number
  }
  return { rows, owners, last: undefined }
}

function sizeOf(values: readonly StoredValue[]): number {
  return values.reduce<number>((sum, value) => sum + lengthOf(value), 0)
}

function lengthOf(value: StoredValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
}
