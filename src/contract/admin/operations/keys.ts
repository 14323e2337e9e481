/** API keys of accounts, and the key that encrypts their secrets. */

import { ADDRESSES_PER_KEY_MAX } from '../../../units/limits.ts'
import { KEY_KINDS, KEY_WIRES, PERMISSIONS } from '../../../units/order-enums.ts'
import type { AdminKey, AdminResealed } from '../records.ts'
import { OVERLAP_MINUTES_MAX } from './bounds.ts'
import {
  account,
  flag,
  known,
  line,
  listOf,
  named,
  oneOf,
  page,
  peerAddress,
  textOrEmpty,
  whole,
} from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

/** A PEM key has about 120 characters. */
const PUBLIC_KEY_CHARACTERS_MAX = 400
const permissions = listOf(oneOf(PERMISSIONS, ''), 1, PERMISSIONS.length, `any of ${PERMISSIONS.join(',')}`)
const addresses = listOf(
  peerAddress,
  0,
  ADDRESSES_PER_KEY_MAX,
  "addresses and ranges from which it may be used; '' for any",
)
const label = textOrEmpty('purpose of the key')
const expiresAt = named('expires', textOrEmpty("a time such as 2027-01-31T00:00:00Z; '' for never"))
const strict = flag('accept only strict signatures (v2=)')
const kind = oneOf(
  KEY_KINDS,
  'how it signs: HMAC with a secret, ED25519 with a key pair; default: ED25519 if there is a public key, otherwise HMAC',
)
const publicKey = line(
  PUBLIC_KEY_CHARACTERS_MAX,
  'the public half of an Ed25519 pair: PEM, or its 32 bytes in base64 or hex',
)
const wire = oneOf(KEY_WIRES, 'the interface that accepts it: BOURSE (default) or BINANCE')
const apiKey = known('the API key, as clients send it')

export const KEY_OPERATIONS = {
  'key/list': reads({
    title: 'API keys',
    summary: "List an account's API keys, without their secrets.",
    rights: ['read.accounts'],
    words: { account },
    options: page('key'),
    examples: ['key list alice'],
    told: 'list of keys: `apiKey`, `account`, `label`, `kind`, `publicKey` (base64; null for HMAC), `wire`, `permissions`, `addresses`, `enabled`, `revoked`, `strict`, `createdAt`, `expiresAt`, `previousSecretUntil`, `lastUsedAt`',
    answer: answers<readonly AdminKey[]>(),
  }),
  'key/add': changes('RIGHTS', {
    title: 'Create API key',
    summary: 'Create an API key for an account. Its secret, where it has one, is shown only once.',
    // A caller with the secret can read the account's money and orders.
    rights: ['read.accounts', 'keys'],
    words: { account },
    options: { permissions, addresses, label, expiresAt, strict, kind, publicKey, wire },
    examples: [
      'key add alice --label "market maker"',
      'key add alice --permissions USER_DATA,WALLET --addresses 10.0.0.0/8,2001:db8::/32',
      'key add alice --permissions READ --public-key MCowBQYDK2VwAyEA...',
    ],
    told: 'the key, and its `secret` (null for a key pair, whose private key only its owner has)',
    /** The only time that the secret is shown. */
    answer: answers<AdminKey & { readonly secret: string | null }>(),
  }),
  'key/enable': changes('RIGHTS', {
    title: 'Enable API key',
    summary: 'Enable a disabled key again.',
    rights: ['keys'],
    words: { apiKey },
    examples: ['key enable 4f1c...'],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  'key/disable': changes('QUICK', {
    title: 'Disable API key',
    summary: 'Disable a key.',
    rights: ['keys.stop'],
    words: { apiKey },
    examples: ['key disable 4f1c... --note "laptop stolen"'],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  /** Fields that are not given stay unchanged; with an empty `expiresAt` the key never expires. */
  'key/set': changes('RIGHTS', {
    title: 'Change API key',
    summary: 'Change the permissions, addresses and expiry of a key; options not given stay unchanged.',
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
  /** The old secret stays valid for `overlapMinutes`; without that field it becomes invalid at once. */
  'key/rotate': changes('RIGHTS', {
    title: 'Replace secret',
    summary:
      'Create a new secret for a key, shown only once; the old one stays valid for the overlap. A key pair has no secret.',
    rights: ['read.accounts', 'keys'],
    words: { apiKey },
    options: {
      overlapMinutes: whole(
        0,
        OVERLAP_MINUTES_MAX,
        'how long the old secret stays valid, at most 43200; default: not at all',
      ),
    },
    examples: ['key rotate 4f1c... --overlap-minutes 60'],
    told: 'the key, `secret`',
    /** The only time that the new secret is shown. */
    answer: answers<AdminKey & { readonly secret: string }>(),
  }),
  'key/revoke': changes('QUICK', {
    title: 'Revoke API key',
    summary: 'Revoke a key for good; it cannot be enabled again.',
    rights: ['keys.stop'],
    words: { apiKey },
    confirm: 'Revoke the key {apiKey} for good?',
    examples: ['key revoke 4f1c... --note "leaked"'],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  'master-key/rotate': changes('RIGHTS', {
    title: 'Replace master key',
    summary:
      'Re-encrypt the secrets of all API keys with a new master key, and retire the old one; continues an interrupted rotation.',
    rights: ['master-key'],
    confirm: 'Replace the master key? Backups made before need the old one: have you kept a copy?',
    examples: ['master-key rotate --note "yearly"'],
    told: '`resealed` (at most 5000), `left`: repeat the request until it is 0, `removePrevious`: the old key may be removed from the environment',
    answer: answers<AdminResealed>(),
  }),
} satisfies OperationRows
