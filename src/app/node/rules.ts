/**
 * Chooses the rules of an exchange: a new exchange takes the newest, with an ordinary command in its journal;
 * an existing one keeps its own until an operator raises them, because an older program could no longer read
 * it.
 */
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import type { Logger } from '../../server/common/logger.ts'
import { onceThereIsRoom } from './upkeep/wait-for-storage.ts'

/** The actor in the journal's audit trail for the rules of a new exchange. */
const NEW_EXCHANGE_ACTOR = 'new-exchange'

export type RulesParts = {
  readonly engine: Pick<EnginePort, 'submit'>
  readonly recovery: Pick<RecoveryReport, 'seq' | 'rulesVersion'>
  readonly log: Logger
  /** Resolves when it makes sense to retry a command that the engine could not accept. */
  readonly untilRetry: () => Promise<void>
}

/** Resolves with the version in force. */
export async function settleRules({ engine, recovery, log, untilRetry }: RulesParts): Promise<number> {
  const { seq, rulesVersion } = recovery
  if (seq > 0) {
    if (rulesVersion < RULES_VERSION) {
      const fields = { rules: rulesVersion, newest: RULES_VERSION }
      log.warn(fields, `a newer version of the rules is available: bourse admin rules set ${RULES_VERSION}`)
    }
    return rulesVersion
  }
  const operator = { actor: NEW_EXCHANGE_ACTOR, note: 'a new exchange starts with the newest rules' }
  const command = { kind: 'SetRulesVersion', operator, version: RULES_VERSION } as const
  await onceThereIsRoom('rules of a new exchange', () => engine.submit(command), { log, untilRetry })
  return RULES_VERSION
}
