/** The operator's commands on roles, tokens and how many people approve. */
import { ADMIN_RIGHTS } from '../../../units/admin-rights.ts'
import type { AdminApprovalRules, AdminRoleInfo, AdminTokenInfo } from '../../../wire/admin-records.ts'
import { facts, table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'
import { pageOptions } from './page-options.ts'

function tokenTable(tokens: readonly AdminTokenInfo[]): string {
  const rows = tokens.map((token) => [
    token.name,
    token.role,
    token.revoked ? 'revoked' : token.expired ? 'expired' : 'in use',
    token.createdAt,
    token.expiresAt ?? 'never',
    token.addresses.join(' ') || 'anywhere',
    token.lastUsedAt === null ? '-' : `${token.lastUsedAt} ${token.lastUsedFrom}`,
  ])
  return table(
    ['NAME', 'ROLE', 'STATE', 'CREATED', 'EXPIRES', 'FROM', 'LAST USED'],
    rows,
    'No named token yet.',
  )
}

function roleTable(roles: readonly AdminRoleInfo[]): string {
  const rows = roles.map(({ name, builtIn, rights }) => [
    name,
    builtIn ? 'always' : 'own',
    rights.length === ADMIN_RIGHTS.length ? 'all' : rights.join(' '),
  ])
  const limits = roles.flatMap(({ name, limits: some }) =>
    some.map((limit) => [
      name,
      limit.asset,
      wayText(limit.inEach, limit.inDay, limit.inLeft),
      wayText(limit.outEach, limit.outDay, limit.outLeft),
      limit.dayEndsAt,
    ]),
  )
  const ofRoles = table(['ROLE', 'KIND', 'RIGHTS'], rows, 'No role.')
  const headings = ['LIMIT OF', 'ASSET', 'IN', 'OUT', 'DAY ENDS']
  return limits.length === 0 ? ofRoles : `${ofRoles}\n\n${table(headings, limits, '')}`
}

function wayText(each: string, day: string, left: string | null): string {
  const ofEach = each === '0' ? [] : [`each ${each}`]
  const ofDay = left === null ? [] : [`day ${day}, left ${left}`]
  return [...ofEach, ...ofDay].join('; ') || '-'
}

function approvalRulesText({ needed, assets }: AdminApprovalRules): string {
  return facts([
    ['approvals needed', String(needed)],
    ...assets.map(({ asset, needed: own }): [string, string] => [`of ${asset}`, String(own)]),
  ])
}

const terms = {
  expires: {
    field: 'expiresAt',
    kind: 'text',
    help: 'refused from then on, for example 2027-01-31T00:00:00Z; empty: never',
  },
  from: {
    field: 'addresses',
    kind: 'list',
    help: 'only from these addresses and ranges, for example 10.0.0.0/8,192.0.2.7; empty: from anywhere',
  },
} as const

const tokenName = { field: 'name', kind: 'text', help: 'name of the token' } as const
const sum = (text: string) => ({ kind: 'text', help: `${text}; 0: no limit` }) as const

export const ROLE_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'token list',
    operation: 'token/list',
    summary: 'List the named tokens of the admin server, never the tokens themselves.',
    options: pageOptions('token'),
    examples: ['bourse admin --data data/main token list'],
    show: tokenTable,
  }),
  command({
    name: 'token add',
    operation: 'token/add',
    summary: 'Make a token for a person or a program. It is shown now and never again.',
    positionals: [{ field: 'name', kind: 'text', help: 'whose it is: the actor in the audit trail' }],
    options: {
      role: {
        field: 'role',
        kind: 'text',
        required: true,
        help: 'READ_ONLY, AUDITOR, SUPPORT, DEPOSITOR, OPERATOR, or a role of your own ("role list")',
      },
      ...terms,
    },
    examples: [
      'bourse admin --data data/main token add dora --role support',
      'bourse admin --data data/main token add deposits --role depositor --expires 2027-01-31T00:00:00Z --from 10.0.0.7',
    ],
    show: (token) =>
      `${facts([
        ['name', token.name],
        ['role', token.role],
        ['expires', token.expiresAt ?? 'never'],
        ['from', token.addresses.join(' ') || 'anywhere'],
        ['token', token.token],
      ])}\nOnly a digest of it is kept: store it now, and use it as BOURSE_ADMIN_TOKEN.`,
  }),
  command({
    name: 'token set',
    operation: 'token/set',
    summary: "Say anew until when and from where a token opens. It takes the node's own token.",
    positionals: [tokenName],
    options: terms,
    needsOption: true,
    examples: ['bourse admin --data data/main token set deposits --from 10.0.0.7,10.0.0.8'],
    show: (token) => tokenTable([token]),
  }),
  command({
    name: 'token revoke',
    operation: 'token/revoke',
    summary: 'Refuse a token for good.',
    positionals: [tokenName],
    examples: ['bourse admin --data data/main token revoke dora'],
    confirm: ({ name }) => `Revoke the token of ${name} for good?`,
    show: (token) => tokenTable([token]),
  }),
  command({
    name: 'role list',
    operation: 'role/list',
    summary: 'List the roles, what each may do, and what is left of their limits.',
    options: pageOptions('role'),
    examples: ['bourse admin --data data/main role list'],
    show: roleTable,
  }),
  command({
    name: 'role set',
    operation: 'role/set',
    summary: "Make a role of your own, or say anew what it may do. It takes the node's own token.",
    positionals: [{ field: 'name', kind: 'text', help: 'in small letters' }],
    options: {
      rights: {
        field: 'rights',
        kind: 'list',
        required: true,
        help: `with commas between: ${ADMIN_RIGHTS.join(', ')}`,
      },
    },
    examples: ['bourse admin --data data/main role set deposits --rights credit,read.accounts'],
    show: (role) => roleTable([role]),
  }),
  command({
    name: 'role remove',
    operation: 'role/remove',
    summary: "Remove a role of your own and its limits. It takes the node's own token.",
    positionals: [{ field: 'name', kind: 'text', help: 'name of the role' }],
    examples: ['bourse admin --data data/main role remove deposits'],
    show: () => 'Removed.',
  }),
  command({
    name: 'role limit',
    operation: 'role/limit',
    summary: "Say how much the tokens of a role may move of an asset. It takes the node's own token.",
    positionals: [
      { field: 'role', kind: 'text', help: 'name of the role' },
      { field: 'asset', kind: 'text', help: 'code of the asset' },
    ],
    options: {
      'in-each': { field: 'inEach', ...sum('into the exchange, with one command') },
      'in-day': { field: 'inDay', ...sum('into the exchange, all tokens together in a day (UTC)') },
      'out-each': { field: 'outEach', ...sum('out of the exchange, with one command') },
      'out-day': { field: 'outDay', ...sum('out of the exchange, all tokens together in a day (UTC)') },
    },
    needsOption: true,
    examples: ['bourse admin --data data/main role limit deposits BTC --in-each 10 --in-day 100'],
    show: (role) => roleTable([role]),
  }),
  command({
    name: 'approval show',
    operation: 'approval/show',
    summary: 'Show how many people beside who asks approve much money.',
    examples: ['bourse admin --data data/main approval show'],
    show: approvalRulesText,
  }),
  command({
    name: 'approval needed',
    operation: 'approval/needed',
    summary: "Say how many people beside who asks approve much money. It takes the node's own token.",
    positionals: [
      { field: 'needed', kind: 'integer', help: '1 to 5; 0 with --asset: as many as of all others' },
    ],
    options: {
      asset: {
        field: 'asset',
        kind: 'text',
        help: 'of this asset; without it, of all that have no number of their own',
      },
    },
    examples: [
      'bourse admin --data data/main approval needed 2',
      'bourse admin --data data/main approval needed 3 --asset BTC',
    ],
    show: approvalRulesText,
  }),
]
