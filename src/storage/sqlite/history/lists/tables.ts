/**
 * The tables of one kind of record: their rows are read and written one at a time; transactions belong to the
 * caller.
 */
import type { Database } from 'bun:sqlite'
import { checked, type Row, verify } from '../check.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import { Block } from './blocks.ts'
import type { EndsStorage } from './ends.ts'
import type { RecordKind } from './record.ts'

/**
 * A row of `<word>_block` has records from number `first` on, a row of `<word>_end` the ends of an owner's
 * lists; see `blocks.ts` and `ends.ts`. A row of `<word>_step` is for every 64th record of a list: its place
 * and its number.
 */
export function listTables(word: string): string {
  return `
CREATE TABLE ${word}_block (
  first INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE ${word}_end (
  owner INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE ${word}_step (
  owner INTEGER NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  number INTEGER NOT NULL,
  row_check INTEGER NOT NULL,
  PRIMARY KEY (owner, part, n)
) STRICT, WITHOUT ROWID;
`
}

const STEP_COLUMNS = 'owner, part, n, number, row_check'

/** Every lookup in these tables is one descent of a B-tree. */
export function listSql(word: string) {
  return {
    addBlock: `INSERT INTO ${word}_block (first, data) VALUES (?, ?)`,
    /** The block that has a record if any does. */
    blockOf: `SELECT first, data FROM ${word}_block WHERE first <= ? ORDER BY first DESC LIMIT 1`,
    blockAfter: `SELECT first, data FROM ${word}_block WHERE first > ? ORDER BY first LIMIT 1`,
    end: `SELECT data FROM ${word}_end WHERE owner = ?`,
    setEnd: `INSERT INTO ${word}_end (owner, data) VALUES (?, ?)
      ON CONFLICT (owner) DO UPDATE SET data = excluded.data`,
    addStep: `INSERT INTO ${word}_step (${STEP_COLUMNS}) VALUES (?, ?, ?, ?, ?)`,
    step: `SELECT ${STEP_COLUMNS} FROM ${word}_step WHERE owner = ? AND part = ? AND n = ?`,
    dropBlocks: `DELETE FROM ${word}_block`,
    dropEnds: `DELETE FROM ${word}_end`,
    dropSteps: `DELETE FROM ${word}_step`,
  } as const
}

type StatementName = keyof ReturnType<typeof listSql>

export class ListTables<Value> implements EndsStorage {
  readonly #kind: RecordKind<Value>
  readonly #statements: Statements<StatementName>
  /** The block that was read last: neighbors in a list are often stored close to each other. */
  #block: Block<Value> | undefined

  /** Throws SQLite's error if a statement does not fit the tables. */
  constructor(db: Database, kind: RecordKind<Value>) {
    this.#kind = kind
    this.#statements = prepareAll(db, listSql(kind.word))
  }

  addBlock(first: number, data: Uint8Array): void {
    this.#statements.addBlock.run(first, data)
  }

  block(number: number): Block<Value> | undefined {
    if (this.#block?.has(number) === true) return this.#block
    this.#block = this.#read('blockOf', number)
    return this.#block
  }

  /** The first block that begins after record `number`. */
  blockAfter(number: number): Block<Value> | undefined {
    return this.#read('blockAfter', number)
  }

  read(owner: number): Uint8Array | undefined {
    return this.#rows('end', owner)[0]?.[0] as Uint8Array | undefined
  }

  write(owner: number, data: Uint8Array): void {
    this.#statements.setEnd.run(owner, data)
  }

  step(owner: number, part: number, n: number): number | undefined {
    const [row] = this.#rows('step', owner, part, n)
    return row === undefined ? undefined : readStep(row)
  }

  addStep(owner: number, part: number, n: number, number: number): void {
    this.#statements.addStep.run(...bindStep(owner, part, n, number))
  }

  /** Deletes all rows, so that the tables are as if new. */
  drop(): void {
    for (const name of ['dropBlocks', 'dropEnds', 'dropSteps'] as const) this.#statements[name].run()
    this.forget()
  }

  /** Must be called if data that was read may be rolled back. */
  forget(): void {
    this.#block = undefined
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #read(name: 'blockOf' | 'blockAfter', number: number): Block<Value> | undefined {
    const [row] = this.#rows(name, number)
    return row === undefined ? undefined : readBlock(this.#kind, row)
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    return this.#statements[name].values(...bindings) as Row[]
  }
}

/** Reads a row of `blockOf` or `blockAfter`. Throws `DamagedRowFault`. */
export function readBlock<Value>(kind: RecordKind<Value>, row: Row): Block<Value> {
  return new Block(kind, Number(row[0]), row[1] as Uint8Array)
}

/** The number in a row of `step`. Throws `DamagedRowFault`. */
export function readStep(row: Row): number {
  verify(row)
  return Number(row[3])
}

/** The parameters of `addStep`: record `n` of a list, and the record's number. */
export function bindStep(owner: number, part: number, n: number, number: number): number[] {
  return checked([owner, part, n, number])
}
