/** The operator's commands for API keys. */

import type { KEY_OPERATIONS } from '../../../contract/admin/operations/keys.ts'
import type { AdminKey } from '../../../contract/admin/records.ts'
import { facts, table } from '../../table.ts'
import type { Shown } from '../command.ts'

function stateOf({ enabled, revoked }: AdminKey): string {
  return revoked ? 'revoked' : enabled ? 'enabled' : 'disabled'
}

export function keyTable(keys: readonly AdminKey[]): string {
  const headings = [
    'API KEY',
    'NUMBER',
    'STATE',
    'KIND',
    'WIRE',
    'PERMISSIONS',
    'ADDRESSES',
    'SIGNATURE',
    'EXPIRES',
    'LAST USED',
    'LABEL',
  ]
  const rows = keys.map((key) => [
    key.apiKey,
    `#${key.number ?? '?'}`,
    stateOf(key),
    key.kind,
    key.wire,
    key.permissions.join(','),
    key.addresses.join(',') || 'any',
    key.strict ? 'strict' : 'any',
    key.expiresAt ?? 'never',
    key.lastUsedAt ?? '-',
    key.label,
  ])
  return table(headings, rows, 'The account has no keys yet.')
}

const STORE_IT = 'The secret is shown only once: store it now.'

function withSecret(key: AdminKey & { readonly secret: string }): string {
  const shown = facts([
    ['account', key.account],
    ['API key', key.apiKey],
    ['secret', key.secret],
    ['old secret until', key.previousSecretUntil ?? 'no longer valid'],
  ])
  return `${shown}\n${STORE_IT}`
}

export const KEY_ANSWERS: Shown<typeof KEY_OPERATIONS> = {
  'key/list': keyTable,
  'key/add': ({ secret, ...key }) => {
    const known = [
      ['account', key.account],
      ['API key', key.apiKey],
    ] as const
    if (secret !== null) return `${facts([...known, ['secret', secret]])}\n${STORE_IT}`
    return facts([...known, ['public key', key.publicKey ?? '-']])
  },
  'key/enable': (key) => keyTable([key]),
  'key/disable': (key) => keyTable([key]),
  'key/set': (key) => keyTable([key]),
  'key/rotate': withSecret,
  'key/revoke': (key) => keyTable([key]),
  'master-key/rotate': {
    show: ({ resealed, removePrevious }) => {
      const old = removePrevious
        ? 'Now remove BOURSE_MASTER_KEY_PREVIOUS from the environment.'
        : 'The old key is retired: keep a copy of the new master.key in another place.'
      return `${resealed} ${resealed === 1 ? 'secret' : 'secrets'} re-encrypted. ${old}`
    },
    pieces: {
      add: (sum, next) => ({ ...next, resealed: sum.resealed + next.resealed }),
      more: ({ resealed, left }) => (left === 0 ? undefined : `${resealed} re-encrypted, ${left} left`),
    },
  },
}
