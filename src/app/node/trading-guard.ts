/**
 * Stops trading in assets whose balances do not add up. It halts every symbol of such an asset by ordinary
 * commands, so that the halt is in the journal, is part of every replay, and survives a restart. Canceling
 * remains possible. An operator resumes the symbols after an examination; if the balances still do not add
 * up, they are halted again.
 */

import type { AuditAlarm } from '../../engine/follower/self-audit.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { AssetId } from '../../units/ids.ts'
import type { RegistryView } from '../../views/registry.ts'

/** The actor of a halt in the journal's audit trail. */
export const GUARD_ACTOR = 'self-audit'
/** A note of the audit trail has at most 200 characters. */
const NOTE_LENGTH_MAX = 200

export type TradingGuardOptions = {
  readonly engine: EnginePort
  readonly registry: RegistryView
  readonly log: Logger
  /** Resolves when it makes sense to retry a command that the engine could not accept. */
  readonly untilRetry: () => Promise<void>
}

export class TradingGuard {
  readonly #log: Logger
  /** Alarms raised before the node could halt. */
  #early: AuditAlarm[] = []
  #options: TradingGuardOptions | undefined
  readonly #halting = new Set<AssetId>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Lets the guard halt symbols from now on. */
  start(options: Omit<TradingGuardOptions, 'log'>): void {
    this.#options = { ...options, log: this.#log }
    for (const alarm of this.#early) this.alarm(alarm)
    this.#early = []
  }

  /**
   * Reports that the balances of an asset do not add up, each time this is found; symbols that are already
   * halted are not reported again.
   */
  alarm(alarm: AuditAlarm): void {
    if (this.#options === undefined) this.#early.push(alarm)
    else if (!this.#halting.has(alarm.assetId)) void this.#halt(alarm, this.#options)
  }

  async #halt({ assetId, code, problem, seq }: AuditAlarm, options: TradingGuardOptions): Promise<void> {
    const { registry } = options
    const open = registry
      .symbols()
      .filter(({ base, quote, state }) => (base === assetId || quote === assetId) && state === 'TRADING')
    if (open.length === 0) return
    const symbols = open.map(({ name }) => name)
    this.#log.error(
      { alarm: 'BOOKS_OFF', asset: code, problem, seq, symbols },
      'the balances of an asset do not add up: its symbols are halted',
    )
    this.#halting.add(assetId)
    try {
      for (const symbol of symbols) await haltSymbol(symbol, problem, seq, options)
    } finally {
      this.#halting.delete(assetId)
    }
  }
}

/** Resolves when the symbol is halted, or the engine can no longer be used: then nothing is traded either. */
async function haltSymbol(
  symbol: string,
  problem: string,
  seq: number,
  { engine, log, untilRetry }: TradingGuardOptions,
): Promise<void> {
  const note = `after command ${seq}: ${problem}`.slice(0, NOTE_LENGTH_MAX)
  const operator = { actor: GUARD_ACTOR, note }
  for (;;) {
    try {
      const reply = await engine.submit({ kind: 'SetSymbolState', operator, symbol, state: 'HALTED' })
      if (reply.kind === 'Refused')
        log.error({ symbol, reason: reply.reason }, 'the symbol could not be halted')
      return
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error
      const isOver =
        error.kind === 'STOPPING' || error.kind === 'ENGINE_DOWN' || error.kind === 'OUTCOME_UNKNOWN'
      if (isOver) return
      log.error({ symbol, fault: error.kind }, 'the symbol cannot be halted yet')
      await untilRetry()
    }
  }
}
