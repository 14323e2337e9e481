/**
 * The follower's limits in one place: they limit its memory and the length of a start's replay, never its
 * answers.
 */

export type FollowerLimits = {
  /**
   * Maximum number of bytes of batches (`sizeOf`) in one pull, unless one batch alone is larger. A pull is
   * applied and stored in one piece, in which no query is answered: 250 orders in commits of one, 8,400 in
   * commits of 64 (about 45 ms), at most 17,000 (about 90 ms; `npm run bench -- history`). The engine thread
   * reads and sends it in 2 ms.
   */
  readonly pullBytesMax: number
  /** The pause after a pull if no query is waiting for the next one, so that one pull gets many commits. */
  readonly pullPauseMs: number
  /** A snapshot is due after this many commands ... */
  readonly snapshotCommands: number
  /** ... or after this many bytes of batches, whichever comes first. */
  readonly snapshotBytes: number
  /**
   * Maximum number of queries that wait for the history to reach their command; above it the answer is
   * OVERLOADED.
   */
  readonly waitingMax: number
  /** Interval at which the state is compared with the engine's, if it has changed ... */
  readonly compareEveryMs: number
  /**
   * ... and nothing waits for the engine. The comparison keeps the engine busy, for about 100 ms at this size
   * of the state, which is the maximum. A state found to be larger is not encoded again before the next
   * snapshot is due.
   */
  readonly compareBytesMax: number
}

export const DEFAULT_FOLLOWER_LIMITS: FollowerLimits = {
  pullBytesMax: 256 * 1024,
  pullPauseMs: 20,
  snapshotCommands: 500_000,
  snapshotBytes: 64 * 1024 * 1024,
  waitingMax: 10_000,
  compareEveryMs: 60_000,
  compareBytesMax: 8 * 1024 * 1024,
}
