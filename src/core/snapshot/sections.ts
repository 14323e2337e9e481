/**
 * A layout of numbered sections, for bytes that later versions extend. Each section is its number, its length
 * and its content; sections are in ascending order, and an empty one is left out. A value without new
 * features is written as before, and a reader refuses an unknown section instead of skipping it. A zero marks
 * the end.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { ExchangeState } from '../exchange/state.ts'

export type Section = { readonly number: number; readonly name: string }

/** A section of the state, with the functions that write and read it. `read` throws `BytesFault`. */
export type StatePart = Section & {
  readonly isEmpty: (state: ExchangeState) => boolean
  readonly write: (w: ByteWriter, state: ExchangeState) => void
  readonly read: (r: ByteReader, state: ExchangeState) => void
}

/** Written where the number of the next section would be. */
const END = 0

/** Appends a section, unless it is empty. Sections are written in ascending order. */
export function writeSection(w: ByteWriter, { number }: Section, isEmpty: boolean, write: () => void): void {
  if (isEmpty) return
  w.uint(number)
  const start = w.length
  w.u32(0)
  write()
  w.u32At(start, w.length - start - 4)
}

/** Appends the end: without it, bytes truncated between two sections would look complete. */
export function endSections(w: ByteWriter): void {
  w.uint(END)
}

/** Reads sections in ascending order. */
export class SectionReader {
  readonly #reader: ByteReader
  /** The number of the next section; undefined if it was not read yet. */
  #next: number | undefined

  constructor(reader: ByteReader) {
    this.#reader = reader
  }

  /**
   * Reads a section if it is present. `isEmpty` returns whether the content read would not have been written.
   * Throws `BytesFault`.
   */
  read({ number, name }: Section, read: (r: ByteReader) => void, isEmpty: () => boolean = () => false): void {
    const reader = this.#reader
    if (this.#peek() !== number) return
    this.#next = undefined
    const length = reader.u32()
    const start = reader.at
    read(reader)
    if (reader.at - start !== length) {
      throw new BytesFault(`the section of ${name} has ${reader.at - start} bytes, expected ${length}`)
    }
    if (isEmpty()) throw new BytesFault(`the section of ${name} before byte ${reader.at} is empty`)
  }

  /** Throws unless all sections were read. */
  end(): void {
    const next = this.#peek()
    if (next !== END) throw new BytesFault(`section ${next} is unknown or out of order`)
  }

  #peek(): number {
    this.#next ??= this.#reader.uint()
    return this.#next
  }
}
