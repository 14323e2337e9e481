/**
 * Tells an operator that the storage is full, and that it has room again: a line each at the change, however many
 * commands are refused meanwhile, and no more than a pair a minute where it comes and goes.
 */
import type { EngineMeter } from '../../engine/meters.ts'
import type { Logger } from '../../gateway/common/logger.ts'
import { guarded, type OnFault } from '../../units/guarded.ts'

/** How often the engine's numbers are looked at. */
const LOOK_EVERY_MS = 250
/** Between two lines on the same thing. */
const QUIET_MS = 60_000

export type StorageWatchOptions = {
  readonly log: Logger
  readonly dataDirectory: string
  readonly freeBytes: () => number
  /** Milliseconds that only ever grow. */
  readonly now: () => number
}

/** What the engine has counted. */
export type EngineCounts = {
  /** Batches refused for want of room. */
  readonly refused: number
  /** Bytes of commands in the batch that was refused last; 0: one was stored since. */
  readonly neededBytes: number
}

export class StorageWatch {
  readonly #options: StorageWatchOptions
  readonly #loggedMsByPart = new Map<string, number>()
  #refused = 0
  /** The log says that the journal's storage is full, and not yet that it has room. */
  #isFullLogged = false

  constructor(options: StorageWatchOptions) {
    this.#options = options
  }

  /** To be called now and then. */
  look(counts: EngineCounts): void {
    const { refused, neededBytes } = counts
    if (refused > this.#refused && neededBytes > 0) this.#full('journal', { neededBytes })
    this.#refused = refused
    if (neededBytes > 0 || !this.#isFullLogged) return
    this.#isFullLogged = false
    this.#options.log.warn(this.#place(), 'storage has room again')
  }

  /** What the follower writes, `history` or `snapshot`, has no room; it tries again and says so each time. */
  followerFull(what: string, problem: string): void {
    this.#full(what, { problem })
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

/** Lets the watch look at the engine until the answer is called; it keeps no process running. */
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
    LOOK_EVERY_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
