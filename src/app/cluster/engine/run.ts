/** `bourse engine` and `bourse historian`: one process of a cluster, until a signal. */
import { type OptionForms, parseArguments, UsageError } from '../../../cli/arguments.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { removeDeadSocket } from '../../../transport/link/serving/dead-socket.ts'
import type { ProgramVersion } from '../../../wire/program-version.ts'
import { Taken } from '../../node/taken.ts'
import { runNode } from '../../process/run-node.ts'
import type { LogLevel } from '../../settings/defaults.ts'
import { loadCluster } from '../settings.ts'
import { engineOptions, historianOptions } from './engine-options.ts'
import { EngineProcess } from './engine-process.ts'
import { HistorianProcess } from './historian-process.ts'

const EXIT_DONE = 0

const HELP = `bourse engine: one engine of a cluster

Usage: bourse engine --config FILE --name NAME [--data DIR] [--accept-database]

Several engines share the journal in the database. One leads: gateways, operators and the others are linked to it. The others follow it with a state
that is warm, and one of them leads when it is silent. A signal to stop hands the lead over; SIGHUP has secrets and certificates
of links read again. See docs/cluster.md.

Options:
  --config FILE  the file of the cluster
  --name NAME    which of its engines this is
  --data DIR     its directory, in place of the one that the file names: witness, snapshots and history
  --accept-database
                 the database has another system identifier, or an earlier timeline, than the one on which this engine has
                 led, and is right all the same: it was restored, or upgraded. Its journal is held against the witness as ever
  --help         show this help

Exit code: 0 stopped by a signal; 1 it could not start, or its state or the journal cannot be trusted; 75 start it again.`

const HISTORIAN_HELP = `bourse historian: one historian of a cluster

Usage: bourse historian --config FILE --name NAME [--data DIR]

It keeps the whole history of the exchange, follows whichever engine leads, and answers gateways' questions to it. It never leads and has no
role in the database. SIGHUP has secrets and certificates of links read again. See docs/cluster.md.

Options:
  --config FILE  the file of the cluster
  --name NAME    which of its historians this is
  --data DIR     its directory, in place of the one that the file names: snapshots and history
  --help         show this help

Exit code: 0 stopped by a signal; 1 it could not start, or what it was given cannot be trusted; 75 start it again.`

const FORMS = { config: 'value', name: 'value', data: 'value', help: 'flag' } as const
const ENGINE_FORMS = { ...FORMS, 'accept-database': 'flag' } as const

export type EngineHost = {
  readonly print: (text: string) => void
  readonly version: ProgramVersion
  readonly openLog: (level: LogLevel) => Logger
}

/** Runs `bourse engine`; resolves with the exit code. Throws `UsageError`, `SettingsError` and what an engine cannot start by. */
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

/** The same for `bourse historian`. */
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

/** Undefined: help was asked for. */
function read(line: readonly string[], what: string, forms: OptionForms = FORMS) {
  const { words, options } = parseArguments(line, forms)
  if (options.has('help')) return undefined
  if (words[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(words[0])}`)
  const [file, name, data] = ['config', 'name', 'data'].map((option) => options.get(option))
  if (typeof file !== 'string') throw new UsageError('expected the file of the cluster: --config FILE')
  if (typeof name !== 'string') throw new UsageError(`expected which ${what} this is: --name NAME`)
  const acceptsDatabase = options.has('accept-database')
  return { file, name, data: typeof data === 'string' ? data : undefined, acceptsDatabase }
}

/** A start that fails lets go of all that it has taken. */
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
