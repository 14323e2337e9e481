/** Looks up a key: first among the keys of the journal, then among the keys of customers' sessions. */
import type { ApiKey } from '../../../core/registry/records.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import { keyAt } from './authenticate.ts'
import { isSessionKeyName, type SessionKeys } from './session-keys.ts'

/** The keys of the journal. */
type JournaledKeys = { apiKey(name: string): ApiKey | undefined }

/** Undefined if no key has that name. `sessionKeys` is undefined where customers have no sessions. */
export function knownKey(
  journaled: JournaledKeys,
  name: string,
  sessionKeys: SessionKeys | undefined,
): ApiKey | undefined {
  const found = keyAt(journaled, 'BOURSE', name)
  if (found === undefined) return sessionKeys?.find(name)
  return boundKey(journaled, name, sessionKeys)
}

/**
 * A key in the journal, of any wire, with the addresses from which it may be used; undefined if there is no
 * such key, or its addresses have not been announced yet.
 */
export function boundKey(
  journaled: JournaledKeys,
  name: string,
  sessionKeys: SessionKeys | undefined,
): ApiKey | undefined {
  const found = journaled.apiKey(name)
  if (found === undefined || sessionKeys === undefined) return found
  const { ownKeys } = sessionKeys
  return ownKeys.isWaitedFor(found) ? undefined : ownKeys.bound(found)
}

/**
 * For an unknown key: why it may still be valid, while not all session keys, or address lists of customers'
 * keys, have been announced. Undefined if there is no such key.
 */
export function unknownYet(
  journaled: JournaledKeys,
  name: string,
  sessionKeys: SessionKeys | undefined,
): Refusal | undefined {
  if (sessionKeys === undefined) return undefined
  const record = journaled.apiKey(name)
  const isWaitedFor =
    record === undefined
      ? !sessionKeys.isTold && isSessionKeyName(name)
      : sessionKeys.ownKeys.isWaitedFor(record)
  return isWaitedFor ? refuse('SESSION_KEYS_UNKNOWN', {}) : undefined
}
