/**
 * The engine's limits in one place. They bound memory and waiting, and are not part of the rules: changing one
 * changes nothing in what a journal replays to.
 */

import { MATCH_STEPS_MAX } from '../../units/limits.ts'

export type EngineLimits = {
  /** Most requests that wait; above it the answer is OVERLOADED at once. */
  readonly inboxRequestsMax: number
  /** Most bytes of commands that wait. */
  readonly inboxBytesMax: number
  /** Most requests taken into one flush: what one commit makes durable, and one batch of the journal holds beside `DUE_PER_BATCH`. */
  readonly batchRequestsMax: number
  /** Most bytes of commands in one batch. */
  readonly batchBytesMax: number
  /** Memory for the newest batches, 1 KiB beside the data of each; a follower further behind is read to from the journal. */
  readonly recentBytesMax: number
}

/**
 * Most commands of the engine's own in one batch, in front of what was asked for: others wait for so many at most, however many are
 * due (`npm run bench -- triggers`). Of triggers and lists there are fewer where
 * they could meet more than `DUE_STEPS_PER_BATCH`.
 */
export const DUE_PER_BATCH = 32

/** Most resting orders that they could meet together, by what their books hold: as many as four orders that each meet the most. */
export const DUE_STEPS_PER_BATCH = 4 * MATCH_STEPS_MAX

/** Largest encoded command; far above any that the rules accept. */
export const COMMAND_BYTES_MAX = 64 * 1024

/** Most bytes of batches (`sizeOf`) handed out by one read of the journal, unless one batch alone is larger. */
export const READ_BYTES_MAX = 4 * 1024 * 1024

export const DEFAULT_ENGINE_LIMITS: EngineLimits = {
  inboxRequestsMax: 65_536,
  inboxBytesMax: 32 * 1024 * 1024,
  batchRequestsMax: 4_096,
  batchBytesMax: 2 * 1024 * 1024,
  recentBytesMax: 16 * 1024 * 1024,
}
