/** `bourse customers init`: creates the tables and roles for the customers of a cluster. */
import { type Arguments, UsageError } from '../../cli/arguments.ts'
import { printable } from '../../units/printable.ts'
import { databaseOf, loadCluster, readPassword } from '../cluster/settings.ts'
import { initializeCustomers } from '../node/storage/customers-database.ts'
import { SettingsError } from '../settings/load.ts'

export const INIT_HELP = `bourse customers init: create the tables and roles for the customers of a cluster

Usage: bourse customers init --config FILE --admin-user NAME [--admin-password-file FILE]

Creates the schemas bourse_customers and bourse_customer_keys and their roles in the existing databases specified by
customers.store and customers.keys in the cluster file, or updates their tables for this version. Also sets the roles' rights
and passwords again. Reports what it did, and can be run again.

Options:
  --config FILE               cluster file
  --admin-user NAME           a role in both databases that may create roles and schemas
  --admin-password-file FILE  file with that role's password, readable only by its owner
  --help                      show this help

Exit code: 0 done; 1 a database refused it; 2 the command line is invalid.`

/** Rejects with the database's error if it refuses a statement. */
export async function initCustomers({ options }: Arguments, print: (text: string) => void): Promise<void> {
  const [file, user, passwordFile] = ['config', 'admin-user', 'admin-password-file'].map((name) => {
    const value = options.get(name)
    return typeof value === 'string' ? value : undefined
  })
  if (file === undefined) throw new UsageError('expected the cluster file: --config FILE')
  if (user === undefined)
    throw new UsageError('expected a role that may create roles and schemas: --admin-user NAME')
  const { store, keys } = loadCluster(file).customers ?? {}
  if (store === undefined || keys === undefined)
    throw new SettingsError(`${file}: customers: expected the databases store and keys, found none`)
  const password = passwordFile === undefined ? undefined : readPassword(passwordFile)
  for (const [part, database] of [
    ['store', store],
    ['keys', keys],
  ] as const) {
    const address = databaseOf({ database })
    const done = await initializeCustomers({ ...address, user, password }, part, address)
    for (const sentence of done) print(printable(sentence))
  }
}
