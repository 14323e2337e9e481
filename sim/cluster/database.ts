/**
 * The database of the simulated cluster: three servers, one of them the primary, and a manager that promotes
 * another one. `isSafe` managers promote the standby that has all confirmed commits; the others promote any.
 */
import { type Batch, hexOf } from '../../src/engine/port/journal.ts'
import type { Random } from '../world/random.ts'
import type { Schedule } from '../world/schedule.ts'
import type { Network } from './network.ts'
import { type LogRecord, Server, type Waiting } from './server.ts'

export const SERVERS = ['db-a', 'db-b', 'db-c'] as const

export class Database {
  readonly servers: readonly Server[]
  /** The server at the address of the database. */
  primary: Server
  readonly declared: Waiting
  readonly #network: Network
  readonly #random: Random
  /** Batches that were ever stored where required, and their names. */
  readonly #seen = new WeakSet<Batch>()
  readonly #confirmed = new Set<string>()
  /** Hash by position of each batch that was reported to a leader as confirmed. */
  readonly acknowledged = new Map<number, string>()
  /** Whether a promotion or a restore lost any of the acknowledged batches. */
  hasLost = false

  constructor(schedule: Schedule, network: Network, random: Random, confirmations: number) {
    this.#network = network
    this.#random = random
    this.declared = { standbys: SERVERS, confirmations }
    const world = { schedule, network, onDurable: (server: Server) => this.#durable(server) }
    this.servers = SERVERS.map((name) => new Server(name, this.declared, world))
    this.primary = this.servers[0] as Server
    this.primary.start('PRIMARY')
    for (const standby of this.servers.slice(1)) standby.start('STANDBY', this.primary)
  }

  /**
   * Whether this exact batch was ever on a primary's disk and on the disks of the declared number of
   * standbys.
   */
  hasConfirmed(batch: Pick<Batch, 'position' | 'hash'>): boolean {
    return this.#confirmed.has(named(batch))
  }

  /** Whether anything that was acknowledged is missing in `log`. */
  isLacking(log: readonly LogRecord[]): boolean {
    const there = new Map<number, string>()
    for (const { batch } of log) if (batch !== undefined) there.set(batch.position, hexOf(batch.hash))
    return [...this.acknowledged].some(([position, hash]) => there.get(position) !== hash)
  }

  /**
   * Promotes the most advanced of the standbys that the manager reaches: enough of them that one has each
   * confirmed commit. If `isSafe` is false, promotes the least advanced one. Returns false if no promotion
   * was possible. The old primary keeps running, but nothing follows it any more.
   */
  promote(isSafe: boolean): boolean {
    const old = this.primary
    const reached = this.servers.filter(
      (one) => one !== old && one.isUp && !this.#network.isCut('manager', one.name),
    )
    const needed = isSafe ? SERVERS.length - 1 - this.declared.confirmations + 1 : 1
    if (reached.length < needed) return false
    const ranked = [...reached].sort((a, b) => b.log.length - a.log.length)
    const chosen = (isSafe ? ranked[0] : ranked.at(-1)) as Server
    if (!isSafe && !this.isLacking(chosen.log)) return false
    // Their replication from the old primary ends first, so that they confirm nothing more to it.
    for (const one of reached) {
      one.upstream?.flushed.delete(one.name)
      one.upstream = undefined
    }
    chosen.promote()
    chosen.setWaiting(this.declared)
    this.primary = chosen
    this.manage()
    this.#noteLost()
    return true
  }

  /**
   * Makes the servers that the manager reaches follow the primary; a former primary restarts as a standby.
   */
  manage(): void {
    for (const one of this.servers) {
      const isOther = one.upstream !== this.primary && one !== this.primary
      if (isOther && one.isUp && !this.#network.isCut('manager', one.name)) one.start('STANDBY', this.primary)
    }
  }

  /** Takes all servers back to an earlier time, as after a restore from a backup. */
  rollBack(records: number): void {
    const log = this.primary.log.slice(0, Math.max(0, this.primary.log.length - records))
    for (const server of this.servers) {
      server.stop()
      server.log = [...log]
    }
    this.primary.start('PRIMARY')
    for (const one of this.servers) if (one !== this.primary) one.start('STANDBY', this.primary)
    this.#noteLost()
  }

  /**
   * Repairs replication when the faults are over: all other servers follow the primary, and it waits for the
   * required standbys.
   */
  mend(): void {
    if (!this.primary.isUp) this.primary.start('PRIMARY')
    this.primary.isFull = false
    for (const one of this.servers) {
      if (one !== this.primary && (!one.isUp || one.upstream !== this.primary))
        one.start('STANDBY', this.primary)
    }
    this.primary.setWaiting(this.declared)
  }

  anyStandby(): Server {
    return this.#random.pick(this.servers.filter((one) => one !== this.primary))
  }

  #noteLost(): void {
    this.hasLost ||= this.isLacking(this.primary.log)
  }

  #durable(server: Server): void {
    const upstream = server.role === 'PRIMARY' ? server : server.upstream
    if (upstream === undefined) return
    const { confirmations, standbys } = this.declared
    const lengths = this.servers
      .filter((one) => one.upstream === upstream && standbys.includes(one.name))
      .map((one) => one.log.length)
      .sort((a, b) => b - a)
    const length = Math.min(upstream.log.length, lengths[confirmations - 1] ?? 0)
    for (let i = length - 1; i >= 0; i--) {
      const batch = upstream.log[i]?.batch
      if (batch === undefined) continue
      if (this.#seen.has(batch)) break
      this.#seen.add(batch)
      this.#confirmed.add(named(batch))
    }
  }
}

function named({ position, hash }: Pick<Batch, 'position' | 'hash'>): string {
  return `${position} ${hexOf(hash)}`
}
