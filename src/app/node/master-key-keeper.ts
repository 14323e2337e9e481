/**
 * Keeps the master key of a running node while it is rotated. A key is in its file before anything is sealed
 * under it, and is removed only when nothing is sealed under it any more.
 */
import { JournalFault } from '../../engine/port/journal.ts'
import type { KeyRing } from '../../server/access/auth/key-ring.ts'
import { type AdminContext, AdminRequestError, type MasterKeyKeeper } from '../../server/admin/context.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { AccountsView } from '../../views/accounts.ts'
import type { Settings } from '../settings/defaults.ts'
import { keepMasterKeys, type LoadedMasterKey, newMasterKey, settleMasterKey } from './load-master-key.ts'

type SecretParts = {
  readonly settings: Pick<Settings, 'dataDirectory'>
  readonly log: Logger
  readonly masterKey: LoadedMasterKey
  readonly secretBox: KeyRing
  readonly accounts: Pick<AccountsView, 'everyApiKey'>
}

/**
 * Makes sure that every secret can be decrypted, and returns the sealing functions for operators. Throws
 * `MasterKeyFault`.
 */
export function settleSecrets(parts: SecretParts): Pick<AdminContext, 'masterKeys' | 'sealSecret'> {
  const { settings, log, masterKey, secretBox, accounts } = parts
  const { dataDirectory } = settings
  settleMasterKey(dataDirectory, masterKey, secretBox, accounts.everyApiKey())
  if (secretBox.isRotating) log.warn({}, 'the master key is being rotated: bourse admin master-key rotate')
  return {
    masterKeys: masterKeyKeeper(dataDirectory, masterKey, secretBox),
    sealSecret: secretBox.seal.bind(secretBox),
  }
}

/** `ring` has the keys that were loaded. */
export function masterKeyKeeper(
  dataDirectory: string,
  { source, newest, previous }: LoadedMasterKey,
  ring: KeyRing,
): MasterKeyKeeper {
  let current = { newest, previous }
  const keep = (next: typeof current): void => {
    storing(() => keepMasterKeys(dataDirectory, next))
    current = next
  }
  return {
    begin: () => {
      if (ring.isRotating) return
      if (source === 'ENVIRONMENT') throw new AdminRequestError('MASTER_KEY_IN_ENVIRONMENT')
      keep({ newest: newMasterKey(), previous: current.newest })
      ring.begin(current.newest)
    },
    reseal: (sealed, apiKey) => ring.reseal(sealed, apiKey),
    retire: () => {
      // The operator who has set both keys removes the old one; until then the node can be started with both.
      if (source === 'ENVIRONMENT') return true
      keep({ newest: current.newest, previous: undefined })
      ring.retire()
      return false
    },
  }
}

/** A full disk is a fault, not a bug: nothing has changed. */
function storing(write: () => void): void {
  try {
    write()
  } catch (cause) {
    if (!(cause instanceof JournalFault)) throw cause
    throw new AdminRequestError('STORAGE_FULL', { message: cause.message })
  }
}
