/** Callbacks of a process's background work: an error in one is logged, and ends nothing else. */

import type { Scheduler } from '../../engine/writer/loop.ts'
import { faultLog } from '../../server/common/fault-log.ts'
import type { Logger } from '../../server/common/logger.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { guarded, type OnFault } from '../../units/guarded.ts'

/** Writes to the log; `what` names the task that failed. */
export function faultsOf(log: Pick<Logger, 'error'>, what: string): OnFault {
  return faultLog(log, what, () => performance.now())
}

/** For tasks that watch other parts, not for a part without which the process could not continue. */
export function backgroundScheduler(log: Pick<Logger, 'error'>, what: string): Scheduler {
  const onFault = faultsOf(log, what)
  return {
    soon: (task) => runtimeScheduler.soon(guarded(task, onFault)),
    later: (task, delayMs) => runtimeScheduler.later(guarded(task, onFault), delayMs),
  }
}
