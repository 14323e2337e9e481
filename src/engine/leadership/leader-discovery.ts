/**
 * The behavior of an engine that neither follows nor leads: it looks for the leader, and claims the journal
 * if there is none. When a leader is found, a read of the database, which may take as long as a statement, is
 * abandoned at once. A claim that was sent is awaited, since it may succeed.
 */
import { RulesFloorFault } from '../../core/commands/command-rules.ts'
import type { Digest, JournalPosition, RememberedPlace } from '../port/journal.ts'
import { JournalFault } from '../port/journal.ts'
import type { Scheduler } from '../writer/loop.ts'
import { ClaimedJournal, type ClaimedJournalOptions, type Doubt } from './claimed-journal.ts'
import type { ClusterEngineOptions, LeaderLink } from './cluster-ports.ts'
import { CHECK_MS_MIN } from './leader-timeout.ts'
import type { LeaderWatch } from './leader-watch.ts'
import type { Loss } from './loss.ts'

/** Minimum time between two attempts while the database cannot be queried. */
const RETRY_MS_MIN = 50
const RETRY_MS_MAX = 1_000
/**
 * An engine that has not yet followed another one waits this many more timeouts, so that engines that have
 * followed go first.
 */
const COLD_TIMEOUTS = 2

export type Found =
  | { readonly kind: 'LINK'; readonly link: LeaderLink }
  | { readonly kind: 'JOURNAL'; readonly journal: ClaimedJournal }

export type LeaderDiscoveryOptions = {
  readonly claiming: ClusterEngineOptions['claiming']
  readonly machines: ClusterEngineOptions['machines']
  readonly digest: Digest
  readonly scheduler: Pick<Scheduler, 'later'>
  readonly watch: LeaderWatch
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
  readonly searchLeader: ClusterEngineOptions['searchLeader']
  /** The highest position of the journal known to this engine: its own or a presented one. */
  readonly known: () => RememberedPlace
  /** The engine's own highest position. */
  readonly remembered: () => JournalPosition
  /** The highest position that others have presented. */
  readonly presented: () => RememberedPlace | undefined
  /** Called when the next claimed journal fails, during the claim or later. */
  readonly onFailed: (fault: JournalFault) => void
  /** Called when a claim is attempted. */
  readonly onClaiming: () => void
  /** See `ClusterNote`. */
  readonly onNotClaimed: (problem: string) => void
}

type Attempt = Extract<Found, { kind: 'JOURNAL' }> | { readonly kind: 'WAIT'; readonly waitMs: number }

export class LeaderDiscovery {
  readonly #options: LeaderDiscoveryOptions
  /** A batch of this engine with an unknown outcome. */
  doubt: Doubt | undefined
  /** Whether the engine has followed or led, so that its state is as new as any. */
  isWarm = false
  #retryMs = RETRY_MS_MIN
  #lastProblem = ''

  constructor(options: LeaderDiscoveryOptions) {
    this.#options = options
  }

  /**
   * The leader, or a claimed journal; undefined if `over` has happened. Throws if the journal cannot be
   * trusted.
   */
  async seek(over: Loss): Promise<Found | undefined> {
    const { searchLeader, known, now } = this.#options
    const search = searchLeader(known)
    let link: LeaderLink | undefined
    let isDone = false
    void search.found.then((found) => {
      // A result that arrives after another one was found is not used.
      if (isDone) return found.close()
      link = found
      over.happened('a leader is linked')
    })
    const startedMs = now()
    try {
      while (!over.hasHappened) {
        const attempt = await this.#attempt(startedMs, over)
        if (attempt.kind === 'JOURNAL') {
          link?.close()
          return attempt
        }
        await this.#pause(attempt.waitMs, over)
      }
      return link === undefined ? undefined : { kind: 'LINK', link }
    } finally {
      isDone = true
      search.end()
    }
  }

  /** Tries to lead, if it is time to. Throws if the journal cannot be trusted. */
  async #attempt(startedMs: number, over: Loss): Promise<Attempt> {
    const { claiming, machines, digest, scheduler, remembered, presented, onFailed, onClaiming } =
      this.#options
    try {
      if (this.doubt === undefined) {
        const waitMs = await over.or(() => this.#untilLeaderTimeout(startedMs))
        if (typeof waitMs === 'string') return { kind: 'WAIT', waitMs: 0 }
        if (waitMs > 0) return { kind: 'WAIT', waitMs }
      }
      onClaiming()
      const options: ClaimedJournalOptions = {
        ...claiming,
        machines,
        ...{ digest, scheduler, onFailed },
        remembered: remembered(),
        presented: presented(),
      }
      const { doubt } = this
      const journal =
        doubt === undefined
          ? await ClaimedJournal.open(options)
          : (await ClaimedJournal.resolve(options, doubt)).journal
      this.doubt = undefined
      this.#retryMs = RETRY_MS_MIN
      this.#lastProblem = ''
      return { kind: 'JOURNAL', journal }
    } catch (cause) {
      return { kind: 'WAIT', waitMs: this.#notClaimed(cause) }
    }
  }

  /**
   * Remaining time in which a heartbeat of the leader, if there is one, may still arrive; 0 if it is time to
   * claim.
   */
  async #untilLeaderTimeout(startedMs: number): Promise<number> {
    const { watch, now, claiming } = this.#options
    const { silenceMs } = claiming
    const patienceMs = this.isWarm ? 0 : COLD_TIMEOUTS * silenceMs
    const { heardMsAgo } = await watch.look()
    const waitedMs = heardMsAgo ?? now() - startedMs + silenceMs
    const waitMs = silenceMs + patienceMs - waitedMs
    return waitMs > 0 ? Math.max(CHECK_MS_MIN, waitMs) : 0
  }

  /** The wait after a failed claim. Throws if the journal cannot be trusted. */
  #notClaimed(cause: unknown): number {
    if (!(cause instanceof JournalFault)) throw cause
    const { kind, message } = cause
    if (kind === 'WITNESS' || kind === 'DAMAGED' || kind === 'SEALED') throw cause
    // Other unsupported conditions may be corrected in the database.
    if (cause.cause instanceof RulesFloorFault) throw cause
    if (kind === 'IN_USE') {
      // The current leader has determined the uncertain outcome.
      this.doubt = undefined
      return CHECK_MS_MIN
    }
    if (message !== this.#lastProblem) this.#options.onNotClaimed(message)
    this.#lastProblem = message
    const waitMs = this.#retryMs
    this.#retryMs = Math.min(RETRY_MS_MAX, waitMs * 2)
    return waitMs
  }

  /** Resolves after this time, or when `over` happens. */
  async #pause(ms: number, over: Loss): Promise<void> {
    let cancel: () => void = () => {}
    await over.or(
      () =>
        new Promise<void>((resolve) => {
          cancel = this.#options.scheduler.later(resolve, ms)
        }),
    )
    cancel()
  }
}
