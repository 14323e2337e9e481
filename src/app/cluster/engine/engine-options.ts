/** Settings of an engine process: the cluster file, and the content of the files that it refers to. */

import type { AdminClusterMember } from '../../../contract/admin/records.ts'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { hostInUrl, isLoopback } from '../../../server/listener/loopback.ts'
import type { LinkAddress, LinkListener } from '../../../transport/link/protocol/link-address.ts'
import { customersLinksOf } from '../../customers/customers-links.ts'
import type { CustomersLinks } from '../../customers/customers-pool.ts'
import { readTls } from '../../node/serving/tls.ts'
import type { DatabaseAddress } from '../../node/storage/cluster-database.ts'
import type { Settings } from '../../settings/defaults.ts'
import type { SettingValue } from '../../settings/kinds.ts'
import { SettingsError } from '../../settings/load.ts'
import { settingsWith } from '../../settings/section.ts'
import { linkAddressOf } from '../link-address.ts'
import { LinkTerms } from '../link-terms.ts'
import {
  type ClusterSettings,
  databaseOf,
  exchangeSecretsOf,
  type LinkSection,
  linkSecretsOf,
  loadCluster,
  type NamedLink,
} from '../settings.ts'
import type { PeerLinks } from './peer-search.ts'

export type ClusterLinks = {
  readonly listen: LinkListener
  readonly secrets: readonly string[]
  /** The other engines. */
  readonly peers: readonly LinkAddress[]
}

/** Queries to engines use the newest secret. */
export function peerLinksOf({ peers, secrets }: ClusterLinks): PeerLinks {
  const [secret = ''] = secrets
  return { peers, secret }
}

/** Settings of every cluster process that accepts links. */
export type ClusterProcessOptions = {
  readonly name: string
  readonly settings: Settings
  readonly links: LinkTerms<ClusterLinks>
  readonly version: ProgramVersion
  readonly log: Logger
}

/** Settings with which an engine and the customers processes reach each other. */
export type EngineCustomers = CustomersLinks & {
  readonly listen: Exclude<LinkListener, { readonly socketPath: string }>
  /** The secrets that the engine accepts from customers processes; it presents the first one to them. */
  readonly secrets: readonly string[]
}

export type EngineProcessOptions = ClusterProcessOptions & {
  /** Undefined if the cluster has no customers. */
  readonly customers: LinkTerms<EngineCustomers> | undefined
  readonly members: readonly AdminClusterMember[]
  readonly cluster: Pick<ClusterSettings, 'leadership' | 'durability'> & { readonly masterKeyFile: string }
  readonly database: DatabaseAddress
  /** See `ClusterStorageSettings`. */
  readonly acceptsDatabase: boolean
}

type Made<Options> = Omit<Options, 'version' | 'log'>

/**
 * Throws `SettingsError`, which names the missing or wrong setting. `data` replaces the directory in the
 * file.
 */
export function engineOptions(
  cluster: ClusterSettings,
  name: string,
  data: string | undefined,
  acceptsDatabase = false,
): Made<EngineProcessOptions> {
  const { file, engines, masterKeyFile, leadership, durability } = cluster
  const own = memberOf(file, 'engines', engines, name)
  if (masterKeyFile === undefined) {
    throw new SettingsError(`${file}: masterKeyFile: expected the path of a file, found nothing`)
  }
  const values = new Map<string, SettingValue>()
  if (own.admin !== undefined) values.set('adminHost', own.admin.host).set('adminPort', own.admin.port)
  const made = processOptions(cluster, own, data, values)
  if (!isLoopback(made.settings.adminHost)) {
    const where = 'must be on an address of this machine'
    throw new SettingsError(`${file}: engines: the admin server of ${name} ${where}`)
  }
  const customers = engineCustomersOf(cluster, name)
  return {
    ...made,
    customers: customers && new LinkTerms(customers, () => laterCustomersOf(loadCluster(file), name)),
    members: membersOf(cluster),
    cluster: { leadership, durability, masterKeyFile },
    database: databaseOf(cluster),
    acceptsDatabase,
  }
}

/** Throws `SettingsError`. */
function engineCustomersOf(cluster: ClusterSettings, name: string): EngineCustomers | undefined {
  const { customers, link, engines } = cluster
  const address = engines.find((engine) => engine.name === name)?.customers
  const links = customersLinksOf(cluster, exchangeSecretsOf)
  if (links === undefined || customers === undefined || link === undefined || address === undefined)
    return undefined
  const listen = listenerOf({ kind: 'TCP', ...address }, link)
  if ('socketPath' in listen) return undefined
  return { ...links, secrets: exchangeSecretsOf(customers), listen }
}

/** The terms of links in the file when it is read again. Throws `SettingsError`. */
function laterCustomersOf(cluster: ClusterSettings, name: string): EngineCustomers {
  const found = engineCustomersOf(cluster, name)
  if (found !== undefined) return found
  throw new SettingsError(`${cluster.file}: customers: expected processes, as at startup, found none`)
}

/** The options of a historian, which has no role in the database. */
export function historianOptions(
  cluster: ClusterSettings,
  name: string,
  data: string | undefined,
): Made<ClusterProcessOptions> {
  const own = memberOf(cluster.file, 'historians', cluster.historians, name)
  return processOptions(cluster, own, data, new Map())
}

function membersOf({ engines, historians }: ClusterSettings): readonly AdminClusterMember[] {
  const adminOf = ({ admin }: ClusterSettings['engines'][number]) =>
    admin === undefined ? null : `${hostInUrl(admin.host)}:${admin.port}`
  return [
    ...engines.map((one) => ({ name: one.name, kind: 'ENGINE' as const, admin: adminOf(one) })),
    ...historians.map(({ name }) => ({ name, kind: 'HISTORIAN' as const, admin: null })),
  ]
}

type Member = ClusterSettings['engines'][number] | ClusterSettings['historians'][number]

function memberOf<Of extends Member>(
  file: string,
  section: string,
  members: readonly Of[],
  name: string,
): Of {
  const own = members.find((member) => member.name === name)
  if (own !== undefined) return own
  const known = members.map((member) => member.name).join(', ') || 'none'
  throw new SettingsError(`${file}: ${section}: expected an entry named ${name}, found ${known}`)
}

function processOptions(
  cluster: ClusterSettings,
  own: Member,
  data: string | undefined,
  values: Map<string, SettingValue>,
): Made<ClusterProcessOptions> {
  const { name } = own
  const { file, settings } = cluster
  const links = new LinkTerms(linksOf(cluster, name), () => linksOf(loadCluster(file), name))
  const dataDirectory = data ?? own.data
  if (dataDirectory === undefined) {
    throw new SettingsError(`${file}: ${name} has no data: set a directory there or with --data DIR`)
  }
  values.set('dataDirectory', dataDirectory)
  if (own.monitoring !== undefined)
    values.set('monitoring.host', own.monitoring.host).set('monitoring.port', own.monitoring.port)
  return {
    name,
    settings: settingsWith(settings, values),
    links,
  }
}

/** Throws `SettingsError`. */
function linksOf({ file, engines, historians, link }: ClusterSettings, name: string): ClusterLinks {
  if (link === undefined) throw new SettingsError(`${file}: link: expected an object, found nothing`)
  const own = [...engines, ...historians].find((member) => member.name === name)
  if (own === undefined) throw new SettingsError(`${file}: expected ${name}, as at startup, found none`)
  return {
    listen: listenerOf(own.link, link),
    secrets: linkSecretsOf(link).secrets,
    peers: engines.filter((engine) => engine !== own).map((peer) => linkAddressOf(peer.link, link)),
  }
}

/** The address at which a link listens. Throws `SettingsError`. */
export function listenerOf(at: NamedLink, { tls }: LinkSection): LinkListener {
  if (at.kind === 'SOCKET') return { socketPath: at.path }
  const { host: hostname, port } = at
  if (tls === 'off') return { hostname, port, tls: undefined }
  const { cert, key } = readTls(tls)
  return { hostname, port, tls: { cert, key } }
}
