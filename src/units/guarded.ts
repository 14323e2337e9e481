/**
 * Work that is called back by a timer and looks after something else: whatever it meets, what it looks after goes on. An exception that
 * leaves a timer ends the process and with it the node, so `npm run check` refuses timers without this.
 */

/** Told of each failure. */
export type OnFault = (cause: unknown) => void

/** The task, of which nothing that it throws or rejects with leaves. */
export function guarded(task: () => unknown, onFault: OnFault): () => void {
  const tell = (cause: unknown): void => {
    try {
      onFault(cause)
    } catch {
      // There is nobody left to be told: the log is what failed.
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

/** Where nothing can fail but promises that are settled twice: the callback only resolves or rejects one. */
export const cannotFail: OnFault = () => {}
