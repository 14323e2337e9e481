/**
 * Walks one list: from a step near the requested place, record by record, from newer to older. The place of
 * each record on the way is checked.
 */
import { countOlder, type PageRange } from '../../../../engine/history/history-pages.ts'
import { DamagedRowFault } from '../check.ts'
import type { Block } from './blocks.ts'
import { type ListEnd, NO_PART, STEP } from './ends.ts'
import type { Head, Link, Linked, ListKey, Place, RecordKind } from './record.ts'

export type ChainStorage<Value> = {
  /** The block with record `number`; undefined if there is none. Throws `DamagedRowFault`. */
  readonly block: (number: number) => Block<Value> | undefined
  /**
   * The number of record `n` of a list, a multiple of `STEP`; undefined if there is no such step. Throws
   * `DamagedRowFault`.
   */
  readonly step: (owner: number, part: number, n: number) => number | undefined
}

/** A record found on a walk. */
export type Met<Value> = {
  readonly record: Value
  /** The index of the list (in `RecordKind.listsOf`) through which it was found. */
  readonly index: number
  readonly link: Link
}

export class ChainedList<Value> {
  readonly #storage: ChainStorage<Value>
  readonly #kind: RecordKind<Value>
  readonly #key: ListKey
  readonly #end: ListEnd

  constructor(storage: ChainStorage<Value>, kind: RecordKind<Value>, key: ListKey, end: ListEnd) {
    this.#storage = storage
    this.#kind = kind
    this.#key = key
    this.#end = end
  }

  /** The number of records in the list. */
  get length(): number {
    return this.#end.n
  }

  /** Records `first` to `last`, newest first. */
  range({ first, last }: PageRange): Met<Value>[] {
    const found: Met<Value>[] = []
    if (last < first) return found
    for (const met of this.newestFrom(last)) {
      found.push(met)
      if (met.link.n <= first) break
    }
    return found
  }

  /** Record `last` and all older ones, newest first, each read on demand. */
  newestFrom(last: number): Iterable<Met<Value>> {
    return last < 1 ? [] : this.#walk(this.#from(last), last)
  }

  /** The number of records in the list whose number is below `before`. */
  olderThan(before: number): number {
    const { n, number } = this.#end
    if (number < before) return n
    const steps = countOlder(Math.floor(n / STEP), before, (step) => this.#step(step * STEP))
    return this.#countWhere(steps, (record) => this.#kind.headOf(record).number < before)
  }

  /** The number of records in the list from commands up to and including `seq`. */
  upTo(seq: number): number {
    return this.#countUpTo(seq, ({ seq }) => seq)
  }

  /** The number of records in the list at `time` or before. */
  upToTime(time: number): number {
    return this.#countUpTo(time, ({ time }) => time)
  }

  /** `read` returns a value of a head that never decreases along the list. */
  #countUpTo(last: number, read: (head: Head) => number): number {
    const { n, number } = this.#end
    const figureOf = (each: number): number => read(this.#kind.headOf(this.#linked(each).record))
    if (n === 0 || figureOf(number) <= last) return n
    const steps = countOlder(Math.floor(n / STEP), last + 1, (step) => figureOf(this.#step(step * STEP)))
    return this.#countWhere(steps, (record) => read(this.#kind.headOf(record)) <= last)
  }

  /**
   * The place of the newest record for which `isOlder` is true. It must be after step `steps` and before the
   * next one.
   */
  #countWhere(steps: number, isOlder: (record: Value) => boolean): number {
    const oldest = steps * STEP
    for (const { record, link } of this.#walk(this.#from(Math.min(this.#end.n, (steps + 1) * STEP)))) {
      if (isOlder(record)) return link.n
      if (link.n === oldest) {
        throw new DamagedRowFault(`step ${oldest} of ${this.#name()} refers to another ${this.#kind.word}`)
      }
    }
    return 0
  }

  /** The record at which a walk to record `n` begins. */
  #from(n: number): ListEnd {
    const step = Math.ceil(n / STEP) * STEP
    return step >= this.#end.n ? this.#end : { n: step, number: this.#step(step) }
  }

  /** Walks the list, and returns only records up to `last`. */
  *#walk(from: ListEnd, last = from.n): Generator<Met<Value>, void> {
    let { number } = from
    for (let n = from.n; n > 0; n--) {
      const met = this.#meet(this.#linked(number), n)
      if (met === undefined) {
        throw new DamagedRowFault(`${this.#kind.word} ${number} must be record ${n} of ${this.#name()}`)
      }
      if (n <= last) yield met
      number = met.link.before
    }
  }

  /** The record as record `n` of this list; undefined if it is not that. */
  #meet({ record, places }: Linked<Value>, n: number): Met<Value> | undefined {
    const { owner, part } = this.#key
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as Place
      const isOfList = place.owner === owner && (part === undefined || place.part === part)
      const link = part === undefined ? place.inAll : place.inPart
      if (isOfList && link?.n === n) return { record, index, link }
    }
    return undefined
  }

  #linked(number: number): Linked<Value> {
    const linked = this.#storage.block(number)?.record(number)
    if (linked !== undefined) return linked
    throw new DamagedRowFault(`${this.#kind.word} ${number} of ${this.#name()} is missing`)
  }

  #step(n: number): number {
    const { owner, part = NO_PART } = this.#key
    const number = this.#storage.step(owner, part, n)
    if (number === undefined) throw new DamagedRowFault(`step ${n} of ${this.#name()} is missing`)
    return number
  }

  #name(): string {
    const { owner, part } = this.#key
    return part === undefined ? `list ${owner}` : `list ${owner}, part ${part},`
  }
}
