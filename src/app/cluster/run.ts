/** `bourse cluster`: finds the requested command, and reports why it was not carried out. */
import { type Arguments, parseArguments, refuseExtraWord, UsageError } from '../../cli/arguments.ts'
import { tellFailure } from '../../cli/failure.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { meant, nearest } from '../../units/nearest.ts'
import { CannotRunError } from '../maintenance/verification/host.ts'
import { DataDirectoryFault } from '../node/exchange-directory.ts'
import { isDatabaseFault } from '../node/storage/cluster-database.ts'
import { SettingsError } from '../settings/load.ts'
import { ACCEPT_TAIL } from './accept-tail.ts'
import { type ClusterCommand, type ClusterHost, EXIT_CANNOT, EXIT_DONE, EXIT_FINDING } from './command.ts'
import { EXPORT, IMPORT } from './move.ts'
import { CHECK, INIT } from './prepare.ts'
import { REPAIR } from './repair.ts'
import { loadCluster } from './settings.ts'
import { STATUS } from './status.ts'

const COMMANDS: readonly ClusterCommand[] = [INIT, CHECK, STATUS, IMPORT, EXPORT, REPAIR, ACCEPT_TAIL]

const COMMON = { config: 'value', json: 'flag', help: 'flag' } as const

const FORMS = { ...Object.assign({}, ...COMMANDS.map(({ forms }) => forms)), ...COMMON }

const HELP = `bourse cluster: create, check and repair a cluster's database, and move an exchange into it or out of it

Usage: bourse cluster init --config FILE --admin-user NAME [--admin-password-file FILE]
       bourse cluster check --config FILE
       bourse cluster status --config FILE
       bourse cluster import DIR --config FILE [--engine-data DIR2] [--dry-run]
       bourse cluster export DIR --config FILE [--dry-run]
       bourse cluster repair --config FILE --from COPY [--data DIR] [--yes ...]
       bourse cluster accept-tail --config FILE [--data DIR] [--end POSITION] [--yes ...]

  init         create the journal's tables and the engine's role in a database
  check        find database settings that would lose acknowledged orders or stop the exchange
  status       show which engine leads, since when, and the positions of engines and database standbys
  import       move the exchange of a data directory into the database
  export       move the exchange of the database into a new data directory
  repair       restore lost or damaged batches from another copy of the journal
  accept-tail  accept that commands are lost, and continue from where the journal ends

FILE is JSON. These commands use two parts of it (docs/cluster.md, The file):
  { "database": { "host": "db.example.com", "port": 5432, "name": "bourse", "user": "bourse_engine",
                  "passwordFile": "/etc/bourse/engine.password", "tls": "on", "caFile": "/etc/bourse/ca.pem",
                  "timeoutMs": 10000 },
    "durability": { "kind": "quorum", "standbys": ["east", "west"], "confirmations": 1 } }

durability specifies what preserves a batch when the primary is lost: quorum (standbys of PostgreSQL), storage (replicated
below the database) or single (nothing, for tests). tls may be off only for an address of this machine.

bourse verify --config FILE checks the journal, and bourse journal --config FILE lists its commands.
Each command has its own options: bourse cluster import --help. All take --config FILE, --json and --help.

Exit code: 0 done; 1 findings; 2 the command line is invalid or the command could not be carried out.`

/** Resolves with the exit code. Throws `UsageError`; rejects otherwise only on a bug. */
export async function runCluster(line: readonly string[], host: ClusterHost): Promise<number> {
  const given = parseArguments(line, FORMS)
  const [name] = given.words
  if (given.options.has('help')) {
    host.print(COMMANDS.find((command) => command.name === name)?.help ?? HELP)
    return EXIT_DONE
  }
  const command = commandOf(name)
  const { file, ...request } = requestOf(command, given)
  try {
    return await command.run({ ...request, settings: loadCluster(file) }, host)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    tellFailure(`bourse cluster ${command.name}`, { reason, message: (error as Error).message }, line, host)
    return reason === 'DAMAGED' || reason === 'WITNESS' ? EXIT_FINDING : EXIT_CANNOT
  }
}

function commandOf(name: string | undefined): ClusterCommand {
  const names = COMMANDS.map((command) => command.name)
  if (name === undefined) throw new UsageError(`cluster needs one of ${names.join(', ')}`)
  const command = COMMANDS.find((one) => one.name === name)
  if (command !== undefined) return command
  const near = nearest(name, names)
  throw new UsageError(
    `there is no command cluster ${name}${near === undefined ? '' : `; did you mean ${near}?`}`,
  )
}

function requestOf(command: ClusterCommand, { words: [, ...words], options }: Arguments) {
  const known = [...Object.keys(command.forms), ...Object.keys(COMMON)]
  for (const option of options.keys()) {
    if (known.includes(option)) continue
    throw new UsageError(`cluster ${command.name} takes no --${option}${meant(option, known)}`)
  }
  const beyond = words[command.words.length]
  refuseExtraWord(beyond)
  const missing = command.words[words.length]
  if (missing !== undefined) throw new UsageError(`expected ${missing}`)
  const file = options.get('config')
  if (typeof file !== 'string') throw new UsageError('expected the cluster file: --config FILE')
  return { file, words, options }
}

/** Undefined for a bug. */
function reasonOf(error: unknown) {
  if (error instanceof JournalFault) return error.kind
  const others = [SettingsError, CannotRunError, DataDirectoryFault]
  const isKnown = others.some((kind) => error instanceof kind) || isDatabaseFault(error)
  return isKnown ? ('CANNOT_RUN' as const) : undefined
}
