/** Settings of a cluster's customers process: the cluster file and the files that it refers to. */
import type { LinkListener } from '../../transport/link/protocol/link-address.ts'
import { listenerOf } from '../cluster/engine/engine-options.ts'
import { linkAddressOf } from '../cluster/link-address.ts'
import { LinkTerms } from '../cluster/link-terms.ts'
import {
  type ClusterSettings,
  type CustomersMember,
  type CustomersSection,
  databaseOf,
  exchangeSecretsOf,
  gatewaySecretsOf,
  type LinkSection,
  loadCluster,
} from '../cluster/settings.ts'
import type { DatabaseAddress } from '../node/storage/cluster-database.ts'
import type { Settings } from '../settings/defaults.ts'
import type { SettingValue } from '../settings/kinds.ts'
import { SettingsError } from '../settings/load.ts'
import { settingsWith } from '../settings/section.ts'
import type { ExchangeLinks } from './leader-access.ts'

/** The senders whose requests it accepts, and the addresses of the engines. */
export type CustomersTerms = {
  readonly listen: LinkListener
  /**
   * The secrets of engines, which pass on operators' requests, and of gateways, which pass on customers';
   * newest first.
   */
  readonly exchange: { readonly secrets: readonly string[] }
  readonly gateways: { readonly secrets: readonly string[] }
  readonly engines: ExchangeLinks['engines']
}

/** Files of this machine, or databases that several processes share. */
export type StorePlace =
  | { readonly kind: 'DIRECTORY'; readonly directory: string }
  | { readonly kind: 'DATABASES'; readonly store: DatabaseAddress; readonly keys: DatabaseAddress }

export type CustomersProcessSettings = {
  readonly name: string
  readonly settings: Settings
  readonly place: StorePlace
  readonly terms: LinkTerms<CustomersTerms>
}

/** Unused with databases. */
const NO_DIRECTORY = '/nonexistent'

/** `data` replaces the directory in the file. Throws `SettingsError`. */
export function customersOptions(
  cluster: ClusterSettings,
  name: string,
  data: string | undefined,
): CustomersProcessSettings {
  const { file } = cluster
  const own = memberOf(cluster, name)
  const place = placeOf(cluster, own, data)
  const directory = place.kind === 'DIRECTORY' ? place.directory : NO_DIRECTORY
  const values = new Map<string, SettingValue>([['dataDirectory', directory]])
  if (own.monitoring !== undefined)
    values.set('monitoring.host', own.monitoring.host).set('monitoring.port', own.monitoring.port)
  return {
    name,
    place,
    settings: settingsWith(cluster.settings, values),
    terms: new LinkTerms(termsOf(cluster, name), () => termsOf(loadCluster(file), name)),
  }
}

/** Reads the passwords. Throws `SettingsError`. */
function placeOf(cluster: ClusterSettings, own: CustomersMember, data: string | undefined): StorePlace {
  const { file } = cluster
  const { customers } = required(cluster)
  const { store, keys } = customers
  const directory = data ?? own.data
  if (store !== undefined && keys !== undefined) {
    if (directory !== undefined)
      throw new SettingsError(`${file}: ${own.name}: expected no data, since customers.store has it`)
    return {
      kind: 'DATABASES',
      store: databaseOf({ database: store }),
      keys: databaseOf({ database: keys }),
    }
  }
  if (directory !== undefined) return { kind: 'DIRECTORY', directory }
  const expected =
    'set a directory there or with --data DIR, or set the databases customers.store and customers.keys'
  throw new SettingsError(`${file}: ${own.name} has no data: ${expected}`)
}

/** Throws `SettingsError`. */
function termsOf(cluster: ClusterSettings, name: string): CustomersTerms {
  const { customers, engines, link } = required(cluster)
  return {
    listen: listenerOf(memberOf(cluster, name).link, link),
    exchange: { secrets: exchangeSecretsOf(customers) },
    gateways: { secrets: gatewaySecretsOf(customers) },
    engines: engines.flatMap((engine) =>
      engine.customers === undefined
        ? []
        : [{ name: engine.name, address: linkAddressOf({ kind: 'TCP', ...engine.customers }, link) }],
    ),
  }
}

/** Throws `SettingsError`. */
function memberOf(cluster: ClusterSettings, name: string): CustomersMember {
  const { customers } = required(cluster)
  const own = customers.processes.find((member) => member.name === name)
  if (own !== undefined) return own
  const known = customers.processes.map((member) => member.name).join(', ')
  throw new SettingsError(`${cluster.file}: customers: expected an entry named ${name}, found ${known}`)
}

/** Throws `SettingsError`. */
function required({ file, customers, link, engines }: ClusterSettings): {
  readonly customers: CustomersSection
  readonly link: LinkSection
  readonly engines: ClusterSettings['engines']
} {
  if (customers === undefined)
    throw new SettingsError(`${file}: customers: expected an object with processes, found nothing`)
  if (link === undefined) throw new SettingsError(`${file}: link: expected an object, found nothing`)
  if (engines.length === 0) throw new SettingsError(`${file}: engines: expected at least one, found none`)
  return { customers, link, engines }
}
