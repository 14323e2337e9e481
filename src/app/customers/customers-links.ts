/** The customers processes in a cluster file, for engines and gateways. */
import { linkAddressOf } from '../cluster/link-address.ts'
import type { ClusterSettings, CustomersSection } from '../cluster/settings.ts'
import type { CustomersLinks } from './customers-pool.ts'

/**
 * The links to customers processes for an engine or a gateway; undefined if there are none. Throws
 * `SettingsError`.
 */
export function customersLinksOf(
  { customers, link }: Pick<ClusterSettings, 'customers' | 'link'>,
  secretsOf: (section: CustomersSection) => readonly string[],
): CustomersLinks | undefined {
  if (customers === undefined || link === undefined) return undefined
  const [secret = ''] = secretsOf(customers)
  const processes = customers.processes.map((each) => ({
    name: each.name,
    address: linkAddressOf(each.link, link),
  }))
  return { processes, secret }
}
