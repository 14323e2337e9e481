/** Append-only lists for an auditor: read row by row, with a report of each damaged row. */
import type { Database } from 'bun:sqlite'
import type { StoredRow } from '../../../../engine/audit/actions.ts'
import type { Row } from '../check.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import { NO_PART, type OwnerEnds, readEnds } from './ends.ts'
import type { ListsPosition } from './lists.ts'
import type { Linked, ListKey, RecordKind } from './record.ts'
import { listSql, readBlock, readStep } from './tables.ts'

/** Records that are stored together, oldest first; they are found under the number `first`. */
export type StoredBlock<Value> = {
  readonly first: number
  readonly records: StoredRow<readonly Linked<Value>[]>
}

function auditSql(word: string) {
  const { blockAfter, step } = listSql(word)
  return {
    blockAfter,
    step,
    stepCount: `SELECT count(*) FROM ${word}_step`,
    ends: `SELECT owner, data FROM ${word}_end ORDER BY owner`,
  } as const
}

/** Runs a read of the file, and turns its errors into the caller's fault. */
export type Reading = <Result>(read: () => Result) => Result

export class StoredLists<Value> {
  readonly kind: RecordKind<Value>
  readonly position: ListsPosition
  readonly #statements: Statements<keyof ReturnType<typeof auditSql>>

  readonly #reading: Reading

  constructor(db: Database, kind: RecordKind<Value>, position: ListsPosition, reading: Reading) {
    this.kind = kind
    this.position = position
    this.#reading = reading
    this.#statements = prepareAll(db, auditSql(kind.word))
  }

  get stepCount(): number {
    return Number(this.#rows('stepCount')[0]?.[0])
  }

  /** The first block whose `first` is above the given number; undefined if there is none. */
  blockAfter(first: number): StoredBlock<Value> | undefined {
    const [row] = this.#rows('blockAfter', first)
    if (row === undefined) return undefined
    return { first: Number(row[0]), records: believed(() => readBlock(this.kind, row).records()) }
  }

  /** The number of record `n` of a list, a multiple of `STEP`; undefined if there is no such step. */
  step({ owner, part = NO_PART }: ListKey, n: number): StoredRow<number> | undefined {
    const [row] = this.#rows('step', owner, part, n)
    return row === undefined ? undefined : believed(() => readStep(row))
  }

  /** The ends of all lists. */
  *ends(): Generator<{ readonly owner: number; readonly ends: StoredRow<OwnerEnds> }, void> {
    const rows = this.#statements.ends.iterate() as IterableIterator<{ owner: bigint; data: Uint8Array }>
    for (;;) {
      const { value, done } = this.#reading(() => rows.next())
      if (done === true) return
      const owner = Number(value.owner)
      yield { owner, ends: believed(() => readEnds(owner, value.data)) }
    }
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #rows(name: keyof ReturnType<typeof auditSql>, ...bindings: number[]): Row[] {
    return this.#reading(() => this.#statements[name].values(...bindings) as Row[])
  }
}

/** The result of `read`, or the reason not to trust it: a damaged row can make it fail in any way. */
export function believed<Value>(read: () => Value): StoredRow<Value> {
  try {
    return { value: read() }
  } catch (cause) {
    return { damage: cause instanceof Error ? cause.message : String(cause) }
  }
}
