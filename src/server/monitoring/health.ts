/**
 * Is the process alive, and is it ready for clients? Alive: its threads run. Ready: it has recovered, is not
 * stopping, and orders can be placed. A supervisor restarts a process that is not alive; a load balancer
 * skips one that is not ready.
 */

import { ORDER_STOP_WORDS, type OrderStop } from '../../contract/api/order-stops.ts'
import type { LoopMeter } from '../../engine/writer/meters.ts'
import type { ClusterUse, StandbyUse } from './cluster-metrics.ts'

/** `STARTING` until clients are served, `STOPPING` from the signal on, `FAILED` once a part has failed. */
export type Phase = 'STARTING' | 'READY' | 'STOPPING' | 'FAILED'

/**
 * Result of the check of the stored journal: `UNCHECKED` until it has finished, or if there is nothing to
 * check.
 */
export type JournalHealth = 'UNCHECKED' | 'WHOLE' | 'DAMAGED'

export type HealthReport = {
  readonly ok: boolean
  readonly phase: Phase
  /**
   * Damage of the journal does not stop service: the state is intact and contains all acknowledged commands.
   */
  readonly journal: JournalHealth
  /** The time since each thread last reported, in milliseconds. */
  readonly silentMs: Readonly<Record<string, number>>
  /** Functions that are not available although the process serves clients. */
  readonly degraded: readonly Degradation[]
  /** Its role in a cluster; undefined outside a cluster. */
  readonly cluster?: ClusterHealth
  /** The state of a standby; undefined for a process that is not a standby. */
  readonly standby?: StandbyHealth
}

export type StandbyHealth = Pick<StandbyUse, 'from' | 'isLinked' | 'behindCommands' | 'lagMs'>

/** A gateway has no role. */
export type ClusterHealth = Partial<Pick<ClusterUse, 'role'>> &
  Pick<ClusterUse, 'leader' | 'epoch' | 'refusals'>

/**
 * Causes that prevent the node from accepting any order; clients are still sent to it, since reads work, and
 * usually cancels. `FAULTS`, in a sandbox: an operator has injected faults between it and its clients.
 */
export type Degradation = OrderStop | 'FAULTS'

/** A thread that has not run for this long hangs; a commit or a piece of replay takes far less. */
export const SILENT_MS_MAX = 30_000

export class Health {
  readonly #now: () => number
  readonly #stopByWord = new Map<OrderStop, () => boolean>()
  #isServing: () => boolean = () => true
  readonly #loopByThread = new Map<string, LoopMeter>()
  #phase: Phase = 'STARTING'
  #journal: JournalHealth = 'UNCHECKED'
  #cluster: (() => ClusterHealth) | undefined
  #standby: (() => StandbyHealth) | undefined
  #hasFaults: () => boolean = () => false

  /** `now`: milliseconds that only grow, since about 1970. */
  constructor(now: () => number, isClockTrusted: () => boolean = () => true) {
    this.#now = now
    this.watchStop('CLOCK_NOT_TRUSTED', () => !isClockTrusted())
  }

  /** Registers a reason for which no order is accepted while `isStopped` returns true. */
  watchStop(word: OrderStop, isStopped: () => boolean): void {
    this.#stopByWord.set(word, isStopped)
  }

  /** Causes that prevent the node from accepting any order. */
  get orderStops(): readonly OrderStop[] {
    return ORDER_STOP_WORDS.filter((word) => this.#stopByWord.get(word)?.() ?? false)
  }

  get phase(): Phase {
    return this.#phase
  }

  /** Phases only move forwards: a process that is stopping does not become ready again. */
  enter(phase: Exclude<Phase, 'STARTING'>): void {
    if (ORDER.indexOf(phase) > ORDER.indexOf(this.#phase)) this.#phase = phase
  }

  get journal(): JournalHealth {
    return this.#journal
  }

  /** Notes the result of the check of the journal. Damage is not repaired while the node runs. */
  journalFound(found: Exclude<JournalHealth, 'UNCHECKED'>): void {
    if (this.#journal !== 'DAMAGED') this.#journal = found
  }

  /** Registers that the services for clients exist only while `isServing` returns true. */
  require(isServing: () => boolean): void {
    this.#isServing = isServing
  }

  /** Registers that the process is an engine of a cluster, with this state. */
  joinCluster(health: () => ClusterHealth): void {
    this.#cluster = health
  }

  /** Registers that the process is a standby, with this state. */
  followNode(health: () => StandbyHealth): void {
    this.#standby = health
  }

  /** Registers that the process is a sandbox, in which faults can be injected. */
  watchFaults(hasFaults: () => boolean): void {
    this.#hasFaults = hasFaults
  }

  watch(thread: string, loop: LoopMeter): void {
    this.#loopByThread.set(thread, loop)
  }

  live(): HealthReport {
    const silentMs = this.#silentMs()
    // Only checked while ready: a start replays, and a stop writes a snapshot, in one piece however long.
    const hangs = this.#phase === 'READY' && Object.values(silentMs).some((ms) => ms > SILENT_MS_MAX)
    const degraded: Degradation[] = [...this.orderStops]
    if (this.#hasFaults()) degraded.push('FAULTS')
    return {
      ok: this.#phase !== 'FAILED' && !hangs,
      phase: this.#phase,
      journal: this.#journal,
      silentMs,
      degraded,
      ...(this.#cluster === undefined ? {} : { cluster: this.#cluster() }),
      ...(this.#standby === undefined ? {} : { standby: this.#standby() }),
    }
  }

  ready(): HealthReport {
    const report = this.live()
    return { ...report, ok: report.ok && this.#phase === 'READY' && this.#isServing() }
  }

  #silentMs(): Record<string, number> {
    const now = this.#now()
    const heard = [...this.#loopByThread].filter(([, { lastTurnMs }]) => lastTurnMs.value > 0)
    return Object.fromEntries(
      heard.map(([thread, { lastTurnMs }]) => [thread, Math.max(0, now - lastTurnMs.value)]),
    )
  }
}

const ORDER: readonly Phase[] = ['STARTING', 'READY', 'STOPPING', 'FAILED']
