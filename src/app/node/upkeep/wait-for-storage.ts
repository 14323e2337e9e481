/** Retries a write at a start until the storage has space, and logs it once. */

import { EngineFault } from '../../../engine/port/fault.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { fileFault } from '../../../storage/files/directory.ts'
import { FollowerFault } from '../../../transport/thread/follower-handle.ts'

/** Pause after the storage was full, or after the engine could not accept a command of the node itself. */
const RETRY_MS = 500

export const untilRetry = (): Promise<void> => Bun.sleep(RETRY_MS)

export type WaitOptions = {
  readonly log: Logger
  /** Resolves when it is worth trying again. */
  readonly untilRetry: () => Promise<void>
}

/**
 * Writes `what`, retrying while the storage is full, which is logged once. Rejects with `JournalFault`
 * `FAILED` for any other error.
 */
export async function waitForStorage(
  what: string,
  write: () => void,
  { log, untilRetry }: WaitOptions,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return write()
    } catch (cause) {
      const fault = fileFault(cause, `cannot write ${what}`)
      if (fault.kind !== 'STORAGE_FULL') throw fault
      if (isFirst) log.error({ what, problem: fault.message }, 'storage is full')
    }
    await untilRetry()
  }
}

/**
 * Does `work`, which `what` describes, retrying while there is no space, which is logged once. Rejects with
 * the cause of any other failure.
 */
export async function onceThereIsRoom<Result>(
  what: string,
  work: () => Promise<Result>,
  { log, untilRetry }: WaitOptions,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work()
    } catch (cause) {
      if (!isForWantOfRoom(cause)) throw cause
      if (isFirst) log.error({ what, problem: (cause as Error).message }, 'storage is full')
    }
    await untilRetry()
  }
}

function isForWantOfRoom(cause: unknown): boolean {
  if (cause instanceof FollowerFault) return cause.isFull
  if (cause instanceof EngineFault) return cause.kind === 'STORAGE_FULL'
  return cause instanceof JournalFault && cause.kind === 'STORAGE_FULL'
}
