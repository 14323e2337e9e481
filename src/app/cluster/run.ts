/** `bourse cluster`: prepares the database of a cluster, and says what of it would lose acknowledged orders. */
import { type Arguments, parseArguments, UsageError } from '../../cli/arguments.ts'
import { tellFailure } from '../../cli/failure.ts'
import { JournalFault } from '../../engine/journal.ts'
import { nearest } from '../../units/nearest.ts'
import { SettingsError } from '../settings/load.ts'
import {
  checkDatabase,
  type DatabaseFinding,
  initializeDatabase,
  isDatabaseFault,
} from '../storage/cluster-database.ts'
import { type ClusterSettings, databaseOf, loadCluster, readPassword } from './settings.ts'

const EXIT_DONE = 0
const EXIT_FINDING = 1
const EXIT_CANNOT = 2

const HELP = `bourse cluster: the database of a cluster

Usage: bourse cluster init --config FILE --admin-user NAME [--admin-password-file FILE]
       bourse cluster check --config FILE

init makes the journal's tables and the engine's role in a database that is there. What is there already is left as it is,
but for the role's rights and password. It says what it did, and can be run again.

check connects as the engine does and names each setting that would lose acknowledged orders or stop the exchange, and
what to do about it. No engine can be started on the database yet: see docs/cluster.md.

FILE is JSON, of which these two parts are used here (docs/cluster.md, The file):
  { "database": { "host": "db.example.com", "port": 5432, "name": "bourse", "user": "bourse_engine",
                  "passwordFile": "/etc/bourse/engine.password", "tls": "on", "caFile": "/etc/bourse/ca.pem",
                  "timeoutMs": 10000 },
    "durability": { "kind": "quorum", "standbys": ["east", "west"], "confirmations": 1 } }

durability says what keeps a batch when the primary is lost: quorum (PostgreSQL's own standbys), storage (replicated below
the database) or single (nothing, for trials). tls may be off for an address of this machine only.

Options:
  --config FILE               the file above
  --admin-user NAME           init: a role that may make roles and tables
  --admin-password-file FILE  init: its password, in a file that nobody else may read
  --json                      the result for programs
  --help                      show this help

Exit code: 0 done, and nothing found that loses orders or stops the exchange; 1 check has found something that does; 2 not
understood, or could not be carried out.`

const FORMS = {
  config: 'value',
  'admin-user': 'value',
  'admin-password-file': 'value',
  json: 'flag',
  help: 'flag',
} as const

const COMMANDS = ['init', 'check']

export type ClusterHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

type Options = Arguments['options']
type Request = { readonly command: string; readonly file: string; readonly administrator: string }

/** Resolves with the exit code. Throws `UsageError`; rejects otherwise only on a bug. */
export async function runCluster(line: readonly string[], host: ClusterHost): Promise<number> {
  const given = parseArguments(line, FORMS)
  if (given.options.has('help')) {
    host.print(HELP)
    return EXIT_DONE
  }
  const { command, file, administrator } = requestOf(given)
  try {
    const settings = loadCluster(file)
    if (command === 'init') return await init(settings, administrator, given.options, host)
    return await check(settings, given.options, host)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    tellFailure(`bourse cluster ${command}`, { reason, message: (error as Error).message }, line, host)
    return EXIT_CANNOT
  }
}

function requestOf({ words: [command, ...rest], options }: Arguments): Request {
  if (command === undefined) throw new UsageError(`cluster needs one of ${COMMANDS.join(', ')}`)
  if (!COMMANDS.includes(command)) {
    const near = nearest(command, COMMANDS)
    throw new UsageError(`cluster has no ${command}${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
  if (rest[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(rest[0])}`)
  const file = options.get('config')
  if (typeof file !== 'string') throw new UsageError('expected the file of the cluster: --config FILE')
  const administrator = options.get('admin-user')
  if (command === 'init' && typeof administrator !== 'string')
    throw new UsageError('expected a role that may make roles and tables: --admin-user NAME')
  if (command === 'check' && (options.has('admin-user') || options.has('admin-password-file')))
    throw new UsageError('check connects as the engine: --admin-user and its password are for init')
  return { command, file, administrator: typeof administrator === 'string' ? administrator : '' }
}

async function init(
  settings: ClusterSettings,
  user: string,
  options: Options,
  host: ClusterHost,
): Promise<number> {
  const database = databaseOf(settings)
  const file = options.get('admin-password-file')
  const password = typeof file === 'string' ? readPassword(file) : undefined
  const done = await initializeDatabase({ ...database, user, password }, database)
  if (options.has('json')) host.print(JSON.stringify({ done }))
  else for (const sentence of done) host.print(sentence)
  return EXIT_DONE
}

async function check(settings: ClusterSettings, options: Options, host: ClusterHost): Promise<number> {
  const { durability } = settings
  const database = databaseOf(settings)
  const findings = await checkDatabase(database, durability)
  if (options.has('json')) host.print(JSON.stringify({ findings }))
  else {
    for (const finding of findings) host.print(paragraphOf(finding))
    const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length
    const where = `${database.host}:${database.port}/${database.database} as ${database.user}`
    const graveOnes = `${count('LOSES')} would lose acknowledged orders, ${count('STOPS')} would stop the exchange`
    host.print(`${where}, ${durability.kind}: ${graveOnes}, ${count('WEAKENS')} weaken a defence`)
  }
  return findings.some(({ severity }) => severity !== 'WEAKENS') ? EXIT_FINDING : EXIT_DONE
}

function paragraphOf({ severity, about, found, expected, mend }: DatabaseFinding): string {
  return `${severity.padEnd(8)}${about}: found ${found}\n        expected ${expected}\n        to mend: ${mend}`
}

/** Undefined for a bug. */
function reasonOf(error: unknown) {
  if (error instanceof JournalFault) return error.kind
  return error instanceof SettingsError || isDatabaseFault(error) ? ('CANNOT_RUN' as const) : undefined
}
