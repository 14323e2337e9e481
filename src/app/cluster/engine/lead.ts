/** Services of an engine while it leads: read models of its state, links, and the admin server. */

import type { AuditAlarm } from '../../../engine/follower/self-audit.ts'
import type { LeadReport } from '../../../engine/leadership/cluster-ports.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { ThreadEngine } from '../../../transport/thread/engine-client.ts'
import type { HistoryClient } from '../../../transport/thread/history-client.ts'
import { raceFailures } from '../../node/race-failures.ts'
import { settleRules } from '../../node/rules.ts'
import { TradingGuard } from '../../node/trading-guard.ts'
import { type NodeViews, startViews } from '../../node/views.ts'

/** Pause before a command of this process that the engine could not accept is sent again. */
const RETRY_MS = 500

export type LeadParts = {
  readonly engine: ThreadEngine
  readonly report: LeadReport
  readonly history: HistoryClient
  /** Alarms that were raised earlier. */
  readonly alarms: readonly AuditAlarm[]
  readonly log: Logger
}

export class Lead {
  readonly engine: ThreadEngine['port']
  readonly report: LeadReport
  readonly views: NodeViews
  readonly #guard: TradingGuard

  /** Rejects if the lead is lost in the meantime. */
  static async begin(parts: LeadParts): Promise<Lead> {
    const { engine: thread, report, history, alarms, log } = parts
    const engine = thread.port
    const ended = [thread.ended.then(() => Promise.reject(new Error('the engine was stopped')))]
    await raceFailures(thread.ready, ended)
    const views = await raceFailures(startViews(engine, history), ended)
    const untilRetry = (): Promise<void> => Bun.sleep(RETRY_MS)
    const guard = new TradingGuard(log)
    guard.start({ engine, registry: views.market.registry, untilRetry })
    for (const alarm of alarms) guard.alarm(alarm)
    thread.begin()
    const { isNew, rulesVersion, tail } = report
    const recovery = { seq: isNew ? (0 as typeof tail.seq) : tail.seq, rulesVersion }
    await raceFailures(settleRules({ engine, recovery, log, untilRetry }), ended)
    return new Lead(parts, views, guard)
  }

  private constructor({ engine, report }: LeadParts, views: NodeViews, guard: TradingGuard) {
    this.engine = engine.port
    this.report = report
    this.views = views
    this.#guard = guard
  }

  /** Called if the balances of an asset do not add up. */
  alarm(alarm: AuditAlarm): void {
    this.#guard.alarm(alarm)
  }
}
