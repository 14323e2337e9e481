/**
 * PostgreSQL servers of the tests' own: each a child process on a free port of this machine with its data in
 * a temporary directory, killed with the tests. A standby is a copy of its primary.
 */
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Connection, type ConnectionOptions } from '../../../src/storage/postgres/connection.ts'
import { initialize } from '../../../src/storage/postgres/schema.ts'
// @ts-expect-error The tools are plain JavaScript without types.
import { POSTGRES_LAUNCHER, POSTGRES_USER, postgresBinary } from '../../../tools/lib/postgres.mjs'
import { freePort } from '../../support/free-port.ts'
import { eventually } from './eventually.ts'

export const ADMINISTRATOR = 'administrator'
export const ENGINE = 'bourse_engine'
export const DATABASE = 'postgres'

/** Settings that avoid work that no test checks. */
const QUIET = {
  unix_socket_directories: '',
  max_connections: '30',
  shared_buffers: '16MB',
  // In the data directory, so that a killed server leaves nothing behind.
  dynamic_shared_memory_type: 'mmap',
  autovacuum: 'off',
  log_min_messages: 'fatal',
  logging_collector: 'off',
}

/** A server's data directory, which must belong to its user. */
type DataDirectory = { readonly path: string; readonly write: (name: string, text: string) => void }

/** Longest wait for a server after a request for an immediate shutdown. */
const QUIT_MS_MAX = 5_000

type Settings = Readonly<Record<string, string>>

/** The machine of a server: its address, its port, and the prefix of commands that run there. */
export type ServerPlace = {
  readonly host: string
  /** The addresses that the server listens on, by default `host`. */
  readonly listensOn?: string
  readonly port: number
  readonly launcher: readonly string[]
}

export type ServerOptions = {
  readonly settings?: Settings
  readonly place?: ServerPlace
  /** Changes the server's data before it runs. */
  readonly prepare?: (data: DataDirectory) => void
  /** Location of the server's data, by default the fastest; a standby's is beside its primary's. */
  readonly root?: string
}

/** All servers that these tests run, so that none is left running. */
const servers = new Set<PostgresServer>()
/** Directories of archives and base backups. */
const copies = new Set<string>()
let cluster: string | undefined

export class PostgresServer {
  readonly directory: string
  readonly #place: ServerPlace
  #settings: Settings
  #child: Bun.Subprocess | undefined
  #databases = 0

  private constructor(directory: string, place: ServerPlace, settings: Settings) {
    this.directory = directory
    this.#place = place
    this.#settings = settings
    servers.add(this)
  }

  /** A new server with the journal's tables and roles. */
  static async start(
    settings: Settings = {},
    prepare: (data: DataDirectory) => void = () => {},
  ): Promise<PostgresServer> {
    return PostgresServer.startAt({ settings, prepare })
  }

  /** Like `start`, on a chosen machine. */
  static async startAt(options: ServerOptions): Promise<PostgresServer> {
    const directory = newDirectory(emptyCluster(), options.root)
    options.prepare?.(dataDirectory(path.join(directory, 'data')))
    const server = new PostgresServer(directory, options.place ?? here(), options.settings ?? {})
    await server.run()
    await server.initialize(DATABASE)
    return server
  }

  get port(): number {
    return this.#place.port
  }

  /** Creates a database with the journal's tables; returns its name. */
  async newDatabase(): Promise<string> {
    const name = `journal_${++this.#databases}`
    await this.sql(`CREATE DATABASE ${name}`)
    await this.initialize(name)
    return name
  }

  async initialize(database: string): Promise<void> {
    const connection = await this.connect(ADMINISTRATOR, database)
    await initialize(connection, { name: ENGINE, verifier: undefined })
    await connection.close()
  }

  /** A standby of this server with that name, which follows it. The server stops while it is copied. */
  async startStandby(name: string): Promise<PostgresServer> {
    await this.stop()
    const directory = newDirectory(path.join(this.directory, 'data'))
    await this.run()
    const primary = `host=127.0.0.1 port=${this.port} user=${ADMINISTRATOR} application_name=${name}`
    writeFileSync(path.join(directory, 'data', 'standby.signal'), '')
    const standby = new PostgresServer(directory, here(), { primary_conninfo: primary })
    await standby.run()
    return standby
  }

  /**
   * A standby copied while this server keeps running. It follows the server given in its setting
   * `primary_conninfo`.
   */
  async copyStandby({
    settings,
    place,
    prepare,
  }: Required<Omit<ServerOptions, 'root'>>): Promise<PostgresServer> {
    const connection = await this.connect(ADMINISTRATOR)
    try {
      await connection.run({ text: "SELECT pg_backup_start('standby', true)" })
      const directory = newDirectory(path.join(this.directory, 'data'), path.dirname(this.directory))
      const { rows } = await connection.run({ text: 'SELECT labelfile FROM pg_backup_stop(false)' })
      const data = dataDirectory(path.join(directory, 'data'))
      for (const name of ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf'])
        rmSync(path.join(data.path, name), { force: true })
      data.write('backup_label', String(rows[0]?.labelfile))
      data.write('standby.signal', '')
      data.write('postgresql.auto.conf', textOf(settings))
      prepare(data)
      const standby = new PostgresServer(directory, place, {})
      await standby.run()
      return standby
    } finally {
      await connection.close()
    }
  }

  /** Copies every finished segment of the log to `directory` from now on. This restarts the server. */
  async archiveTo(directory: string): Promise<void> {
    await this.stop()
    const command = `test ! -f ${directory}/%f && cp %p ${directory}/%f`
    this.#settings = { ...this.#settings, archive_mode: 'on', archive_command: command }
    await this.run()
  }

  /** A directory that the server may write to. */
  newArchive(): string {
    const directory = temporary()
    copies.add(directory)
    return directory
  }

  /** Resolves once everything written so far is in the archive. */
  async archived(): Promise<void> {
    const text = `SELECT pg_walfile_name(pg_current_wal_lsn()) AS current, last_archived_wal AS last FROM pg_stat_archiver`
    await eventually('the log is archived', async () => {
      const [row] = await this.sql(text)
      // The segment before the current one has been copied.
      return (
        typeof row?.last === 'string' &&
        Number.parseInt(row.last.slice(-8), 16) + 1 >= Number.parseInt(String(row.current).slice(-8), 16)
      )
    })
  }

  /** A copy of its data at rest, as a base backup. The server stops while it is copied. */
  async copyBase(): Promise<string> {
    await this.stop()
    const directory = newDirectory(path.join(this.directory, 'data'))
    copies.add(directory)
    await this.run()
    return path.join(directory, 'data')
  }

  /** A server restored from a base backup and an archive, up to a restore point. */
  static async restore(base: string, archive: string, point: string): Promise<PostgresServer> {
    const directory = newDirectory(base)
    writeFileSync(path.join(directory, 'data', 'recovery.signal'), '')
    const server = new PostgresServer(directory, here(), {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_name: point,
      recovery_target_action: 'promote',
    })
    await server.run()
    await eventually('it has recovered', async () => {
      const [row] = await server.sql('SELECT pg_is_in_recovery() AS recovering')
      return row?.recovering === false
    })
    return server
  }

  /** The main process, which started all others. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts the server and waits until it answers. */
  async run(): Promise<void> {
    const { host, listensOn = host, port, launcher } = this.#place
    const place = { listen_addresses: listensOn, port: String(port) }
    const settings = Object.entries({ ...QUIET, ...place, ...this.#settings })
    const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [
      ...launcher,
      ...POSTGRES_LAUNCHER,
      postgresBinary('postgres'),
      '-D',
      path.join(this.directory, 'data'),
    ]
    const log = Bun.file(path.join(this.directory, 'log'))
    this.#child = Bun.spawn([...command, ...flags], { stdin: 'ignore', stdout: log, stderr: log, env: {} })
    await eventually('the server answers', async () => {
      if (this.#child?.exitCode !== null) throw new Error(await log.text())
      return this.connect(ADMINISTRATOR).then(
        (connection) => connection.close().then(() => true),
        () => false,
      )
    })
  }

  /** Ends every process of the server at once, as a power cut does. */
  async kill(): Promise<void> {
    // The main process must start no process while the others are listed.
    const [own] = this.#pids()
    if (own !== undefined) signal(own, 'SIGSTOP')
    const pids = this.#pids()
    for (const pid of pids) signal(pid, 'SIGKILL')
    await this.#child?.exited
    await eventually('its processes have ended', async () => pids.every(hasEnded))
    rmSync(path.join(this.directory, 'data', 'postmaster.pid'), { force: true })
  }

  /** Ends the server cleanly. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGINT')
    await this.#child?.exited
  }

  /** Freezes every process of the server; `thaw` resumes them. */
  freeze(): void {
    for (const pid of this.#pids()) signal(pid, 'SIGSTOP')
  }

  thaw(): void {
    for (const pid of this.#pids()) signal(pid, 'SIGCONT')
  }

  where(user: string = ENGINE, database: string = DATABASE): ConnectionOptions {
    const { host, port } = this.#place
    const place = { host, port, database, user }
    return { ...place, password: undefined, tls: undefined, timeoutMs: 10_000 }
  }

  connect(user: string = ENGINE, database: string = DATABASE): Promise<Connection> {
    return Connection.open(this.where(user, database))
  }

  /** Runs a statement as the administrator, on a connection of its own. */
  async sql(text: string, values: readonly unknown[] = []) {
    const connection = await this.connect(ADMINISTRATOR)
    try {
      return (await connection.run({ text }, values)).rows
    } finally {
      await connection.close()
    }
  }

  /** Changes a setting as the administrator, and waits until new sessions have it. */
  async set(name: string, value: string): Promise<void> {
    await this.sql(`ALTER SYSTEM SET ${name} = '${value}'`)
    await this.sql('SELECT pg_reload_conf()')
    const shown = async () => (await this.sql(`SELECT current_setting('${name}') AS value`))[0]?.value
    await eventually(`new sessions have ${name}`, async () => (await shown()) === value)
  }

  /** Lets the server clean up, as a killed one cannot, and removes its data. */
  async discard(): Promise<void> {
    this.#child?.kill('SIGQUIT')
    await Promise.race([this.#child?.exited, new Promise((resolve) => setTimeout(resolve, QUIT_MS_MAX))])
    await this.kill()
    rmSync(this.directory, { recursive: true, force: true })
    servers.delete(this)
  }

  /** The server's main process and those that it started. */
  #pids(): number[] {
    const pid = this.#child?.pid
    if (pid === undefined || this.#child?.exitCode !== null) return []
    const children = `/proc/${pid}/task/${pid}/children`
    const backends = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : []
    return [pid, ...backends.filter((text) => text !== '').map(Number)]
  }
}

/** Ends all servers and removes their data. */
export async function discardServers(): Promise<void> {
  for (const server of [...servers]) await server.discard()
  for (const directory of copies) rmSync(directory, { recursive: true, force: true })
  copies.clear()
  if (cluster !== undefined) rmSync(cluster, { recursive: true, force: true })
  cluster = undefined
}

/** Data of a server that never ran; created once. */
function emptyCluster(): string {
  if (cluster !== undefined) return path.join(cluster, 'data')
  cluster = temporary()
  const data = path.join(cluster, 'data')
  const flags = ['-D', data, '-U', ADMINISTRATOR, '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C']
  const made = Bun.spawnSync([...POSTGRES_LAUNCHER, postgresBinary('initdb'), ...flags], { env: {} })
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  return data
}

function newDirectory(data: string, root?: string): string {
  const directory = temporary(root)
  // The copy keeps the owner, and only the owner may read it.
  const copied = Bun.spawnSync(['cp', '-a', data, path.join(directory, 'data')])
  if (copied.exitCode !== 0) cpSync(data, path.join(directory, 'data'), { recursive: true })
  return directory
}

function dataDirectory(data: string): DataDirectory {
  return {
    path: data,
    write: (name, text) => {
      const file = path.join(data, name)
      writeFileSync(file, text, { mode: 0o600 })
      if (POSTGRES_USER !== undefined) chownSync(file, POSTGRES_USER, POSTGRES_USER)
    },
  }
}

/** More space than all servers of a run together need. */
const ROOM_BYTES_MIN = 2 * 2 ** 30

/** Memory if there is enough: no test cuts the power, and syncs of a shared disk take most of the time. */
function temporaryRoot(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= ROOM_BYTES_MIN ? memory : tmpdir()
}

function temporary(root = temporaryRoot()): string {
  const directory = mkdtempSync(path.join(root, 'bourse-postgres-'))
  if (POSTGRES_USER !== undefined) chownSync(directory, POSTGRES_USER, POSTGRES_USER)
  return directory
}

/** Whether the process has exited, or is a zombie that waits for its parent. */
function hasEnded(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has exited in the meantime.
  }
}

/** A free port of this machine. */
function here(): ServerPlace {
  return { host: '127.0.0.1', port: freePort(), launcher: [] }
}

/** Settings in the format of a server's file. */
function textOf(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('')
}
