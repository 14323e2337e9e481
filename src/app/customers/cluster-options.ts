/** Settings of a customers' process of a cluster: the file of the cluster and the files that it names. */
import type { LinkListener } from '../../transport/link/protocol/link-address.ts'
import { listenerOf } from '../cluster/engine/engine-options.ts'
import { linkAddressOf } from '../cluster/link-address.ts'
import { LinkTerms } from '../cluster/link-terms.ts'
import {
  type ClusterSettings,
  type CustomersMember,
  type CustomersSection,
  exchangeSecretsOf,
  gatewaySecretsOf,
  type LinkSection,
  loadCluster,
} from '../cluster/settings.ts'
import type { Settings } from '../settings/defaults.ts'
import type { SettingValue } from '../settings/kinds.ts'
import { SettingsError } from '../settings/load.ts'
import { settingsWith } from '../settings/section.ts'
import type { ExchangeLinks } from './leader-access.ts'

/** Whom it listens to, and where the engines are. */
export type CustomersTerms = {
  readonly listen: LinkListener
  /** Of engines, which ask for operators, and of gateways, which pass on requests; the newest first. */
  readonly exchange: { readonly secrets: readonly string[] }
  readonly gateways: { readonly secrets: readonly string[] }
  readonly engines: ExchangeLinks['engines']
}

export type CustomersProcessSettings = {
  readonly name: string
  readonly settings: Settings
  /** Where its files are. */
  readonly directory: string
  readonly terms: LinkTerms<CustomersTerms>
}

/** `data` replaces the directory that the file names. Throws `SettingsError`. */
export function customersOptions(
  cluster: ClusterSettings,
  name: string,
  data: string | undefined,
): CustomersProcessSettings {
  const { file } = cluster
  const own = memberOf(cluster, name)
  const directory = data ?? own.data
  if (directory === undefined)
    throw new SettingsError(`${file}: ${name} has no data: name a directory there, or with --data DIR`)
  const values = new Map<string, SettingValue>([['dataDirectory', directory]])
  if (own.monitoring !== undefined)
    values.set('monitoring.host', own.monitoring.host).set('monitoring.port', own.monitoring.port)
  return {
    name,
    directory,
    settings: settingsWith(cluster.settings, values),
    terms: new LinkTerms(termsOf(cluster, name), () => termsOf(loadCluster(file), name)),
  }
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
  throw new SettingsError(`${cluster.file}: customers: expected one of name ${name}, found ${known}`)
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
