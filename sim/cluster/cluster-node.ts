/** One engine process: the cluster's engine of a real node, with simulated links, table, disk and time. */

import { ClusterEngine } from '../../src/engine/leadership/cluster-engine.ts'
import type {
  ClusterEngineOptions,
  ClusterNote,
  KnownJournal,
  LeadReport,
} from '../../src/engine/leadership/cluster-ports.ts'
import { JournalFault, type JournalPosition } from '../../src/engine/port/journal.ts'
import { DEFAULT_ENGINE_LIMITS } from '../../src/engine/port/limits.ts'
import type { EngineOutput } from '../../src/engine/port/requests.ts'
import type { SnapshotStore } from '../../src/engine/port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import type { Witness } from '../../src/engine/port/witness.ts'
import type { RunningEngine } from '../../src/engine/writer/compose.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { searchLeader } from './leader-search.ts'
import { MACHINES, machinesWithBug } from './machines.ts'
import type { EngineMember, EngineWorld } from './member.ts'
import type { SimProcess } from './process.ts'
import { Served, type Wire } from './served.ts'

const HEARTBEAT_MS = 150
const SILENCE_MS = 700
const IDLE_MS = 250
const READ_EVERY_MS = 1_000
/** The name of the engine with another version, if there is one. */
const SKEWED = 'engine-1'
/** The wall-clock time at which a run starts. */
const BEGIN_MS = 1_900_000_000_000
const CLOCK_LIMITS = { jumpMaxMs: 10_000, startJumpMaxMs: 3_600_000 }

/** Data that survives the process. */
export type EngineDisk = {
  readonly witness: Witness
  readonly snapshots: SnapshotStore
  readonly knownJournal: KnownJournal
}

export type NodeEnd = {
  /** Called when the engine must not serve and needs an operator. */
  readonly halt: (why: JournalFault) => void
  readonly die: (why: unknown) => void
  readonly stopped: () => void
}

export class ClusterNode {
  readonly #host: EngineMember
  readonly #process: SimProcess
  readonly #disk: EngineDisk
  readonly #world: EngineWorld
  #engine: ClusterEngine | undefined
  #served: Served | undefined
  /** All machines created, newest first: the one at the expected position is the running one. */
  readonly #machines: StateMachine[] = []
  /** The position that the engine took as confirmed when it last connected. */
  #knownAtOpening: JournalPosition | undefined
  #nonces = 0

  constructor(host: EngineMember, process: SimProcess, disk: EngineDisk, world: EngineWorld, end: NodeEnd) {
    this.#host = host
    this.#process = process
    this.#disk = disk
    this.#world = world
    process.after(0, () => {
      void this.#run().then(end.stopped, (cause: unknown) => {
        if (cause instanceof JournalFault) end.halt(cause)
        else end.die(cause)
      })
    })
  }

  get isLeading(): boolean {
    return this.#served?.isOpen ?? false
  }

  /** Stops in good order, and hands over the leadership if the engine leads. */
  stop(): void {
    this.#engine?.stop()
  }

  /** `told` is called with the position that the other end remembers. */
  accept(wire: Wire, told: (remembered: JournalPosition) => void): void {
    wire.onMessage = (message) => {
      if (message.kind !== 'HELLO') return
      const { remembered } = message
      if (remembered !== undefined) {
        told(remembered)
        void this.#engine?.present(remembered)
      }
      if (this.#served?.isOpen) this.#served.serve(wire)
      else wire.send({ kind: 'NOT_LEADER' })
    }
  }

  async #run(): Promise<void> {
    this.#engine = await ClusterEngine.open(this.#options())
    await this.#engine.run()
  }

  #options(): ClusterEngineOptions {
    const { guards, network, database, random, isBuggy } = this.#world
    const { name } = this.#host
    const process = this.#process
    const { snapshots } = this.#disk
    return {
      claiming: {
        openTable: () => {
          this.#knownAtOpening = this.#engine?.remembered
          return guards.openTable(this.#world, process, database.primary)
        },
        name,
        nonce: () => guards.nonce(name, ++this.#nonces, random),
        silenceMs: SILENCE_MS,
        heartbeatMs: HEARTBEAT_MS,
      },
      searchLeader: (remembered) =>
        searchLeader({
          ...{ process, network, random },
          others: this.#world.engines().filter((one) => one !== this.#host),
          remembered: () => guards.presented(remembered()),
        }),
      machines: this.#watched(isBuggy ? machinesWithBug(name === SKEWED) : MACHINES),
      snapshots,
      witness: this.#watchedWitness(),
      knownJournal: this.#disk.knownJournal,
      digest: sha256,
      clock: {
        sources: { wall: () => (BEGIN_MS + process.now) as TimeMs, monotonicMs: () => process.now },
        limits: CLOCK_LIMITS,
        readEveryMs: READ_EVERY_MS,
      },
      scheduler: process.scheduler,
      limits: DEFAULT_ENGINE_LIMITS,
      idleDelayMs: IDLE_MS,
      beginLead: (report) => this.#beginLead(report),
      onNote: (note) => this.#note(note),
    }
  }

  #beginLead(report: LeadReport): Served {
    const { checker, database, count } = this.#world
    if (report.newlyQuarantined.length > 0) count('quarantined')
    checker.acknowledged(this.#host.name, report.tail)
    checker.opened(this.#host.name, this.#knownAtOpening, database.primary)
    const served = new Served({
      process: this.#process,
      journal: report.journal,
      feed: this.#world.guards.feed((this.#engine as ClusterEngine).feed),
      snapshots: this.#disk.snapshots,
      onOutput: (output, engine) => this.#given(output, engine),
      onEnded: () => {
        this.#served = undefined
      },
    })
    this.#served = served
    return served
  }

  #given({ events }: EngineOutput, engine: RunningEngine): void {
    if (events === undefined) return
    this.#world.checker.acknowledged(this.#host.name, engine.tail)
    this.#look(engine.tail)
  }

  #look(tail: JournalPosition): void {
    const machine = this.#machines.find(({ seq }) => seq === tail.seq)
    if (machine === undefined) return
    this.#world.count('state')
    this.#world.checker.state(this.#host.name, tail, sha256([machine.encodeSnapshot()]))
  }

  #watched(factory: StateMachineFactory): StateMachineFactory {
    const watch = (machine: StateMachine): StateMachine => {
      this.#machines.unshift(machine)
      return machine
    }
    return {
      empty: () => watch(factory.empty()),
      fromSnapshot: (payload) => watch(factory.fromSnapshot(payload)),
    }
  }

  /**
   * The witness records the confirmed position: before it is applied if this engine leads, afterwards if it
   * follows.
   */
  #watchedWitness(): Witness {
    const { witness } = this.#disk
    const seen = (mark: JournalPosition): void => {
      this.#world.checker.followed(this.#host.name, mark)
      if (!this.isLeading) this.#look(mark)
    }
    return {
      recall: () => witness.recall(),
      record: (mark) => {
        seen(mark)
        witness.record(mark)
      },
      reset: (mark) => witness.reset(mark),
      close: () => {},
    }
  }

  #note(note: ClusterNote): void {
    const { say, count } = this.#world
    const { name } = this.#host
    count(`note ${note.kind}`)
    say(`${name} ${sentenceOf(note)}`)
  }
}

function sentenceOf(note: ClusterNote): string {
  switch (note.kind) {
    case 'Seeking':
      return `seeks: ${note.why}`
    case 'Following':
      return `follows ${note.leader} in epoch ${note.epoch}`
    case 'NotClaimed':
      return `has not claimed: ${note.problem}`
    case 'Leading':
      return `leads epoch ${note.report.epoch} from position ${note.report.tail.position} on`
    case 'LeadLost':
      return `leads epoch ${note.epoch} no more: ${note.problem}`
    case 'SnapshotDamaged':
      return `finds ${note.damaged.name} damaged`
    case 'SnapshotCopied':
      return `has copied the snapshot of command ${note.seq}`
  }
}
