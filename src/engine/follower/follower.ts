/**
 * A second replay of the same journal, beside the engine: it pulls durable batches at its own pace, applies
 * them to its own machine, projects the events into history and saves snapshots, so that the writer never
 * pauses for either. It has no threads, clocks or files.
 */
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { HistoryFault, type HistoryRecords, type HistoryStore } from '../history/history.ts'
import { HistoryProjection } from '../history/history-projection.ts'
import { EngineFault } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import {
  type Batch,
  type Digest,
  hexOf,
  lastSeqOf,
  type Mark,
  sizeOf,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import type { SnapshotStore } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { type ReplayedCommand, replayBatch } from '../writer/recovery/replay.ts'
import { chooseStart, type ReplayStart } from '../writer/recovery/replay-start.ts'
import { ChainCheck } from './chain-check.ts'
import type { FollowerLimits } from './limits.ts'
import type { FollowerNote } from './note.ts'
import { assertSamePlace, checkedPosition, otherJournal } from './position.ts'
import { SelfAudit } from './self-audit.ts'
import { SnapshotKeeper, StateDivergedFault } from './snapshot-keeper.ts'

export type FollowerOptions = {
  readonly feed: BatchFeed
  readonly history: HistoryStore
  readonly snapshots: SnapshotStore
  readonly factory: StateMachineFactory
  readonly digest: Digest
  readonly limits: FollowerLimits
  /** The end of the journal when the engine started. */
  readonly journalEnd: Seq
  /** An operator restored a backup: history is rebuilt from the journal as it is. */
  readonly acceptJournalTail: boolean
  /** Resolves when it is worth trying again to write to full storage. */
  readonly untilRetry: () => Promise<void>
  /**
   * Resolves when the next pull is due, if the follower is not behind. If undefined, a pull is due at once.
   */
  readonly untilDue?: () => Promise<void>
  /**
   * Resolves when a follower that is not behind may read its state from a snapshot: that can keep a core busy
   * for seconds. If undefined, it may do so at once.
   */
  readonly untilWanted?: () => Promise<void>
  /**
   * Called when the history has reached command `seq`; first called with its position at the start, before
   * any state is read.
   */
  readonly onAdvance: (seq: Seq) => void
  readonly onNote: (note: FollowerNote) => void
}

export class Follower {
  readonly #options: FollowerOptions
  readonly #machine: StateMachine
  readonly #projection: HistoryProjection
  readonly #quarantined: ReadonlySet<Seq>
  readonly #snapshots: SnapshotKeeper
  readonly #audit = new SelfAudit()
  /** The position of the machine. */
  #tail: Tail
  /** The position of the history; the machine is behind it only while it replays from an older snapshot. */
  #history: Mark
  readonly #chain: ChainCheck
  /** The last command after which the engine's state was found to be the same. */
  #confirmedSeq = 0 as Seq
  /** The reason why no further command is applied. */
  #failure: StateDivergedFault | HistoryFault | undefined
  #finishAt = Number.POSITIVE_INFINITY
  /** Resolves when full storage is tried again; undefined if storage was not full. */
  #untilRoom: Promise<void> | undefined
  #interrupt: (() => void) | undefined

  /**
   * Determines the position of history, then chooses where to start. Rejects with `HistoryFault`,
   * `JournalFault` or `EngineFault`.
   */
  static async open(options: FollowerOptions): Promise<Follower> {
    const { snapshots, journalEnd, onNote, untilWanted } = options
    const { position, dropped } = await checkedPosition(options)
    if (dropped !== undefined) onNote({ kind: 'HistoryDropped', seq: dropped })
    const { heads, damaged } = await snapshots.list()
    for (const { name, problem } of damaged) onNote({ kind: 'SnapshotDamaged', name, problem })
    const usable = heads.filter((head) => head.seq <= journalEnd)
    for (const { seq, journalHash } of usable) assertSamePlace({ seq, hash: journalHash }, position)
    options.onAdvance(position.seq)
    if (position.seq === journalEnd) await untilWanted?.()
    const onDamaged = (name: string, problem: string): void =>
      onNote({ kind: 'SnapshotDamaged', name, problem })
    const start = await chooseStart({ ...options, onDamaged }, usable, position)
    assertSamePlace(start.tail, position)
    return new Follower(options, start, position, await options.feed.quarantined())
  }

  private constructor(
    options: FollowerOptions,
    start: ReplayStart,
    history: Mark,
    quarantined: ReadonlySet<Seq>,
  ) {
    this.#options = options
    this.#machine = start.machine
    this.#tail = start.tail
    this.#history = history
    this.#quarantined = quarantined
    this.#snapshots = new SnapshotKeeper(options, start)
    const { feed, digest, limits } = options
    this.#chain = new ChainCheck({ feed, digest, pieceBytesMax: limits.pullBytesMax }, start.tail)
    this.#projection = new HistoryProjection(start.machine)
    options.history.watch?.((fault) => {
      if (fault.kind === 'STORAGE_FULL') void this.#noteFull(fault)
      else this.#fail(fault)
    })
  }

  /** The last command that history contains. */
  get position(): Seq {
    return this.#history.seq
  }

  /**
   * Follows until `finish`, or until the engine shuts down cleanly; then makes a snapshot (history flushed
   * before) and resolves with the position reached. Rejects with the fault that ended it.
   */
  async run(): Promise<Seq> {
    while (this.#tail.seq < this.#finishAt) {
      const batches = await this.#pull()
      if (batches === undefined) break
      await this.#take(batches)
      if (this.#snapshots.isDue(this.#tail.seq)) await this.#snapshots.save(this.#tail)
      await this.#pause(batches)
    }
    if (this.#failure !== undefined) throw this.#failure
    if (this.#snapshots.isBehind(this.#tail.seq)) await this.#snapshots.save(this.#tail)
    return this.#tail.seq
  }

  /**
   * Adds up the next piece of the balances as of the last complete batch; to be called periodically. It takes
   * some milliseconds, in which nothing else happens, and longer if one asset has many accounts.
   */
  audit(): void {
    for (const alarm of this.#audit.step(this.#machine))
      this.#options.onNote({ kind: 'AuditFailed', ...alarm })
  }

  /**
   * The command up to which the balances of every asset were found correct; undefined if not all have been
   * checked.
   */
  get reconciledSeq(): Seq | undefined {
    return this.#audit.reconciledSeq(this.#machine.assetCount)
  }

  /**
   * Checks the next piece of the journal before the start of this replay; returns whether there is more.
   * Must be called periodically.
   */
  async checkChain(): Promise<boolean> {
    const { onNote } = this.#options
    const { seq } = this.#chain.until
    if (seq === 0) return false
    try {
      await this.#chain.step()
      if (this.#chain.isDone) onNote({ kind: 'JournalConfirmed', seq })
      return !this.#chain.isDone
    } catch (fault) {
      // An engine that has ended reads nothing more; an overloaded engine answers later.
      if (fault instanceof EngineFault) return fault.kind === 'OVERLOADED'
      onNote({ kind: 'JournalDamaged', message: fault instanceof Error ? fault.message : String(fault) })
      return false
    }
  }

  /**
   * Requests the hash of the engine's state after the last batch and compares it with the follower's; to be
   * called periodically. If they differ, `run` rejects with `StateDivergedFault`. Does nothing while the
   * engine is ahead or busy, or if the state, when last encoded, was too large to compare cheaply.
   */
  async compareWithEngine(): Promise<void> {
    const { feed, onNote } = this.#options
    const { seq } = this.#tail
    if (seq === this.#confirmedSeq || this.#isTooLarge) return
    const ours = this.#snapshots.encode(this.#tail)
    if (this.#isTooLarge) return
    const theirs = await feed.stateHash(seq).catch((fault: unknown) => {
      if (fault instanceof EngineFault) return undefined
      throw fault
    })
    if (theirs === undefined) return
    this.#confirmedSeq = seq
    if (sameBytes(ours.stateHash, theirs)) {
      onNote({ kind: 'EngineConfirmed', seq })
      return
    }
    const found = `replayed ${hexOf(ours.stateHash)}, the engine has ${hexOf(theirs)}`
    this.#fail(new StateDivergedFault(`the states after command ${seq} differ: ${found}`))
  }

  #fail(cause: StateDivergedFault | HistoryFault): void {
    this.#failure ??= cause
    this.#interrupt?.()
  }

  get #isTooLarge(): boolean {
    return this.#snapshots.encodedBytes > this.#options.limits.compareBytesMax
  }

  /** Lets `run` end once command `seq` has been applied. */
  finish(seq: Seq): void {
    this.#finishAt = seq
    if (this.#tail.seq >= seq) this.#interrupt?.()
  }

  /** The next batches; undefined when no more are to be processed. */
  #pull(): Promise<readonly Batch[] | undefined> {
    const { feed, limits } = this.#options
    return new Promise((resolve, reject) => {
      this.#interrupt = () => resolve(undefined)
      if (this.#failure !== undefined) this.#interrupt()
      feed.next(this.#tail.seq, limits.pullBytesMax).then(resolve, (fault: unknown) => {
        if (fault instanceof EngineFault && fault.kind === 'STOPPING') resolve(undefined)
        else reject(fault)
      })
    })
  }

  /**
   * Waits, so that the next pull gets more commits, unless this pull was so large that there must be more
   * already.
   */
  async #pause(batches: readonly Batch[]): Promise<void> {
    const { untilDue, limits } = this.#options
    const bytes = batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
    const isBehind = bytes * 2 >= limits.pullBytesMax
    if (untilDue === undefined || isBehind || this.#tail.seq >= this.#finishAt) return
    await new Promise<void>((resolve, reject) => {
      this.#interrupt = resolve
      untilDue().then(resolve, reject)
    })
  }

  async #take(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) {
      this.#apply(batch)
      if (this.#tail.seq <= this.#history.seq) {
        assertSamePlace(this.#tail, this.#history)
        // History already contains the batch.
        this.#projection.drain()
      }
      await this.#snapshots.compare(this.#tail)
    }
    if (this.#tail.seq <= this.#history.seq) return
    const end = { seq: this.#tail.seq, hash: this.#tail.hash }
    await this.#append(this.#projection.drain(), end)
    this.#history = end
    this.#options.onAdvance(this.#history.seq)
  }

  /** Applies one batch; its records stay in the projection until it is drained. */
  #apply(batch: Batch): void {
    const before = this.#tail.seq
    this.#tail = verifyBatch(this.#options.digest, this.#tail, batch)
    if (before < this.#history.seq && this.#history.seq < this.#tail.seq) {
      const range = `${batch.firstSeq} to ${lastSeqOf(batch)}`
      throw otherJournal(`history ends at command ${this.#history.seq}, in the middle of batch ${range}`)
    }
    replayBatch(this.#machine, batch, this.#quarantined, this.#projection.sink, this.#note)
    this.#snapshots.countApplied(batch.data.length)
  }

  readonly #note = (replayed: ReplayedCommand): void => this.#projection.note(replayed)

  async #append({ trades, ...besides }: HistoryRecords, end: Mark): Promise<void> {
    for (;;) {
      try {
        return await this.#options.history.append(trades, end, besides)
      } catch (fault) {
        const isWorthWaiting = fault instanceof HistoryFault && fault.kind === 'STORAGE_FULL'
        if (!isWorthWaiting || this.#finishAt !== Number.POSITIVE_INFINITY) throw fault
        await this.#noteFull(fault)
      }
    }
  }

  /** Full storage is reported only once per retry; resolves when a retry is worthwhile. */
  #noteFull({ message }: HistoryFault): Promise<void> {
    if (this.#untilRoom !== undefined) return this.#untilRoom
    const { onNote, untilRetry } = this.#options
    onNote({ kind: 'StorageFull', what: 'history', message })
    this.#untilRoom = untilRetry().finally(() => {
      this.#untilRoom = undefined
    })
    return this.#untilRoom
  }
}
