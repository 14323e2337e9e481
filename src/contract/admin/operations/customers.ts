/**
 * Customers who signed up themselves: the keys of their sessions, which only the customers process opens and
 * ends, and in a sandbox the emails that would be sent.
 */
import { ACCOUNTS_MAX } from '../../../units/limits.ts'
import { ACCOUNT_RESTRICTIONS, type AccountRestriction } from '../../../units/operator-enums.ts'
import type { AdminCustomerMark, AdminCustomerSession, AdminMail, AdminTrailHead } from '../customers.ts'
import { listOf, oneOf, pattern, required, whole } from './field.ts'
import { answers, changes, keeps, type OperationRows, reads } from './row.ts'

/** Maximum number of keys of one request: their texts fit within the size limit of a request body. */
export const SESSION_KEYS_PAGE = 200
const MAILS_MAX = 100
const EPOCH_MAX = 1_000_000_000
const TRAIL_MAX = 1_000_000_000_000
/** The position of a page in an announcement of all keys. */
export const TELLING_PLACES = ['FIRST', 'MORE', 'LAST', 'WHOLE'] as const

/** Identifies an announcement: several processes may announce at once. */
export const announcer = pattern(
  /^[a-z0-9]{1,32}$/,
  'expected 1 to 32 characters of a-z and 0-9',
)('the announcement that the page belongs to: each running process has its own')

const sessionName = pattern(/^s-[a-z2-7]{26}$/, 'expected s- followed by 26 characters of a-z and 2-7')
/** One key as text: its parts contain no spaces. */
const sessionKey = pattern(
  /^s-[a-z2-7]{26} c-[a-z2-7]{26} (?:[0-9a-f]{64}|04[0-9a-f]{128}) \d{1,10}$/,
  'expected "<name> <account> <64 or 130 hexadecimal digits> <milliseconds>"',
)

const customerName = pattern(/^c-[a-z2-7]{26}$/, 'expected c- followed by 26 characters of a-z and 2-7')
const restrictions = (help: string) =>
  listOf(oneOf(ACCOUNT_RESTRICTIONS, ''), 0, ACCOUNT_RESTRICTIONS.length, help)

/** For the customers process only. */
export const SESSION_KEY_OPERATIONS = {
  'session/open': keeps({
    nature: 'RIGHTS',
    summary: 'Send session keys to every gateway.',
    rights: ['customers'],
    options: {
      keys: required(
        listOf(
          sessionKey(''),
          0,
          SESSION_KEYS_PAGE,
          'name, account, Ed25519 or P-256 public key in hexadecimal digits, and lifetime in milliseconds, separated by spaces',
        ),
      ),
      telling: oneOf(
        TELLING_PLACES,
        'position of this page in a list of all existing keys (WHOLE: the only page): after the last page, keys on none of the pages are ended',
      ),
      by: announcer,
    },
    examples: [],
    told: '`opened`: number of keys. Keys are kept in memory: at most 200,000, and at most 20 of an account, whose oldest key is removed for a new one',
    answer: answers<{ readonly opened: number }>(),
  }),
  'session/end': keeps({
    nature: 'TERMS',
    summary: 'End session keys: after the answer, no gateway accepts them.',
    rights: ['customers'],
    options: { names: required(listOf(sessionName(''), 1, SESSION_KEYS_PAGE, 'names of keys')) },
    examples: [],
    told: '`ended`: number of keys',
    answer: answers<{ readonly ended: number }>(),
  }),
  'customer/restrict': changes('RIGHTS', {
    summary: "Add and remove a customer's own restrictions; those set by operators stay as they are.",
    rights: ['customers'],
    options: {
      account: required(customerName('account of the customer, c-...')),
      added: required(restrictions('restrictions to add')),
      removed: required(restrictions('restrictions to remove')),
    },
    examples: [],
    told: '`account`, `customerRestrictions`; `CUSTOMERS_DAY_LIMIT`',
    answer: answers<{
      readonly account: string
      readonly customerRestrictions: readonly AccountRestriction[]
    }>(),
  }),
  'customer/raise': changes('RIGHTS', {
    summary: "Count a change of a customer's credentials: an older copy of the store then gives no access.",
    rights: ['customers'],
    options: {
      account: required(customerName('account of the customer, c-...')),
      epoch: required(whole(1, EPOCH_MAX, 'the value that the counter must reach')),
    },
    examples: [],
    told: '`account`, `epoch`; if the counter had already reached it, nothing changes. `CUSTOMERS_DAY_LIMIT`',
    answer: answers<{ readonly account: string; readonly epoch: number }>(),
  }),
  'customer/forget': changes('RIGHTS', {
    summary: "Record permanently that a customer's data is erased: every copy of the store erases it too.",
    rights: ['customers'],
    options: { account: required(customerName('account of the customer, c-...')) },
    examples: [],
    told: '`account`; a repeat changes nothing. `CUSTOMERS_DAY_LIMIT`',
    answer: answers<{ readonly account: string }>(),
  }),
  'customer/head': changes('TERMS', {
    summary: 'Journal the head of the trail of customers, so that no later store can have a different one.',
    rights: ['customers'],
    options: {
      number: required(whole(1, TRAIL_MAX, 'number of the newest entry')),
      hash: required(pattern(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits')('hash of that entry')),
    },
    examples: [],
    told: '`number`; at most 24 a day: `CUSTOMERS_DAY_LIMIT`',
    answer: answers<{ readonly number: number }>(),
  }),
  'customer/newest-head': keeps({
    nature: 'TERMS',
    summary: 'Show the newest head of the trail of customers in the journal, for comparison with the store.',
    rights: ['customers'],
    options: {},
    examples: [],
    told: '`head`: `number` and `hash`, or null if none is journaled',
    answer: answers<{ readonly head: AdminTrailHead | null }>(),
  }),
  'customer/marks': keeps({
    nature: 'TERMS',
    summary: "List what the journal has about customers' accounts, for comparison with the store.",
    rights: ['customers'],
    options: { after: whole(0, ACCOUNTS_MAX, '`next` of the previous page') },
    examples: [],
    told: '`marks`: list of `account`, `epoch`, `forgotten`, `frozen`; `next`, unless it is the last page',
    answer: answers<{ readonly marks: readonly AdminCustomerMark[]; readonly next?: number }>(),
  }),
} satisfies OperationRows

export const CUSTOMER_OPERATIONS = {
  'session/list': reads({
    title: 'Session keys',
    summary: 'List the session keys that gateways accept, by name.',
    rights: ['read.accounts'],
    options: {
      after: sessionName('only those after this one'),
      limit: whole(1, SESSION_KEYS_PAGE, 'at most this many'),
    },
    examples: ['session list', 'session list --limit 20'],
    told: 'list: `name`, `account`, `endsInMs`, `unusedMs`',
    answer: answers<readonly AdminCustomerSession[]>(),
  }),
  'mail/list': reads({
    title: 'Emails to customers',
    summary: 'List the emails to customers, newest first. A sandbox sends none: use their links from here.',
    rights: ['read.accounts'],
    options: { limit: whole(1, MAILS_MAX, 'at most this many') },
    examples: ['mail list', 'mail list --limit 1'],
    told: 'list, newest first: `at`, `kind` (`CONFIRM`, `HAVE_ACCOUNT`, `FROZEN`, `UNFREEZE`, `UNFROZEN`, `RECOVER`, `MAIL_CHANGE`, `RESET` and others), `to`, `subject`, `text`. 404 `NO_CUSTOMERS`: this node has no customer sign-up, or is not a sandbox',
    answer: answers<readonly AdminMail[]>(),
  }),
} satisfies OperationRows
