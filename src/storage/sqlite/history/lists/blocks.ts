/**
 * Records as bytes: a block is a series of records that were added one after another. For each list of a
 * record the block has a link: the record's number in the list, and the record before it there.
 *
 *   block   number, command and time of its first record; each record as a field; check
 *   record  its number, command and time, less the first record's; the bytes of its kind; links
 *   link    for each owner: number in the list of all records, and distance to the record before it there;
 *           for a part: how much smaller both are in the part
 */
import { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { seq, timeMs } from '../../../../units/quantities.ts'
import { DamagedRowFault, seal, unsealed } from '../check.ts'
import type { Head, Link, Linked, ListKey, Place, RecordKind } from './record.ts'

/** A block is complete once it has this many bytes, so that four share a page. */
const BLOCK_BYTES = 900

/** Assigns the next place in each list. */
export interface Linker {
  /** Writes the links of record `number` in `lists`, in their order. */
  link(number: number, lists: readonly ListKey[], writer: ByteWriter): void
}

export class BlockWriter<Value> {
  readonly #kind: RecordKind<Value>
  readonly #block = new ByteWriter()
  /** The head of the first record, from which the others' numbers are counted. */
  #base: Head | undefined

  constructor(kind: RecordKind<Value>) {
    this.#kind = kind
  }

  /** Number of the first record of the current block; undefined if the block is empty. */
  get first(): number | undefined {
    return this.#base?.number
  }

  get isFull(): boolean {
    return this.#block.length >= BLOCK_BYTES
  }

  /** `record` must be newer than all records added before. */
  add(head: Head, record: Value, linker: Linker): void {
    this.#base ??= this.#begin(head)
    const block = this.#block
    const start = block.beginField()
    block.uint(head.number - this.#base.number)
    block.uint(head.seq - this.#base.seq)
    block.whole(head.time - this.#base.time)
    this.#kind.write(block, record)
    linker.link(head.number, this.#kind.listsOf(record), block)
    block.endField(start)
  }

  /** The bytes of the block, valid until the next block is begun. */
  end(): Uint8Array {
    this.#base = undefined
    return seal(this.#block)
  }

  #begin(base: Head): Head {
    this.#block.reset()
    this.#block.uint(base.number)
    this.#block.uint(base.seq)
    this.#block.uint(base.time)
    return base
  }
}

/** A block that was read; its records are decoded on demand. */
export class Block<Value> {
  readonly #kind: RecordKind<Value>
  readonly #base: Head
  /** By number, in the order in which they were added. */
  readonly #entryByNumber = new Map<number, ByteReader | Linked<Value>>()
  #last = -1

  /** Throws `DamagedRowFault` if `data` is not the block that was written from record `first` on. */
  constructor(kind: RecordKind<Value>, first: number, data: Uint8Array) {
    this.#kind = kind
    const reader = new ByteReader(unsealed(data))
    this.#base = { number: reader.uint(), seq: seq(reader.uint()), time: timeMs(reader.uint()) }
    const { number } = this.#base
    if (number !== first) {
      throw new DamagedRowFault(`the block of ${kind.word} ${number} is stored as that of ${first}`)
    }
    while (!reader.atEnd) {
      const entry = new ByteReader(reader.bytes())
      const next = number + entry.uint()
      if (next <= this.#last) {
        throw new DamagedRowFault(
          `the block of ${kind.word} ${number} has record ${next} after record ${this.#last}`,
        )
      }
      this.#entryByNumber.set(next, entry)
      this.#last = next
    }
    if (!this.has(number))
      throw new DamagedRowFault(`the block of ${kind.word} ${number} does not contain it`)
  }

  /** The head of the block's first record. */
  get first(): Head {
    return this.#base
  }

  /** The number of the block's newest record. */
  get last(): number {
    return this.#last
  }

  has(number: number): boolean {
    return this.#entryByNumber.has(number)
  }

  /** Record `number`; undefined if it is not in this block. */
  record(number: number): Linked<Value> | undefined {
    const entry = this.#entryByNumber.get(number)
    if (!(entry instanceof ByteReader)) return entry
    const linked = this.#read(entry, number)
    this.#entryByNumber.set(number, linked)
    return linked
  }

  /** All records of the block, oldest first. */
  records(): Linked<Value>[] {
    return [...this.#entryByNumber.keys()].map((number) => this.record(number) as Linked<Value>)
  }

  #read(r: ByteReader, number: number): Linked<Value> {
    const base = this.#base
    const head = { number, seq: seq(base.seq + r.uint()), time: timeMs(base.time + Number(r.whole())) }
    const record = this.#kind.read(r, head)
    const places = this.#kind.listsOf(record).map((key) => readPlace(r, key, number))
    r.end()
    return { record, places }
  }
}

/**
 * Writes the link of record `number`, which is record `n` of an owner's list and follows record `before` in
 * it.
 */
export function writeLink(w: ByteWriter, number: number, n: number, before: number): void {
  w.uint(n)
  w.uint(number - before)
}

/**
 * Writes the link in a part of that list, directly after the list's own: the amounts by which `n` and
 * `before` are smaller in the part.
 */
export function writePartLink(w: ByteWriter, lessN: number, lessBefore: number): void {
  w.uint(lessN)
  w.uint(lessBefore)
}

function readPlace(r: ByteReader, { owner, part }: ListKey, number: number): Place {
  const inAll = { n: r.uint(), before: number - r.uint() }
  const inPart: Link | undefined =
    part === undefined ? undefined : { n: inAll.n - r.uint(), before: inAll.before - r.uint() }
  return { owner, part, inAll, inPart }
}
