/** Creates an API key: first at the exchange, whose answer contains the secret, then in the store. */
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { ADDRESS_EXPECTED, PUBLIC_KEY_EXPECTED } from '../../contract/customers/field.ts'
import { OWN_KEY_LASTS_MS, OWN_KEYS_MAX } from '../../contract/customers/own-keys.ts'
import { AccountRefusal, refused } from '../account-refusal.ts'
import { isAway } from '../away.ts'
import type { CustomersContext } from '../customers-context.ts'
import { type AddressList, type KeyTerms, KeyTermsRefusal } from '../ports.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { endRevoked, isAlive, shownKey } from './list-keys.ts'

/** Keys that were created within this time are counted. */
export const KEYS_COUNT_MS = 86_400_000

type Asked = AccountBody<'key/create'>

/** Rejects with `ExchangeFault`; a key that was created anyway then has no name in the list. */
export async function createKey(
  context: CustomersContext,
  request: CustomerRequest,
  asked: Asked,
): Promise<AccountData<'key/create'> | AccountRefusal> {
  const { store, exchange, world, turns } = context
  const { person, origin } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  const nowMs = world.now()
  const terms = termsOf(asked, nowMs)
  if (terms instanceof AccountRefusal) return terms
  const { owner, account } = person
  return turns.take(owner, async () => {
    // The session, and with it all keys, may have ended since the step-up.
    if (!request.isSessionRunning) return refused('SESSION_NEEDED', {})
    const known = await exchange.keysOf(account)
    endRevoked(store, known, nowMs)
    const made = store.ownKeys.of(owner).filter(({ created_ms }) => created_ms > nowMs - KEYS_COUNT_MS)
    const alive = known.filter((key) => isAlive(key, nowMs))
    if (Math.max(made.length, alive.length) >= OWN_KEYS_MAX)
      return refused('TOO_MANY_KEYS', { max: OWN_KEYS_MAX })
    const added = await exchange.addKey(account, terms)
    if (added instanceof KeyTermsRefusal) return refusalOf(added)
    const { key, secret } = added
    const details = { name: asked.name, addresses: terms.addresses }
    const ends = { created_ms: nowMs, ends_ms: terms.endsMs ?? null }
    store.atOnce(() => {
      if (store.people.byOwner(owner) === undefined) return
      store.ownKeys.add({ api_key: key.apiKey, owner, ...ends }, details)
      store.records.note(owner, 'KEY_ADDED', origin, nowMs)
    })
    await nameAgain(context, { apiKey: key.apiKey, addresses: terms.addresses })
    return { ...shownKey(key, details), ...(secret === undefined ? {} : { secret }) }
  })
}

/**
 * An announcement of another process may have read the store before the key was in it, and may have dropped
 * the key's list since. Without an answer, the list is announced at the next start: until then the key can be
 * used from no address.
 */
async function nameAgain({ exchange }: CustomersContext, list: AddressList): Promise<void> {
  if (list.addresses.length === 0) return
  try {
    await exchange.announceAddresses([list])
  } catch (cause) {
    if (!isAway(cause)) throw cause
  }
}

/** The terms of a requested key; a refusal of terms that are not possible. */
export function termsOf(asked: Asked, nowMs: number): KeyTerms | AccountRefusal {
  const { permissions = ['READ'], addresses = [], end = nowMs + OWN_KEY_LASTS_MS } = asked
  const { publicKey, wire = 'BOURSE', kind = publicKey === undefined ? 'HMAC' : 'ED25519' } = asked
  if (kind === 'ED25519' && publicKey === undefined)
    return refused('MISSING_PARAMETER', { name: 'publicKey' })
  if (kind === 'HMAC' && publicKey !== undefined)
    return refused('INVALID_PARAMETER', { name: 'publicKey', expected: LEFT_OUT })
  if (end !== 0 && end <= nowMs) return refused('INVALID_PARAMETER', { name: 'end', expected: LATER })
  return { permissions, addresses, endsMs: end === 0 ? undefined : end, publicKey, wire }
}

const LEFT_OUT = {
  en: 'no value for a key of kind HMAC, for which the exchange creates a secret',
  tr: 'HMAC türündeki anahtarda gönderilmemesi (gizli anahtarı borsa üretir)',
}
const LATER = { en: 'a time in the future, or 0 for never', tr: 'gelecekte bir zaman ya da süresiz için 0' }

function refusalOf({ why }: KeyTermsRefusal): AccountRefusal {
  switch (why) {
    case 'TOO_MANY':
      return refused('TOO_MANY_KEYS', { max: OWN_KEYS_MAX })
    case 'publicKey':
      return refused('INVALID_PARAMETER', { name: why, expected: PUBLIC_KEY_EXPECTED })
    case 'addresses':
      return refused('INVALID_PARAMETER', { name: why, expected: ADDRESS_EXPECTED })
  }
}
