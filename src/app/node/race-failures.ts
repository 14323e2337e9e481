/** Waiting for a thread that may never answer because it has failed. */
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'

/** A thread reports its failure over a channel of its own; this is the longest wait for that report. */
const CAUSE_WAIT_MS = 1_000

/** The answer for work that a thread has not done or not finished because it has failed. */
const CONSEQUENCES: readonly EngineFaultKind[] = ['ENGINE_DOWN', 'OUTCOME_UNKNOWN']

/**
 * Resolves as `work` does. Rejects with the cause of the first of `failures` that rejects, even if `work` has
 * rejected because of it; otherwise as `work` does.
 */
export async function raceFailures<Result>(
  work: Promise<Result>,
  failures: readonly Promise<unknown>[],
): Promise<Result> {
  const failed = Promise.withResolvers<never>()
  for (const failure of failures) failure.catch(failed.reject)
  failed.promise.catch(() => {})
  try {
    return await Promise.race([failed.promise, work])
  } catch (error) {
    const isConsequence = error instanceof EngineFault && CONSEQUENCES.includes(error.kind)
    if (isConsequence) await Promise.race([failed.promise, Bun.sleep(CAUSE_WAIT_MS)])
    throw error
  }
}
