/** `bourse cluster init` and `check`: what a cluster's journal needs in a database, and what of the database would lose acknowledged orders. */

import { UsageError } from '../../cli/arguments.ts'
import { printable } from '../../units/printable.ts'
import {
  checkDatabase,
  type DatabaseFinding,
  type DatabaseIdentity,
  initializeDatabase,
  wordsOf,
} from '../node/storage/cluster-database.ts'
import {
  type ClusterCommand,
  type ClusterHost,
  type ClusterRequest,
  EXIT_DONE,
  EXIT_FINDING,
  textOf,
} from './command.ts'
import { databaseOf, readPassword } from './settings.ts'

const INIT_HELP = `bourse cluster init: what a cluster's journal needs in a database

Usage: bourse cluster init --config FILE --admin-user NAME [--admin-password-file FILE] [--json]

Makes the journal's tables and the engine's role in a database that is there. What is there already is left as it is, but
for the role's rights and password. It says what it did, and can be run again.

Options:
  --config FILE               the file of the cluster
  --admin-user NAME           a role that may make roles and tables
  --admin-password-file FILE  its password, in a file that nobody else may read
  --json                      the result for programs
  --help                      show this help

Exit code: 0 done; 2 not understood, or could not be carried out.`

const CHECK_HELP = `bourse cluster check: what of a database would lose acknowledged orders, or stop the exchange

Usage: bourse cluster check --config FILE [--json]

Connects as the engine does, names each setting that is not what the file declares, and says what to do about it; so it
does of a pooler in between, and of another database than the one on which the file's engines of this machine have led. It
says by what the database is known again: PostgreSQL's system identifier, and the timeline. It changes nothing.

Options:
  --config FILE  the file of the cluster
  --json         the findings for programs
  --help         show this help

Exit code: 0 nothing found that loses orders or stops the exchange; 1 something that does; 2 not understood, or could
not be carried out.`

export const INIT: ClusterCommand = {
  name: 'init',
  help: INIT_HELP,
  forms: { 'admin-user': 'value', 'admin-password-file': 'value' },
  words: [],
  run: async ({ settings, options }, host) => {
    const user = textOf(options, 'admin-user')
    if (user === undefined)
      throw new UsageError('expected a role that may make roles and tables: --admin-user NAME')
    const database = databaseOf(settings)
    const file = textOf(options, 'admin-password-file')
    const password = file === undefined ? undefined : readPassword(file)
    const done = await initializeDatabase({ ...database, user, password }, database)
    if (options.has('json')) host.print(JSON.stringify({ done }))
    else for (const sentence of done) host.print(printable(sentence))
    return EXIT_DONE
  },
}

export const CHECK: ClusterCommand = { name: 'check', help: CHECK_HELP, forms: {}, words: [], run: check }

async function check({ settings, options }: ClusterRequest, host: ClusterHost): Promise<number> {
  const { durability } = settings
  const database = databaseOf(settings)
  const directories = (settings.engines ?? []).flatMap(({ data }) => (data === undefined ? [] : [data]))
  const { findings, identity } = await checkDatabase(database, durability, directories)
  if (options.has('json')) host.print(JSON.stringify({ findings, ...jsonOfIdentity(identity) }))
  else {
    for (const finding of findings) host.print(paragraphOf(finding))
    const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length
    const where = `${database.host}:${database.port}/${database.database} as ${database.user}`
    const graveOnes = `${count('LOSES')} would lose acknowledged orders, ${count('STOPS')} would stop the exchange`
    if (identity !== undefined) host.print(`${where}: ${printable(wordsOf(identity))}`)
    host.print(`${where}, ${durability.kind}: ${graveOnes}, ${count('WEAKENS')} weaken a defence`)
  }
  return findings.some(({ severity }) => severity !== 'WEAKENS') ? EXIT_FINDING : EXIT_DONE
}

/** Null where the database does not say it. */
export function jsonOfIdentity(identity: DatabaseIdentity | undefined) {
  return { systemIdentifier: identity?.systemIdentifier ?? null, timeline: identity?.timeline ?? null }
}

function paragraphOf({ severity, about, found, expected, mend }: DatabaseFinding): string {
  return `${severity.padEnd(8)}${about}: found ${printable(found)}\n        expected ${expected}\n        to mend: ${mend}`
}
