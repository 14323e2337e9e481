/** Settings of a gateway process: the cluster file and the content of the files that it refers to. */
import type { NamedAddress } from '../../transport/link/asking/leader-link.ts'
import { linkAddressOf } from '../cluster/link-address.ts'
import { LinkTerms } from '../cluster/link-terms.ts'
import { type ClusterSettings, gatewaySecretsOf, linkSecretsOf, loadCluster } from '../cluster/settings.ts'
import { customersLinksOf } from '../customers/customers-links.ts'
import type { CustomersLinks } from '../customers/customers-pool.ts'
import { type LoadedMasterKey, loadSharedMasterKey } from '../node/load-master-key.ts'
import type { Settings } from '../settings/defaults.ts'
import type { SettingValue } from '../settings/kinds.ts'
import { SettingsError } from '../settings/load.ts'
import { settingsWith } from '../settings/section.ts'
import type { GatewayLinks } from './linked-gateway.ts'

export type ClusterGatewaySettings = {
  readonly name: string
  readonly settings: Settings
  readonly links: LinkTerms<GatewayLinks>
  /** Undefined if the cluster has no customers. */
  readonly customers: LinkTerms<CustomersLinks> | undefined
  readonly masterKey: LoadedMasterKey
  /**
   * Number of gateways in the file, at least 1: without a leader each one allows its share of the common
   * limits.
   */
  readonly gateways: number
  /** Time for which it stays ready without a leader, in milliseconds. */
  readonly readyMs: number
}

/** A gateway has no directory; settings about one are never used. */
const NO_DIRECTORY = '/nonexistent'

/**
 * `port` replaces the port in the file. A gateway that is not in the file has the common settings. Throws
 * `SettingsError` and `MasterKeyFault`, which name the missing or wrong value.
 */
export function gatewayOptions(
  cluster: ClusterSettings,
  name: string,
  port: number | undefined,
): ClusterGatewaySettings {
  const { file, engines, historians, gateways, masterKeyFile, leadership } = cluster
  const links = new LinkTerms(linksOf(cluster), () => linksOf(loadCluster(file)))
  const customers = customersLinksOf(cluster, gatewaySecretsOf)
  if (masterKeyFile === undefined)
    throw new SettingsError(`${file}: masterKeyFile: expected the path of a file, found nothing`)
  const others = [...engines, ...historians, ...(cluster.customers?.processes ?? [])]
  if (others.some((other) => other.name === name))
    throw new SettingsError(`--name: expected a name that no other process in the file has, found ${name}`)
  const own = gateways.find((gateway) => gateway.name === name)
  const values = new Map<string, SettingValue>([['dataDirectory', NO_DIRECTORY]])
  const publicPort = port ?? own?.port
  if (publicPort !== undefined) values.set('port', publicPort)
  if (own?.monitoring !== undefined)
    values.set('monitoring.host', own.monitoring.host).set('monitoring.port', own.monitoring.port)
  return {
    name,
    settings: settingsWith(cluster.settings, values),
    links,
    customers: customers && new LinkTerms(customers, () => required(file, loadCluster(file))),
    masterKey: loadSharedMasterKey(masterKeyFile),
    gateways: Math.max(1, gateways.length),
    readyMs: leadership.gatewayReadyMs,
  }
}

/** Throws `SettingsError`. */
function linksOf({ file, engines, historians, link }: ClusterSettings): GatewayLinks {
  if (engines.length === 0) throw new SettingsError(`${file}: engines: expected at least one, found none`)
  if (link === undefined) throw new SettingsError(`${file}: link: expected an object, found nothing`)
  const named = (list: ClusterSettings['engines'] | ClusterSettings['historians']): NamedAddress[] =>
    list.map((each) => ({ name: each.name, address: linkAddressOf(each.link, link) }))
  const [secret = ''] = linkSecretsOf(link).secrets
  return { engines: named(engines), historians: named(historians), secret }
}

/** The links to the customers processes in the current file. Throws `SettingsError`. */
function required(file: string, cluster: ClusterSettings): CustomersLinks {
  const customers = customersLinksOf(cluster, gatewaySecretsOf)
  if (customers !== undefined) return customers
  throw new SettingsError(`${file}: customers: expected processes, as at startup, found none`)
}
