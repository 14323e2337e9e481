/**
 * Three PostgreSQL servers on this machine's disk: a primary, and two synchronous standbys, one of which must
 * have a commit on its disk before it is confirmed. `promote` does by hand what a manager of such a database
 * does.
 */
import { tmpdir } from 'node:os'
import { eventually } from '../../test/postgres/support/eventually.ts'
import { ADMINISTRATOR, DATABASE, ENGINE, PostgresServer } from '../../test/postgres/support/server.ts'
import { freePort } from '../../test/support/free-port.ts'
import { processCpuUs } from './thread-cpu.ts'

/** The servers' names: any of them may be the primary. */
export const SERVER_NAMES = ['north', 'south', 'west'] as const
type ServerName = (typeof SERVER_NAMES)[number]

/** An operator's settings on dedicated machines, reduced to the size of this one. */
const SETTINGS = { autovacuum: 'on', shared_buffers: '128MB', max_wal_size: '4GB', wal_keep_size: '1GB' }

/** Milliseconds of the steps of a promotion, from the primary's end. */
export type Promotion = {
  /** Time until the standby with the most data was found. */
  readonly chosenMs: number
  /** Time until that standby accepted writes. */
  readonly promotedMs: number
  /** Time until the other standby followed it, and commits could be confirmed. */
  readonly followedMs: number
}

export class QuorumDatabase {
  readonly #serverByName: Map<ServerName, PostgresServer>
  #primary: ServerName = 'north'

  /** Starts servers whose data is in `root`. */
  static async start(root = tmpdir()): Promise<QuorumDatabase> {
    const primary = await PostgresServer.startAt({ settings: SETTINGS, root })
    const serverByName = new Map<ServerName, PostgresServer>([['north', primary]])
    const database = new QuorumDatabase(serverByName)
    for (const name of ['south', 'west'] as const) {
      const place = { host: '127.0.0.1', port: freePort(), launcher: [] }
      const settings = { ...SETTINGS, primary_conninfo: connectionTo(primary, name) }
      serverByName.set(name, await primary.copyStandby({ settings, place, prepare: () => {} }))
    }
    await database.#followedBy(['south', 'west'])
    const names = `ANY 1 (${SERVER_NAMES.map((name) => `"${name}"`).join(', ')})`
    for (const server of serverByName.values()) await server.set('synchronous_standby_names', names)
    return database
  }

  private constructor(serverByName: Map<ServerName, PostgresServer>) {
    this.#serverByName = serverByName
  }

  get primary(): PostgresServer {
    return this.#serverByName.get(this.#primary) as PostgresServer
  }

  /** The address of the primary for an engine. */
  get where() {
    return this.primary.where(ENGINE, DATABASE)
  }

  /** Microseconds of CPU time so far of all servers; undefined if the system does not report it. */
  cpuUs(): number | undefined {
    const each = [...this.#serverByName.values()].map(({ pid }) => pid && processCpuUs(pid))
    return each.reduce<number | undefined>(
      (sum, us) => (sum === undefined || us === undefined ? undefined : sum + us),
      0,
    )
  }

  /**
   * Kills the primary with all of its processes, promotes the standby with the most data, and makes the other
   * one follow it. `onEnded` is called as soon as the primary has ended, `onPromoted` as soon as another one
   * accepts writes.
   */
  async promote(onEnded: () => void, onPromoted: () => void): Promise<Promotion> {
    const begun = performance.now()
    const since = (): number => performance.now() - begun
    const lost = this.#primary
    await this.primary.kill()
    onEnded()
    const [chosen, other] = await this.#mostFirst()
    const chosenMs = since()
    await this.#serverByName.get(chosen)?.sql('SELECT pg_promote(true, 60)')
    const promotedMs = since()
    this.#primary = chosen
    this.#serverByName.delete(lost)
    onPromoted()
    await this.#serverByName.get(other)?.set('primary_conninfo', connectionTo(this.primary, other))
    await this.#followedBy([other])
    return { chosenMs, promotedMs, followedMs: since() }
  }

  async discard(): Promise<void> {
    for (const server of this.#serverByName.values()) await server.discard()
  }

  /** The two standbys; the one that received most of the log is first. */
  async #mostFirst(): Promise<readonly [ServerName, ServerName]> {
    const text = "SELECT (pg_last_wal_receive_lsn() - '0/0')::text AS bytes"
    const received = await Promise.all(
      [...this.#serverByName]
        .filter(([name]) => name !== this.#primary)
        .map(async ([name, server]) => ({
          name,
          bytes: BigInt(String((await server.sql(text))[0]?.bytes)),
        })),
    )
    received.sort((a, b) => (a.bytes < b.bytes ? 1 : -1))
    const [first, second] = received
    if (first === undefined || second === undefined) throw new Error('expected two standbys')
    return [first.name, second.name]
  }

  async #followedBy(names: readonly ServerName[]): Promise<void> {
    const text = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND application_name = ANY ($1)"
    await eventually(`${names.join(' and ')} follow`, async () => {
      return (await this.primary.sql(text, [names])).length === names.length
    })
  }
}

/** The connection string of a standby with this name to its primary. */
function connectionTo({ port }: PostgresServer, name: ServerName): string {
  return `host=127.0.0.1 port=${port} user=${ADMINISTRATOR} application_name=${name}`
}
