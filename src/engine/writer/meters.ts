/**
 * Counters of the node's threads, in memory shared with the thread that reports them. A meter is informative:
 * nothing of the exchange depends on it, and a reader may read two numbers from different times.
 */
import { CellAllocator, cellsOf, Histogram } from './histogram.ts'

/** Maximum size of a meter in bytes. */
export const METER_BYTES = 1_024

/** Bounds of the number of commands in a batch. */
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096]
/** Bounds of the seconds of one commit. */
const COMMIT_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
/** Bounds of the seconds by which a timer was late. */
export const LAG_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** One number. */
export class Cell {
  readonly #cells: Float64Array

  constructor(cells: Float64Array = new Float64Array(1)) {
    this.#cells = cells
  }

  get value(): number {
    return this.#cells[0] as number
  }

  set(value: number): void {
    this.#cells[0] = value
  }

  add(amount: number): void {
    this.#cells[0] = (this.#cells[0] as number) + amount
  }
}

/** The delay of a thread's event loop. */
export class LoopMeter {
  readonly lagSeconds: Histogram
  /** When the thread last ran, in milliseconds of the clock of `Health`; 0 if it never ran. */
  readonly lastTurnMs: Cell

  constructor(cells = new CellAllocator(new ArrayBuffer(METER_BYTES))) {
    this.lagSeconds = new Histogram(LAG_BOUNDS, cells.take(cellsOf(LAG_BOUNDS)))
    this.lastTurnMs = new Cell(cells.take(1))
  }
}

/** Written by the engine thread. */
export class EngineMeter {
  readonly loop: LoopMeter
  readonly batchCommands: Histogram
  readonly commitSeconds: Histogram
  readonly commandBytes: Cell
  /** Batches refused because the storage was full. */
  readonly storageFull: Cell
  /** Bytes of commands in the last refused batch; 0 once a later batch is stored. */
  readonly storageFullBytes: Cell

  constructor(memory: ArrayBufferLike = new ArrayBuffer(METER_BYTES)) {
    const cells = new CellAllocator(memory)
    this.loop = new LoopMeter(cells)
    this.batchCommands = new Histogram(BATCH_BOUNDS, cells.take(cellsOf(BATCH_BOUNDS)))
    this.commitSeconds = new Histogram(COMMIT_BOUNDS, cells.take(cellsOf(COMMIT_BOUNDS)))
    this.commandBytes = new Cell(cells.take(1))
    this.storageFull = new Cell(cells.take(1))
    this.storageFullBytes = new Cell(cells.take(1))
  }
}

/** Written by the follower thread. */
export class FollowerMeter {
  readonly loop: LoopMeter
  /** The last command that history contains. */
  readonly seq: Cell

  constructor(memory: ArrayBufferLike = new ArrayBuffer(METER_BYTES)) {
    const cells = new CellAllocator(memory)
    this.loop = new LoopMeter(cells)
    this.seq = new Cell(cells.take(1))
  }
}

/** Used and free space of a node's files. */
export type StorageUse = {
  readonly journalBytes: number
  readonly historyBytes: number
  readonly snapshotsBytes: number
  /** Free space on the file system. */
  readonly freeBytes: number
  /**
   * The time at which the newest snapshot was written, in milliseconds since 1970; undefined if there is
   * none.
   */
  readonly snapshotMs: number | undefined
}
