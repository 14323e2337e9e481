/** What an engine's process is given: the file of its cluster, with what is read of the files that it names. */
import type { LinkAddress, LinkListener } from '../../drivers/link/link-address.ts'
import type { Logger } from '../../gateway/common/logger.ts'
import { isLoopback } from '../../gateway/server/loopback.ts'
import { linkAddressOf } from '../cluster/link-address.ts'
import {
  type ClusterSettings,
  databaseOf,
  type LinkSection,
  linkSecretsOf,
  type NamedLink,
} from '../cluster/settings.ts'
import { readTls } from '../node/tls.ts'
import type { Settings } from '../settings/defaults.ts'
import type { SettingValue } from '../settings/kinds.ts'
import { SettingsError } from '../settings/load.ts'
import { settingsWith } from '../settings/section.ts'
import type { DatabaseAddress } from '../storage/cluster-database.ts'

export type EngineLinks = {
  readonly listen: LinkListener
  readonly secrets: readonly string[]
  /** The other engines. */
  readonly peers: readonly LinkAddress[]
}

export type EngineProcessOptions = {
  readonly name: string
  readonly cluster: Pick<ClusterSettings, 'leadership' | 'durability'> & { readonly masterKeyFile: string }
  readonly database: DatabaseAddress
  readonly settings: Settings
  readonly links: EngineLinks
  readonly version: string
  readonly log: Logger
}

/** Throws `SettingsError`, which names what is missing or wrong. `data`: in place of the directory that the file names. */
export function engineOptions(
  cluster: ClusterSettings,
  name: string,
  data: string | undefined,
): Omit<EngineProcessOptions, 'version' | 'log'> {
  const { file, engines, link, masterKeyFile, leadership, durability, settings } = cluster
  const own = engines.find((engine) => engine.name === name)
  if (own === undefined) {
    const known = engines.map((engine) => engine.name).join(', ') || 'none'
    throw new SettingsError(`${file}: engines: expected one of name ${name}, found ${known}`)
  }
  if (link === undefined) throw new SettingsError(`${file}: link: expected an object, found nothing`)
  if (masterKeyFile === undefined) {
    throw new SettingsError(`${file}: masterKeyFile: expected the path of a file, found nothing`)
  }
  const dataDirectory = data ?? own.data
  if (dataDirectory === undefined) {
    throw new SettingsError(
      `${file}: engines: ${name} has no data: name a directory there, or with --data DIR`,
    )
  }
  const values = new Map<string, SettingValue>([['dataDirectory', dataDirectory]])
  if (own.admin !== undefined) values.set('adminHost', own.admin.host).set('adminPort', own.admin.port)
  if (own.monitoring !== undefined)
    values.set('monitoring.host', own.monitoring.host).set('monitoring.port', own.monitoring.port)
  const made = settingsWith(settings, values)
  if (!isLoopback(made.adminHost)) {
    throw new SettingsError(
      `${file}: engines: the admin server of ${name} must be on an address of this machine`,
    )
  }
  return {
    name,
    cluster: { leadership, durability, masterKeyFile },
    database: databaseOf(cluster),
    settings: made,
    links: {
      listen: listenerOf(own.link, link),
      secrets: linkSecretsOf(link).secrets,
      peers: engines.filter((engine) => engine !== own).map((peer) => linkAddressOf(peer.link, link)),
    },
  }
}

/** Where a link is listened for. Throws `SettingsError`. */
export function listenerOf(at: NamedLink, { tls }: LinkSection): LinkListener {
  if (at.kind === 'SOCKET') return { socketPath: at.path }
  const { host: hostname, port } = at
  if (tls === 'off') return { hostname, port, tls: undefined }
  const { cert, key } = readTls(tls)
  return { hostname, port, tls: { cert, key } }
}
