/**
 * An engine of a cluster, from its start to its end: it follows the leader with a warm state, claims when
 * there is no leader, leads, and follows again when it loses the lead. It does not depend on a runtime:
 * scheduler, table, links and storage are passed in, and the simulator runs this same code.
 *
 *   seek ── a leader is found ──▶ follow ── lost, or timed out ──▶ seek
 *     └──── a claim is confirmed ──▶ catch up ──▶ lead ── deposed, or in doubt ──▶ seek
 *
 * Anything that could make its state wrong ends it: `run` rejects, and the engine serves nothing more.
 */
import type { Seq } from '../../units/quantities.ts'
import type { BatchFeed } from '../port/feed.ts'
import {
  JournalFault,
  type JournalPosition,
  journalName,
  otherJournal,
  type RememberedPlace,
} from '../port/journal.ts'
import { READ_BYTES_MAX } from '../port/limits.ts'
import { type DamagedSnapshot, takeSnapshot } from '../port/snapshots.ts'
import { type RunningEngine, runEngine, type StopReport, trySave } from '../writer/compose.ts'
import { catchUp } from './catch-up.ts'
import type { ClaimedJournal } from './claimed-journal.ts'
import { ClusterFeed } from './cluster-feed.ts'
import type { ClusterEngineOptions, LeaderLink, LeadHost, LeadReport } from './cluster-ports.ts'
import { LeaderDiscovery } from './leader-discovery.ts'
import { LeaderTimeout } from './leader-timeout.ts'
import { LeaderWatch } from './leader-watch.ts'
import { LinkedTimeout } from './linked-timeout.ts'
import { Loss } from './loss.ts'
import { Presented } from './presented.ts'
import { Replica } from './replica.ts'

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
  readonly #discovery: LeaderDiscovery
  readonly #patience: LinkedTimeout
  readonly #halted = Promise.withResolvers<never>()
  readonly #caughtUp = Promise.withResolvers<Seq>()
  readonly #presented = new Presented()
  /** Ends the current search, or stops following. */
  #phase = new Loss()
  #lead: Lead | undefined
  /** The name of this engine's journal; undefined if it has neither followed nor led one yet. */
  #journal: string | undefined
  /** The failure of the claimed or led journal; undefined if it has not failed. */
  #failure: JournalFault | undefined
  #isStopping = false
  #isHalted = false

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
    this.#journal = options.knownJournal.read()
    this.#feed = new ClusterFeed(replica)
    this.#watch = new LeaderWatch(options.claiming.openTable)
    this.#patience = new LinkedTimeout(options.claiming.silenceMs, () => options.clock.sources.monotonicMs())
    this.#discovery = this.#newDiscovery()
    // The engine's owner awaits only one of these.
    for (const { promise } of [this.#halted, this.#caughtUp]) promise.catch(() => {})
  }

  /** The batches that this engine has applied, for its own follower and for other engines. */
  get feed(): BatchFeed {
    return this.#feed
  }

  /** Resolves with the journal's end when the state first reaches it, by following or by leading. */
  get caughtUp(): Promise<Seq> {
    return this.#caughtUp.promise
  }

  /** The highest position of the journal known to this engine. */
  get remembered(): JournalPosition {
    const own = this.#lead?.engine.tail ?? this.#replica.remembered
    return this.#presented.laterThan(own)
  }

  /**
   * Follows, claims and leads until it is stopped. Rejects if its state, or the journal, could be wrong, and
   * after a bug: the process must end.
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

  /**
   * Hands over leadership if this engine leads: pending requests are answered, then no engine leads. `run`
   * resolves.
   */
  stop(): void {
    this.#isStopping = true
    this.#lead?.engine.stop()
    this.#phase.happened('it is stopping')
  }

  /**
   * Handles a fault in the engine or in another part of the process: nothing more is accepted or saved, and
   * `run` rejects with `cause`. Before that, the database records that this engine no longer leads, so that
   * others need not wait for the leader timeout. Recording takes at most one leader timeout.
   */
  halt(cause: Error): void {
    if (this.#isHalted) return
    this.#isHalted = true
    this.#isStopping = true
    this.#phase.happened('it has halted')
    const end = (): void => this.#halted.reject(cause)
    const { scheduler, claiming } = this.#options
    const told = this.#lead?.journal.giveUp(cause.message)
    if (told !== undefined) scheduler.later(end, claiming.silenceMs)
    void (told ?? Promise.resolve()).then(end)
  }

  /**
   * A peer presents a position of the journal that it has seen. A position of a later epoch means that this
   * engine no longer leads. A position that the journal lacks, or has with another hash, ends the engine: the
   * journal was rolled back. A position of another journal, or without the name of its journal, does neither:
   * the peer is refused. Resolves with the problem; undefined if this engine finds none.
   */
  async present(place: RememberedPlace): Promise<string | undefined> {
    const { journal, position, epoch } = place
    const own = this.#journal
    if (journal !== undefined && own !== undefined && journal !== own) return otherJournal(journal, own)
    if (journal !== undefined) this.#presented.note(place)
    const lead = this.#lead
    if (lead === undefined || position === 0) return undefined
    const { tail } = lead.engine
    if (epoch > tail.epoch) {
      const why = `epoch ${epoch} has begun: another engine leads`
      if (journal !== undefined) lead.journal.depose(why)
      return why
    }
    const held = { journal: lead.journal, tail }
    const verdict = await this.#presented.judge(place, held, () => this.#lead !== lead)
    if (verdict?.fault !== undefined) this.halt(verdict.fault)
    return verdict?.problem
  }

  /**
   * After a restart this engine must still have the presented position, since its peers may be lost by then.
   */
  #keepPresented(): void {
    const own = this.#replica.remembered
    const told = this.#presented.toRemember(own)
    if (told !== own) this.#options.witness.reset(told)
  }

  #newDiscovery(): LeaderDiscovery {
    const { claiming, machines, digest, scheduler, searchLeader, onNote } = this.#options
    return new LeaderDiscovery({
      ...{ claiming, machines, digest, scheduler, searchLeader, watch: this.#watch },
      now: () => this.#options.clock.sources.monotonicMs(),
      known: () => ({ ...this.remembered, journal: this.#journal }),
      remembered: () => this.#replica.remembered,
      presented: () => this.#presented.highest,
      onFailed: (fault) => this.#failed(fault),
      onClaiming: () => {
        this.#failure = undefined
      },
      onNotClaimed: (problem) => onNote({ kind: 'NotClaimed', problem }),
    })
  }

  async #run(): Promise<StopReport> {
    let why = 'it has just started'
    while (!this.#isStopping) {
      this.#options.onNote({ kind: 'Seeking', why })
      const found = await this.#discovery.seek(this.#newPhase())
      if (found === undefined) break
      if (found.kind === 'LINK') {
        if (this.#isStopping) {
          found.link.close()
          break
        }
        why = await this.#follow(found.link)
        continue
      }
      const end = await this.#leadOn(found.journal)
      if (end.kind === 'STOPPED') return end.report
      why = end.why
    }
    if (this.#isHalted) return await this.#halted.promise
    return { snapshotProblem: await this.#saveState() }
  }

  #newPhase(): Loss {
    this.#phase = new Loss()
    if (this.#isStopping) this.#phase.happened('it is stopping')
    return this.#phase
  }

  /**
   * Saves the current state, so that the next start begins there; returns the reason if it could not be
   * saved.
   */
  async #saveState(): Promise<string | undefined> {
    const { snapshots, digest } = this.#options
    const { machine, tail } = this.#replica
    const [newest] = (await snapshots.list()).heads
    if (tail.seq <= (newest?.seq ?? 0)) return undefined
    return trySave(snapshots, takeSnapshot(machine, tail, digest))
  }

  /** Follows a leader until it is lost; returns the reason. */
  async #follow(link: LeaderLink): Promise<string> {
    const { name: leader, epoch } = link
    const loss = this.#newPhase()
    void link.lost.then((cause) => loss.happened(`the link to ${leader} ended: ${messageOf(cause)}`))
    const { scheduler } = this.#options
    const silenceMs = this.#patience.ms
    const leaderTimeout = new LeaderTimeout({
      ...{ scheduler, silenceMs, watch: this.#watch },
      onSilent: () => {
        this.#patience.spent()
        loss.happened(`${leader} has sent nothing for ${silenceMs} ms`)
      },
    })
    try {
      // A deposed leader that has not noticed it has less than this engine.
      if (epoch < this.#replica.remembered.epoch) return `${leader} leads an epoch that is over`
      return await this.#pull(link, loss, leaderTimeout)
    } finally {
      leaderTimeout.end()
      link.close()
      this.#feed.pause()
    }
  }

  async #pull(link: LeaderLink, loss: Loss, leaderTimeout: LeaderTimeout): Promise<string> {
    const { name: leader, epoch, feed, confirmed } = link
    const { remembered } = this.#replica
    if (confirmed.position < remembered.position) {
      const found = `${leader} has only confirmed position ${confirmed.position} of the journal`
      throw new JournalFault('WITNESS', `position ${remembered.position} is remembered, but ${found}`)
    }
    if (this.#replica.tail.position === 0) {
      const why = await orLost(loss, () => this.#copySnapshot(link))
      if (typeof why === 'string') return why
    }
    const quarantined = await orLost(loss, () => feed.quarantined())
    if (typeof quarantined === 'string') return quarantined
    this.#discovery.doubt = undefined
    this.#feed.follow('LEADER', feed, quarantined)
    this.#options.onNote({ kind: 'Following', leader, epoch })
    for (;;) {
      if (this.#replica.tail.position >= confirmed.position) this.#hasCaughtUp()
      const batches = await orLost(loss, () => feed.next(this.#replica.tail.seq, READ_BYTES_MAX))
      if (typeof batches === 'string') return batches
      leaderTimeout.heard()
      this.#replica.apply(batches, quarantined)
      // Followers read this engine's own journal.
      if (batches.length > 0) this.#know(link.journal)
      this.#feed.advance()
    }
  }

  /** Throws `JournalFault` if it cannot be stored. */
  #know(journal: string): void {
    if (this.#journal === journal) return
    this.#options.knownJournal.write(journal)
    this.#journal = journal
    this.#presented.forgetOthers(journal)
  }

  #hasCaughtUp(): void {
    this.#discovery.isWarm = true
    this.#caughtUp.resolve(this.#replica.tail.seq)
  }

  async #copySnapshot(link: LeaderLink): Promise<true> {
    if (await link.copySnapshot(this.#options.snapshots)) {
      await this.#replica.readCopied()
      this.#options.onNote({ kind: 'SnapshotCopied', seq: this.#replica.tail.seq })
    }
    return true
  }

  /** Leads on a claimed journal until the engine is stopped or loses the lead. */
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
      // From now on other engines can lead.
      host.ended(undefined)
      const { machine } = this.#replica
      const snapshot = takeSnapshot(machine, engine.tail, this.#options.digest)
      const snapshotProblem = await trySave(this.#options.snapshots, snapshot)
      return { kind: 'STOPPED', report: { snapshotProblem } }
    } catch (cause) {
      const lead = this.#lead
      this.#lead = undefined
      host?.ended(cause)
      // The engine failed, or the journal could not be read, for another reason: the state cannot be trusted.
      // This may coincide with a failure of the journal, and then the machine may have stopped in the middle
      // of a command.
      if (this.#failure === undefined || !(cause instanceof JournalFault)) {
        await journal.close()
        throw cause
      }
      if (lead !== undefined) this.#replica.moveTo(lead.engine.tail)
      this.#discovery.doubt = journal.doubt
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
    const [first] = await journal.read(0 as Seq, 0)
    const name = journalName(first?.hash ?? journal.tail.hash)
    this.#know(name)
    const { quarantined, newlyQuarantined } = await catchUp({
      ...{ journal, digest },
      replica: this.#replica,
      presentedPosition: () => this.#presented.highest?.position ?? 0,
      // Gateways and other engines reconnect within this time, and present the positions that they have seen.
      untilPresented: () => new Promise((resolve) => scheduler.later(resolve, 3 * claiming.silenceMs)),
      onApplied: () => this.#feed.advance(),
    })
    this.#discovery.isWarm = true
    const { machine, tail } = this.#replica
    const { rulesVersion } = machine
    const isNew = machine.assetCount === 0 && rulesVersion === machines.empty().rulesVersion
    return {
      ...{ epoch: tail.epoch, tail, rulesVersion, isNew, quarantined, newlyQuarantined },
      journal: name,
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
    // Handles a failure that happened during the catch-up.
    if (this.#failure !== undefined) engine.probe()
    const { highest } = this.#presented
    if (highest !== undefined) void this.present(highest)
    if (this.#isHalted) void journal.giveUp('it has halted')
    else if (this.#isStopping) engine.stop()
    return engine
  }

  #failed(fault: JournalFault): void {
    this.#failure = fault
    this.#lead?.engine.probe()
  }
}

/** The result of `ask`; a sentence if the leader was lost before the answer, or cannot answer. */
function orLost<Answer>(loss: Loss, ask: () => Promise<Answer>): Promise<Answer | string> {
  return loss.or<Answer | string>(() =>
    ask().catch((cause: unknown) => {
      if (cause instanceof JournalFault && cause.kind === 'DAMAGED') throw cause
      return `the leader sends no more: ${messageOf(cause)}`
    }),
  )
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
