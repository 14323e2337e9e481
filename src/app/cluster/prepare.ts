/**
 * `bourse cluster init` and `check`: the requirements of a cluster's journal in a database, and the
 * properties of the database that would lose acknowledged orders.
 */

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

const INIT_HELP = `bourse cluster init: create a cluster's tables and role in a database

Usage: bourse cluster init --config FILE --admin-user NAME [--admin-password-file FILE] [--json]

Creates the journal's tables and the engine's role in an existing database. Existing objects are left unchanged,
except for the role's rights and password. Reports what it did, and can be run again.

Options:
  --config FILE               cluster file
  --admin-user NAME           a database role that may create roles and tables
  --admin-password-file FILE  file with that role's password, readable only by its owner
  --json                      print the result as JSON
  --help                      show this help

Exit code: 0 done; 2 the command line is invalid or the command could not be carried out.`

const CHECK_HELP = `bourse cluster check: find database settings that would lose acknowledged orders or stop the exchange

Usage: bourse cluster check --config FILE [--json]

Connects as the engine does, and reports each setting that differs from the file, with a remedy. It also reports a connection
pooler in between, and a database other than the one on which this machine's engines last led. Prints what identifies the
database: PostgreSQL's system identifier, and the timeline. Changes nothing.

Options:
  --config FILE  cluster file
  --json         print the findings as JSON
  --help         show this help

Exit code: 0 no setting would lose orders or stop the exchange; 1 some would; 2 the command line is invalid or the
command could not be carried out.`

export const INIT: ClusterCommand = {
  name: 'init',
  help: INIT_HELP,
  forms: { 'admin-user': 'value', 'admin-password-file': 'value' },
  words: [],
  run: async ({ settings, options }, host) => {
    const user = textOf(options, 'admin-user')
    if (user === undefined)
      throw new UsageError('expected a database role that may create roles and tables: --admin-user NAME')
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
    host.print(`${where}, ${durability.kind}: ${graveOnes}, ${count('WEAKENS')} weaken a defense`)
  }
  return findings.some(({ severity }) => severity !== 'WEAKENS') ? EXIT_FINDING : EXIT_DONE
}

/** Null if the database does not report it. */
export function jsonOfIdentity(identity: DatabaseIdentity | undefined) {
  return { systemIdentifier: identity?.systemIdentifier ?? null, timeline: identity?.timeline ?? null }
}

function paragraphOf({ severity, about, found, expected, mend }: DatabaseFinding): string {
  return `${severity.padEnd(8)}${about}: found ${printable(found)}\n        expected ${expected}\n        remedy: ${mend}`
}
