/**
 * The lag of a standby behind its node, in commands and in time. The time counts from the first command that
 * the standby knows of but does not have. A node that sends nothing may have continued, so the time without
 * messages counts too. This class has no clock: callers pass the time.
 */
import type { Seq } from '../../units/quantities.ts'

export type LagReading = {
  readonly behindCommands: number
  /** In milliseconds; undefined if the standby has never been linked to its node. */
  readonly lagMs: number | undefined
}

/** A node sends a message every second: a gap shorter than this means nothing. */
const QUIET_MS_MAX = 2_000

export class StandbyLag {
  #isLinked = false
  #heardAtMs: number | undefined
  #knownSeq = 0
  #storedSeq = 0
  #behindSinceMs: number | undefined

  /** Called when a message from the node arrives: its journal ends at `confirmedSeq`. */
  heard(confirmedSeq: Seq, nowMs: number): void {
    this.#isLinked = true
    this.#heardAtMs = nowMs
    if (confirmedSeq > this.#knownSeq) this.#knownSeq = confirmedSeq
    if (this.#knownSeq > this.#storedSeq) this.#behindSinceMs ??= nowMs
  }

  /** Records that everything up to `seq` is durable on the standby. */
  stored(seq: Seq): void {
    this.#storedSeq = seq
    if (seq >= this.#knownSeq) {
      this.#knownSeq = seq
      this.#behindSinceMs = undefined
    }
  }

  lost(): void {
    this.#isLinked = false
  }

  read(nowMs: number): LagReading {
    const behindCommands = this.#knownSeq - this.#storedSeq
    if (this.#heardAtMs === undefined) return { behindCommands, lagMs: undefined }
    const behindMs = this.#behindSinceMs === undefined ? 0 : nowMs - this.#behindSinceMs
    const silentMs = nowMs - this.#heardAtMs
    const isQuiet = this.#isLinked && silentMs <= QUIET_MS_MAX
    return { behindCommands, lagMs: Math.max(behindMs, isQuiet ? 0 : silentMs) }
  }
}
