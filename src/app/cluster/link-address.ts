/** Where the file of a cluster says that an engine or a historian is reached. */
import { readFileSync } from 'node:fs'
import type { LinkAddress } from '../../drivers/link/link-address.ts'
import { SettingsError } from '../settings/load.ts'
import type { LinkAddress as AddressInFile } from './schema.ts'
import type { LinkSection } from './settings.ts'

/** Reads the authority's file. Throws `SettingsError`. */
export function linkAddressOf(at: AddressInFile, { tls }: LinkSection): LinkAddress {
  if (at.kind === 'SOCKET') return { socketPath: at.path }
  const { host, port } = at
  if (tls === 'off') return { host, port, tls: 'off' }
  return { host, port, tls: { ca: tls.caFile === undefined ? undefined : readAuthority(tls.caFile) } }
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${file} cannot be read: ${found}`, { cause })
  }
}
