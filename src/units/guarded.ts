/**
 * Tasks that a timer calls to supervise something else: when a task fails, the supervised work continues. An
 * exception thrown from a timer ends the process and with it the node, so `npm run check` refuses timers
 * whose tasks are not guarded.
 */

/** Called with the cause of each failure. */
export type OnFault = (cause: unknown) => void

/** Returns the task as a function that neither throws nor rejects. */
export function guarded(task: () => unknown, onFault: OnFault): () => void {
  const tell = (cause: unknown): void => {
    try {
      onFault(cause)
    } catch {
      // This cannot be reported, because reporting itself has failed.
    }
  }
  return () => {
    try {
      const under = task()
      if (under instanceof Promise) under.catch(tell)
    } catch (cause) {
      tell(cause)
    }
  }
}

/** For a task that only resolves or rejects a promise, which cannot fail. */
export const cannotFail: OnFault = () => {}
