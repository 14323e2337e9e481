/** Waiting for work that may never be done, for so long and no longer. */
import { cannotFail, guarded } from '../../units/guarded.ts'

/** True when `work` was done within `timeoutMs`; rejects where it rejects in time. No timer is left behind. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(
    guarded(() => late.resolve(false), cannotFail),
    timeoutMs,
  )
  try {
    return await Promise.race([work.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
