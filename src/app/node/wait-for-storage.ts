/** Small files without which a start is not complete: while the storage is full, the start waits until it has room. */
import { fileFault } from '../../drivers/files/directory.ts'
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
