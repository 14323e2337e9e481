/** What a full storage keeps from being written at a start: it is tried until there is room, and the log says so once. */

import { fileFault } from '../../drivers/files/directory.ts'
import { FollowerFault } from '../../drivers/thread/follower-handle.ts'
import { JournalFault } from '../../engine/journal.ts'
import type { Logger } from '../../gateway/common/logger.ts'

export type WaitOptions = {
  readonly log: Logger
  /** Resolves when it is worth trying again. */
  readonly untilRetry: () => Promise<void>
}

/**
 * Writes `what`, as often as it takes while the storage is full; the log says so once. Rejects with `JournalFault`
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
 * Begins a start, as often as it takes while it fails for want of room; the log says so once. Rejects with the cause of one that fails otherwise.
 */
export async function startOnceThereIsRoom<Started>(
  start: () => Promise<Started>,
  { log, untilRetry }: WaitOptions,
): Promise<Started> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await start()
    } catch (cause) {
      if (!isForWantOfRoom(cause)) throw cause
      if (isFirst) log.error({ what: 'start', problem: (cause as Error).message }, 'storage is full')
    }
    await untilRetry()
  }
}

function isForWantOfRoom(cause: unknown): boolean {
  if (cause instanceof FollowerFault) return cause.isFull
  return cause instanceof JournalFault && cause.kind === 'STORAGE_FULL'
}
