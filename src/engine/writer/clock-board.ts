/**
 * The engine's last reading of the clock in memory that the gateway's thread shares, so that both have one
 * time. A reading is seen whole or not at all.
 */
import { timeMs } from '../../units/quantities.ts'
import type { ClockReading } from './journal-clock.ts'

/** Bytes of memory that a board takes. */
export const CLOCK_BOARD_BYTES = 32

export class ClockBoard {
  /** Odd while a reading is being written; 0: there has been none. */
  readonly #version: Int32Array
  /** Wall clock, time, and 1 if the clock is trusted. */
  readonly #cells: Float64Array

  constructor(memory: ArrayBufferLike = new SharedArrayBuffer(CLOCK_BOARD_BYTES)) {
    this.#version = new Int32Array(memory, 0, 1)
    this.#cells = new Float64Array(memory, 8, 3)
  }

  write({ wall, time, isTrusted }: ClockReading): void {
    Atomics.add(this.#version, 0, 1)
    this.#cells[0] = wall
    this.#cells[1] = time
    this.#cells[2] = Number(isTrusted)
    // Even and never 0 again: it wraps around after years.
    if (Atomics.add(this.#version, 0, 1) === -1) Atomics.store(this.#version, 0, 2)
  }

  /** Undefined if there is none yet, or one is being written at this moment. */
  read(): ClockReading | undefined {
    const version = Atomics.load(this.#version, 0)
    if (version === 0 || version % 2 !== 0) return undefined
    const [wall = 0, time = 0, trusted] = this.#cells
    if (Atomics.load(this.#version, 0) !== version) return undefined
    return { wall: timeMs(wall), time: timeMs(time), isTrusted: trusted === 1 }
  }
}
