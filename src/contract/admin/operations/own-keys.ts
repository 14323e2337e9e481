/**
 * Keys that customers create themselves, for the customers process only: for accounts that it has opened, and
 * never with WITHDRAW. Lists of addresses are personal data: they are not in the journal.
 */
import { KEY_WIRES, PERMISSIONS, type Permission } from '../../../units/order-enums.ts'
import type { AdminKey } from '../records.ts'
import { announcer, TELLING_PLACES } from './customers.ts'
import {
  account,
  known,
  line,
  listOf,
  named,
  oneOf,
  pattern,
  peerAddress,
  required,
  textOrEmpty,
} from './field.ts'
import { answers, changes, keeps, type OperationRows, reads } from './row.ts'

/** Maximum number of addresses of a customer's own key. */
export const OWN_KEY_ADDRESSES_MAX = 20
/** Maximum number of lists of one request: their texts fit within the size limit of a request body. */
export const ADDRESS_LISTS_PAGE = 40
/** A PEM key has about 120 characters. */
const PUBLIC_KEY_CHARACTERS_MAX = 400

export type OwnKeyPermission = Exclude<Permission, 'WITHDRAW'>
/** All permissions except WITHDRAW. */
export const OWN_KEY_PERMISSIONS: readonly OwnKeyPermission[] = PERMISSIONS.filter(
  (each) => each !== 'WITHDRAW',
)

/** One list as text: its parts contain no spaces. */
const addressList = pattern(
  /^[0-9a-f]{64}(?: [0-9a-fA-F.:/]{2,60}){1,20}$/,
  'expected "<key> <address> <address> ..."',
)

export const OWN_KEY_OPERATIONS = {
  'own-key/list': reads({
    summary: "List the API keys of a customer's account, without their secrets.",
    rights: ['customers'],
    words: { account },
    examples: [],
    told: 'list of keys, as `key/list`',
    answer: answers<readonly AdminKey[]>(),
  }),
  'own-key/add': changes('RIGHTS', {
    summary:
      'Create an API key that a customer has requested. Its secret, where it has one, is shown only once.',
    rights: ['customers'],
    words: { account },
    options: {
      permissions: required(
        listOf(
          oneOf(OWN_KEY_PERMISSIONS, ''),
          1,
          OWN_KEY_PERMISSIONS.length,
          `any of ${OWN_KEY_PERMISSIONS.join(',')}`,
        ),
      ),
      addresses: listOf(
        peerAddress,
        0,
        OWN_KEY_ADDRESSES_MAX,
        'addresses and ranges from which it may be used; they are not journaled; empty for any',
      ),
      expiresAt: named('expires', textOrEmpty("a time such as 2027-01-31T00:00:00Z; '' for never")),
      publicKey: line(
        PUBLIC_KEY_CHARACTERS_MAX,
        'the public key of an Ed25519 pair; without it, the key gets a secret',
      ),
      wire: oneOf(KEY_WIRES, 'the interface that accepts it: BOURSE (default) or BINANCE'),
    },
    examples: [],
    told: 'the key, and its `secret` (null for a key pair). At most 10,000 a day',
    answer: answers<AdminKey & { readonly secret: string | null }>(),
  }),
  'own-key/end': changes('TERMS', {
    summary: "Revoke a key of a customer's account permanently.",
    rights: ['customers'],
    words: { account, apiKey: known('the API key, as clients send it') },
    examples: [],
    told: 'the key',
    answer: answers<AdminKey>(),
  }),
  'own-key/addresses': keeps({
    nature: 'RIGHTS',
    summary: "Set the addresses from which customers' keys may be used.",
    rights: ['customers'],
    options: {
      lists: required(
        listOf(addressList(''), 0, ADDRESS_LISTS_PAGE, 'a key and its addresses, separated by spaces'),
      ),
      telling: oneOf(
        TELLING_PLACES,
        'position of this page among all existing lists (WHOLE: the only page): after the last page, lists on none of the pages are dropped',
      ),
      by: announcer,
    },
    examples: [],
    told: '`kept`: number of lists. Lists are kept in memory: at most 200,000',
    answer: answers<{ readonly kept: number }>(),
  }),
} satisfies OperationRows
