/** The operator's commands on API keys. */
import { PERMISSIONS } from '../../../units/order-words.ts'
import type { AdminKey } from '../../../wire/admin-records.ts'
import { facts, table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'
import { pageOptions } from './page-options.ts'

function stateOf({ enabled, revoked }: AdminKey): string {
  return revoked ? 'revoked' : enabled ? 'enabled' : 'disabled'
}

export function keyTable(keys: readonly AdminKey[]): string {
  const headings = [
    'API KEY',
    'STATE',
    'PERMISSIONS',
    'ADDRESSES',
    'SIGNATURE',
    'EXPIRES',
    'LAST USED',
    'LABEL',
  ]
  const rows = keys.map((key) => [
    key.apiKey,
    stateOf(key),
    key.permissions.join(','),
    key.addresses.join(',') || 'any',
    key.strict ? 'strict' : 'any',
    key.expiresAt ?? 'never',
    key.lastUsedAt ?? '-',
    key.label,
  ])
  return table(headings, rows, 'The account has no key yet.')
}

const STORE_IT = 'The secret is not kept anywhere in the clear: store it now.'

function withSecret(key: AdminKey & { readonly secret: string }): string {
  const shown = facts([
    ['account', key.account],
    ['API key', key.apiKey],
    ['secret', key.secret],
    ['old secret until', key.previousSecretUntil ?? 'not any more'],
  ])
  return `${shown}\n${STORE_IT}`
}

const account = { field: 'account', kind: 'text', help: 'name of the account' } as const
const apiKey = { field: 'apiKey', kind: 'text', help: 'the key itself, as clients send it' } as const

const TERMS = {
  permissions: {
    field: 'permissions',
    kind: 'list',
    values: PERMISSIONS,
    help: 'any of TRADE,WALLET,USER_DATA,WITHDRAW',
  },
  addresses: { field: 'addresses', kind: 'list', help: "addresses and ranges it may be used from; '': any" },
  label: { field: 'label', kind: 'text', help: 'what it is for' },
  expires: { field: 'expiresAt', kind: 'text', help: "a time such as 2027-01-31T00:00:00Z; '': never" },
  strict: { field: 'strict', kind: 'switch', help: 'refuse signatures that are not strict ones (v2=)' },
} as const

export const KEY_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'key list',
    operation: 'key/list',
    summary: "List an account's API keys, never their secrets.",
    positionals: [account],
    options: pageOptions('key'),
    examples: ['bourse admin --data data/main key list alice'],
    show: keyTable,
  }),
  command({
    name: 'key add',
    operation: 'key/add',
    summary: 'Give an account a key. Its secret is shown now and never again.',
    positionals: [account],
    options: TERMS,
    examples: [
      'bourse admin --data data/main key add alice --label "market maker"',
      'bourse admin --data data/main key add alice --permissions USER_DATA,WALLET --addresses 10.0.0.0/8,2001:db8::/32',
    ],
    show: (key) =>
      `${facts([
        ['account', key.account],
        ['API key', key.apiKey],
        ['secret', key.secret],
      ])}\n${STORE_IT}`,
  }),
  command({
    name: 'key enable',
    operation: 'key/enable',
    summary: 'Let a disabled key be used again.',
    positionals: [apiKey],
    examples: ['bourse admin --data data/main key enable 4f1c...'],
    show: (key) => keyTable([key]),
  }),
  command({
    name: 'key disable',
    operation: 'key/disable',
    summary: 'Refuse a key from now on.',
    positionals: [apiKey],
    examples: ['bourse admin --data data/main key disable 4f1c... --note "laptop stolen"'],
    show: (key) => keyTable([key]),
  }),
  command({
    name: 'key set',
    operation: 'key/set',
    summary: 'Change what a key may do, from where and until when; what is not named stays.',
    positionals: [apiKey],
    options: TERMS,
    needsOption: true,
    examples: [
      'bourse admin --data data/main key set 4f1c... --addresses 192.0.2.7 --expires 2099-01-31T00:00:00Z',
      'bourse admin --data data/main key set 4f1c... --strict on --note "signs v2 now"',
    ],
    show: (key) => keyTable([key]),
  }),
  command({
    name: 'key rotate',
    operation: 'key/rotate',
    summary: 'Give a key another secret, shown now and never again; the old one opens for the overlap.',
    positionals: [apiKey],
    options: {
      'overlap-minutes': {
        field: 'overlapMinutes',
        kind: 'integer',
        help: 'how long the old secret opens too, at most 43200; not at all without it',
      },
    },
    examples: ['bourse admin --data data/main key rotate 4f1c... --overlap-minutes 60'],
    show: withSecret,
  }),
  command({
    name: 'key revoke',
    operation: 'key/revoke',
    summary: 'Refuse a key for good; it cannot be enabled again.',
    positionals: [apiKey],
    examples: ['bourse admin --data data/main key revoke 4f1c... --note "leaked"'],
    confirm: ({ apiKey }) => `Revoke the key ${apiKey} for good?`,
    show: (key) => keyTable([key]),
  }),
  command({
    name: 'master-key rotate',
    operation: 'master-key/rotate',
    summary:
      'Seal the secrets of all API keys under a new master key, and retire the old one; goes on with a rotation that was cut off.',
    examples: ['bourse admin --data data/main master-key rotate --note "yearly"'],
    confirm: () =>
      'Put another master key in the place of this one? Backups made before need the old one: there is a copy of it?',
    pieces: {
      add: (sum, next) => ({ ...next, resealed: sum.resealed + next.resealed }),
      more: ({ resealed, left }) => (left === 0 ? undefined : `${resealed} sealed anew, ${left} to go`),
    },
    show: ({ resealed, removePrevious }) => {
      const old = removePrevious
        ? 'Now take BOURSE_MASTER_KEY_PREVIOUS out of the environment.'
        : 'The old key is retired: keep a copy of the new master.key apart.'
      return `${resealed} ${resealed === 1 ? 'secret' : 'secrets'} sealed anew. ${old}`
    },
  }),
]
