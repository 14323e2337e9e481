/**
 * One connection of an engine to the simulated database, as the port through which claims are made and
 * leaders confirmed. It answers as the PostgreSQL driver does if the server behaves the same way.
 */

import type {
  Insertion,
  LeaderHeartbeat,
  LeaderRow,
  LeadershipTable,
} from '../../src/engine/leadership/leadership-table.ts'
import {
  BATCH_OVERHEAD_BYTES,
  type Batch,
  EMPTY_TAIL,
  endOf,
  JournalFault,
  lastSeqOf,
  type Tail,
} from '../../src/engine/port/journal.ts'
import { upToBytes } from '../../src/engine/writer/recent-batches.ts'
import type { Seq } from '../../src/units/quantities.ts'
import type { Random } from '../world/random.ts'
import type { Schedule } from '../world/schedule.ts'
import type { Database } from './database.ts'
import type { Network } from './network.ts'
import type { SimProcess } from './process.ts'
import type { LogRecord, Server } from './server.ts'

export type TableWorld = {
  readonly schedule: Schedule
  readonly network: Network
  readonly database: Database
  readonly random: Random
  /** Counts the outcomes of statements. */
  readonly count: (cell: string) => void
  /** How long one statement may take. */
  readonly timeoutMs: number
  /** How long this statement's server process freezes before it begins. */
  readonly freezeMs: () => number
  /**
   * The database's own clock, which dates the leader's row and determines its age; any other clock is a bug
   * on purpose.
   */
  readonly clockMs?: (process: SimProcess) => number
  /** False is a deliberate bug: a position may be taken twice. */
  readonly isFenced?: boolean
  /** False is a deliberate bug: a claim waits for no standby. */
  readonly claimsWait?: boolean
}

/** Interval of the checks for standbys that have not yet reported a commit. */
const AGAIN_MS = 1

/** The outcome of a statement on the server. */
type Outcome<Value> = { readonly value: Value } | { readonly refused: 'TAKEN' | 'FULL' | 'STANDBY' }

export class SimTable implements LeadershipTable {
  readonly #world: TableWorld
  readonly #process: SimProcess
  readonly #server: Server
  readonly #serverLife: Server['life']
  #lost: JournalFault | undefined

  private constructor(world: TableWorld, process: SimProcess, server: Server) {
    this.#world = world
    this.#process = process
    this.#server = server
    this.#serverLife = server.life
  }

  /** Connects to the server at the address of the database, and checks that it is the declared one. */
  static async open(world: TableWorld, process: SimProcess, server: Server): Promise<SimTable> {
    const table = new SimTable(world, process, server)
    const found = await table.#ask(async () => ({ value: { role: server.role, waits: table.#waits() } }))
    if (found.role === 'STANDBY') throw new JournalFault('UNSUPPORTED', `${server.name} is a standby`)
    if (!found.waits) throw new JournalFault('UNSUPPORTED', 'synchronous_standby_names is nothing')
    return table
  }

  insert(batch: Batch): Promise<Insertion> {
    return this.#insert(batch, [`position ${batch.position}`], () => ({ batch, leader: undefined }))
  }

  insertClaim(claim: Batch, name: string): Promise<Insertion> {
    const locks = [`position ${claim.position}`, 'leader']
    return this.#insert(claim, locks, () => {
      const leader = { epoch: claim.epoch, name, heardAt: this.#clockMs() }
      return { batch: claim, leader }
    })
  }

  async confirm(): Promise<string | undefined> {
    const begun = this.#process.now
    const { standbys, confirmations } = this.#world.database.declared
    let end: number | undefined
    for (;;) {
      const at = end
      const found = await this.#ask(async () => {
        const written = at ?? this.#server.log.length
        const passed = standbys.filter((name) => (this.#server.flushed.get(name) ?? 0) >= written).length
        return { value: { written, passed, waits: this.#waits() } }
      })
      if (!found.waits) return 'synchronous_standby_names is nothing'
      if (found.passed >= confirmations) return undefined
      if (this.#process.now - begun > this.#world.timeoutMs)
        return `${found.passed} of the named standbys have it`
      end = found.written
      await this.#process.sleep(AGAIN_MS)
    }
  }

  readTail(): Promise<Tail> {
    return this.#read((batches) => {
      const last = batches.at(-1)
      return last === undefined ? EMPTY_TAIL : endOf(last)
    })
  }

  readAt(position: number): Promise<Batch | undefined> {
    return this.#read((batches) => batches.find((batch) => batch.position === position))
  }

  lastSeqAt(position: number): Promise<Seq | undefined> {
    return this.#read((batches) => {
      const batch = batches.find((one) => one.position === position)
      return batch && lastSeqOf(batch)
    })
  }

  readFrom(first: number, last: number, maxBytes: number): Promise<readonly Batch[]> {
    return this.#read((batches) => {
      const wanted = batches.filter(({ position }) => position >= first && position <= last)
      return upToBytes(wanted, 0, Math.max(maxBytes, BATCH_OVERHEAD_BYTES))
    })
  }

  readOwn(): Promise<readonly Batch[]> {
    return this.#read((batches) => batches.filter(({ kind }) => kind !== 'COMMANDS'))
  }

  async leader(): Promise<LeaderRow> {
    return this.#ask(async () => {
      const { epoch, name, heardAt } = this.#server.leader()
      const heardMsAgo = heardAt === undefined ? undefined : this.#clockMs() - heardAt
      return { value: { epoch, name, heardMsAgo } }
    })
  }

  heartbeat(epoch: number): Promise<LeaderHeartbeat> {
    return this.#changeLeader(epoch, () => this.#clockMs())
  }

  async resign(epoch: number): Promise<void> {
    await this.#changeLeader(epoch, () => undefined)
  }

  async close(): Promise<void> {
    this.cut()
  }

  cut(): void {
    this.#lost ??= new JournalFault('FAILED', `${this.#server.name}: the connection is closed`)
  }

  #clockMs(): number {
    const { schedule, clockMs } = this.#world
    return clockMs === undefined ? schedule.now : clockMs(this.#process)
  }

  #waits(): boolean {
    return this.#server.waiting.standbys.length > 0
  }

  async #changeLeader(epoch: number, heardAt: () => number | undefined): Promise<LeaderHeartbeat> {
    return this.#ask(async () => {
      const notices = await this.#server.commit(['leader'], () => {
        const leader = this.#server.leader()
        if (leader.epoch !== epoch) return undefined
        return { batch: undefined, leader: { ...leader, heardAt: heardAt() } }
      })
      return { value: { isMine: notices !== undefined, notices: notices ?? [] } }
    })
  }

  async #insert(batch: Batch, locks: readonly string[], write: () => LogRecord): Promise<Insertion> {
    const { count, isFenced = true, claimsWait = true } = this.#world
    const waits = batch.kind !== 'CLAIM' || claimsWait
    const name = batch.kind === 'CLAIM' ? 'claim' : 'insert'
    try {
      const notices = await this.#ask(async (): Promise<Outcome<readonly string[]>> => {
        if (this.#server.role !== 'PRIMARY') return { refused: 'STANDBY' }
        if (this.#server.isFull) return { refused: 'FULL' }
        const isFree = (): boolean => !isFenced || this.#server.batchAt(batch.position) === undefined
        const committed = await this.#server.commit(locks, () => (isFree() ? write() : undefined), waits)
        return committed === undefined ? { refused: 'TAKEN' } : { value: committed }
      })
      count(`${name} stored${notices.length > 0 ? ' with a notice' : ''}`)
      return { kind: 'STORED', notices }
    } catch (cause) {
      if (!(cause instanceof JournalFault)) throw cause
      const kind = cause instanceof RefusedFault && cause.refused !== 'STANDBY' ? cause.refused : 'UNKNOWN'
      count(`${name} ${kind.toLowerCase()}`)
      return { kind, fault: cause }
    }
  }

  #read<Value>(read: (batches: readonly Batch[]) => Value): Promise<Value> {
    return this.#ask(async () => {
      const batches = this.#server.visible().flatMap(({ batch }) => (batch === undefined ? [] : [batch]))
      return { value: read(batches) }
    })
  }

  /**
   * One statement: the request, the statement itself, and the answer. Anything lost on the way is a timeout
   * and ends the connection.
   */
  #ask<Value>(work: () => Promise<Outcome<Value>>): Promise<Value> {
    const { schedule, network, timeoutMs, freezeMs } = this.#world
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    const server = this.#server
    const isThrough = (): boolean => !network.isCut(this.#process.name, server.name)
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        this.#lost ??= new JournalFault('FAILED', `${server.name}: ${why}`)
        reject(this.#lost)
      }
      const cancel = this.#process.after(timeoutMs, () => fail('timeout'))
      const end = (settle: () => void): void => {
        cancel()
        if (this.#lost === undefined) settle()
        else reject(this.#lost)
      }
      if (this.#serverLife.isOver) {
        this.#process.after(network.delayMs(), () => end(() => fail('the connection was lost')))
        return
      }
      server.onStop(() => this.#process.after(network.delayMs(), () => fail('the connection was lost')))
      if (!isThrough()) return
      schedule.after(network.delayMs() + freezeMs(), this.#serverLife, () => {
        void work().then((outcome) => {
          schedule.after(network.delayMs(), this.#serverLife, () => {
            if (!isThrough()) return
            this.#process.after(0, () =>
              end(() => {
                if ('value' in outcome) resolve(outcome.value)
                else reject(new RefusedFault(outcome.refused))
              }),
            )
          })
        })
      })
    })
  }
}

/** The server refused while the statement ran. */
class RefusedFault extends JournalFault {
  readonly refused: 'TAKEN' | 'FULL' | 'STANDBY'

  constructor(refused: RefusedFault['refused']) {
    super(refused === 'FULL' ? 'STORAGE_FULL' : 'FAILED', `the server refused: ${refused}`)
    this.refused = refused
  }
}
