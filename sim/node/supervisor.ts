/**
 * Runs the exchange as an operator would: starts it, restarts it after it fails, restores the data that a
 * broken disk lost, or accepts the loss. It reads directly from the disk the data that a start must find, and
 * judges each start by that.
 */

import type { NodeExchange } from '../../src/app/node/exchange.ts'
import type { EventBatch } from '../../src/core/events/event.ts'
import { DEFAULT_FOLLOWER_LIMITS } from '../../src/engine/follower/limits.ts'
import type { FollowerNote } from '../../src/engine/follower/note.ts'
import { type Batch, hexOf, JournalFault, lastSeqOf } from '../../src/engine/port/journal.ts'
import type { ClockReading } from '../../src/engine/writer/journal-clock.ts'
import { type Seq, seq, type TimeMs } from '../../src/units/quantities.ts'
import type { Canary } from '../canary/canary.ts'
import type { Replicas } from '../checkers/replicas.ts'
import { demand } from '../checkers/shadow-state.ts'
import type { Coverage } from '../coverage.ts'
import type { Faults } from '../faults.ts'
import type { Profile } from '../profile.ts'
import { Disk, type PowerCut } from '../storage/disk.ts'
import { HistoryMedium, simulatedHistory } from '../storage/history.ts'
import { Io } from '../storage/io.ts'
import { SimulatedJournal } from '../storage/journal.ts'
import { SimulatedSnapshots, snapshotHeads } from '../storage/snapshots.ts'
import { readStored } from '../storage/stored-journal.ts'
import { SimulatedWitness, WITNESS, witnessedMark } from '../storage/witness.ts'
import type { Random } from '../world/random.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'
import { FOREVER } from '../world/schedule.ts'
import { ViolationError } from '../world/trace.ts'
import { causeOfDeath, isExplainedDeath, messageOf } from './death.ts'
import { startNode } from './node.ts'

/** Wall-clock time at the start of the run. */
const EPOCH_MS = 1_700_000_000_000
/**
 * Number of batches at the journal's end that are checked before every start; the end of a run checks all of
 * them.
 */
const RECENT_BATCHES = 50

/**
 * Interval at which engine and follower compare their states, in simulated time: shorter than on a real node.
 */
const COMPARE_EVERY_MS = 1_000

/** The refusal of a journal that lacks what a witness, a snapshot or history has. */
const OTHER_JOURNAL = /journal ends at|, but the journal has /

export type SupervisorParts = {
  readonly schedule: Schedule
  readonly random: Random
  /** Decides what a power cut loses. */
  readonly losses: Random
  readonly profile: Profile
  readonly faults: Faults
  readonly coverage: Coverage
  readonly canary: Canary
  readonly replicas: Replicas
  readonly say: (line: string) => void
  readonly onBatch: (batch: EventBatch) => void
  readonly onPassed: (time: TimeMs) => void
  readonly onClock: (reading: ClockReading) => void
  readonly onUp: (node: NodeExchange) => void
  readonly onDown: () => void
  /** Called when a process starts from the commands applied before. */
  readonly onStart: () => void
  /** Called when the process has replayed the journal, and serves. */
  readonly onRecovered: () => void
  /** Called when an operator accepted the loss of everything after `seq`. */
  readonly onForget: (seq: number) => void
  /** Called for a violation that was found outside an event of its own. */
  readonly onViolation: (violation: ViolationError) => void
}

export class Supervisor {
  readonly disk = new Disk()
  readonly medium = new HistoryMedium()
  readonly #parts: SupervisorParts
  #life: Lifetime = { isOver: true }
  #node: NodeExchange | undefined
  #acceptTail = false
  /** The disk lied about a sync before the last power cut. */
  #hasLied = false
  /**
   * Positions that are remembered on the disk and missing in its journal, as this checker reads them;
   * undefined if there are none.
   */
  #missing: string | undefined

  constructor(parts: SupervisorParts) {
    this.#parts = parts
  }

  /** The node, while it serves. */
  get node(): NodeExchange | undefined {
    return this.#node
  }

  /** The newest command that the engine's own witnesses remember; history belongs to the follower. */
  get engineRemembers(): number {
    return Math.max(witnessedMark(this.disk)?.seq ?? 0, ...snapshotHeads(this.disk).map((head) => head.seq))
  }

  /** Whether a disk lied about a sync and its losses are not known yet. */
  get hasLied(): boolean {
    return this.#hasLied
  }

  get life(): Lifetime {
    return this.#life
  }

  /** Time of the machine's clock. */
  get wall(): TimeMs {
    const { schedule, faults } = this.#parts
    return Math.max(0, EPOCH_MS + Math.floor(schedule.now) + faults.clockOffsetMs) as TimeMs
  }

  /** Starts a process now, on the current contents of the disk. */
  start(): void {
    const { schedule, faults, profile, replicas, canary, say, onStart } = this.#parts
    onStart()
    const life: Lifetime = { isOver: false }
    this.#life = life
    const io = new Io(this.disk, schedule, life, faults)
    const acceptJournalTail = this.#acceptTail
    const starting = startNode({
      schedule,
      life,
      openStorage: () =>
        canary.storage({
          journal: new SimulatedJournal(io, profile.logBytesMax, canary.syncsAtOpen),
          witness: new SimulatedWitness(io),
          snapshots: new SimulatedSnapshots(io, 'engine'),
        }),
      followerStorage: {
        snapshots: new SimulatedSnapshots(io, 'follower'),
        history: canary.history(simulatedHistory(this.medium, io)),
      },
      engineMachines: replicas.machines('engine'),
      followerMachines: replicas.machines('follower'),
      clock: { wall: () => this.wall, monotonicMs: () => schedule.now },
      clockLimits: canary.clockLimits,
      onClock: (reading) => {
        if (!life.isOver) this.#parts.onClock(reading)
      },
      changeFeed: canary.feed,
      engineLimits: {
        batchRequestsMax: profile.batchRequestsMax,
        inboxRequestsMax: profile.inboxRequestsMax,
        recentBytesMax: profile.recentBytesMax,
      },
      followerLimits: {
        ...DEFAULT_FOLLOWER_LIMITS,
        pullBytesMax: 32 * 1024,
        snapshotCommands: profile.snapshotCommands,
        compareEveryMs: COMPARE_EVERY_MS,
      },
      idleDelayMs: 50,
      acceptJournalTail,
      threadDelayMs: () => faults.threadDelay(),
      followerDelayMs: () => faults.followerDelay(),
      onBatch: (batch) => this.#guard(() => this.#parts.onBatch(canary.batch(batch))),
      onPassed: (time) => this.#guard(() => this.#parts.onPassed(time)),
      onNote: (note) => this.#guard(() => this.#noted(note)),
    })
    starting.then(
      (node) => this.#guard(() => this.#started(node, life)),
      (cause: unknown) => this.#guard(() => this.#notStarted(cause, life)),
    )
    say(`start${acceptJournalTail ? ' --accept-journal-tail' : ''}`)
  }

  /** Kills the process now. With `cut` the power fails too, even if no process runs. */
  crash(reason: string, cut?: PowerCut): void {
    const { say, random, faults } = this.#parts
    const isDown = this.#life.isOver
    if (isDown && cut === undefined) return
    const lost = cut === undefined ? '' : `, power cut, ${this.#cutPower(cut)} sectors lost`
    say(`crash: ${reason}${lost}${isDown ? ', while it was down' : ''}`)
    if (isDown) return
    this.#life.isOver = true
    this.#down()
    if (!faults.isOver && faults.isDiskFull && random.chance(0.5)) faults.isDiskFull = false
    this.#restartLater()
  }

  /** Restores files of an older copy of the disk, as an operator would, while no process runs. */
  restore(older: Disk, names: readonly string[]): void {
    this.disk.takeOver(older, names)
    this.#hasLied = true
  }

  /** Stops in good order and starts again. */
  async restart(): Promise<void> {
    const node = this.#node
    const life = this.#life
    if (node === undefined || life.isOver) return
    this.#parts.say('stop')
    // Requests that pass a closing server must be refused by the engine.
    if (this.#parts.random.chance(0.5)) this.#down()
    await node.stop().catch(() => {})
    if (life.isOver) return
    life.isOver = true
    this.#down()
    this.#parts.say('stopped')
    this.#restartLater()
  }

  #cutPower(cut: PowerCut): number {
    const { losses } = this.#parts
    const hasLied = this.disk.liesAbout.size > 0
    const lost = this.disk.powerCut(losses, cut, new Set(hasLied ? [WITNESS] : []))
    this.medium.powerCut(losses)
    this.#hasLied ||= hasLied
    return lost
  }

  #restartLater(): void {
    const { schedule, random } = this.#parts
    schedule.after(random.between(1, 30), FOREVER, () => this.#guard(() => this.#checkAndStart()))
  }

  #checkAndStart(): void {
    const { batches } = readStored(this.disk)
    if (!this.#hasLied) this.#parts.replicas.checkStored(batches.slice(-RECENT_BATCHES))
    this.#missing = this.#memoryBeyond(batches)
    // Numbers jump from the next command on.
    if (this.#acceptTail) this.#forget(endSeqOf(batches))
    this.start()
  }

  #noted(note: FollowerNote): void {
    this.#parts.coverage.count(`note ${note.kind}`)
    const isAlarm = note.kind === 'AuditFailed' || note.kind === 'JournalDamaged'
    demand(!isAlarm, () => `a node raises an alarm for nothing: ${JSON.stringify(note)}`)
  }

  /** Forgets everything after `seq`: an operator accepted its loss. */
  #forget(seq: Seq): void {
    this.#parts.onForget(seq)
    this.#parts.replicas.forget(seq)
  }

  #down(): void {
    if (this.#node === undefined) return
    this.#node = undefined
    this.#parts.onDown()
  }

  #started(node: NodeExchange, life: Lifetime): void {
    const { coverage, replicas, say, onUp, onRecovered } = this.#parts
    if (life.isOver) return
    const { seq, snapshotSeq, newlyQuarantined } = node.recovery
    demand(
      this.#missing === undefined || this.#acceptTail,
      () => `the journal lacks what was acknowledged (${this.#missing}), and the node started all the same`,
    )
    if (this.#acceptTail) {
      this.#forget(seq)
      coverage.count('start accepted loss')
      // A start that read a batch and failed before it was witnessed has answered no client: a lying disk may
      // lose it.
    } else if (this.#hasLied) replicas.forget(seq)
    replicas.checkStarted(seq)
    this.#acceptTail = false
    this.#hasLied = false
    coverage.count(snapshotSeq > 0 ? 'start from snapshot' : 'start from journal')
    if (newlyQuarantined.length > 0) coverage.count('start quarantined')
    onRecovered()
    say(`started at command ${seq}, from snapshot ${snapshotSeq}`)
    this.#node = node
    void causeOfDeath(node).then((cause) => {
      if (life.isOver) return
      const message = messageOf(cause)
      say(`died: ${message}`)
      coverage.count('node died')
      this.#guard(() => {
        demand(isExplainedDeath(cause), () => `the node died, and no fault explains it: ${message}`)
      })
      this.crash('a part has died')
    })
    onUp(node)
  }

  #notStarted(cause: unknown, life: Lifetime): void {
    if (life.isOver) return
    if (cause instanceof ViolationError) throw cause
    const { coverage, say } = this.#parts
    const message = messageOf(cause)
    say(`start failed: ${message}`)
    life.isOver = true
    const isRefusal = OTHER_JOURNAL.test(message)
    if (isRefusal) {
      demand(this.#missing !== undefined, () => `nothing is missing, and the start was refused: ${message}`)
      coverage.count('start refused')
      this.#acceptTail = true
    } else {
      const isFailure = /input\/output error|no room|history has stopped/.test(message)
      demand(isFailure, () => `the start failed: ${message}`)
      coverage.count('start failed')
    }
    this.#restartLater()
  }

  /**
   * Positions that witness, snapshots and history remember beyond the end of the journal, or a position of
   * the witness that is not the end of a batch; undefined if there are none.
   */
  #memoryBeyond(batches: readonly Batch[]): string | undefined {
    const end = endSeqOf(batches)
    const remembered = Math.max(this.engineRemembers, this.medium.seq)
    if (remembered > end) return `remembered ${remembered}, the journal ends at ${end}`
    const mark = witnessedMark(this.disk)
    if (mark === undefined || mark.seq === 0) return undefined
    const isEnd = batches.some(
      (batch) => lastSeqOf(batch) === mark.seq && hexOf(batch.hash) === hexOf(mark.hash),
    )
    return isEnd ? undefined : `the witness's mark at ${mark.seq} ends no batch of the journal`
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (error instanceof ViolationError) this.#parts.onViolation(error)
      else if (error instanceof JournalFault) this.#parts.onViolation(new ViolationError(error.message))
      else throw error
    }
  }
}

/** The last command of a journal's batches; 0 if there is none. */
function endSeqOf(batches: readonly Batch[]): Seq {
  const last = batches.at(-1)
  return last === undefined ? seq(0) : lastSeqOf(last)
}
