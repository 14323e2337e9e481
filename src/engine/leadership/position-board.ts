/**
 * The confirmed and applied end of an engine's journal, in memory shared with the link server's thread, which
 * sends it to peers. A position is read completely or not at all.
 */
import type { Seq } from '../../units/quantities.ts'
import { HASH_BYTES, type JournalPosition } from '../port/journal.ts'

const CELLS_AT = 8
const HASH_AT = CELLS_AT + 3 * 8
/** Bytes of memory that a board takes. */
export const POSITION_BOARD_BYTES = HASH_AT + HASH_BYTES

/** Maximum number of attempts to read. A write takes some nanoseconds: a reader that notices one retries. */
const LOOKS_MAX = 1_000

export class PositionBoard {
  /** Odd while a position is being written. */
  readonly #version: Int32Array
  readonly #cells: Float64Array
  readonly #hash: Uint8Array
  /** The last position that was read. */
  #seen: JournalPosition | undefined

  constructor(memory: ArrayBufferLike = new SharedArrayBuffer(POSITION_BOARD_BYTES)) {
    this.#version = new Int32Array(memory, 0, 1)
    this.#cells = new Float64Array(memory, CELLS_AT, 3)
    this.#hash = new Uint8Array(memory, HASH_AT, HASH_BYTES)
  }

  write({ position, epoch, seq, hash }: JournalPosition): void {
    Atomics.add(this.#version, 0, 1)
    this.#cells[0] = position
    this.#cells[1] = epoch
    this.#cells[2] = seq
    this.#hash.set(hash)
    Atomics.add(this.#version, 0, 1)
  }

  /** Position 0 means that nothing was written yet. */
  read(): JournalPosition {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const version = Atomics.load(this.#version, 0)
      if (version % 2 !== 0) continue
      const [position = 0, epoch = 0, seq = 0] = this.#cells
      const hash = this.#hash.slice()
      if (Atomics.load(this.#version, 0) !== version) continue
      this.#seen = { position, epoch, seq: seq as Seq, hash }
      return this.#seen
    }
    return this.#seen ?? { position: 0, epoch: 0, seq: 0 as Seq, hash: new Uint8Array(HASH_BYTES) }
  }
}
