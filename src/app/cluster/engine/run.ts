/** `bourse engine` and `bourse historian`: one process of a cluster, until a signal. */
import { type OptionForms, parseArguments, refuseExtraWord, UsageError } from '../../../cli/arguments.ts'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { removeDeadSocket } from '../../../transport/link/serving/dead-socket.ts'
import { Taken } from '../../node/taken.ts'
import { runNode } from '../../process/run-node.ts'
import type { LogLevel } from '../../settings/defaults.ts'
import { loadCluster } from '../settings.ts'
import { engineOptions, historianOptions } from './engine-options.ts'
import { EngineProcess } from './engine-process.ts'
import { HistorianProcess } from './historian-process.ts'

const EXIT_DONE = 0

const HELP = `bourse engine: run one engine of a cluster

Usage: bourse engine --config FILE --name NAME [--data DIR] [--accept-database]

Several engines share the journal in the database. One of them leads: gateways, operators and the other engines connect to
it. The others follow with a warm state, and one of them takes over when the leader stops responding. A stop signal hands
leadership over; SIGHUP reloads the secrets and certificates of the links. See docs/cluster.md.

Options:
  --config FILE  cluster file
  --name NAME    name of this engine in that file
  --data DIR     data directory of this engine (witness, snapshots, history), instead of the one in the file
  --accept-database
                 accept a database whose system identifier differs from, or whose timeline is earlier than, the one on which
                 this engine last led: it was restored or upgraded. Its journal is still checked against the witness
  --help         show this help

Exit code: 0 stopped by a signal; 1 it could not start, or its state or the journal cannot be trusted; 75 start it again.`

const HISTORIAN_HELP = `bourse historian: run one historian of a cluster

Usage: bourse historian --config FILE --name NAME [--data DIR]

Keeps the whole history of the exchange, follows the leading engine, and answers history queries of gateways. It never leads
and has no role in the database. SIGHUP reloads the secrets and certificates of the links. See docs/cluster.md.

Options:
  --config FILE  cluster file
  --name NAME    name of this historian in that file
  --data DIR     data directory of this historian (snapshots, history), instead of the one in the file
  --help         show this help

Exit code: 0 stopped by a signal; 1 it could not start, or the data it received cannot be trusted; 75 start it again.`

const FORMS = { config: 'value', name: 'value', data: 'value', help: 'flag' } as const
const ENGINE_FORMS = { ...FORMS, 'accept-database': 'flag' } as const

export type EngineHost = {
  readonly print: (text: string) => void
  readonly version: ProgramVersion
  readonly openLog: (level: LogLevel) => Logger
}

/**
 * Runs `bourse engine`; resolves with the exit code. Throws `UsageError`, `SettingsError` and any error that
 * prevents the start.
 */
export async function runEngineCommand(line: readonly string[], host: EngineHost): Promise<number> {
  const given = read(line, 'engine', ENGINE_FORMS)
  if (given === undefined) return helped(host, HELP)
  const made = engineOptions(loadCluster(given.file), given.name, given.data, given.acceptsDatabase)
  const log = host.openLog(made.settings.logLevel)
  const start = startOf(log, async (taken) => {
    await removeDeadSocket(made.links.current.listen)
    const process = new EngineProcess({ ...made, version: host.version, log }, taken)
    const { admin, monitoring } = process.urls
    host.print(`Admin server at ${admin}, health and metrics at ${monitoring}`)
    await process.begin(taken)
    host.print(`Bourse engine ${made.name} is ready`)
    return process
  })
  return runNode(start, log)
}

/** Runs `bourse historian`, likewise. */
export async function runHistorianCommand(line: readonly string[], host: EngineHost): Promise<number> {
  const given = read(line, 'historian')
  if (given === undefined) return helped(host, HISTORIAN_HELP)
  const made = historianOptions(loadCluster(given.file), given.name, given.data)
  const log = host.openLog(made.settings.logLevel)
  const start = startOf(log, async (taken) => {
    await removeDeadSocket(made.links.current.listen)
    const process = new HistorianProcess({ ...made, version: host.version, log }, taken)
    host.print(`Health and metrics at ${process.monitoringUrl}`)
    await process.begin(taken)
    host.print(`Bourse historian ${made.name} is ready`)
    return process
  })
  return runNode(start, log)
}

function helped({ print }: EngineHost, text: string): number {
  print(text)
  return EXIT_DONE
}

/** Undefined if help was requested. */
function read(line: readonly string[], what: string, forms: OptionForms = FORMS) {
  const { words, options } = parseArguments(line, forms)
  if (options.has('help')) return undefined
  refuseExtraWord(words[0])
  const [file, name, data] = ['config', 'name', 'data'].map((option) => options.get(option))
  if (typeof file !== 'string') throw new UsageError('expected the cluster file: --config FILE')
  if (typeof name !== 'string') throw new UsageError(`expected the name of this ${what}: --name NAME`)
  const acceptsDatabase = options.has('accept-database')
  return { file, name, data: typeof data === 'string' ? data : undefined, acceptsDatabase }
}

/** A start that fails releases all resources that it has acquired. */
function startOf<Started>(log: Logger, begin: (taken: Taken) => Promise<Started>): () => Promise<Started> {
  return async () => {
    const taken = new Taken(log)
    try {
      return await begin(taken)
    } catch (cause) {
      await taken.releaseAll()
      throw cause
    }
  }
}
