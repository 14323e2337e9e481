/** The address of an engine or a historian in a cluster file. */
import type { LinkAddress } from '../../transport/link/protocol/link-address.ts'
import { readAuthority } from '../settings/authority-file.ts'
import type { LinkAddress as AddressInFile } from './schema.ts'
import type { LinkSection } from './settings.ts'

/** Reads the authority's file. Throws `SettingsError`. */
export function linkAddressOf(at: AddressInFile, { tls }: LinkSection): LinkAddress {
  if (at.kind === 'SOCKET') return { socketPath: at.path }
  const { host, port } = at
  if (tls === 'off') return { host, port, tls: 'off' }
  return { host, port, tls: { ca: tls.caFile === undefined ? undefined : readAuthority(tls.caFile) } }
}
