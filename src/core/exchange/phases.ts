/**
 * The phase of the whole exchange: the operations allowed to traders in all symbols, now and as planned
 * (docs/reference/admin.md#phases-of-the-exchange). The phase in force follows from the state and the time
 * alone: a planned phase is in force from its time on, even before the command that announces it.
 */
import type { ExchangePhase } from '../../units/order-enums.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { CommandKind } from '../commands/command.ts'
import type { ExchangePhases, PhaseChange } from '../registry/records.ts'

/** The phase in which every exchange begins. */
const FIRST: PhaseChange = { phase: 'TRADING', at: timeMs(0), actor: '', note: '' }

/**
 * Actions of traders on open orders and withdrawals that are forbidden while the exchange is closed. New
 * orders are refused at admission.
 */
const CHANGES: ReadonlySet<CommandKind> = new Set<CommandKind>([
  'CancelOrder',
  'CancelClientOrder',
  'AmendOrder',
  'CancelAllOrders',
  'CancelList',
  'CancelClientList',
  'AskWithdrawal',
  'RetractWithdrawal',
  'SetOwnAddress',
])

export class Phases {
  #current: PhaseChange = FIRST
  #planned: readonly PhaseChange[] = []

  /** Whether no phase was ever changed or planned. */
  get isUnused(): boolean {
    const { phase, at, actor, note } = this.#current
    const isFirst = phase === FIRST.phase && at === FIRST.at && actor === '' && note === ''
    return isFirst && this.#planned.length === 0
  }

  /** The time of the first planned phase; undefined if none is planned. */
  get firstTime(): TimeMs | undefined {
    return this.#planned[0]?.at
  }

  /** The phase that was announced last, and the planned ones after it. */
  get records(): ExchangePhases {
    return { current: this.#current, planned: this.#planned }
  }

  /** The phase in force at `time`, which is that of the last command or later. */
  at(time: TimeMs): ExchangePhase {
    const { firstTime } = this
    return firstTime === undefined || firstTime > time ? this.#current.phase : this.#lastBy(time).phase
  }

  /** Whether a planned phase has begun that is not yet announced. */
  isDue(time: TimeMs): boolean {
    const { firstTime } = this
    return firstTime !== undefined && firstTime <= time
  }

  /**
   * Makes the last phase that has begun by `time` the current one, and removes those that have begun from the
   * plan.
   */
  enter(time: TimeMs): void {
    this.#current = this.#lastBy(time)
    this.#planned = this.#planned.filter(({ at }) => at > time)
  }

  /** Puts a phase in force from now on, and plans nothing. */
  set(change: PhaseChange): void {
    // The phase already in force continues if it is requested again.
    if (change.phase !== this.#current.phase) this.#current = change
    this.#planned = []
  }

  plan(changes: readonly PhaseChange[]): void {
    this.#planned = changes
  }

  /** Restores the state from a snapshot. */
  restore({ current, planned }: ExchangePhases): void {
    this.#current = current
    this.#planned = planned
  }

  #lastBy(time: TimeMs): PhaseChange {
    return this.#planned.findLast(({ at }) => at <= time) ?? this.#current
  }
}

/** The reason why a phase refuses every command of `kind`; undefined if it does not. */
export function phaseRefusal(kind: CommandKind, phase: ExchangePhase): CoreReason | undefined {
  return phase === 'CLOSED' && CHANGES.has(kind) ? 'EXCHANGE_CLOSED' : undefined
}
