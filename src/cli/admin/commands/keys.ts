/** The operator's commands on API keys. */

import type { KEY_OPERATIONS } from '../../../wire/admin-operations/keys.ts'
import type { AdminKey } from '../../../wire/admin-records.ts'
import { facts, table } from '../../table.ts'
import type { Shown } from '../command.ts'

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

export const KEY_ANSWERS: Shown<typeof KEY_OPERATIONS> = {
  'key/list': keyTable,
  'key/add': (key) =>
    `${facts([
      ['account', key.account],
      ['API key', key.apiKey],
      ['secret', key.secret],
    ])}\n${STORE_IT}`,
  'key/enable': (key) => keyTable([key]),
  'key/disable': (key) => keyTable([key]),
  'key/set': (key) => keyTable([key]),
  'key/rotate': withSecret,
  'key/revoke': (key) => keyTable([key]),
  'master-key/rotate': {
    show: ({ resealed, removePrevious }) => {
      const old = removePrevious
        ? 'Now take BOURSE_MASTER_KEY_PREVIOUS out of the environment.'
        : 'The old key is retired: keep a copy of the new master.key apart.'
      return `${resealed} ${resealed === 1 ? 'secret' : 'secrets'} sealed anew. ${old}`
    },
    pieces: {
      add: (sum, next) => ({ ...next, resealed: sum.resealed + next.resealed }),
      more: ({ resealed, left }) => (left === 0 ? undefined : `${resealed} sealed anew, ${left} to go`),
    },
  },
}
