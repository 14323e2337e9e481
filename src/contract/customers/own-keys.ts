/** API keys that a person creates for programs. */

import { KEY_KINDS, KEY_WIRES } from '../../units/order-enums.ts'
import { flag, listOf, object, openWord, optional, text, timeMs, word } from '../../units/shapes/shape.ts'
import { OWN_KEY_ADDRESSES_MAX, OWN_KEY_PERMISSIONS } from '../admin/operations/own-keys.ts'
import { apiKey, keyName, list, maybe, networkAddress, publicKey, whole, word as wordField } from './field.ts'
import { row } from './row.ts'

/** Maximum number of keys of a person at a time, and of keys created within 24 hours. */
export const OWN_KEYS_MAX = 20
/** Default lifetime of a key: 90 days. */
export const OWN_KEY_LASTS_MS = 90 * 86_400_000
/** The latest time that a JavaScript date can hold, in milliseconds. */
const LAST_MS = 8_640_000_000_000_000

const OWN_KEY = {
  apiKey: text('The key that programs send; it is not secret.'),
  name: text('The name that its owner gave the key; empty if its creation was interrupted: end such a key.'),
  kind: word(KEY_KINDS, 'HMAC if the key has a secret; ED25519 if its owner has a private key.'),
  wire: word(KEY_WIRES, 'The interface that accepts the key.'),
  permissions: listOf(openWord(OWN_KEY_PERMISSIONS, 'Its permissions.')),
  addresses: listOf(
    text('An address or range from which the key may be used. If the list is empty, any address.'),
  ),
  createdAt: timeMs('When it was created.'),
  endsAt: optional(timeMs('When it expires; absent if never.')),
}

export const OWN_KEY_ROWS = {
  keys: row({
    method: 'GET',
    access: 'SESSION',
    summary: 'The API keys of the account that have not ended, newest first.',
    fields: {},
    answer: listOf(
      object({
        ...OWN_KEY,
        isEnabled: flag('False if an operator has disabled it.'),
        lastUsedAt: optional(timeMs('When it was last used, since the node started.')),
      }),
    ),
    reasons: ['SESSION_NEEDED', 'CUSTOMERS_AWAY'],
  }),
  'key/create': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Create an API key. Its secret is in this answer and nowhere else. The default permission is READ, and the default end is in 90 days.',
    fields: {
      name: keyName('your name for it; only you see it'),
      permissions: maybe(
        list(
          wordField(OWN_KEY_PERMISSIONS, ''),
          1,
          OWN_KEY_PERMISSIONS.length,
          'its permissions: as few as possible',
        ),
      ),
      addresses: maybe(
        list(
          networkAddress(''),
          0,
          OWN_KEY_ADDRESSES_MAX,
          'addresses and ranges from which it may be used; empty for any',
        ),
      ),
      end: maybe(whole(0, LAST_MS, 'when it ends, in milliseconds since 1970; 0 for never')),
      kind: maybe(wordField(KEY_KINDS, 'HMAC, the default, with a secret; ED25519, with a pair of your own')),
      publicKey: maybe(publicKey('the public half of the pair, only for ED25519')),
      wire: maybe(wordField(KEY_WIRES, 'BOURSE, the default, or BINANCE, for programs of that interface')),
    },
    answer: object({
      ...OWN_KEY,
      secret: optional(text('The secret that signs. It is not shown again. Absent for ED25519.')),
    }),
    stepUp: {
      text: {
        en: 'Create the API key "{name}", which may {permissions}. It works from {addresses}, and {end}. It uses {wire} and signs with {kind}.',
        tr: '"{name}" adlı API anahtarını oluşturun: {permissions} izni vardır, {addresses} kullanılabilir ve {end}. {wire} ile çalışır, {kind} imzalar.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED', 'TOO_MANY_KEYS', 'CUSTOMERS_AWAY'],
  }),
  'key/end': row({
    method: 'POST',
    access: 'SESSION',
    summary: 'End an API key permanently: once this is answered, no request with it is carried out.',
    fields: { apiKey: apiKey('the key to end') },
    answer: undefined,
    reasons: ['SESSION_NEEDED', 'NO_SUCH_KEY', 'CUSTOMERS_AWAY'],
  }),
}
