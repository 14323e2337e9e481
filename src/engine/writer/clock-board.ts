/**
 * The engine's last reading of the clock, in memory shared with the gateway thread, so that both threads have
 * the same time. A reading is read completely or not at all.
 */
import { timeMs } from '../../units/quantities.ts'
import type { ClockReading } from './journal-clock.ts'

/** Size of a board in bytes. */
export const CLOCK_BOARD_BYTES = 32

export class ClockBoard {
  /** Odd while a reading is being written; 0 if there has been none. */
  readonly #version: Int32Array
  /** The wall clock, journal time, and 1 if the clock is trusted. */
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
    // Even, and never 0 again after the counter wraps around, which takes years.
    if (Atomics.add(this.#version, 0, 1) === -1) Atomics.store(this.#version, 0, 2)
  }

  /** Undefined if there is no reading yet, or if one is being written now. */
  read(): ClockReading | undefined {
    const version = Atomics.load(this.#version, 0)
    if (version === 0 || version % 2 !== 0) return undefined
    const [wall = 0, time = 0, trusted] = this.#cells
    if (Atomics.load(this.#version, 0) !== version) return undefined
    return { wall: timeMs(wall), time: timeMs(time), isTrusted: trusted === 1 }
  }
}
