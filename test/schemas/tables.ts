/** The pages of docs/reference with tables that are generated from rows, each with its generator. */
import { withAccountTables } from './account-reference.ts'
import { withAccountOperations, withNatures, withOperations, withRights } from './admin-reference.ts'
import { withCommands } from './cli-reference.ts'

export const PAGES_WITH_TABLES = [
  ['admin.md', withRights],
  ['admin-operations.md', withOperations],
  ['admin-account-operations.md', withAccountOperations],
  ['operators-page.md', withNatures],
  ['cli-admin.md', withCommands],
  ['account.md', withAccountTables],
] as const
