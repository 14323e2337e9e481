/**
 * Rounds of faults on a complete cluster under load: processes are killed, paused and stopped, connections
 * are cut, the database's primary is lost and a standby promoted. At the end all records of the client are
 * compared with the journal.
 */
import type { Durability } from '../../../src/storage/postgres/durability.ts'
import { ENGINE } from '../../postgres/support/server.ts'
import { until } from '../../support/until.ts'
import {
  ClusterMachines,
  ENGINES,
  type EngineName,
  GATEWAYS,
  HISTORIAN,
  PROCESSES,
  type ProcessName,
} from './cluster-machines.ts'
import { journalOutcome, newestState } from './journal-outcome.ts'
import { DATABASE_PLACE, type Network, part } from './network.ts'
import { OrderBookKeeper, type Outcome } from './order-book-keeper.ts'
import { ReplicatedDatabase } from './replicated-database.ts'
import { type Fault, isOfDatabase, processOf, type Role, type ServerRole } from './soak-faults.ts'

const SERVED_MS_MAX = 240_000
/** Time limit for a stopped process to hand over its leadership and write a snapshot. */
const STOPPED_MS_MAX = 30_000
const SLOW_MS = 150
/** Duration of faults that do not end by themselves. */
const HOLD_MS_MIN = 500
const HOLD_MS_MAX = 3_500

/** Ends a fault. */
type Undo = () => Promise<void>

export type Round = {
  readonly faults: readonly Fault[]
  /** The longest time without an acknowledged order. */
  readonly gapMs: number
  /** The durations of the stops. */
  readonly stopMs: readonly number[]
}

export type SoakOptions = {
  readonly silenceMs: number
  readonly random: () => number
  /** The durability that the cluster file declares; by default that of its database. */
  readonly durability?: Durability
}

export class Soak {
  readonly machines: ClusterMachines
  readonly client: OrderBookKeeper
  readonly #network: Network
  readonly database: ReplicatedDatabase
  readonly #random: () => number
  #stopMs: number[] = []

  static async begin(network: Network, serverPlaces: readonly string[], options: SoakOptions): Promise<Soak> {
    const database = await ReplicatedDatabase.begin(network, serverPlaces)
    const { durability = database.durability, silenceMs } = options
    const machines = await ClusterMachines.create(network, database, { durability, silenceMs })
    try {
      for (const name of ENGINES) await machines.start(name)
      const keys = await machines.list()
      for (const name of [...GATEWAYS, HISTORIAN] as const) await machines.start(name)
      const urls = GATEWAYS.map((name) => machines.urlOf(name))
      const client = new OrderBookKeeper(urls, keys, options.random)
      const soak = new Soak(machines, client, options.random)
      await client.untilServed(SERVED_MS_MAX)
      return soak
    } catch (cause) {
      const { said } = machines
      await machines.discard()
      throw new Error(said, { cause })
    }
  }

  private constructor(machines: ClusterMachines, client: OrderBookKeeper, random: () => number) {
    this.machines = machines
    this.client = client
    this.#network = machines.network
    this.database = machines.database
    this.#random = random
  }

  /**
   * Starts all faults at once, waits for a while, and ends them. Resolves when the cluster serves at each
   * gateway; rejects with the output of its processes.
   */
  async round(faults: readonly Fault[]): Promise<Round> {
    this.client.takeLongest()
    this.#stopMs = []
    try {
      const leader = await this.#leader()
      await Bun.sleep(this.#random() * 300)
      // A restarting engine waits for a database that commits.
      const inOrder = faults.toSorted((a, b) => Number(isOfDatabase(b)) - Number(isOfDatabase(a)))
      const undo = await Promise.all(inOrder.map((fault) => this.#inflict(fault, leader)))
      await Bun.sleep(HOLD_MS_MIN + this.#random() * (HOLD_MS_MAX - HOLD_MS_MIN))
      this.#network.heal()
      for (const end of undo) await end()
      await this.client.untilServed(SERVED_MS_MAX)
      this.#requireAllRunning()
    } catch (cause) {
      throw new Error(this.machines.said, { cause })
    }
    return { faults, gapMs: this.client.takeLongest(), stopMs: this.#stopMs }
  }

  /** Stops everything; returns a list of all problems. */
  async findProblems(): Promise<readonly string[]> {
    await this.client.stop()
    const problems = [...this.client.violations]
    for (const name of [...GATEWAYS, HISTORIAN, ...ENGINES] as const) {
      const code = await this.machines.end(name, 'SIGTERM')
      if (code !== 0) problems.push(`${name} ended with ${code} at a planned stop`)
    }
    for (const name of ENGINES) {
      const { code, out, err } = await this.machines.bourse(
        name,
        'verify',
        '--data',
        this.machines.dataOf(name),
      )
      if (code !== 0) problems.push(`bourse verify with the data of ${name} ended with ${code}: ${out}${err}`)
    }
    const states = await Promise.all(ENGINES.map((name) => newestState(this.machines.dataOf(name))))
    const { acceptedById, off, stateHashBySeq } = await journalOutcome(
      await this.machines.openTable(),
      states.map(({ seq }) => seq),
    )
    return [
      ...problems,
      ...disagreements(this.client.outcomeById, acceptedById),
      ...off.map((asset) => `the books are off: ${asset}`),
      ...states
        .filter(({ seq, stateHash }) => stateHashBySeq.get(seq) !== stateHash)
        .map(({ seq }) => `an engine's state after command ${seq} is not the replayed one`),
    ]
  }

  async discard(): Promise<void> {
    this.#network.heal()
    const stopped = this.client.stop()
    await this.machines.discard()
    await Promise.race([stopped, Bun.sleep(1_000)])
  }

  async #inflict(fault: Fault, leader: EngineName): Promise<Undo> {
    switch (fault.kind) {
      case 'KILL':
        return this.#kill([processOf(fault.role, leader)])
      case 'KILL_ENGINES':
        return this.#kill(ENGINES)
      case 'PAUSE':
        return this.#pause(processOf(fault.role, leader))
      case 'STOP':
        return this.#stop(processOf(fault.role, leader))
      case 'LOSE_DISK':
        return this.#loseDisk(processOf('STANDBY', leader) as EngineName)
      case 'CUT_SESSIONS':
        return this.#cutSessions()
      case 'FREEZE':
        return this.#freeze(this.#server(fault.server))
      case 'RESTART':
        return this.#restart(this.#server(fault.server))
      case 'PARTITION':
        part(this.#network, this.#place(fault.one, leader), this.#place(fault.other, leader))
        return async () => {}
      case 'HALF_OPEN':
        this.#network.cut(this.#place(fault.one, leader), this.#place(fault.other, leader))
        return async () => {}
      case 'SLOW':
        this.#network.slow(this.#place(fault.one, leader), this.#place(fault.other, leader), SLOW_MS)
        return async () => {}
      case 'ISOLATE':
        this.#isolate(processOf(fault.role, leader))
        return async () => {}
      case 'PROMOTE':
        return this.#promote(fault.primary)
    }
  }

  async #kill(names: readonly ProcessName[]): Promise<Undo> {
    await Promise.all(names.map((name) => this.machines.end(name, 'SIGKILL')))
    return async () => {
      await Promise.all(names.map((name) => this.machines.start(name)))
    }
  }

  async #pause(name: ProcessName): Promise<Undo> {
    const { child } = this.machines.process(name)
    child.kill('SIGSTOP')
    return async () => child.kill('SIGCONT')
  }

  async #stop(name: ProcessName): Promise<Undo> {
    const begun = performance.now()
    const stopping = this.machines.end(name, 'SIGTERM').then((code) => {
      this.#stopMs.push(performance.now() - begun)
      return code
    })
    return async () => {
      const code = await Promise.race([stopping, Bun.sleep(STOPPED_MS_MAX)])
      if (code !== 0) throw new Error(`${name} ended with ${code ?? 'nothing'} at a planned stop`)
      await this.machines.start(name)
    }
  }

  async #loseDisk(name: EngineName): Promise<Undo> {
    await this.machines.end(name, 'SIGKILL')
    this.machines.loseDisk(name)
    return () => this.machines.start(name)
  }

  /** Ends every session of the engines, at any stage of its statement. */
  async #cutSessions(): Promise<Undo> {
    const text = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1'
    await this.database.primary.sql(text, [ENGINE]).catch(() => {})
    return async () => {}
  }

  async #freeze(place: string): Promise<Undo> {
    const server = this.database.server(place)
    server.freeze()
    return async () => server.thaw()
  }

  async #restart(place: string): Promise<Undo> {
    const server = this.database.server(place)
    await server.kill()
    return () => server.run()
  }

  #isolate(place: string): void {
    const others = [...PROCESSES, ...this.database.places].filter((other) => other !== place)
    for (const other of others) part(this.#network, place, other)
  }

  /**
   * A manager's procedure: it ensures that no client reaches the old primary before another server is the
   * primary.
   */
  async #promote(primary: 'KILLED' | 'ISOLATED'): Promise<Undo> {
    const before = this.database.primaryPlace
    if (primary === 'KILLED') await this.database.server(before).kill()
    else this.#isolate(before)
    await this.database.promote()
    return () => this.database.replace(before)
  }

  async #leader(): Promise<EngineName> {
    await until('one engine leads', () => this.machines.leader !== undefined, SERVED_MS_MAX)
    return this.machines.leader as EngineName
  }

  #server(role: ServerRole): string {
    const { places, primaryPlace } = this.database
    return role === 'PRIMARY'
      ? primaryPlace
      : (places.find((place) => place !== primaryPlace) ?? DATABASE_PLACE)
  }

  #place(role: Role | ServerRole, leader: EngineName): string {
    return role === 'PRIMARY' || role === 'REPLICA' ? this.#server(role) : processOf(role, leader)
  }

  #requireAllRunning(): void {
    const ended = PROCESSES.filter((name) => !this.machines.isRunning(name))
    if (ended.length > 0) throw new Error(`${ended.join(' and ')} ended without having been asked to`)
  }
}

/** Records of the client that the journal contradicts. */
function disagreements(
  outcomeById: ReadonlyMap<string, Outcome>,
  acceptedById: ReadonlyMap<string, number>,
): readonly string[] {
  const wrong: string[] = []
  for (const [id, outcome] of outcomeById) {
    const count = acceptedById.get(id) ?? 0
    const isThere = outcome === 'ACKNOWLEDGED' || outcome === 'FOUND'
    if (outcome === 'UNKNOWN') wrong.push(`${id} is not known to the end; the journal has it ${count} times`)
    else if (count !== (isThere ? 1 : 0)) wrong.push(`${id} was ${outcome} and is there ${count} times`)
  }
  for (const id of acceptedById.keys()) {
    if (!outcomeById.has(id)) wrong.push(`${id} is there and was never sent`)
  }
  return wrong
}
