/** Operations that admit customers: approvals, refusals, invitations. */
import type { KnownCustomer } from '../customers.ts'
import { type Field, pattern, required, text, whole } from './field.ts'
import { answers, keeps, type OperationRows, reads } from './row.ts'

/** Maximum number of invitations, including those that ended within the last 30 days. */
export const INVITATIONS_MAX = 10_000
export const INVITATIONS_PAGE = 200
/** Default lifetime of an invitation, in days. */
export const INVITATION_DAYS = 14
const MAIL_MAX = 254
const mail: Field<string> = {
  form: {
    is: 'pattern',
    pattern: new RegExp(`^(?=.{3,${MAIL_MAX}}$)[^\\s@]+@[^\\s@]+$`, 'u'),
    expected: `expected an email address of at most ${MAIL_MAX} characters`,
    isKept: true,
  },
  help: 'the only email address that may use it',
}

const account = pattern(
  /^c-[a-z2-7]{26}$/,
  'expected c- followed by 26 characters of a-z and 2-7',
)('account of the customer, c-...')
const id = pattern(/^[0-9a-f]{16}$/, 'expected 16 hexadecimal digits')

/** An invitation; its code is shown once, to the operator who creates it. */
export type AdminInvitation = {
  readonly id: string
  readonly uses: number
  readonly usesMax: number
  readonly isForOneAddress: boolean
  /** The operator who created it. */
  readonly by: string
  readonly createdAt: string
  readonly endsAt: string
}

export const ADMISSION_OPERATIONS = {
  'customer/approve': keeps({
    title: 'Approve customer',
    nature: 'RIGHTS',
    summary: 'Approve a waiting customer: the account is opened.',
    rights: ['customers.admit'],
    words: { account },
    options: { reason: required(text('why; the customer sees it')) },
    examples: [`customer approve c-${'a'.repeat(26)} --reason "documents seen"`],
    told: 'the customer, as in `customer/list` without restrictions; `NOT_WAITING`',
    answer: answers<KnownCustomer>(),
  }),
  'customer/refuse': keeps({
    title: 'Refuse customer',
    nature: 'TERMS',
    summary: 'Refuse a waiting customer: they get an email, and their data is erased.',
    rights: ['customers.admit'],
    words: { account },
    confirm: 'Refuse {account} and erase their data?',
    examples: [`customer refuse c-${'a'.repeat(26)}`],
    told: '`refused`: true; `NOT_WAITING`',
    answer: answers<{ readonly refused: true }>(),
  }),
  'invitation/add': keeps({
    title: 'Invite',
    nature: 'RIGHTS',
    summary: 'Create an invitation. Its code is shown only once.',
    rights: ['customers.admit'],
    options: {
      uses: whole(1, 1_000, 'number of people who may sign up with it, {range}; default 1'),
      days: whole(1, 365, 'how many days it lasts, {range}; default 14'),
      mail,
    },
    examples: ['invitation add', 'invitation add --uses 20 --days 7'],
    told: '`id`, `code`, `endsAt`; `TOO_MANY_INVITATIONS`',
    answer: answers<{ readonly id: string; readonly code: string; readonly endsAt: string }>(),
  }),
  'invitation/list': reads({
    title: 'Invitations',
    summary: 'List invitations, including those that ended in the last 30 days, without their codes.',
    rights: ['read.accounts'],
    options: {
      after: id('only those after this one'),
      limit: whole(1, INVITATIONS_PAGE, 'at most this many, {range}'),
    },
    examples: ['invitation list'],
    told: 'list: `id`, `uses`, `usesMax`, `isForOneAddress`, `by`, `createdAt`, `endsAt`',
    answer: answers<readonly AdminInvitation[]>(),
  }),
  'invitation/end': keeps({
    title: 'End invitation',
    nature: 'TERMS',
    summary: 'End an invitation: it can no longer be used.',
    rights: ['customers.admit'],
    words: { id: id('its id in the list of invitations') },
    examples: ['invitation end 0123456789abcdef'],
    told: '`ended`: true; `UNKNOWN_INVITATION`',
    answer: answers<{ readonly ended: true }>(),
  }),
} satisfies OperationRows
