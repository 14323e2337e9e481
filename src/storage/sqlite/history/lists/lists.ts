/**
 * Append-only lists over tables: records of one kind, each stored once, in the order of arrival, and each in
 * its lists. Ends are stored from time to time and not with every record; the ends of newer records are
 * restored from these records, so a start reads no more than was written since. The caller owns the
 * transactions: it stores `position` in the transaction that changes it, and passes it to `load`.
 */
import { ByteWriter } from '../../../../units/bytes.ts'
import { invariant } from '../../../../units/invariant.ts'
import { DamagedRowFault } from '../check.ts'
import { BlockWriter } from './blocks.ts'
import { ChainedList, type ChainStorage } from './chain.ts'
import { endOf, ListEnds } from './ends.ts'
import type { Linked, ListKey, RecordKind } from './record.ts'
import type { ListTables } from './tables.ts'

/** The record up to which the ends of lists are stored, and the number of later records. */
export type ListsPosition = { readonly endsTo: number; readonly after: number }

export const EMPTY_LISTS: ListsPosition = { endsTo: 0, after: 0 }

export type ListsLimits = {
  /** Number of records after which the ends of lists are stored. */
  readonly recordsBetweenEnds?: number
  /**
   * Number of lists in memory above which the ends are stored as well; the lists are then dropped from
   * memory.
   */
  readonly listsMax?: number
}

/**
 * Number of records after which ends are stored: with a growing number of owners, storing them is most of a
 * record's cost (`npm run bench -- history`). With 100,000 accounts it takes 55 to 90 ms, during which no
 * question is answered. A start reads as many trades in less than 0.2 s, or in less than 0.1 s if they belong
 * to a thousand accounts.
 */
const RECORDS_BETWEEN_ENDS = 10_000
/** Maximum number of lists whose ends are kept in memory, about 100 bytes each. */
const LISTS_MAX = 300_000

export class AppendOnlyLists<Value> {
  readonly #kind: RecordKind<Value>
  readonly #tables: ListTables<Value>
  readonly #recordsBetweenEnds: number
  readonly #ends: ListEnds
  readonly #chains: ChainStorage<Value>
  readonly #row = new ByteWriter()
  #block: BlockWriter<Value>
  #position = EMPTY_LISTS
  #last = 0

  /** `load` must be called first. */
  constructor(kind: RecordKind<Value>, tables: ListTables<Value>, limits: ListsLimits = {}) {
    const { recordsBetweenEnds = RECORDS_BETWEEN_ENDS, listsMax = LISTS_MAX } = limits
    this.#kind = kind
    this.#tables = tables
    this.#recordsBetweenEnds = recordsBetweenEnds
    this.#ends = new ListEnds(tables, kind.word, listsMax)
    this.#chains = {
      block: (number) => tables.block(number),
      step: (owner, part, n) => this.#ends.step(owner, part, n),
    }
    this.#block = new BlockWriter(kind)
  }

  /** Must be stored in the transaction that changed it. */
  get position(): ListsPosition {
    return this.#position
  }

  /** Whether ends should be stored now. */
  get isDue(): boolean {
    return this.#position.after >= this.#recordsBetweenEnds || this.#ends.isFull
  }

  /**
   * Loads the stored state, both at a start and after a failed transaction; returns the records after the
   * stored ends. Throws `DamagedRowFault`.
   */
  load(stored: ListsPosition): readonly Value[] {
    this.#tables.forget()
    this.#block = new BlockWriter(this.#kind)
    this.#ends.forget()
    this.#last = stored.endsTo
    const after: Value[] = []
    for (const { record, places } of recordsAfter(this.#tables, stored.endsTo)) {
      this.#last = this.#kind.headOf(record).number
      this.#ends.restore(this.#last, places)
      after.push(record)
    }
    assertAllAfter(this.#kind, stored, after.length)
    this.#position = stored
    return after
  }

  append(records: readonly Value[]): void {
    for (const record of records) this.#add(record)
    this.#endBlock()
    const { endsTo, after } = this.#position
    this.#position = { endsTo, after: after + records.length }
  }

  /** Stores all ends, so that the next `load` has nothing to restore. */
  storeEnds(): void {
    this.#ends.store(this.#row)
    this.#position = { endsTo: this.#last, after: 0 }
  }

  list(key: ListKey): ChainedList<Value> {
    return new ChainedList(this.#chains, this.#kind, key, endOf(this.#ends.of(key.owner), key.part))
  }

  #add(record: Value): void {
    const head = this.#kind.headOf(record)
    invariant(
      head.number > this.#last,
      () =>
        `${this.#kind.word} ${head.number} must come after ${this.#kind.word} ${this.#last}, the last one`,
    )
    this.#last = head.number
    this.#block.add(head, record, this.#ends)
    if (this.#block.isFull) this.#endBlock()
  }

  #endBlock(): void {
    const { first } = this.#block
    if (first !== undefined) this.#tables.addBlock(first, this.#block.end())
  }
}

/** Throws the `DamagedRowFault` that `load` would throw, without loading. */
export function checkAfter<Value>(
  kind: RecordKind<Value>,
  tables: ListTables<Value>,
  stored: ListsPosition,
): void {
  let found = 0
  for (const _ of recordsAfter(tables, stored.endsTo)) found++
  assertAllAfter(kind, stored, found)
}

/** The records after record `number`, oldest first. */
function* recordsAfter<Value>(tables: ListTables<Value>, number: number): Generator<Linked<Value>, void> {
  let last = number
  for (;;) {
    const block = tables.blockAfter(last)
    if (block === undefined) return
    yield* block.records()
    last = block.last
  }
}

/** A lost record must not be mistaken for one that never existed. */
function assertAllAfter(kind: RecordKind<unknown>, { endsTo, after }: ListsPosition, found: number): void {
  if (found === after) return
  throw new DamagedRowFault(`${found} ${kind.word}s come after ${kind.word} ${endsTo}, expected ${after}`)
}
