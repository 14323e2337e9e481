/**
 * A complete cluster of real processes, each on a machine of its own: two engines, two gateways and a
 * historian with a replicated database.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Durability } from '../../../src/storage/postgres/durability.ts'
import { PostgresTable } from '../../../src/storage/postgres/table.ts'
import { SINGLE } from '../../postgres/support/journals.ts'
import { DATABASE, ENGINE } from '../../postgres/support/server.ts'
import { BourseProcess, type Credentials, killAll } from '../../support/bourse-process.ts'
import { until } from '../../support/until.ts'
import type { AdminRequest } from './admin-requests.fixture.ts'
import { LINK_SECRET, roleIn } from './cluster-processes.ts'
import type { Network } from './network.ts'
import type { ReplicatedDatabase } from './replicated-database.ts'

export const ENGINES = ['one', 'two'] as const
export const GATEWAYS = ['east', 'west'] as const
export const HISTORIAN = 'historian'
export const PROCESSES = [...ENGINES, ...GATEWAYS, HISTORIAN] as const
export type ProcessName = (typeof PROCESSES)[number]
export type EngineName = (typeof ENGINES)[number]
export type GatewayName = (typeof GATEWAYS)[number]

export const SYMBOL = 'BTC/USDT'
const ACCOUNTS = ['alice', 'bob']
/** Longest start of a process on a busy machine. */
const READY_MS = 240_000
const ADMIN = path.join(import.meta.dir, 'admin-requests.fixture.ts')

/** The database as the cluster file declares it. */
type Declared = { readonly durability: Durability; readonly silenceMs: number }

type Ports = Readonly<Record<ProcessName, number>>

export class ClusterMachines {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'bourse-machines-'))
  readonly network: Network
  readonly database: ReplicatedDatabase
  readonly #ports: Ports
  readonly #processByName = new Map<ProcessName, BourseProcess>()

  /** Writes the files; nothing runs yet. */
  static async create(
    network: Network,
    database: ReplicatedDatabase,
    declared: Declared,
  ): Promise<ClusterMachines> {
    const ports: [ProcessName, number][] = []
    for (const name of PROCESSES) ports.push([name, await network.freePort(name)])
    const machines = new ClusterMachines(network, database, Object.fromEntries(ports) as Ports)
    for (const name of PROCESSES) await machines.#writeFile(name, declared)
    return machines
  }

  private constructor(network: Network, database: ReplicatedDatabase, ports: Ports) {
    this.network = network
    this.database = database
    this.#ports = ports
    writeFileSync(this.#inside('link.secret'), `${LINK_SECRET}\n`, { mode: 0o600 })
    writeFileSync(this.#inside('master.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    for (const name of PROCESSES) mkdirSync(this.dataOf(name), { mode: 0o700 })
  }

  dataOf(name: ProcessName): string {
    return this.#inside(name)
  }

  /** The cluster file for that process: the same, except for the addresses of the others. */
  fileOf(name: ProcessName): string {
    return this.#inside(`${name}.json`)
  }

  /** URL of a gateway. */
  urlOf(name: GatewayName): string {
    return `http://${this.network.hostOf(name)}:${this.#ports[name]}`
  }

  process(name: ProcessName): BourseProcess {
    const process = this.#processByName.get(name)
    if (process === undefined) throw new Error(`${name} does not run`)
    return process
  }

  isRunning(name: ProcessName): boolean {
    return this.#processByName.get(name)?.child.exitCode === null
  }

  /** Starts a process; resolves when it reports that it is ready. */
  async start(name: ProcessName): Promise<void> {
    const process = this.#spawn(name)
    await until(
      `${name} is ready: ${process.out}${process.err.slice(-2_000)}`,
      () => process.out.includes('is ready') || process.child.exitCode !== null,
      READY_MS,
    ).catch((cause) => {
      throw new Error(`${name}: ${process.out}${process.err.slice(-4_000)}`, { cause })
    })
    if (process.child.exitCode !== null)
      throw new Error(`${name} ended before it was ready: ${process.out}${process.err.slice(-4_000)}`)
  }

  /** Starts a process without waiting. */
  launch(name: ProcessName): void {
    this.#spawn(name)
  }

  async end(name: ProcessName, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const process = this.process(name)
    const code = await process.end(signal)
    this.#processByName.delete(name)
    return code
  }

  /** Deletes everything that a stopped engine stored. */
  loseDisk(name: EngineName): void {
    rmSync(this.dataOf(name), { recursive: true })
    mkdirSync(this.dataOf(name), { mode: 0o700 })
  }

  /** The only engine that reports that it leads; undefined if none or both do. */
  get leader(): EngineName | undefined {
    const [one, ...others] = ENGINES.filter(
      (name) => this.isRunning(name) && roleIn(this.process(name).err) === 'LEADING',
    )
    return others.length === 0 ? one : undefined
  }

  /** The end of each process's output, for messages. */
  get said(): string {
    return [...this.#processByName]
      .map(([name, { out, err }]) => `== ${name}: ${`${out}${err}`.slice(-3_000)}`)
      .join('\n')
  }

  /** Lists a market, and two accounts with money and a key each. */
  async list(): Promise<readonly Credentials[]> {
    const requests: AdminRequest[] = [
      { operation: 'asset/add', request: { code: 'BTC', name: 'Bitcoin', fraction: 8 } },
      { operation: 'asset/add', request: { code: 'USDT', name: 'Tether', fraction: 8 } },
      {
        operation: 'symbol/add',
        request: { symbol: SYMBOL, baseFraction: 8, quoteFraction: 2, openOrdersMax: 1_000_000 },
      },
    ]
    for (const account of ACCOUNTS) {
      requests.push({ operation: 'account/add', request: { name: account } })
      for (const asset of ['BTC', 'USDT']) {
        const request = { account, asset, amount: '10000000', reference: `${account}-${asset}` }
        requests.push({ operation: 'money/credit', request })
      }
      requests.push({ operation: 'key/add', request: { account, permissions: ['TRADE', 'USER_DATA'] } })
    }
    const results = (await this.#admin(requests)) as readonly { readonly apiKey?: string }[]
    const keys = results.filter(({ apiKey }) => apiKey !== undefined) as unknown as Omit<
      Credentials,
      'name'
    >[]
    return keys.map((key, i) => ({ ...key, name: ACCOUNTS[i] as string }))
  }

  /** Runs a command of `bourse` on the machine of that process with its file. */
  async bourse(name: ProcessName, ...args: readonly string[]) {
    const command = new BourseProcess(
      [...args, '--config', this.fileOf(name)],
      {},
      this.network.launcher(name),
    )
    const code = await command.exited()
    return { code, out: command.out, err: command.err }
  }

  openTable(): Promise<PostgresTable> {
    return PostgresTable.open({
      connection: this.database.primary.where(ENGINE, DATABASE),
      durability: SINGLE,
    })
  }

  /** Ends all processes that still run, and removes their data. */
  async discard(): Promise<void> {
    await killAll(this.#processByName.values())
    rmSync(this.directory, { recursive: true, force: true })
  }

  #spawn(name: ProcessName): BourseProcess {
    const command = roleOf(name)
    const args = [command, '--config', this.fileOf(name), '--name', name]
    const process = new BourseProcess(args, {}, this.network.launcher(name))
    this.#processByName.set(name, process)
    return process
  }

  async #admin(requests: readonly AdminRequest[]): Promise<unknown> {
    await until('one engine leads', () => this.leader !== undefined, READY_MS)
    const leader = this.leader as EngineName
    await until('its admin server answers', () => this.process(leader).out.includes('is ready'), READY_MS)
    const words = [...this.network.launcher(leader), process.execPath, '--no-env-file', ADMIN]
    const asked = Bun.spawn([...words, this.dataOf(leader), JSON.stringify(requests)], {
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [code, out, err] = await Promise.all([
      asked.exited,
      new Response(asked.stdout).text(),
      new Response(asked.stderr).text(),
    ])
    if (code !== 0) throw new Error(`the admin server: ${err}`)
    return JSON.parse(out)
  }

  async #writeFile(name: ProcessName, { durability, silenceMs }: Declared): Promise<void> {
    const { network } = this
    const certificate = network.tls
    const tls = certificate === undefined ? 'off' : 'on'
    const authority = certificate === undefined ? {} : { caFile: certificate.certFile }
    const link = async (to: ProcessName): Promise<string> => {
      const own = this.#ports[to]
      if (to === name && network.kind === 'PROXIES') return `${network.hostOf(to)}:${own}`
      const { host, port } = await network.way(name, to, own)
      return `${host}:${port}`
    }
    const { host, port } = await network.databaseWay(name)
    const engines = ENGINES.map(async (engine) => ({
      name: engine,
      link: await link(engine),
      data: this.dataOf(engine),
    }))
    const whole = {
      database: { host, port, name: DATABASE, tls, ...authority, timeoutMs: 5_000 },
      durability,
      link: {
        secretFile: this.#inside('link.secret'),
        tls: certificate === undefined ? 'off' : { ...certificate, ...authority },
      },
      engines: await Promise.all(engines),
      historians: [{ name: HISTORIAN, link: await link(HISTORIAN), data: this.dataOf(HISTORIAN) }],
      gateways: GATEWAYS.map((gateway) => ({ name: gateway, port: this.#ports[gateway] })),
      leadership: { silenceMs },
      masterKeyFile: this.#inside('master.key'),
      settings: { host: network.listensOn, limits: { isEnabled: false } },
    }
    writeFileSync(this.fileOf(name), JSON.stringify(whole, undefined, 1))
  }

  #inside(name: string): string {
    return path.join(this.directory, name)
  }
}

function roleOf(name: ProcessName): 'engine' | 'gateway' | 'historian' {
  switch (name) {
    case 'one':
    case 'two':
      return 'engine'
    case 'east':
    case 'west':
      return 'gateway'
    case 'historian':
      return 'historian'
  }
}
