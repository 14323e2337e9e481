/** Rights of operators: tokens, roles, their limits, and the number of approvals. */

import { ADMIN_RIGHTS } from '../../../units/admin-rights.ts'
import { ADDRESSES_PER_KEY_MAX, APPROVERS_MAX } from '../../../units/limits.ts'
import type { AdminApprovalRules, AdminRoleInfo, AdminTokenInfo } from '../records.ts'
import {
  assetCode,
  decimal,
  known,
  listOf,
  named,
  oneOf,
  ownRoleName,
  page,
  peerAddress,
  plainName,
  required,
  textOrEmpty,
  whole,
} from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const expiresAt = named(
  'expires',
  textOrEmpty('time from which it is refused, for example 2027-01-31T00:00:00Z; empty for never'),
)
const addresses = named(
  'from',
  listOf(
    peerAddress,
    0,
    ADDRESSES_PER_KEY_MAX,
    'only from these addresses and ranges, for example 10.0.0.0/8,192.0.2.7; empty for any address',
  ),
)
const name = known('name of the token')

export const ROLE_OPERATIONS = {
  'token/list': reads({
    title: 'Tokens',
    summary: 'List the named tokens of the admin server. The tokens themselves are never shown.',
    rights: ['read.operators'],
    options: page('token'),
    examples: ['token list'],
    told: 'list: `name`, `role`, `createdAt`, `revoked`, `expired`, `expiresAt` (null: never), `addresses` (empty: anywhere), `lastUsedAt`, `lastUsedFrom`',
    answer: answers<readonly AdminTokenInfo[]>(),
  }),
  /** Without `expiresAt` it never expires; without `addresses` it is valid from anywhere. */
  'token/add': changes('RIGHTS', {
    title: 'Create token',
    summary: 'Create a token for a person or a program. It is shown only once.',
    rights: ['tokens'],
    words: { name: plainName('name of its holder, shown as actor in the audit trail') },
    options: {
      role: required(
        plainName('READ_ONLY, AUDITOR, SUPPORT, DEPOSITOR, OPERATOR, or a role of your own ("role list")'),
      ),
      expiresAt,
      addresses,
    },
    examples: [
      'token add dora --role support',
      'token add deposits --role depositor --expires 2027-01-31T00:00:00Z --from 10.0.0.7',
    ],
    told: 'the token as in `token/list`, `token` itself, and `warnings` if its name looks like that of another token',
    /** The only time that the token is shown. */
    answer: answers<AdminTokenInfo & { readonly token: string; readonly warnings?: readonly string[] }>(),
  }),
  /**
   * Fields that are not given stay unchanged; with an empty `expiresAt` the token never expires; without
   * addresses it is valid from anywhere.
   */
  'token/set': changes('RIGHTS', {
    title: 'Change token',
    summary:
      "Change when a token expires and from which addresses it may be used. Needs the node's own token.",
    rights: ['owner'],
    words: { name },
    options: { expiresAt, addresses },
    needsOption: true,
    examples: ['token set deposits --from 10.0.0.7,10.0.0.8'],
    told: 'as in `token/list`',
    answer: answers<AdminTokenInfo>(),
  }),
  'token/revoke': changes('RIGHTS', {
    title: 'Revoke token',
    summary: 'Revoke a token permanently.',
    rights: ['tokens'],
    words: { name },
    confirm: 'Revoke the token of {name} permanently?',
    examples: ['token revoke dora'],
    told: 'as in `token/list`. `ROLE_NOT_ALLOWED`: its role has a right that yours lacks',
    answer: answers<AdminTokenInfo>(),
  }),
  /** The built-in roles are first in the list. */
  'role/list': reads({
    title: 'Roles',
    summary: 'List the roles with their rights and the unused part of their limits.',
    rights: ['read.operators'],
    options: page('role'),
    examples: ['role list'],
    told: 'list, built-in roles first: `name`, `builtIn`, `rights`, `limits`: list of `asset`, `inEach`, `inDay`, `inLeft`, `outEach`, `outDay`, `outLeft` (`"0"`: no limit; `inLeft` and `outLeft` are then null), `dayEndsAt`',
    answer: answers<readonly AdminRoleInfo[]>(),
  }),
  'role/set': changes('RIGHTS', {
    title: 'Set role',
    summary: "Create a role of your own, or change its rights. Needs the node's own token.",
    rights: ['owner'],
    words: { name: ownRoleName('name of the role, in lower case') },
    options: {
      rights: required(
        listOf(
          oneOf(ADMIN_RIGHTS, ''),
          1,
          ADMIN_RIGHTS.length,
          `separated by commas: ${ADMIN_RIGHTS.join(', ')}`,
        ),
      ),
    },
    examples: ['role set deposits --rights credit,read.accounts'],
    told: 'the role',
    answer: answers<AdminRoleInfo>(),
  }),
  'role/remove': changes('RIGHTS', {
    title: 'Remove role',
    summary: "Remove a role of your own and its limits. Needs the node's own token.",
    rights: ['owner'],
    words: { name: known('name of the role') },
    examples: ['role remove deposits'],
    told: '`removed`',
    answer: answers<{ readonly removed: boolean }>(),
  }),
  /** Fields that are not given stay unchanged; `0` means no limit. */
  'role/limit': changes('RIGHTS', {
    title: 'Limit role',
    summary: "Limit how much of an asset the tokens of a role may move. Needs the node's own token.",
    rights: ['owner'],
    words: { role: plainName('name of the role'), asset: assetCode('code of the asset') },
    options: {
      inEach: decimal('into the exchange per command; 0 for no limit'),
      inDay: decimal('into the exchange per UTC day, all tokens together; 0 for no limit'),
      outEach: decimal('out of the exchange per command; 0 for no limit'),
      outDay: decimal('out of the exchange per UTC day, all tokens together; 0 for no limit'),
    },
    needsOption: true,
    examples: ['role limit deposits BTC --in-each 10 --in-day 100'],
    told: 'the role',
    answer: answers<AdminRoleInfo>(),
  }),
  'approval/show': reads({
    title: 'Approvals needed',
    summary: 'Show how many approvals large amounts need.',
    rights: ['read.money'],
    examples: ['approval show'],
    told: '`needed`: number of approvals; `assets`: list of `asset` and `needed`, for assets with a number of their own',
    answer: answers<AdminApprovalRules>(),
  }),
  /** For an asset, or for all assets without a number of their own; 0 for an asset removes its number. */
  'approval/needed': changes('RIGHTS', {
    title: 'Set approvals needed',
    summary:
      "Set how many people, besides the requester, must approve large amounts. Needs the node's own token.",
    rights: ['owner'],
    words: { needed: whole(0, APPROVERS_MAX, '1 to 5; with an asset, 0 for the same as other assets') },
    options: {
      asset: assetCode('only for this asset; default: for all assets without a number of their own'),
    },
    examples: ['approval needed 2', 'approval needed 3 --asset BTC'],
    told: 'as `approval/show`',
    answer: answers<AdminApprovalRules>(),
  }),
} satisfies OperationRows
