/**
 * A process that calls operations of an engine's admin server, on the machine of that engine. Its arguments
 * are the data directory and the operations as JSON; it prints the results.
 */
import { askAdmin, readAdminAddress } from '../../../src/cli/admin/client.ts'
import type { AdminOperation, AdminRequests } from '../../../src/contract/admin/admin.ts'

export type AdminRequest = { readonly operation: AdminOperation; readonly request: unknown }

if (import.meta.main) {
  const [directory = '', requests = '[]'] = process.argv.slice(2)
  const results: unknown[] = []
  for (const { operation, request } of JSON.parse(requests) as readonly AdminRequest[])
    results.push(
      await askAdmin(readAdminAddress(directory), operation, request as AdminRequests[typeof operation]),
    )
  process.stdout.write(JSON.stringify(results))
}
