/**
 * A cluster of real processes on three PostgreSQL servers of this machine: two engines, any number of
 * gateways, and a market with two funded accounts. Its limits are those of the sandbox that a benchmark loads
 * beside it: none for requests, and wide ones for a stream whose clients all have one address.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  SANDBOX_ACCOUNTS,
  SANDBOX_ASSETS,
  SANDBOX_FUNDING,
  SANDBOX_LEVELS_MAX,
  SANDBOX_OPEN_ORDERS_MAX,
  SANDBOX_RATE,
  SANDBOX_SYMBOLS,
} from '../../src/app/sandbox/market.ts'
import { SANDBOX_DEFAULTS } from '../../src/app/settings/defaults.ts'
import { askAdmin, readAdminAddress } from '../../src/cli/admin/client.ts'
import type { AdminOperation, AdminRequests } from '../../src/contract/admin/admin.ts'
import { PostgresTable } from '../../src/storage/postgres/table.ts'
import type { Way } from '../../test/cluster/support/network.ts'
import { TcpProxy } from '../../test/cluster/support/tcp-proxy.ts'
import { BourseProcess } from '../../test/support/bourse-process.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import type { Trader } from './load.ts'
import { type Promotion, QuorumDatabase, SERVER_NAMES } from './quorum-database.ts'
import { type CpuByRole, processCpuUs } from './thread-cpu.ts'

export type EngineName = 'one' | 'two'
const ENGINES: readonly EngineName[] = ['one', 'two']

/** The settings of the gateways, under the names of a cluster's file. */
export const LOADED_SETTINGS = {
  limits: { isEnabled: false },
  http: { connectionsPerAddressMax: SANDBOX_DEFAULTS.server.connectionsPerAddressMax },
  // All clients have one address.
  stream: {
    ...SANDBOX_DEFAULTS.stream,
    connectionsPerAddressMax: SANDBOX_DEFAULTS.stream.connectionsMax,
  },
}

const LEADS = '"this engine leads"'
const FOLLOWS = 'another engine leads: following it'
const LINKED = '"linked to the engine that leads"'

export type ClusterTerms = {
  readonly gateways: number
  /** Whether the engines reach the database through an address that can be redirected. */
  readonly isRelayed?: boolean
  /**
   * Milliseconds without a message after which another engine replaces the leader; undefined for the usual
   * time, within which processes on a busy machine may get no CPU time at all.
   */
  readonly leaderTimeoutMs?: number | undefined
}

export class Cluster {
  readonly database: QuorumDatabase
  /** The address to which the engines connect; undefined for the first primary itself. */
  readonly #proxy: TcpProxy | undefined
  /** One trader for each gateway, all with the same account's key. */
  readonly traders: Trader[] = []
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  readonly #file = path.join(this.#directory, 'cluster.json')
  readonly #engineByName = new Map<EngineName, BourseProcess>()
  readonly #gateways: BourseProcess[] = []

  static async start({ gateways, isRelayed = false, leaderTimeoutMs }: ClusterTerms): Promise<Cluster> {
    const database = await QuorumDatabase.start()
    const cluster = new Cluster(database, isRelayed ? await proxyTo(database) : undefined)
    try {
      cluster.#write(
        ENGINES.map(() => freePort()),
        leaderTimeoutMs,
      )
      for (const name of ENGINES) await cluster.startEngine(name)
      const key = await cluster.#openMarket()
      for (let n = 1; n <= gateways; n++)
        cluster.traders.push({ ...key, port: await cluster.#startGateway(n) })
      return cluster
    } catch (cause) {
      await cluster.discard()
      throw cause
    }
  }

  private constructor(database: QuorumDatabase, proxy: TcpProxy | undefined) {
    this.database = database
    this.#proxy = proxy
  }

  /** Resolves when the engine follows or leads, and has caught up. */
  async startEngine(name: EngineName): Promise<void> {
    const engine = new BourseProcess(['engine', '--config', this.#file, '--name', name])
    this.#engineByName.set(name, engine)
    const isReady = (): boolean => {
      if (engine.child.exitCode !== null) throw new Error(`engine ${name} ended: ${engine.out}${engine.err}`)
      return engine.out.includes('is ready') && (engine.err.includes(LEADS) || engine.err.includes(FOLLOWS))
    }
    await until(`engine ${name} follows or leads`, isReady)
  }

  /** The leading engine, once one leads and the other does not claim to. */
  async leader(): Promise<EngineName> {
    await until('one engine leads', () => this.#leading !== undefined)
    return this.#leading as EngineName
  }

  /** Resolves when the engine has exited. */
  async kill(name: EngineName): Promise<void> {
    await this.#engineByName.get(name)?.end('SIGKILL')
    this.#engineByName.delete(name)
  }

  /**
   * Like `QuorumDatabase.promote`; the engines' address of the database is redirected to the new primary as
   * soon as that accepts writes.
   */
  promote(onEnded: () => void): Promise<Promotion> {
    return this.database.promote(onEnded, () => this.#proxy?.reset())
  }

  /**
   * The last times, by the wall clock, at which an engine logged that it leads, and a gateway that it is
   * linked to a leader; not before `since`.
   */
  lastSteps(since: number): { readonly leadsAt: number; readonly linkedAt: number } {
    return {
      leadsAt: firstSince(
        [...this.#engineByName.values()].map(({ err }) => err),
        LEADS,
        since,
      ),
      linkedAt: firstSince(
        this.#gateways.map(({ err }) => err),
        LINKED,
        since,
      ),
    }
  }

  /**
   * Microseconds of CPU time so far: of all gateways, of either engine's process, of all database servers;
   * undefined if no engine leads, or the system does not report it.
   */
  cpu(): CpuByRole | undefined {
    const leading = this.#leading
    if (leading === undefined) return undefined
    const engine = (name: EngineName): number | undefined => {
      const pid = this.#engineByName.get(name)?.child.pid
      return pid === undefined ? 0 : processCpuUs(pid)
    }
    const leader = engine(leading)
    const standby = engine(leading === 'one' ? 'two' : 'one')
    const database = this.database.cpuUs()
    if (leader === undefined || standby === undefined || database === undefined) return undefined
    return { gateways: this.gatewayCpuUs().reduce((sum, us) => sum + us, 0), leader, standby, database }
  }

  /** Microseconds of CPU time of each gateway's process so far. */
  gatewayCpuUs(): readonly number[] {
    return this.#gateways.map(({ child }) => processCpuUs(child.pid) ?? 0)
  }

  /** The journal's table, for reading. */
  openTable(): Promise<PostgresTable> {
    return PostgresTable.open({ connection: this.database.where, durability: { kind: 'single' } })
  }

  /** Stops gateways and engines; rejects if one does not end properly. */
  async stop(): Promise<void> {
    const processes = [...this.#gateways.splice(0), ...this.#engineByName.values()]
    this.#engineByName.clear()
    for (const process of processes) {
      const code = await process.end('SIGTERM')
      if (code !== 0) throw new Error(`a process ended with ${code}: ${process.err.slice(-2_000)}`)
    }
  }

  /** Ends every process that still runs, and removes the cluster's files. */
  async discard(): Promise<void> {
    for (const process of [...this.#gateways, ...this.#engineByName.values()]) await process.end('SIGKILL')
    this.#proxy?.close()
    await this.database.discard()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  get #leading(): EngineName | undefined {
    const leads = (name: EngineName): boolean => {
      const log = this.#engineByName.get(name)?.err ?? ''
      return log.lastIndexOf(LEADS) > log.lastIndexOf(FOLLOWS)
    }
    const leading = ENGINES.filter(leads)
    return leading.length === 1 ? leading[0] : undefined
  }

  #write(linkPorts: readonly number[], leaderTimeoutMs: number | undefined): void {
    const inside = (name: string): string => path.join(this.#directory, name)
    writeFileSync(inside('link.secret'), `${'a secret of links, long enough '.repeat(2)}\n`, { mode: 0o600 })
    writeFileSync(inside('master.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    const engines = ENGINES.map((name, i) => ({
      name,
      link: `127.0.0.1:${linkPorts[i]}`,
      data: inside(name),
    }))
    for (const { data } of engines) mkdirSync(data, { mode: 0o700 })
    const { host, port, database } = this.database.where
    const settings = {
      database: { host, port: this.#proxy?.port ?? port, name: database, tls: 'off' },
      durability: { kind: 'quorum', standbys: SERVER_NAMES, confirmations: 1 },
      link: { secretFile: inside('link.secret'), tls: 'off' },
      engines,
      masterKeyFile: inside('master.key'),
      settings: LOADED_SETTINGS,
      ...(leaderTimeoutMs === undefined ? {} : { leadership: { silenceMs: leaderTimeoutMs } }),
    }
    writeFileSync(this.#file, JSON.stringify(settings, undefined, 1))
  }

  async #startGateway(number: number): Promise<number> {
    const name = `gateway-${number}`
    const gateway = new BourseProcess(['gateway', '--config', this.#file, '--name', name, '--port', '0'])
    this.#gateways.push(gateway)
    const url = (): string | undefined => /^The gateway is ready at (.*)$/m.exec(gateway.out)?.[1]
    await until(`${name} is ready`, () => url() !== undefined)
    return Number(new URL(url() as string).port)
  }

  /** Opens the same market as the sandbox; returns the key of its first account. */
  async #openMarket(): Promise<Pick<Trader, 'apiKey' | 'secret'>> {
    for (const asset of SANDBOX_ASSETS) await this.#ask('asset/add', asset)
    const bounds = { openOrdersMax: SANDBOX_OPEN_ORDERS_MAX, levelsMax: SANDBOX_LEVELS_MAX }
    const rates = { takerRate: SANDBOX_RATE, makerRate: SANDBOX_RATE }
    for (const { base, quote, ...fractions } of SANDBOX_SYMBOLS)
      await this.#ask('symbol/add', { symbol: `${base}/${quote}`, ...fractions, ...bounds, ...rates })
    for (const account of SANDBOX_ACCOUNTS) {
      await this.#ask('account/add', { name: account })
      for (const { asset, amount } of SANDBOX_FUNDING)
        await this.#ask('money/credit', { account, asset, amount, reference: `${account}-${asset}` })
    }
    const [account] = SANDBOX_ACCOUNTS
    const { apiKey, secret } = await this.#ask('key/add', {
      account,
      permissions: ['TRADE', 'USER_DATA', 'WALLET'],
    })
    return { apiKey, secret: secret ?? '' }
  }

  async #ask<Operation extends AdminOperation>(operation: Operation, request: AdminRequests[Operation]) {
    const leader = await this.leader()
    return await askAdmin(readAdminAddress(path.join(this.#directory, leader)), operation, request)
  }
}

/** Redirects to the primary; while there is none, connections are refused. */
function proxyTo(database: QuorumDatabase): Promise<TcpProxy> {
  const target = (): Way => ({ host: '127.0.0.1', port: database.primary.port })
  const treatment = { isCut: false, delayMs: 0 }
  return TcpProxy.open({ target, there: treatment, back: treatment })
}

/**
 * The time of the first line with these words in any of the logs that is not before `since`, in milliseconds;
 * NaN if there is none.
 */
function firstSince(logs: readonly string[], words: string, since: number): number {
  const times = logs
    .flatMap((log) => log.split('\n'))
    .filter((line) => line.includes(words))
    .map((line) => Date.parse((JSON.parse(line) as { readonly time: string }).time))
    .filter((time) => time >= since)
  return times.length === 0 ? Number.NaN : Math.min(...times)
}
