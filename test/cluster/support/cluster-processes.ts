/**
 * A cluster of real processes on a real database, for tests: a file, engines that are started, stopped and
 * killed, and requests to them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { askAdmin, readAdminAddress } from '../../../src/cli/admin/client.ts'
import type { AdminOperation, AdminRequests } from '../../../src/contract/admin/admin.ts'
import { PostgresTable } from '../../../src/storage/postgres/table.ts'
import type { LinkAddress } from '../../../src/transport/link/protocol/link-address.ts'
import { SINGLE } from '../../postgres/support/journals.ts'
import { ADMINISTRATOR, DATABASE, ENGINE, type PostgresServer } from '../../postgres/support/server.ts'
import { BourseProcess, killAll } from '../../support/bourse-process.ts'
import { freePort } from '../../support/free-port.ts'

/** Longest time until a process follows or leads on a busy machine. */
const READY_MS = 240_000

/**
 * Leader timeout of the tests: with a usual timeout, processes that get no CPU time on the shared machine
 * would depose each other again and again.
 */
const PATIENT_MS = 2_500

export const LINK_SECRET = 'a secret of the links of this test, long enough'

export const CUSTOMERS_SECRETS = {
  exchange: 'a secret of engines and the processes of customers',
  gateway: 'a secret of gateways and the processes of customers',
} as const

export type EngineName = 'one' | 'two'
const NAMES: readonly EngineName[] = ['one', 'two']
const HISTORIAN = 'historian'
/** Any number of gateways; the cluster file lists none. */
type GatewayName = `gateway-${number}`
/** Processes for customers, on one store. */
const CUSTOMERS = ['a', 'b'] as const
type CustomersName = (typeof CUSTOMERS)[number]
export type ProcessName = EngineName | typeof HISTORIAN | GatewayName | CustomersName

/** Differences of a test's cluster from the usual one. */
type ClusterForm = {
  readonly silenceMs?: number
  /** Settings in the cluster file, for engines and gateways. */
  readonly settings?: object
  /** If set, people can sign up at `gateway-1` and `gateway-2`. */
  readonly customers?: CustomersForm
}

/** The port of a mail server, and the database server of the store. */
type CustomersForm = { readonly mailPort: number; readonly server: PostgresServer }

const SENTENCES = {
  '"this engine leads"': 'LEADING',
  'another engine leads: following it': 'FOLLOWING',
  'looking for the leader': 'SEEKING',
} as const

type Role = (typeof SENTENCES)[keyof typeof SENTENCES]

/** The role that an engine reports at the end of its log; undefined if it has not reported one. */
export function roleIn(log: string): Role | undefined {
  const said = Object.entries(SENTENCES).map(([sentence, role]) => ({ role, at: log.lastIndexOf(sentence) }))
  const [last] = said.sort((a, b) => b.at - a.at)
  return last === undefined || last.at < 0 ? undefined : last.role
}

export class ClusterProcesses {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'bourse-cluster-'))
  readonly file = path.join(this.directory, 'cluster.json')
  readonly database: string
  readonly #server: PostgresServer
  readonly #portByName: ReadonlyMap<EngineName, number>
  readonly #processByName = new Map<ProcessName, BourseProcess>()
  /** A restarted gateway keeps its port. */
  readonly #portByGateway = new Map<ProcessName, number>()

  static async create(server: PostgresServer, form: ClusterForm = {}): Promise<ClusterProcesses> {
    const ports = [freePort(), freePort()]
    const portByName = new Map(NAMES.map((name, i) => [name, ports[i] as number]))
    const cluster = new ClusterProcesses(server, await server.newDatabase(), portByName, form)
    if (form.customers !== undefined) await cluster.#initCustomers()
    return cluster
  }

  private constructor(
    server: PostgresServer,
    database: string,
    ports: ReadonlyMap<EngineName, number>,
    { silenceMs = PATIENT_MS, settings = {}, customers }: ClusterForm,
  ) {
    this.#server = server
    this.database = database
    this.#portByName = ports
    const inside = (name: string): string => path.join(this.directory, name)
    writeFileSync(inside('link.secret'), `${LINK_SECRET}\n`, { mode: 0o600 })
    writeFileSync(inside('master.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    const engines = NAMES.map((name) => ({
      ...{ name, link: `127.0.0.1:${ports.get(name)}`, data: inside(name) },
      ...(customers === undefined ? {} : { customers: `127.0.0.1:${freePort()}` }),
    }))
    for (const { data } of engines) mkdirSync(data, { mode: 0o700 })
    const where = { host: '127.0.0.1', port: server.port, name: database, tls: 'off' }
    const link = { secretFile: inside('link.secret'), tls: 'off' }
    const masterKeyFile = inside('master.key')
    const historians = [{ name: HISTORIAN, link: this.historianSocket, data: inside(HISTORIAN) }]
    const whole = {
      database: where,
      durability: { kind: 'single' },
      link,
      engines,
      historians,
      masterKeyFile,
      leadership: { silenceMs },
      settings,
      ...(customers === undefined ? {} : this.#withCustomers(settings, customers)),
    }
    writeFileSync(this.file, JSON.stringify(whole, undefined, 1))
  }

  #withCustomers(settings: object, { mailPort, server }: CustomersForm): object {
    const store = { host: '127.0.0.1', port: server.port, name: DATABASE, tls: 'off', timeoutMs: 6_000 }
    const inside = (name: string): string => path.join(this.directory, name)
    const origins = (['gateway-1', 'gateway-2'] as const).map((name) => {
      const port = freePort()
      this.#portByGateway.set(name, port)
      return `http://localhost:${port}`
    })
    for (const [name, secret] of Object.entries(CUSTOMERS_SECRETS))
      writeFileSync(inside(`${name}.secret`), `${secret}\n`, { mode: 0o600 })
    return {
      customers: {
        exchangeSecretFile: inside('exchange.secret'),
        gatewaySecretFile: inside('gateway.secret'),
        store,
        keys: store,
        processes: CUSTOMERS.map((name) => ({
          ...{ name, link: `127.0.0.1:${freePort()}` },
          monitoring: `127.0.0.1:${freePort()}`,
        })),
      },
      settings: {
        ...settings,
        customers: {
          ...{ rpId: 'localhost', origins, signUp: 'OPEN' },
          ...{ mailHost: '127.0.0.1', mailPort, mailFrom: 'no-reply@exchange.example' },
        },
      },
    }
  }

  async #initCustomers(): Promise<void> {
    const line = ['customers', 'init', '--config', this.file, '--admin-user', ADMINISTRATOR]
    const init = new BourseProcess(line)
    if ((await init.exited()) !== 0) throw new Error(`${init.out}${init.err}`)
  }

  get historianSocket(): string {
    return path.join(this.directory, 'historian.sock')
  }

  dataOf(name: ProcessName): string {
    return path.join(this.directory, name)
  }

  get addresses(): readonly LinkAddress[] {
    return [...this.#portByName.values()].map((port) => ({ host: '127.0.0.1', port, tls: 'off' }))
  }

  process(name: ProcessName): BourseProcess {
    const process = this.#processByName.get(name)
    if (process === undefined) throw new Error(`${name} does not run`)
    return process
  }

  /**
   * Starts an engine, the historian or a gateway; resolves when it follows or leads, or serves. `program` is
   * the command line that starts it, by default from the sources.
   */
  async start(name: ProcessName, program?: readonly string[]): Promise<void> {
    const process = new BourseProcess(this.#lineOf(name), {}, [], program)
    this.#processByName.set(name, process)
    const end = performance.now() + READY_MS
    while (!process.out.includes('is ready')) {
      const hasEnded = process.child.exitCode !== null
      if (hasEnded || performance.now() > end)
        throw new Error(`${name} is not ready: ${process.out}${process.err}`)
      await Bun.sleep(5)
    }
  }

  /** `http://host:port` of a started gateway. */
  urlOf(name: GatewayName): string {
    return `http://127.0.0.1:${this.#portByGateway.get(name)}`
  }

  /** The end of each process's output, for messages. */
  get said(): string {
    const ends = [...this.#processByName].map(
      ([name, { out, err }]) => `${name}: ${`${out}${err}`.slice(-3_000)}`,
    )
    return ends.join('\n')
  }

  /** The role that an engine reports in its log; undefined if it does not run, or has not reported one. */
  role(name: EngineName): Role | undefined {
    return roleIn(this.#processByName.get(name)?.err ?? '')
  }

  async end(name: ProcessName, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const code = await this.process(name).end(signal)
    this.#processByName.delete(name)
    return code
  }

  #lineOf(name: ProcessName): readonly string[] {
    const line = ['--config', this.file, '--name', name]
    if (name === HISTORIAN) return ['historian', ...line]
    if (CUSTOMERS.some((each) => each === name)) return ['customers', ...line]
    if (!name.startsWith('gateway-')) return ['engine', ...line]
    const port = this.#portByGateway.get(name) ?? freePort()
    this.#portByGateway.set(name, port)
    return ['gateway', ...line, '--port', `${port}`]
  }

  /** Ends the running processes, and checks that each stop is clean. */
  async stop(): Promise<readonly number[]> {
    return Promise.all([...this.#processByName.keys()].map((name) => this.end(name, 'SIGTERM')))
  }

  /** Ends all processes that still run, and removes their data. */
  async discard(): Promise<void> {
    await killAll(this.#processByName.values())
    rmSync(this.directory, { recursive: true, force: true })
  }

  /** Calls an operation on the admin server of the leader. */
  async admin<Operation extends AdminOperation>(operation: Operation, request: AdminRequests[Operation]) {
    const end = performance.now() + READY_MS
    for (;;) {
      for (const name of NAMES.filter((one) => this.#processByName.has(one))) {
        try {
          return await askAdmin(readAdminAddress(this.dataOf(name)), operation, request)
        } catch (cause) {
          if (performance.now() > end) throw cause
        }
      }
      await Bun.sleep(20)
    }
  }

  /** Deletes everything that a stopped engine stored. */
  loseDisk(name: EngineName): void {
    rmSync(this.dataOf(name), { recursive: true })
    mkdirSync(this.dataOf(name), { mode: 0o700 })
  }

  openTable(): Promise<PostgresTable> {
    return PostgresTable.open({
      connection: this.#server.where(ENGINE, this.database),
      durability: SINGLE,
    })
  }

  /** Cuts every connection of the engines to the database, at any stage of a statement. */
  async cutDatabase(): Promise<void> {
    const text = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = $2'
    await this.#server.sql(text, [this.database, ENGINE])
  }
}
