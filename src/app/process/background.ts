/** How what a process does in the background is called back: what it meets is in the log, and ends nothing else. */

import type { Scheduler } from '../../engine/writer/loop.ts'
import { faultLog } from '../../server/common/fault-log.ts'
import type { Logger } from '../../server/common/logger.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { guarded, type OnFault } from '../../units/guarded.ts'

/** To the log; `what` is what fails. */
export function faultsOf(log: Pick<Logger, 'error'>, what: string): OnFault {
  return faultLog(log, what, () => performance.now())
}

/** For what looks after something else, and for nothing without which the process could not go on. */
export function backgroundScheduler(log: Pick<Logger, 'error'>, what: string): Scheduler {
  const onFault = faultsOf(log, what)
  return {
    soon: (task) => runtimeScheduler.soon(guarded(task, onFault)),
    later: (task, delayMs) => runtimeScheduler.later(guarded(task, onFault), delayMs),
  }
}
