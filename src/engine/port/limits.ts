/**
 * The engine's limits in one place. They limit memory and waiting, and are not part of the rules: changing a
 * limit does not change the result of a replay.
 */

import { MATCH_STEPS_MAX } from '../../units/limits.ts'

export type EngineLimits = {
  /** Maximum number of waiting requests; above it the answer is OVERLOADED at once. */
  readonly inboxRequestsMax: number
  /** Maximum number of bytes of waiting commands. */
  readonly inboxBytesMax: number
  /**
   * Maximum number of requests in one flush. One commit makes them durable; they are in one batch of the
   * journal, with up to `DUE_PER_BATCH` due commands.
   */
  readonly batchRequestsMax: number
  /** Maximum number of bytes of commands in one batch. */
  readonly batchBytesMax: number
  /**
   * Memory for the newest batches, 1 KiB besides the data of each; for a follower further behind, batches are
   * read from the journal.
   */
  readonly recentBytesMax: number
}

/**
 * Maximum number of due commands in one batch, before the requested ones: requests wait for at most this
 * many, however many are due (`npm run bench -- triggers`). There are fewer triggers and lists if they could
 * match more than `DUE_STEPS_PER_BATCH` orders.
 */
export const DUE_PER_BATCH = 32

/**
 * Maximum number of resting orders that the due commands of a batch could match together, according to their
 * books: as many as four orders at the limit.
 */
export const DUE_STEPS_PER_BATCH = 4 * MATCH_STEPS_MAX

/** Largest encoded command; far above any that the rules accept. */
export const COMMAND_BYTES_MAX = 64 * 1024

/**
 * Maximum number of bytes of batches (`sizeOf`) returned by one read of the journal, unless one batch alone
 * is larger.
 */
export const READ_BYTES_MAX = 4 * 1024 * 1024

export const DEFAULT_ENGINE_LIMITS: EngineLimits = {
  inboxRequestsMax: 65_536,
  inboxBytesMax: 32 * 1024 * 1024,
  batchRequestsMax: 4_096,
  batchBytesMax: 2 * 1024 * 1024,
  recentBytesMax: 16 * 1024 * 1024,
}
