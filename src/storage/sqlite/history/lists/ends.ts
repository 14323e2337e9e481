/**
 * The end of each list: its number of records and the number of the newest. The next record of a list is
 * linked to its end, so ends are kept in memory while they change and are stored many at a time: one row for
 * all lists of an owner. The steps reached in the meantime are kept and stored with the ends, since each
 * list's steps are on their own page, and a commit writes whole pages.
 */
import { ByteReader, type ByteWriter } from '../../../../units/bytes.ts'
import { DamagedRowFault, seal, unsealed } from '../check.ts'
import { type Linker, writeLink, writePartLink } from './blocks.ts'
import type { Link, ListKey, Place } from './record.ts'

/** The number of records in a list, and the number of the newest; both 0 for an empty list. */
export type ListEnd = { readonly n: number; readonly number: number }

/**
 * The ends of an owner's lists in sequence: whether they have changed (0 or 1); count and newest record of
 * the list of all records; then part, count and newest record of each part, in the order of the parts. One
 * array instead of objects: with many owners, memory access dominates the cost (`npm run bench -- history`).
 */
export type OwnerEnds = number[]

const CHANGED = 0
/** The index of count and newest record of the list of all records. */
const ALL = 1
const PARTS = 3
/** Numbers per part; the part's number comes first. */
const PER_PART = 3

/** In place of a part's number: the list of all records. */
export const NO_PART = -1

/** Number of records between stored steps; a search for a page walks at most this many. */
export const STEP = 64

export type EndsStorage = {
  /** The stored ends of an owner, with their checksum; undefined if there are none. */
  readonly read: (owner: number) => Uint8Array | undefined
  readonly write: (owner: number, data: Uint8Array) => void
  /** The number of record `n` of a list; undefined if there is no such step. Throws `DamagedRowFault`. */
  readonly step: (owner: number, part: number, n: number) => number | undefined
  /** Stores that record `n` of a list, a multiple of `STEP`, has this number; `part` may be `NO_PART`. */
  readonly addStep: (owner: number, part: number, n: number, number: number) => void
}

/** The number of record `n` of a list. */
type Step = { readonly part: number; readonly n: number; readonly number: number }

export class ListEnds implements Linker {
  readonly #storage: EndsStorage
  readonly #word: string
  readonly #listsMax: number
  readonly #endsByOwner = new Map<number, OwnerEnds>()
  /** Steps that are not stored yet, for each owner in the order in which they were reached. */
  readonly #stepsByOwner = new Map<number, Step[]>()
  /** Owners whose ends have changed since they were stored. */
  #changed: number[] = []
  #lists = 0

  /**
   * Keeps the ends of `listsMax` lists and those of one append; above `listsMax`, `isFull` is true until they
   * are stored. `word` is the name of the records.
   */
  constructor(storage: EndsStorage, word: string, listsMax: number) {
    this.#storage = storage
    this.#word = word
    this.#listsMax = listsMax
  }

  /** Number of lists whose ends are in memory. */
  get size(): number {
    return this.#lists
  }

  get isFull(): boolean {
    return this.#lists > this.#listsMax
  }

  /**
   * Adds record `number` to the end of `lists`. Writes its links one by one, since this runs for each record.
   */
  link(number: number, lists: readonly ListKey[], writer: ByteWriter): void {
    for (const { owner, part } of lists) {
      const ends = this.#changing(owner)
      const before = ends[ALL + 1] as number
      const n = this.#advance(owner, NO_PART, ends, ALL, number)
      writeLink(writer, number, n, before)
      if (part === undefined) continue
      const place = this.#placeOf(ends, part)
      const beforeInPart = ends[place + 1] as number
      writePartLink(writer, n - this.#advance(owner, part, ends, place, number), before - beforeInPart)
    }
  }

  /**
   * Adds a record that was linked and stored earlier; throws `DamagedRowFault` unless it is the next one of
   * its lists.
   */
  restore(number: number, places: readonly Place[]): void {
    for (const { owner, part, inAll, inPart } of places) {
      const ends = this.#changing(owner)
      this.#moveTo(ends, ALL, inAll, number)
      this.#reach(owner, NO_PART, inAll.n, number)
      if (part !== undefined && inPart !== undefined) {
        this.#moveTo(ends, this.#placeOf(ends, part), inPart, number)
        this.#reach(owner, part, inPart.n, number)
      }
    }
  }

  /** The current ends of an owner's lists; reading does not keep them in memory. */
  of(owner: number): OwnerEnds {
    return this.#endsByOwner.get(owner) ?? this.#stored(owner)
  }

  /**
   * The number of record `n` of a list, a multiple of `STEP`; undefined if there is no such step. Throws
   * `DamagedRowFault`.
   */
  step(owner: number, part: number, n: number): number | undefined {
    const kept = this.#stepsByOwner.get(owner)?.find((step) => step.n === n && step.part === part)
    return kept?.number ?? this.#storage.step(owner, part, n)
  }

  /** Stores all changed ends, in the order of the rows; a caller that rolls back must call `forget`. */
  store(writer: ByteWriter): void {
    for (const owner of Float64Array.from(this.#stepsByOwner.keys()).sort()) {
      const steps = this.#stepsByOwner.get(owner) as Step[]
      steps.sort((a, b) => a.part - b.part || a.n - b.n)
      for (const { part, n, number } of steps) this.#storage.addStep(owner, part, n, number)
    }
    this.#stepsByOwner.clear()
    for (const owner of Float64Array.from(this.#changed).sort()) {
      const ends = this.of(owner)
      ends[CHANGED] = 0
      this.#storage.write(owner, writeEnds(writer, owner, ends))
    }
    this.#changed = []
    if (this.isFull) this.forget()
  }

  /** Must be called if the stored state may differ from the state in memory. */
  forget(): void {
    this.#stepsByOwner.clear()
    this.#endsByOwner.clear()
    this.#changed = []
    this.#lists = 0
  }

  /** Returns the new number of records in the list. */
  #advance(owner: number, part: number, ends: OwnerEnds, place: number, number: number): number {
    const n = (ends[place] as number) + 1
    ends[place] = n
    ends[place + 1] = number
    this.#reach(owner, part, n, number)
    return n
  }

  /** Keeps a step if a list now has as many records as one needs. */
  #reach(owner: number, part: number, n: number, number: number): void {
    if (n % STEP !== 0) return
    const steps = this.#stepsByOwner.get(owner)
    if (steps === undefined) this.#stepsByOwner.set(owner, [{ part, n, number }])
    else steps.push({ part, n, number })
  }

  #moveTo(ends: OwnerEnds, place: number, { n, before }: Link, number: number): void {
    if (n !== (ends[place] as number) + 1 || before !== ends[place + 1]) {
      throw new DamagedRowFault(`${this.#word} ${number} is record ${n} of a list that has ${ends[place]}`)
    }
    ends[place] = n
    ends[place + 1] = number
  }

  #changing(owner: number): OwnerEnds {
    let ends = this.#endsByOwner.get(owner)
    if (ends === undefined) {
      ends = this.#stored(owner)
      this.#keep(owner, ends)
    }
    if (ends[CHANGED] === 0) {
      ends[CHANGED] = 1
      this.#changed.push(owner)
    }
    return ends
  }

  #keep(owner: number, ends: OwnerEnds): void {
    this.#endsByOwner.set(owner, ends)
    this.#lists += 1 + (ends.length - PARTS) / PER_PART
  }

  /** The index of count and newest record of a part, which is added if absent. */
  #placeOf(ends: OwnerEnds, part: number): number {
    const place = placeOf(ends, part)
    if (ends[place] !== part) {
      ends.splice(place, 0, part, 0, 0)
      this.#lists++
    }
    return place + 1
  }

  #stored(owner: number): OwnerEnds {
    const data = this.#storage.read(owner)
    if (data !== undefined) return readEnds(owner, data)
    // A missing row must not be mistaken for one that never existed.
    const isLost = this.#storage.step(owner, NO_PART, STEP) !== undefined
    if (isLost) throw new DamagedRowFault(`the ends of the lists of ${owner} are missing`)
    return [0, 0, 0]
  }
}

/** The end of a list; the end of an empty list if it does not exist. */
export function endOf(ends: OwnerEnds, part: number | undefined): ListEnd {
  if (part === undefined) return endAt(ends, ALL)
  const place = placeOf(ends, part)
  return ends[place] === part ? endAt(ends, place + 1) : { n: 0, number: 0 }
}

/** The parts of an owner's list. */
export function partsOf(ends: OwnerEnds): number[] {
  const parts: number[] = []
  for (let place = PARTS; place < ends.length; place += PER_PART) parts.push(ends[place] as number)
  return parts
}

function endAt(ends: OwnerEnds, place: number): ListEnd {
  return { n: ends[place] as number, number: ends[place + 1] as number }
}

/** The bytes of a row of ends, valid until `writer` is used again. */
export function writeEnds(writer: ByteWriter, owner: number, ends: OwnerEnds): Uint8Array {
  writer.reset()
  writer.whole(owner)
  for (let place = ALL; place < ends.length; place++) writer.uint(ends[place] as number)
  return seal(writer)
}

/** Throws `DamagedRowFault` if `data` is not the row that was written for `owner`. */
export function readEnds(owner: number, data: Uint8Array): OwnerEnds {
  const reader = new ByteReader(unsealed(data))
  const found = reader.whole()
  if (found !== owner)
    throw new DamagedRowFault(`the ends of lists of ${found} are stored as those of ${owner}`)
  const ends = [0, reader.uint(), reader.uint()]
  while (!reader.atEnd) ends.push(reader.uint(), reader.uint(), reader.uint())
  return ends
}

/** The index of the first part whose number is not below `part`. */
function placeOf(ends: OwnerEnds, part: number): number {
  let low = 0
  let high = (ends.length - PARTS) / PER_PART
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[PARTS + middle * PER_PART] as number) < part) low = middle + 1
    else high = middle
  }
  return PARTS + low * PER_PART
}
