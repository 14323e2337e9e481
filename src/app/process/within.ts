/** Waits for a limited time for work that may never end. */
import { cannotFail, guarded } from '../../units/guarded.ts'

/** True when `work` was done within `timeoutMs`; rejects if it rejects in time. No timer is left running. */
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
