/**
 * How the runtime calls the engine back. `setImmediate` runs after all messages that have already arrived, each of
 * which is a task of its own (measured on Bun 1.4: what arrived during a commit of 2 ms came as one group of 20).
 */
import type { Scheduler } from '../engine/writer/loop.ts'

export const runtimeScheduler: Scheduler = {
  soon: (task) => {
    setImmediate(task)
  },
  later: (task, delayMs) => {
    const timer = setTimeout(task, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
