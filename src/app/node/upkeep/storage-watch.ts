/**
 * Notifies an operator that the storage is full, and that it has space again: one line at each change,
 * however many commands are refused in the meantime, and at most one pair a minute if the state alternates.
 */
import type { EngineMeter } from '../../../engine/writer/meters.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { guarded, type OnFault } from '../../../units/guarded.ts'

/** Interval at which the engine's counters are read. */
const CHECK_EVERY_MS = 250
/** The shortest time between two log lines about the same problem. */
const QUIET_MS = 60_000
/** With less free space the storage may be full before a batch has failed. */
const FREE_BYTES_SUSPECT = 1024 * 1024
/** The largest size of an order and its share of a commit; less than a commit of the journal needs. */
const ASKED_BYTES = 32 * 1024
/** Interval of the checks of free space while it may be short. */
const ASK_EVERY_MS = 1_000

export type StorageWatchOptions = {
  readonly log: Logger
  readonly dataDirectory: string
  readonly freeBytes: () => number
  /** Whether this number of bytes can be written. */
  readonly hasRoom: (bytes: number) => boolean
  /** Milliseconds that only ever grow. */
  readonly now: () => number
}

/** Counters of the engine. */
export type EngineCounts = {
  /** Number of batches refused for lack of space. */
  readonly refused: number
  /** Bytes of commands in the batch that was refused last; 0 if one was stored since. */
  readonly neededBytes: number
}

export class StorageWatch {
  readonly #options: StorageWatchOptions
  readonly #loggedMsByPart = new Map<string, number>()
  #refused = 0
  /**
   * Whether the log has reported that the journal's storage is full, and not yet that there is space again.
   */
  #isFullLogged = false
  #isFull = false
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(options: StorageWatchOptions) {
    this.#options = options
  }

  /** Nothing can be stored. This state lasts until there is space again, whether or not a client tries. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Must be called periodically. */
  look(counts: EngineCounts): void {
    const { refused, neededBytes } = counts
    this.#ask(counts)
    if (refused > this.#refused && neededBytes > 0) this.#full('journal', { neededBytes })
    this.#refused = refused
    if (neededBytes > 0 || !this.#isFullLogged) return
    this.#isFullLogged = false
    this.#options.log.warn(this.#place(), 'storage has free space again')
  }

  /**
   * Called when a file written by the follower, `history` or `snapshot`, has no space; the follower retries
   * and reports each failure.
   */
  followerFull(what: string, problem: string): void {
    this.#full(what, { problem })
  }

  /** Free bytes are not enough: a quota may be used up, and some space is reserved. */
  #ask({ refused, neededBytes }: EngineCounts): void {
    if (refused > this.#refused && neededBytes > 0) this.#isFull = true
    const now = this.#options.now()
    if (now - this.#askedMs < ASK_EVERY_MS) return
    this.#askedMs = now
    const { freeBytes, hasRoom } = this.#options
    const isInDoubt = neededBytes > 0 || freeBytes() < FREE_BYTES_SUSPECT
    this.#isFull = isInDoubt && !hasRoom(Math.max(ASKED_BYTES, neededBytes))
  }

  #full(what: string, fields: object): void {
    const now = this.#options.now()
    if (now - (this.#loggedMsByPart.get(what) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    this.#loggedMsByPart.set(what, now)
    if (what === 'journal') {
      if (this.#isFullLogged) return
      this.#isFullLogged = true
    }
    this.#options.log.error({ what, ...this.#place(), ...fields }, 'storage is full')
  }

  #place(): { readonly path: string; readonly freeBytes: number } {
    return { path: this.#options.dataDirectory, freeBytes: this.#options.freeBytes() }
  }
}

/**
 * Lets the watch check the engine until the returned function is called; it does not keep the process
 * running.
 */
export function watchEngineStorage(watch: StorageWatch, meter: EngineMeter, onFault: OnFault): () => void {
  const timer = setInterval(
    guarded(
      () =>
        watch.look({
          refused: meter.storageFull.value,
          neededBytes: meter.storageFullBytes.value,
        }),
      onFault,
    ),
    CHECK_EVERY_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
