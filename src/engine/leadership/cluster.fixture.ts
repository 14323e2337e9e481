/** Engines of a cluster in one thread, on one table in memory, for tests: each finds the leader at once. */

import { MemoryKnownJournal } from '../../../sim/memory/known-journal.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { MemoryWitness } from '../../../sim/memory/witness.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { EngineClient } from '../port/client.ts'
import { writeFrame } from '../port/frames.ts'
import type { JournalPosition } from '../port/journal.ts'
import { DEFAULT_ENGINE_LIMITS } from '../port/limits.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { EnginePort } from '../port/ports.ts'
import type { RequestNumber } from '../port/request-client.ts'
import type { EngineRequest, OutgoingRequest } from '../port/requests.ts'
import type { StateMachineFactory } from '../port/state-machine.ts'
import type { RunningEngine, StopReport } from '../writer/compose.ts'
import { DEFAULT_CLOCK_LIMITS } from '../writer/journal-clock.ts'
import type { Scheduler } from '../writer/loop.ts'
import { CLAIM_NONCE_BYTES } from '../writer/own-batches.ts'
import { decodeFrame } from '../writer/recovery/replay.ts'
import { ClusterEngine } from './cluster-engine.ts'
import type { ClusterNote, LeaderLink, LeaderSearch, LeadHost, LeadReport } from './cluster-ports.ts'
import type { OpenTable } from './leadership-table.ts'
import type { VirtualTime } from './virtual-time.fixture.ts'

export type MemberOptions = {
  readonly snapshots?: MemorySnapshots
  readonly witness?: MemoryWitness
  readonly knownJournal?: MemoryKnownJournal
  readonly machines?: StateMachineFactory
}

export class Member {
  readonly name: string
  readonly notes: ClusterNote[] = []
  readonly snapshots: MemorySnapshots
  readonly witness: MemoryWitness
  readonly knownJournal: MemoryKnownJournal
  readonly engine: ClusterEngine
  readonly ended: Promise<StopReport>
  /** The current lead; undefined while the engine does not lead. */
  lead:
    | { readonly report: LeadReport; readonly running: RunningEngine; readonly port: EnginePort }
    | undefined
  /** Ends the links of its followers, as when its process is lost. */
  readonly #cuts = new Set<() => void>()
  readonly #cluster: Cluster

  static async start(cluster: Cluster, name: string, options: MemberOptions = {}): Promise<Member> {
    const snapshots = options.snapshots ?? new MemorySnapshots()
    const witness = options.witness ?? new MemoryWitness()
    const knownJournal = options.knownJournal ?? new MemoryKnownJournal()
    // A member is built from an engine that reports to it.
    const started: { member?: Member } = {}
    const engine = await ClusterEngine.open({
      claiming: {
        openTable: () => cluster.openTable(name),
        name,
        nonce: () => crypto.getRandomValues(new Uint8Array(CLAIM_NONCE_BYTES)),
        silenceMs: cluster.silenceMs,
        heartbeatMs: cluster.heartbeatMs,
      },
      searchLeader: () => cluster.search(name),
      machines: options.machines ?? ANY_EXCHANGES,
      snapshots,
      witness,
      knownJournal,
      digest: sha256,
      clock: {
        sources: { wall: () => Date.now() as TimeMs, monotonicMs: cluster.monotonicMs },
        limits: DEFAULT_CLOCK_LIMITS,
        readEveryMs: undefined,
      },
      scheduler: cluster.scheduler,
      limits: DEFAULT_ENGINE_LIMITS,
      idleDelayMs: 10,
      beginLead: (report) => (started.member as Member).begin(report),
      onNote: (note) => started.member?.notes.push(note),
    })
    started.member = new Member(cluster, name, engine, { snapshots, witness, knownJournal })
    return started.member
  }

  private constructor(
    cluster: Cluster,
    name: string,
    engine: ClusterEngine,
    disk: Required<Pick<MemberOptions, 'snapshots' | 'witness' | 'knownJournal'>>,
  ) {
    this.#cluster = cluster
    this.name = name
    this.engine = engine
    this.snapshots = disk.snapshots
    this.witness = disk.witness
    this.knownJournal = disk.knownJournal
    this.ended = engine.run()
    this.ended.catch(() => {})
  }

  /** Presents a position, as another part of the cluster that remembers it does. */
  present(position: JournalPosition): Promise<string | undefined> {
    return this.engine.present({ ...position, journal: this.#cluster.journal })
  }

  begin(report: LeadReport): LeadHost {
    this.#cluster.journal = report.journal
    let running: RunningEngine | undefined
    const client = new EngineClient({
      inFlightMax: 10_000,
      send: (request, outgoing) => {
        const fault = running?.offer(framed(request, outgoing)) ?? undefined
        if (running !== undefined && fault === undefined) return
        const answer = { kind: 'fault', request, fault: fault ?? 'ENGINE_DOWN' } as const
        queueMicrotask(() => client.receive({ events: undefined, answers: [answer] }))
      },
    })
    return {
      output: (output) => client.receive(output),
      started: (engine) => {
        running = engine
        client.open()
        engine.begin()
        this.lead = { report, running: engine, port: client }
      },
      ended: () => {
        this.lead = undefined
        client.lose()
        this.cut()
      },
    }
  }

  /** A link from another engine. */
  link(): LeaderLink | undefined {
    const { lead } = this
    if (lead === undefined) return undefined
    const lost = Promise.withResolvers<string>()
    const cut = (): void => lost.resolve('cut')
    this.#cuts.add(cut)
    return {
      name: this.name,
      epoch: lead.report.epoch,
      journal: lead.report.journal,
      confirmed: lead.running.tail,
      feed: this.engine.feed,
      lost: lost.promise,
      copySnapshot: async (store) => {
        const [head] = (await this.snapshots.list()).heads
        if (head === undefined) return false
        const snapshot = await this.snapshots.load(head)
        if (!('payload' in snapshot)) return false
        await store.save(snapshot)
        return true
      },
      close: () => void this.#cuts.delete(cut),
    }
  }

  cut(): void {
    for (const cut of this.#cuts) cut()
    this.#cuts.clear()
  }
}

export type ClusterOptions = {
  readonly silenceMs?: number
  readonly heartbeatMs?: number
  /** Time that advances only when a test advances it; undefined for the runtime's. */
  readonly time?: VirtualTime
}

/** Engines that share a table. */
export class Cluster {
  readonly silenceMs: number
  readonly heartbeatMs: number
  readonly members: Member[] = []
  /** The name of the journal that was last led. */
  journal: string | undefined
  readonly scheduler: Scheduler
  readonly monotonicMs: () => number
  readonly #openTable: (name: string) => ReturnType<OpenTable>

  constructor(
    openTable: (name: string) => ReturnType<OpenTable>,
    { silenceMs = 120, heartbeatMs = 20, time }: ClusterOptions = {},
  ) {
    this.#openTable = openTable
    this.scheduler = time?.scheduler ?? runtimeScheduler
    this.monotonicMs = time === undefined ? () => performance.now() : () => time.nowMs
    this.silenceMs = silenceMs
    this.heartbeatMs = heartbeatMs
  }

  openTable(name: string): ReturnType<OpenTable> {
    return this.#openTable(name)
  }

  async start(name: string, options: MemberOptions = {}): Promise<Member> {
    const member = await Member.start(this, name, options)
    this.members.push(member)
    return member
  }

  get leader(): Member | undefined {
    return this.members.find(({ lead }) => lead !== undefined)
  }

  /** Finds the engine with the highest epoch among those that still act as leader. */
  search(name: string): LeaderSearch {
    const found = Promise.withResolvers<LeaderLink>()
    const look = (): void => {
      const leaders = this.members.filter((one) => one.name !== name && one.lead !== undefined)
      const [newest] = leaders.sort((a, b) => (b.lead?.report.epoch ?? 0) - (a.lead?.report.epoch ?? 0))
      const link = newest?.link()
      if (link !== undefined) found.resolve(link)
      else cancel = this.scheduler.later(look, 5)
    }
    let cancel = this.scheduler.later(look, 0)
    return { found: found.promise, end: () => cancel() }
  }

  async stop(): Promise<void> {
    for (const { engine } of this.members) engine.stop()
    await Promise.allSettled(this.members.map(({ ended }) => ended))
  }
}

function framed(request: RequestNumber, outgoing: OutgoingRequest): EngineRequest {
  if (outgoing.kind === 'query') return { ...outgoing, request }
  const writer = new ByteWriter(256)
  writeFrame(writer, outgoing.command)
  const frame = writer.take()
  return { ...outgoing, request, command: decodeFrame(frame), frame }
}
