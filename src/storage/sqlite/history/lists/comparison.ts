/**
 * Compares stored lists with the expected records, which arrive in order: there must be each record once,
 * with each of its links; each step; each end; and nothing else. Memory grows with the number of lists, not
 * of records.
 */
import type { HistoryDifference, HistoryDifferenceKind } from '../../../../engine/audit/history.ts'
import { endOf, type OwnerEnds, partsOf, STEP } from './ends.ts'
import type { Link, Linked, ListKey, Place, RecordKind } from './record.ts'
import type { StoredBlock, StoredLists } from './stored.ts'

/** The names of records and lists in findings, and the comparison of two records. */
export type ComparedWords<Value> = {
  readonly nameOf: (record: Value) => string
  readonly nameOfList: (list: ListKey) => string
  /** A name for an owner that has ends but no known records. */
  readonly nameOfOwner: (owner: number) => string
  /** The differences between two records with the same number; `places` are the expected ones. */
  readonly differences: (
    expected: Value,
    found: Value,
    places: readonly Place[],
  ) => readonly HistoryDifference[]
}

export type ReportDifference = (difference: HistoryDifference) => void

export class ListsComparison<Value> {
  readonly #stored: StoredLists<Value>
  readonly #kind: RecordKind<Value>
  readonly #words: ComparedWords<Value>
  readonly #report: ReportDifference
  readonly #cursor: BlockCursor<Value>
  readonly #expected: ExpectedLists
  #steps = 0
  #endsCompared = false
  /** The number of the record that was found last. */
  #lastFound = 0

  constructor(stored: StoredLists<Value>, words: ComparedWords<Value>, report: ReportDifference) {
    this.#stored = stored
    this.#kind = stored.kind
    this.#words = words
    this.#report = report
    this.#cursor = new BlockCursor(stored)
    this.#expected = new ExpectedLists((list, end) => this.#compareStep(list, end))
  }

  /** Compares the next expected record. */
  compare(record: Value): void {
    const { number } = this.#kind.headOf(record)
    if (number > this.#stored.position.endsTo) this.#compareEnds()
    const places = this.#kind.listsOf(record).map((list) => this.#expected.next(list, number))
    const found = this.#find(record, number)
    if (found === undefined) return
    for (const difference of this.#words.differences(record, found.record, places)) this.#report(difference)
    for (const [i, place] of places.entries()) this.#comparePlace(record, place, found.places[i])
  }

  /** Must be called after the last expected record. */
  finish(): void {
    for (let block = this.#cursor.block; block !== undefined; block = this.#cursor.block) {
      if ('damage' in block.records) this.#damaged(block)
      for (let found = this.#cursor.next(); found !== undefined; found = this.#cursor.next())
        this.#extra(found)
      this.#cursor.skipBlock()
    }
    this.#compareEnds()
    const { stepCount } = this.#stored
    if (stepCount !== this.#steps) {
      this.#add('MISPLACED', `its lists have ${stepCount} steps, expected ${this.#steps}`)
    }
  }

  /** The stored record of this number; undefined, and reported, if there is none or it cannot be read. */
  #find(record: Value, number: number): Linked<Value> | undefined {
    for (;;) {
      const { block } = this.#cursor
      if (block === undefined || block.first > number) break
      const isPast = (this.#cursor.following ?? Number.POSITIVE_INFINITY) <= number
      if ('damage' in block.records) {
        this.#damaged(block)
        if (!isPast) return undefined
        this.#cursor.skipBlock()
        continue
      }
      const found = this.#cursor.peek()
      if (found === undefined) {
        if (!isPast) break
        this.#cursor.skipBlock()
        continue
      }
      const foundNumber = this.#kind.headOf(found.record).number
      if (foundNumber > number) break
      this.#cursor.next()
      if (foundNumber === number) {
        this.#lastFound = number
        return found
      }
      this.#extra(found)
    }
    this.#add('MISSING', `${this.#words.nameOf(record)} is missing`)
    return undefined
  }

  #comparePlace(record: Value, expected: Place, found: Place | undefined): void {
    const { owner, part } = expected
    this.#compareLink(record, { owner, part: undefined }, expected.inAll, found?.inAll)
    if (part !== undefined) this.#compareLink(record, expected, expected.inPart, found?.inPart)
  }

  #compareLink(record: Value, list: ListKey, expected: Link | undefined, found: Link | undefined): void {
    const what = `${this.#words.nameOf(record)}: its place in ${this.#words.nameOfList(list)}`
    for (const key of ['n', 'before'] as const) {
      if (expected?.[key] === found?.[key]) continue
      this.#add('MISPLACED', `${what}: ${key} is ${found?.[key]}, the ledger has ${expected?.[key]}`)
    }
  }

  /** The steps of records after the position of the stored ends are not stored yet. */
  #compareStep(list: ListKey, { n, number }: ExpectedEnd): void {
    if (number > this.#stored.position.endsTo) return
    this.#steps++
    const step = this.#stored.step(list, n)
    const what = `step ${n} of ${this.#words.nameOfList(list)}`
    const { word } = this.#kind
    if (step === undefined) this.#add('MISPLACED', `${what} is missing`)
    else if ('damage' in step) this.#add('DAMAGED', `${what}: ${step.damage}`)
    else if (step.value !== number) {
      this.#add('MISPLACED', `${what} is ${word} ${step.value}, the ledger has ${word} ${number}`)
    }
  }

  /** Compares the ends once the records have reached the position of the stored ends. */
  #compareEnds(): void {
    if (this.#endsCompared) return
    this.#endsCompared = true
    const missing = new Set(this.#expected.all())
    for (const { owner, ends } of this.#stored.ends()) {
      if ('damage' in ends) {
        this.#add('DAMAGED', `the ends of the lists of ${this.#words.nameOfOwner(owner)}: ${ends.damage}`)
      } else this.#compareEndsOf(owner, ends.value, missing)
    }
    for (const { list } of missing)
      this.#add('MISPLACED', `the end of ${this.#words.nameOfList(list)} is missing`)
  }

  #compareEndsOf(owner: number, ends: OwnerEnds, missing: Set<ExpectedEnd>): void {
    for (const part of [undefined, ...partsOf(ends)]) {
      const list = { owner, part }
      const found = endOf(ends, part)
      const expected = this.#expected.end(list)
      if (expected !== undefined) missing.delete(expected)
      const { n, number } = expected ?? { n: 0, number: 0 }
      if (n === found.n && number === found.number) continue
      const { word } = this.#kind
      const what = `${this.#words.nameOfList(list)} ends with record ${found.n} (${word} ${found.number})`
      this.#add('MISPLACED', `${what}, expected ${n} (${word} ${number})`)
    }
  }

  #extra({ record }: Linked<Value>): void {
    const { number } = this.#kind.headOf(record)
    const { word } = this.#kind
    const why = number === this.#lastFound ? ' a second time' : `, but the journal has no such ${word}`
    this.#add('EXTRA', `${this.#words.nameOf(record)} is in history${why}`)
  }

  #damaged({ first, records }: StoredBlock<Value>): void {
    if (!('damage' in records) || !this.#cursor.isNew()) return
    this.#add('DAMAGED', `${this.#kind.word} ${first} and those stored with it: ${records.damage}`)
  }

  #add(kind: HistoryDifferenceKind, sentence: string): void {
    this.#report({ kind, sentence })
  }
}

type ExpectedEnd = { readonly list: ListKey; n: number; number: number }

/** The expected end of each list after the records so far. */
class ExpectedLists {
  readonly #onStep: (list: ListKey, end: ExpectedEnd) => void
  readonly #endsByOwner = new Map<number, Map<number | undefined, ExpectedEnd>>()

  constructor(onStep: (list: ListKey, end: ExpectedEnd) => void) {
    this.#onStep = onStep
  }

  next({ owner, part }: ListKey, number: number): Place {
    const inAll = this.#link({ owner, part: undefined }, number)
    return {
      owner,
      part,
      inAll,
      inPart: part === undefined ? undefined : this.#link({ owner, part }, number),
    }
  }

  end({ owner, part }: ListKey): ExpectedEnd | undefined {
    return this.#endsByOwner.get(owner)?.get(part)
  }

  *all(): Generator<ExpectedEnd, void> {
    for (const ends of this.#endsByOwner.values()) yield* ends.values()
  }

  #link(list: ListKey, number: number): Link {
    let ends = this.#endsByOwner.get(list.owner)
    if (ends === undefined) {
      ends = new Map()
      this.#endsByOwner.set(list.owner, ends)
    }
    let end = ends.get(list.part)
    if (end === undefined) {
      end = { list, n: 0, number: 0 }
      ends.set(list.part, end)
    }
    const before = end.number
    end.n++
    end.number = number
    if (end.n % STEP === 0) this.#onStep(list, end)
    return { n: end.n, before }
  }
}

/** The stored records, oldest first; reads the current block and the next one. */
class BlockCursor<Value> {
  readonly #stored: StoredLists<Value>
  #block: StoredBlock<Value> | undefined
  #following: StoredBlock<Value> | undefined
  #index = 0
  #isNew = true
  #isBegun = false

  constructor(stored: StoredLists<Value>) {
    this.#stored = stored
  }

  /** The current block; undefined at the end. */
  get block(): StoredBlock<Value> | undefined {
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#block = this.#stored.blockAfter(Number.MIN_SAFE_INTEGER)
      this.#following = this.#after(this.#block)
    }
    return this.#block
  }

  /** Number of the first record of the next block; undefined if there is none. */
  get following(): number | undefined {
    return this.#following?.first
  }

  /** The next record of the block; undefined if it has no more, or none that can be read. */
  peek(): Linked<Value> | undefined {
    const records = this.#block?.records
    return records === undefined || 'damage' in records ? undefined : records.value[this.#index]
  }

  /** The record of `peek`, past which the cursor advances. */
  next(): Linked<Value> | undefined {
    const found = this.peek()
    if (found !== undefined) this.#index++
    return found
  }

  skipBlock(): void {
    this.#block = this.#following
    this.#following = this.#after(this.#block)
    this.#index = 0
    this.#isNew = true
  }

  /** Returns true once for each block. */
  isNew(): boolean {
    const isNew = this.#isNew
    this.#isNew = false
    return isNew
  }

  #after(block: StoredBlock<Value> | undefined): StoredBlock<Value> | undefined {
    return block === undefined ? undefined : this.#stored.blockAfter(block.first)
  }
}
