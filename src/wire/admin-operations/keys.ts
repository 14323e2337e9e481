/** API keys of accounts, and the key that seals their secrets. */

import { ADDRESSES_PER_KEY_MAX } from '../../units/limits.ts'
import { PERMISSIONS } from '../../units/order-words.ts'
import type { AdminKey, AdminResealed } from '../admin-records.ts'
import { OVERLAP_MINUTES_MAX } from './bounds.ts'
import { account, flag, known, listOf, named, oneOf, page, peerAddress, textOrEmpty, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const permissions = listOf(oneOf(PERMISSIONS, ''), 1, PERMISSIONS.length, `any of ${PERMISSIONS.join(',')}`)
const addresses = listOf(
  peerAddress,
  0,
  ADDRESSES_PER_KEY_MAX,
  "addresses and ranges it may be used from; '': any",
)
const label = textOrEmpty('what it is for')
const expiresAt = named('expires', textOrEmpty("a time such as 2027-01-31T00:00:00Z; '': never"))
const strict = flag('refuse signatures that are not strict ones (v2=)')
const apiKey = known('the key itself, as clients send it')

export const KEY_OPERATIONS = {
  'key/list': reads({
    summary: "List an account's API keys, never their secrets.",
    rights: ['read.accounts'],
    words: { account },
    options: page('key'),
    examples: ['key list alice'],
    told: 'list of keys: `apiKey`, `account`, `label`, `permissions`, `addresses`, `enabled`, `revoked`, `strict`, `createdAt`, `expiresAt`, `previousSecretUntil`, `lastUsedAt`',
    answer: answers<readonly AdminKey[]>(),
  }),
  'key/add': changes('RIGHTS', {
    summary: 'Give an account a key. Its secret is shown now and never again.',
    // Whoever has a secret reads the account's money and orders with it.
    rights: ['read.accounts', 'keys'],
    words: { account },
    options: { permissions, addresses, label, expiresAt, strict },
    examples: [
      'key add alice --label "market maker"',
      'key add alice --permissions USER_DATA,WALLET --addresses 10.0.0.0/8,2001:db8::/32',
    ],
    told: 'the key, `secret`',
    /** The only time that the secret is shown. */
    answer: answers<AdminKey & { readonly secret: string }>(),
  }),
  'key/enable': changes('RIGHTS', {
    summary: 'Let a disabled key be used again.',
    rights: ['keys'],
    words: { apiKey },
    examples: ['key enable 4f1c...'],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  'key/disable': changes('QUICK', {
    summary: 'Refuse a key from now on.',
    rights: ['keys.stop'],
    words: { apiKey },
    examples: ['key disable 4f1c... --note "laptop stolen"'],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  /** What is not named stays; `expiresAt` empty: never. */
  'key/set': changes('RIGHTS', {
    summary: 'Change what a key may do, from where and until when; what is not named stays.',
    rights: ['keys'],
    words: { apiKey },
    options: { permissions, addresses, label, expiresAt, strict },
    needsOption: true,
    examples: [
      'key set 4f1c... --addresses 192.0.2.7 --expires 2099-01-31T00:00:00Z',
      'key set 4f1c... --strict on --note "signs v2 now"',
    ],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  /** The old secret opens for so many minutes more; without it, it does not. */
  'key/rotate': changes('RIGHTS', {
    summary: 'Give a key another secret, shown now and never again; the old one opens for the overlap.',
    rights: ['read.accounts', 'keys'],
    words: { apiKey },
    options: {
      overlapMinutes: whole(
        0,
        OVERLAP_MINUTES_MAX,
        'how long the old secret opens too, at most 43200; not at all without it',
      ),
    },
    examples: ['key rotate 4f1c... --overlap-minutes 60'],
    told: 'the key, `secret`',
    /** The only time that the new secret is shown. */
    answer: answers<AdminKey & { readonly secret: string }>(),
  }),
  'key/revoke': changes('QUICK', {
    summary: 'Refuse a key for good; it cannot be enabled again.',
    rights: ['keys.stop'],
    words: { apiKey },
    confirm: 'Revoke the key {apiKey} for good?',
    examples: ['key revoke 4f1c... --note "leaked"'],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  'master-key/rotate': changes('RIGHTS', {
    summary:
      'Seal the secrets of all API keys under a new master key, and retire the old one; goes on with a rotation that was cut off.',
    rights: ['master-key'],
    confirm:
      'Put another master key in the place of this one? Backups made before need the old one: there is a copy of it?',
    examples: ['master-key rotate --note "yearly"'],
    told: '`resealed` (at most 5000), `left`: ask again until it is 0, `removePrevious`: the old key may be taken out of the environment',
    answer: answers<AdminResealed>(),
  }),
} satisfies OperationRows
