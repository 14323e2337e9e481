/** Waiting for what a thread may never say because it has died. */
import { EngineFault, type EngineFaultKind } from '../../engine/fault.ts'

/** A thread's last word comes over a channel of its own, and is waited for at most this long. */
const CAUSE_WAIT_MS = 1_000

/** What is said of work that a thread has not done or not finished because it has died. */
const CONSEQUENCES: readonly EngineFaultKind[] = ['ENGINE_DOWN', 'OUTCOME_UNKNOWN']

/** Resolves as `work` does. Rejects with the cause of the first of `deaths`, or of `work` where no thread has died. */
export async function unlessDead<Result>(
  work: Promise<Result>,
  deaths: readonly Promise<unknown>[],
): Promise<Result> {
  const died = Promise.withResolvers<never>()
  for (const death of deaths) death.catch(died.reject)
  died.promise.catch(() => {})
  try {
    return await Promise.race([died.promise, work])
  } catch (error) {
    const isConsequence = error instanceof EngineFault && CONSEQUENCES.includes(error.kind)
    if (isConsequence) await Promise.race([died.promise, Bun.sleep(CAUSE_WAIT_MS)])
    throw error
  }
}
