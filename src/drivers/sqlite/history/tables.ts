/** The rows of an opened history.sqlite, looked up and written one at a time; transactions are the caller's. */
import type { Database, SQLQueryBindings, Statement } from 'bun:sqlite'
import type { OperatorAction } from '../../../engine/ports.ts'
import type { Row } from './check.ts'
import type { Block } from './lists/blocks.ts'
import type { ListsStorage } from './lists/chain.ts'
import type { EndsStorage, Owner } from './lists/ends.ts'
import {
  bindAction,
  bindPosition,
  bindStep,
  EMPTY,
  readBlock,
  readPosition,
  readStep,
  SQL,
  type StatementName,
  type StoredPosition,
} from './rows.ts'

export class HistoryTables implements EndsStorage, ListsStorage {
  readonly #statements: Readonly<Record<StatementName, Statement<unknown, SQLQueryBindings[]>>>
  /** The block read last: neighbours in a list are often neighbours in time. */
  #block: Block | undefined

  constructor(db: Database) {
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])
    this.#statements = Object.fromEntries(prepared)
  }

  position(): StoredPosition {
    return readPosition(this.rows('position')[0])
  }

  movePosition(position: StoredPosition): void {
    this.#statements.movePosition.run(...bindPosition(position))
  }

  addBlock(first: number, data: Uint8Array): void {
    this.#statements.addBlock.run(first, data)
  }

  block(number: number): Block | undefined {
    if (this.#block?.has(number) === true) return this.#block
    const [row] = this.rows('blockOf', number)
    this.#block = row === undefined ? undefined : readBlock(row)
    return this.#block
  }

  /** The first block whose trades all come after trade `number`. */
  blockAfter(number: number): Block | undefined {
    const [row] = this.rows('blockAfter', number)
    return row === undefined ? undefined : readBlock(row)
  }

  read(owner: Owner): Uint8Array | undefined {
    return this.rows('listEnd', owner)[0]?.[0] as Uint8Array | undefined
  }

  write(owner: Owner, data: Uint8Array): void {
    this.#statements.setListEnd.run(owner, data)
  }

  step(owner: Owner, symbol: number, n: number): number | undefined {
    const [row] = this.rows('step', owner, symbol, n)
    return row === undefined ? undefined : readStep(row)
  }

  addStep(owner: Owner, symbol: number, n: number, number: number): void {
    this.#statements.addStep.run(...bindStep(owner, symbol, n, number))
  }

  addAction(action: OperatorAction): void {
    this.#statements.addAction.run(...bindAction(action))
  }

  rows(name: StatementName, ...bindings: (number | string)[]): Row[] {
    return this.#statements[name].values(...bindings) as Row[]
  }

  /** Leaves what an empty file has. */
  drop(): void {
    for (const name of ['dropBlocks', 'dropListEnds', 'dropSteps', 'dropActions'] as const) {
      this.#statements[name].run()
    }
    this.movePosition(EMPTY)
    this.forget()
  }

  /** What was read may be undone. */
  forget(): void {
    this.#block = undefined
  }

  close(): void {
    for (const statement of Object.values(this.#statements)) statement.finalize()
  }
}
