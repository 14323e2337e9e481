/**
 * An engine of a cluster, from its start to its end: it follows whoever leads with a state that is warm, claims when nobody is heard of,
 * leads, and goes back to following when it has lost the lead. It knows no runtime: scheduler, table, links and storage are given to it, and
 * the simulator runs this very code.
 *
 *   seek ── somebody leads ──▶ follow ── lost, or silent ──▶ seek
 *     └──── a claim is confirmed ──▶ catch up ──▶ lead ── deposed, or in doubt ──▶ seek
 *
 * What could make its state wrong ends it: `run` rejects, and nobody is served from it.
 */
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/same-bytes.ts'
import { type RunningEngine, runEngine, type StopReport, trySave } from '../compose.ts'
import type { BatchFeed } from '../feed.ts'
import { hexOf, JournalFault, type JournalPosition } from '../journal.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { type DamagedSnapshot, takeSnapshot } from '../snapshots.ts'
import { catchUp } from './catch-up.ts'
import { ClaimedJournal, type ClaimedJournalOptions, type Doubt } from './claimed-journal.ts'
import { ClusterFeed } from './cluster-feed.ts'
import type { ClusterEngineOptions, LeaderLink, LeadHost, LeadReport } from './cluster-ports.ts'
import { LeaderWatch } from './leader-watch.ts'
import { Loss } from './loss.ts'
import { givenUpSentence } from './operator-claims.ts'
import { Replica } from './replica.ts'
import { LOOK_MS_MIN, Silence } from './silence.ts'

/** Between two attempts while the database cannot be asked. */
const RETRY_MS_MIN = 50
const RETRY_MS_MAX = 1_000
/** An engine that has followed nobody yet lets those that have go first: so many more silences. */
const COLD_SILENCES = 2

type Found =
  | { readonly kind: 'LINK'; readonly link: LeaderLink }
  | { readonly kind: 'JOURNAL'; readonly journal: ClaimedJournal }

type Attempt = Extract<Found, { kind: 'JOURNAL' }> | { readonly kind: 'WAIT'; readonly waitMs: number }

/** One epoch of this engine's own. */
type Lead = {
  readonly journal: ClaimedJournal
  readonly engine: RunningEngine
}

export class ClusterEngine {
  readonly #options: ClusterEngineOptions
  readonly #replica: Replica
  readonly #feed: ClusterFeed
  readonly #watch: LeaderWatch
  readonly #stopped = Promise.withResolvers<undefined>()
  readonly #halted = Promise.withResolvers<never>()
  readonly #caughtUp = Promise.withResolvers<Seq>()
  /** The highest place that gateways and other engines have presented; they are told only of what was applied. */
  #presented: JournalPosition | undefined
  /** Of these, one that the journal which this engine leads has not, or has otherwise. */
  #contradicted: JournalPosition | undefined
  /** A batch of this engine's own of which it does not know whether it counts. */
  #doubt: Doubt | undefined
  #lead: Lead | undefined
  /** The journal that is being claimed or leads has failed; undefined: it has not. */
  #failure: JournalFault | undefined
  #isStopping = false
  /** It has followed or led, so its state is as new as any. */
  #isWarm = false
  #retryMs = RETRY_MS_MIN
  #lastProblem = ''

  /** Reads the newest snapshot. Rejects with `JournalFault`. */
  static async open(options: ClusterEngineOptions): Promise<ClusterEngine> {
    const { digest, machines, snapshots, witness, limits, onNote } = options
    const { recentBytesMax } = limits
    const onDamaged = (damaged: DamagedSnapshot): void => onNote({ kind: 'SnapshotDamaged', damaged })
    const replica = await Replica.open({ digest, machines, snapshots, witness, recentBytesMax, onDamaged })
    return new ClusterEngine(options, replica)
  }

  private constructor(options: ClusterEngineOptions, replica: Replica) {
    this.#options = options
    this.#replica = replica
    this.#feed = new ClusterFeed(replica)
    this.#watch = new LeaderWatch(options.claiming.openTable)
    // Whoever runs the engine awaits one of them.
    for (const { promise } of [this.#halted, this.#caughtUp]) promise.catch(() => {})
  }

  /** The batches that this engine has applied, for its own follower and for other engines. */
  get feed(): BatchFeed {
    return this.#feed
  }

  /** Resolves with the journal's end when the state has first come to it, by following or by leading. */
  get caughtUp(): Promise<Seq> {
    return this.#caughtUp.promise
  }

  /** The highest place of the journal that this engine knows of. */
  get remembered(): JournalPosition {
    const own = this.#lead?.engine.tail ?? this.#replica.remembered
    return later(own, this.#presented)
  }

  /**
   * Follows, claims and leads until it is stopped. Rejects where its state, or the journal, could be wrong, and where it has died of a bug: the
   * process must end.
   */
  async run(): Promise<StopReport> {
    try {
      return await Promise.race([this.#run(), this.#halted.promise])
    } catch (cause) {
      if (cause instanceof JournalFault && cause.kind === 'WITNESS') this.#keepPresented()
      this.#caughtUp.reject(cause)
      throw cause
    } finally {
      this.#feed.stop()
      this.#watch.close()
    }
  }

  /** Hands the lead over where it has it: what is under way is answered, and then nobody leads. `run` resolves. */
  stop(): void {
    this.#isStopping = true
    this.#lead?.engine.stop()
    this.#stopped.resolve(undefined)
  }

  /**
   * Somebody remembers a place of the journal. One of a later epoch says that this engine leads no more; one that the journal lacks, or has
   * otherwise, ends the engine: the journal was rolled back. Resolves with what is wrong; undefined: nothing, as far as this engine knows.
   */
  async present(position: JournalPosition): Promise<string | undefined> {
    this.#presented = later(position, this.#presented)
    const lead = this.#lead
    if (lead === undefined || position.position === 0) return undefined
    const { tail } = lead.engine
    if (position.epoch > tail.epoch) {
      const why = `epoch ${position.epoch} has begun: another leads`
      lead.journal.depose(why)
      return why
    }
    const hash = position.seq === tail.seq ? tail.hash : await hashAt(lead.journal, position.seq)
    if (hash === 'UNKNOWN' || this.#lead !== lead) return undefined
    if (hash !== undefined && sameBytes(hash, position.hash)) return undefined
    const act = lead.journal.givenUp(position)
    if (act !== undefined) {
      this.#forget(position)
      return givenUpSentence(act)
    }
    this.#contradicted = position
    const found = hash === undefined ? 'does not have it' : 'has another batch there'
    const what = `position ${position.position} of the journal, command ${position.seq}, is remembered by another part`
    const problem = `${what}, and the journal ${found}`
    this.#halted.reject(new JournalFault('WITNESS', problem))
    return problem
  }

  /** An operator has given up what was presented: nobody is refused for it who has never seen it. */
  #forget(position: JournalPosition): void {
    if (this.#presented?.position === position.position) this.#presented = undefined
  }

  /** Whoever starts this engine again starts one that remembers what it was told, though those who told it may be gone by then. */
  #keepPresented(): void {
    const own = this.#replica.remembered
    const told = this.#contradicted ?? later(own, this.#presented)
    if (told !== own) this.#options.witness.reset(told)
  }

  async #run(): Promise<StopReport> {
    let why = 'it has just started'
    while (!this.#isStopping) {
      this.#options.onNote({ kind: 'Seeking', why })
      const found = await this.#seek()
      if (found === undefined) break
      if (found.kind === 'LINK') {
        why = await this.#follow(found.link)
        continue
      }
      const end = await this.#leadOn(found.journal)
      if (end.kind === 'STOPPED') return end.report
      why = end.why
    }
    return { snapshotProblem: await this.#saveState() }
  }

  /** Saves the state as it stands, so that the next start begins there; why it could not be. */
  async #saveState(): Promise<string | undefined> {
    const { snapshots, digest } = this.#options
    const { machine, tail } = this.#replica
    const [newest] = (await snapshots.list()).heads
    if (tail.seq <= (newest?.seq ?? 0)) return undefined
    return trySave(snapshots, takeSnapshot(machine, tail, digest))
  }

  /** Whoever leads, or a journal that is claimed; undefined: the engine is to stop. */
  async #seek(): Promise<Found | undefined> {
    const search = this.#options.searchLeader(() => this.remembered)
    const link = search.found.then((found): Found => ({ kind: 'LINK', link: found }))
    const startedMs = this.#now()
    try {
      while (!this.#isStopping) {
        const attempt = await this.#attempt(startedMs)
        if (attempt.kind === 'JOURNAL') {
          // A link that has come meanwhile is of no use any more.
          void link.then((found) => found.kind === 'LINK' && found.link.close())
          return attempt
        }
        const found = await Promise.race([link, this.#pause(attempt.waitMs)])
        if (found !== undefined && found.kind === 'LINK') return found
      }
      void link.then((found) => found.kind === 'LINK' && found.link.close())
      return undefined
    } finally {
      search.end()
    }
  }

  /** Tries to lead, where it is time to. Throws where the journal cannot be trusted. */
  async #attempt(startedMs: number): Promise<Attempt> {
    const { claiming, digest, scheduler } = this.#options
    const { silenceMs } = claiming
    try {
      if (this.#doubt === undefined) {
        const waitMs = await this.#untilSilence(startedMs)
        if (waitMs > 0) return { kind: 'WAIT', waitMs }
      }
      this.#failure = undefined
      const options: ClaimedJournalOptions = {
        ...claiming,
        ...{ digest, scheduler, silenceMs },
        remembered: this.#replica.remembered,
        presented: this.#presented,
        onFailed: (fault) => this.#failed(fault),
      }
      const doubt = this.#doubt
      const journal =
        doubt === undefined
          ? await ClaimedJournal.open(options)
          : (await ClaimedJournal.resolve(options, doubt)).journal
      this.#doubt = undefined
      this.#retryMs = RETRY_MS_MIN
      this.#lastProblem = ''
      return { kind: 'JOURNAL', journal }
    } catch (cause) {
      return { kind: 'WAIT', waitMs: this.#notClaimed(cause) }
    }
  }

  /** How long the leader, if there is one, may still be heard of; 0: it is time to claim. */
  async #untilSilence(startedMs: number): Promise<number> {
    const { silenceMs } = this.#options.claiming
    const patienceMs = this.#isWarm ? 0 : COLD_SILENCES * silenceMs
    const { heardMsAgo } = await this.#watch.look()
    const waitedMs = heardMsAgo ?? this.#now() - startedMs + silenceMs
    const waitMs = silenceMs + patienceMs - waitedMs
    return waitMs > 0 ? Math.max(LOOK_MS_MIN, waitMs) : 0
  }

  /** What to do about a claim that was not had: how long to wait. Throws where the journal cannot be trusted. */
  #notClaimed(cause: unknown): number {
    if (!(cause instanceof JournalFault)) throw cause
    const { kind, message } = cause
    if (kind === 'WITNESS' || kind === 'DAMAGED' || kind === 'SEALED') throw cause
    if (kind === 'IN_USE') {
      // Whoever leads now has settled what was in doubt.
      this.#doubt = undefined
      return LOOK_MS_MIN
    }
    if (message !== this.#lastProblem) this.#options.onNote({ kind: 'NotClaimed', problem: message })
    this.#lastProblem = message
    const waitMs = this.#retryMs
    this.#retryMs = Math.min(RETRY_MS_MAX, waitMs * 2)
    return waitMs
  }

  /** Follows a leader until it is lost; why it was. */
  async #follow(link: LeaderLink): Promise<string> {
    const { name: leader, epoch } = link
    const loss = new Loss()
    void link.lost.then((cause) => loss.happened(`the link to ${leader} has ended: ${messageOf(cause)}`))
    void this.#stopped.promise.then(() => loss.happened('it is stopping'))
    const { scheduler, claiming } = this.#options
    const silence = new Silence({
      ...{ scheduler, silenceMs: claiming.silenceMs, watch: this.#watch },
      onSilent: () => loss.happened(`${leader} has not been heard of`),
    })
    try {
      // One that was deposed and does not know it yet has less than this engine.
      if (epoch < this.#replica.remembered.epoch) return `${leader} leads an epoch that is over`
      return await this.#pull(link, loss, silence)
    } finally {
      silence.end()
      link.close()
      this.#feed.pause()
    }
  }

  async #pull(link: LeaderLink, loss: Loss, silence: Silence): Promise<string> {
    const { name: leader, epoch, feed, confirmed } = link
    const { remembered } = this.#replica
    if (confirmed.position < remembered.position) {
      const found = `${leader} has confirmed position ${confirmed.position} of the journal`
      throw new JournalFault('WITNESS', `position ${remembered.position} is remembered, and ${found}`)
    }
    if (this.#replica.tail.position === 0) {
      const why = await orLost(loss, () => this.#copySnapshot(link))
      if (typeof why === 'string') return why
    }
    const quarantined = await orLost(loss, () => feed.quarantined())
    if (typeof quarantined === 'string') return quarantined
    this.#doubt = undefined
    this.#feed.follow('LEADER', feed, quarantined)
    this.#options.onNote({ kind: 'Following', leader, epoch })
    for (;;) {
      if (this.#replica.tail.position >= confirmed.position) this.#hasCaughtUp()
      const batches = await orLost(loss, () => feed.next(this.#replica.tail.seq, READ_BYTES_MAX))
      if (typeof batches === 'string') return batches
      silence.heard()
      this.#replica.apply(batches, quarantined)
      this.#feed.advance()
    }
  }

  #hasCaughtUp(): void {
    this.#isWarm = true
    this.#caughtUp.resolve(this.#replica.tail.seq)
  }

  async #copySnapshot(link: LeaderLink): Promise<true> {
    if (await link.copySnapshot(this.#options.snapshots)) {
      await this.#replica.readCopied()
      this.#options.onNote({ kind: 'SnapshotCopied', seq: this.#replica.tail.seq })
    }
    return true
  }

  /** Leads on a journal that is claimed, until it is stopped or has lost the lead. */
  async #leadOn(
    journal: ClaimedJournal,
  ): Promise<
    | { readonly kind: 'STOPPED'; readonly report: StopReport }
    | { readonly kind: 'LOST'; readonly why: string }
  > {
    const { epoch } = journal.tail
    let host: LeadHost | undefined
    try {
      const report = await this.#catchUp(journal)
      host = this.#options.beginLead(report)
      const engine = this.#start(journal, report, host)
      this.#options.onNote({ kind: 'Leading', report })
      await engine.ended
      // Others can lead from here on.
      host.ended(undefined)
      const { machine } = this.#replica
      const snapshot = takeSnapshot(machine, engine.tail, this.#options.digest)
      const snapshotProblem = await trySave(this.#options.snapshots, snapshot)
      return { kind: 'STOPPED', report: { snapshotProblem } }
    } catch (cause) {
      const lead = this.#lead
      this.#lead = undefined
      host?.ended(cause)
      // The engine has died, or the journal could not be read, of something else: nothing here can be trusted to go on. It may be so while the
      // journal fails as well, and then the machine may have stopped in the middle of a command.
      if (this.#failure === undefined || !(cause instanceof JournalFault)) {
        await journal.close()
        throw cause
      }
      if (lead !== undefined) this.#replica.moveTo(lead.engine.tail)
      this.#doubt = journal.doubt
      const problem = this.#failure.message
      this.#options.onNote({ kind: 'LeadLost', epoch, problem })
      return { kind: 'LOST', why: problem }
    } finally {
      this.#lead = undefined
      this.#feed.pause()
    }
  }

  async #catchUp(journal: ClaimedJournal): Promise<LeadReport> {
    const { digest, scheduler, claiming, machines } = this.#options
    const before = this.#replica.tail.seq
    const { quarantined, newlyQuarantined } = await catchUp({
      ...{ journal, digest },
      replica: this.#replica,
      presentedPosition: () => this.#presented?.position ?? 0,
      // Gateways and other engines come back in this time, and say what they have seen.
      untilPresented: () => new Promise((resolve) => scheduler.later(resolve, 3 * claiming.silenceMs)),
      onApplied: () => this.#feed.advance(),
    })
    this.#isWarm = true
    const [first] = await journal.read(0 as Seq, 0)
    const { machine, tail } = this.#replica
    const { rulesVersion } = machine
    const isNew = machine.assetCount === 0 && rulesVersion === machines.empty().rulesVersion
    return {
      ...{ epoch: tail.epoch, tail, rulesVersion, isNew, quarantined, newlyQuarantined },
      journal: hexName(first?.hash ?? tail.hash),
      caughtUpCommands: tail.seq - before,
    }
  }

  #start(journal: ClaimedJournal, { quarantined }: LeadReport, host: LeadHost): RunningEngine {
    const { snapshots, witness, digest, clock, scheduler, limits, idleDelayMs, meter } = this.#options
    const engine = runEngine(
      {
        storage: { journal, witness, snapshots },
        output: (output) => host.output(output),
        ...{ digest, clock, scheduler, limits, idleDelayMs },
        ...(meter === undefined ? {} : { meter }),
        savesNoSnapshot: true,
      },
      { machine: this.#replica.machine, quarantined },
    )
    this.#lead = { journal, engine }
    this.#feed.follow('OWN', engine.feed, quarantined)
    this.#caughtUp.resolve(engine.tail.seq)
    host.started(engine)
    // What happened while it caught up.
    if (this.#failure !== undefined) engine.probe()
    if (this.#presented !== undefined) void this.present(this.#presented)
    if (this.#isStopping) engine.stop()
    return engine
  }

  #failed(fault: JournalFault): void {
    this.#failure = fault
    this.#lead?.engine.probe()
  }

  /** Resolves with undefined after so long, or when the engine is to stop. */
  #pause(ms: number): Promise<undefined> {
    const over = new Promise<undefined>((resolve) =>
      this.#options.scheduler.later(() => resolve(undefined), ms),
    )
    return Promise.race([over, this.#stopped.promise])
  }

  #now(): number {
    return this.#options.clock.sources.monotonicMs()
  }
}

/** What `ask` resolves with; a sentence where the leader was lost meanwhile, or cannot answer. */
function orLost<Answer>(loss: Loss, ask: () => Promise<Answer>): Promise<Answer | string> {
  return loss.or<Answer | string>(() =>
    ask().catch((cause: unknown) => {
      if (cause instanceof JournalFault && cause.kind === 'DAMAGED') throw cause
      return `the leader gives no more: ${messageOf(cause)}`
    }),
  )
}

function later(one: JournalPosition, other: JournalPosition | undefined): JournalPosition {
  return other !== undefined && other.position > one.position ? other : one
}

/** The hash at a command's end; `UNKNOWN`: the journal has failed meanwhile. */
async function hashAt(journal: ClaimedJournal, seq: Seq): Promise<Uint8Array | undefined | 'UNKNOWN'> {
  try {
    return await journal.hashAt(seq)
  } catch (cause) {
    if (cause instanceof JournalFault && cause.kind === 'FAILED') return 'UNKNOWN'
    throw cause
  }
}

const NAME_BYTES = 16

function hexName(hash: Uint8Array): string {
  return hexOf(hash.subarray(0, NAME_BYTES))
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
