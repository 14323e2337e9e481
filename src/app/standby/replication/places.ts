/**
 * The addresses at which standbys and nodes of one exchange reach each other, with the secrets and
 * certificates from the settings.
 */
import type { LinkAddress, LinkListener } from '../../../transport/link/protocol/link-address.ts'
import { linkSecretsOf } from '../../cluster/settings.ts'
import { readTls } from '../../node/serving/tls.ts'
import { readAuthority } from '../../settings/authority-file.ts'
import type { ReplicationSettings, Settings } from '../../settings/defaults.ts'
import { listenedPlace, REACHED_EXPECTED, reachedPlace } from '../../settings/kinds.ts'
import { SettingsError } from '../../settings/load.ts'

/** The accepted secrets, newest first. Throws `SettingsError`, also for a file that others may read. */
export function secretsOf({ secretFile, previousSecretFile }: ReplicationSettings): readonly string[] {
  if (secretFile === undefined) {
    throw new SettingsError(
      'replication.secretFile: expected the file of the shared secret (--replication-secret-file), found nothing',
    )
  }
  return linkSecretsOf({ secretFile, previousSecretFile }).secrets
}

/** Throws `SettingsError`. */
export function listenerOf({ replication: { listen = '' }, tls }: Settings): LinkListener {
  const place = listenedPlace(listen)
  if (place === undefined) throw new SettingsError(`replication.listen: found ${JSON.stringify(listen)}`)
  if (place.kind === 'SOCKET') return { socketPath: place.path }
  const { host: hostname, port } = place
  if (tls === undefined) return { hostname, port, tls: undefined }
  const { cert, key } = readTls(tls)
  return { hostname, port, tls: { cert, key } }
}

/** `text` in the format of `--from` and `replication.peers`. Throws `SettingsError`. */
export function addressOf(text: string, { caFile }: ReplicationSettings): LinkAddress {
  const place = reachedPlace(text)
  if (place === undefined)
    throw new SettingsError(`expected ${REACHED_EXPECTED}, found ${JSON.stringify(text)}`)
  if (place.kind === 'SOCKET') return { socketPath: place.path }
  const { host, port, isTls } = place
  return { host, port, tls: isTls ? { ca: caFile === undefined ? undefined : readAuthority(caFile) } : 'off' }
}
