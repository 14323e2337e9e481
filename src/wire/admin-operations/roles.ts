/** Who may do what: tokens, roles, their limits, and how many approve. */

import { ADMIN_RIGHTS } from '../../units/admin-rights.ts'
import { ADDRESSES_PER_KEY_MAX, APPROVERS_MAX } from '../../units/limits.ts'
import type { AdminApprovalRules, AdminRoleInfo, AdminTokenInfo } from '../admin-records.ts'
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
  textOrEmpty('refused from then on, for example 2027-01-31T00:00:00Z; empty: never'),
)
const addresses = named(
  'from',
  listOf(
    peerAddress,
    0,
    ADDRESSES_PER_KEY_MAX,
    'only from these addresses and ranges, for example 10.0.0.0/8,192.0.2.7; empty: from anywhere',
  ),
)
const name = known('name of the token')

export const ROLE_OPERATIONS = {
  'token/list': reads({
    summary: 'List the named tokens of the admin server, never the tokens themselves.',
    rights: ['read.operators'],
    options: page('token'),
    examples: ['token list'],
    told: 'list: `name`, `role`, `createdAt`, `revoked`, `expired`, `expiresAt` (null: never), `addresses` (empty: anywhere), `lastUsedAt`, `lastUsedFrom`',
    answer: answers<readonly AdminTokenInfo[]>(),
  }),
  /** Without `expiresAt` it opens for ever, without `addresses` from anywhere. */
  'token/add': changes('RIGHTS', {
    summary: 'Make a token for a person or a program. It is shown now and never again.',
    rights: ['tokens'],
    words: { name: plainName('whose it is: the actor in the audit trail') },
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
    told: 'the same, `token`, and `warnings` where its name looks like another one',
    /** The only time that the token is shown. */
    answer: answers<AdminTokenInfo & { readonly token: string; readonly warnings?: readonly string[] }>(),
  }),
  /** What is not named stays; `expiresAt` empty: never; no addresses: from anywhere. */
  'token/set': changes('RIGHTS', {
    summary: "Say anew until when and from where a token opens. It takes the node's own token.",
    rights: ['owner'],
    words: { name },
    options: { expiresAt, addresses },
    needsOption: true,
    examples: ['token set deposits --from 10.0.0.7,10.0.0.8'],
    told: 'the same without `token`',
    answer: answers<AdminTokenInfo>(),
  }),
  'token/revoke': changes('RIGHTS', {
    summary: 'Refuse a token for good.',
    rights: ['tokens'],
    words: { name },
    confirm: 'Revoke the token of {name} for good?',
    examples: ['token revoke dora'],
    told: 'the same. Of a token whose role has a right that yours lacks: `ROLE_NOT_ALLOWED`',
    answer: answers<AdminTokenInfo>(),
  }),
  /** The roles that every exchange has come first. */
  'role/list': reads({
    summary: 'List the roles, what each may do, and what is left of their limits.',
    rights: ['read.operators'],
    options: page('role'),
    examples: ['role list'],
    told: 'list, those that every exchange has first: `name`, `builtIn`, `rights`, `limits`: list of `asset`, `inEach`, `inDay`, `inLeft`, `outEach`, `outDay`, `outLeft` (`"0"`: no limit; of what is left null), `dayEndsAt`',
    answer: answers<readonly AdminRoleInfo[]>(),
  }),
  'role/set': changes('RIGHTS', {
    summary: "Make a role of your own, or say anew what it may do. It takes the node's own token.",
    rights: ['owner'],
    words: { name: ownRoleName('in small letters') },
    options: {
      rights: required(
        listOf(
          oneOf(ADMIN_RIGHTS, ''),
          1,
          ADMIN_RIGHTS.length,
          `with commas between: ${ADMIN_RIGHTS.join(', ')}`,
        ),
      ),
    },
    examples: ['role set deposits --rights credit,read.accounts'],
    told: 'the role',
    answer: answers<AdminRoleInfo>(),
  }),
  'role/remove': changes('RIGHTS', {
    summary: "Remove a role of your own and its limits. It takes the node's own token.",
    rights: ['owner'],
    words: { name: known('name of the role') },
    examples: ['role remove deposits'],
    told: '`removed`',
    answer: answers<{ readonly removed: boolean }>(),
  }),
  /** What is not named stays; `0`: no limit. */
  'role/limit': changes('RIGHTS', {
    summary: "Say how much the tokens of a role may move of an asset. It takes the node's own token.",
    rights: ['owner'],
    words: { role: plainName('name of the role'), asset: assetCode('code of the asset') },
    options: {
      inEach: decimal('into the exchange, with one command; 0: no limit'),
      inDay: decimal('into the exchange, all tokens together in a day (UTC); 0: no limit'),
      outEach: decimal('out of the exchange, with one command; 0: no limit'),
      outDay: decimal('out of the exchange, all tokens together in a day (UTC); 0: no limit'),
    },
    needsOption: true,
    examples: ['role limit deposits BTC --in-each 10 --in-day 100'],
    told: 'the role',
    answer: answers<AdminRoleInfo>(),
  }),
  'approval/show': reads({
    summary: 'Show how many people beside who asks approve much money.',
    rights: ['read.money'],
    examples: ['approval show'],
    told: '`needed`: how many approve, `assets`: list of `asset` and `needed` of those that have a number of their own',
    answer: answers<AdminApprovalRules>(),
  }),
  /** Of an asset, or of all that have no number of their own; 0, of an asset: it has none. */
  'approval/needed': changes('RIGHTS', {
    summary: "Say how many people beside who asks approve much money. It takes the node's own token.",
    rights: ['owner'],
    words: { needed: whole(0, APPROVERS_MAX, '1 to 5; 0 with --asset: as many as of all others') },
    options: { asset: assetCode('of this asset; without it, of all that have no number of their own') },
    examples: ['approval needed 2', 'approval needed 3 --asset BTC'],
    told: 'as `approval/show`',
    answer: answers<AdminApprovalRules>(),
  }),
} satisfies OperationRows
