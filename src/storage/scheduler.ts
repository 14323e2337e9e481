/**
 * The engine's scheduler on this runtime. `setImmediate` runs after all messages that have already arrived,
 * each of which is a task of its own (measured on Bun 1.4: messages that arrived during a commit of 2 ms came
 * as one group of 20).
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
