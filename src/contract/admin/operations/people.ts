/**
 * Operations on customers who signed up themselves. Access to personal data needs a separate right and a
 * reason, which the customer sees.
 */
import {
  type AdminCustomer,
  type AdminCustomerDetails,
  type AdminCustomerEvent,
  type AdminCustomerExport,
  type AdminCustomerFinding,
  type AdminCustomerSearch,
  type AdminRecoveryRequest,
  type AdminTrail,
  type AdminTwoPersons,
  CUSTOMER_STATES,
} from '../customers.ts'
import { type Field, known, oneOf, pattern, required, text, whole } from './field.ts'
import { answers, changes, keeps, type OperationRows, reads } from './row.ts'

/** Maximum number of customers in one answer. */
export const CUSTOMERS_PAGE = 200
/** Maximum number of results of a search. */
export const CUSTOMERS_FOUND_MAX = 50
/** Maximum number of days for which access to personal data is hidden from the customer. */
export const SHOWN_IN_DAYS_MAX = 30
const SEARCH_MIN = 3
const SEARCH_MAX = 254

const searched = (help: string): Field<string> => ({
  form: {
    is: 'pattern',
    pattern: new RegExp(`^.{${SEARCH_MIN},${SEARCH_MAX}}$`, 'su'),
    expected: `expected ${SEARCH_MIN} to ${SEARCH_MAX} characters`,
    isKept: true,
  },
  help,
})
const customer = pattern(/^c-[a-z2-7]{26}$/, 'expected c- followed by 26 characters of a-z and 2-7')
const account = customer('account of the customer, c-...')
/** For every access to personal data; `reason` is required. */
const LOOK = {
  reason: required(text('why; the customer sees it')),
  shownInDays: whole(
    0,
    SHOWN_IN_DAYS_MAX,
    'days after which the customer sees this access, {range}; default 0, at once',
  ),
}

export const PEOPLE_OPERATIONS = {
  'customer/list': reads({
    title: 'Customers',
    summary: 'List customers by account, without personal data.',
    rights: ['read.accounts'],
    options: {
      state: oneOf(CUSTOMER_STATES, 'only those in this state; WAITING: to be approved'),
      after: known('only those after this account'),
      limit: whole(1, CUSTOMERS_PAGE, 'at most this many, {range}'),
    },
    examples: ['customer list', 'customer list --state WAITING'],
    told: 'list: `account`, `state`, `createdAt`, `passkeys`, `sessions`, `operatorRestrictions`, `customerRestrictions`; `NO_CUSTOMERS`',
    answer: answers<readonly AdminCustomer[]>(),
  }),
  'customer/find': keeps({
    title: 'Find customers',
    summary:
      'Find customers by part of their email address. Each one found sees this access and your reason.',
    rights: ['customers.read'],
    words: { part: searched(`part of the email address, at least ${SEARCH_MIN} characters`) },
    options: { ...LOOK, after: known('only those after this account') },
    examples: ['customer find jo@example.org --reason "case 17"'],
    told: `\`customers\`: \`account\`, \`state\`, \`mail\`, at most ${CUSTOMERS_FOUND_MAX}; \`next\` for \`after\`, absent at the end; \`NO_CUSTOMERS\``,
    answer: answers<AdminCustomerSearch>(),
  }),
  'customer/show': keeps({
    title: 'Customer',
    summary: 'Show a customer with personal data. The customer sees this access and your reason.',
    rights: ['customers.read'],
    words: { account },
    options: LOOK,
    examples: [`customer show c-${'a'.repeat(26)} --reason "case 17"`],
    told: 'as in `customer/list`, and `mail`, `language`, `termsVersion`, `signedInFrom` (`device`, `network`, `lastUsedAt`); `UNKNOWN_ACCOUNT`',
    answer: answers<AdminCustomerDetails>(),
  }),
  'customer/events': keeps({
    title: 'Customer history',
    summary: "Show a customer's history, newest first. The customer sees this access and your reason.",
    rights: ['customers.read'],
    words: { account },
    options: { ...LOOK, limit: whole(1, CUSTOMERS_PAGE, 'at most this many, {range}') },
    examples: [`customer events c-${'a'.repeat(26)} --reason "case 17"`],
    told: 'list: `at`, `kind`, `device`, `network`, for an operator `by` and `reason`, and `shownAt`: when the customer sees it; `UNKNOWN_ACCOUNT`',
    answer: answers<readonly AdminCustomerEvent[]>(),
  }),
  'customer/export': keeps({
    title: 'Export customer',
    summary: 'Show all data that is kept about a customer. The customer sees this access and your reason.',
    rights: ['customers.read'],
    words: { account },
    options: LOOK,
    examples: [`customer export c-${'a'.repeat(26)} --reason "request of 3 May"`],
    told: "the customer's own export: `account`, `mail`, `language`, `phrase`, `termsVersion`, `createdAt`, `passkeys`, `sessions`, `keys` (`apiKey`, `name`, `addresses`), `history` as in `customer/events`, the newest 5,000; `UNKNOWN_ACCOUNT`",
    answer: answers<AdminCustomerExport>(),
  }),
  'customer/requests': reads({
    title: 'Recovery requests',
    summary: 'List customers who have requested a recovery with only their email address, by account.',
    rights: ['read.accounts'],
    options: {
      after: known('only those after this account'),
      limit: whole(1, CUSTOMERS_PAGE, 'at most this many, {range}'),
    },
    examples: ['customer requests'],
    told: 'list: `account`, `askedAt`, `readyAt`: when two operators may reset the customer; `NO_CUSTOMERS`',
    answer: answers<readonly AdminRecoveryRequest[]>(),
  }),
  'customer/reset': keeps({
    title: 'Reset customer',
    nature: 'UNPROTECTS',
    summary:
      'Send a customer the recovery link that they have requested. Two operators must request it within a day.',
    rights: ['customers.reset'],
    words: { account },
    options: { reason: required(text('why; the customer sees it')) },
    examples: [`customer reset c-${'a'.repeat(26)} --reason "identity shown"`],
    told: '`isDone`: false until a second operator requests the same, `askedBy`, `askedAt`. The link goes to the confirmed address only. `NOT_READY`: the request of the customer is less than 48 hours old; `CHANGED_MAIL`, `NAMED_TOKEN_NEEDED`, `TOKEN_TOO_NEW`',
    answer: answers<AdminTwoPersons>(),
  }),
  'customer/mail': keeps({
    title: 'Change email address',
    nature: 'UNPROTECTS',
    summary:
      'Change the email address of a customer who has lost it, after 7 days. Two operators must request the same within a day.',
    rights: ['customers.reset'],
    words: { account, mail: searched('the new email address') },
    options: { reason: required(text('why; the customer sees it')) },
    examples: [`customer mail c-${'a'.repeat(26)} jo@example.com --reason "identity shown"`],
    told: '`isDone`: false until a second operator requests the same, `askedBy`, `askedAt`. The old address gets an email, and the customer can stop the change from any session. `MAIL_TAKEN`, `NAMED_TOKEN_NEEDED`, `TOKEN_TOO_NEW`',
    answer: answers<AdminTwoPersons>(),
  }),
  'customer/freeze': changes('QUICK', {
    title: 'Freeze customer',
    summary: 'Freeze a customer: like account freeze, and every session ends.',
    rights: ['accounts.restrict'],
    words: { account },
    examples: [`customer freeze c-${'a'.repeat(26)} --note "case 17"`],
    told: 'the customer; `restrictions`, `sessionsEnded`: false if the customers process did not answer: the account is frozen, and a repeat of the command ends the sessions; `UNKNOWN_ACCOUNT`',
    answer: answers<{
      readonly account: string
      readonly restrictions: readonly string[]
      readonly sessionsEnded: boolean
    }>(),
  }),
  'customer/unfreeze': keeps({
    title: 'Unfreeze customer',
    nature: 'UNPROTECTS',
    summary: 'Lift the freeze that a customer has set. Two operators must request it within a day.',
    rights: ['customers.reset'],
    words: { account },
    options: { reason: required(text('why; the customer sees it')) },
    examples: [`customer unfreeze c-${'a'.repeat(26)} --reason "identity shown"`],
    told: '`isDone`: false until a second operator requests the same, `askedBy`, `askedAt`. Withdrawals stay blocked for 24 hours; restrictions set by operators stay. `NAMED_TOKEN_NEEDED`, `TOKEN_TOO_NEW`',
    answer: answers<{
      readonly isDone: boolean
      readonly askedBy: string
      readonly askedAt: string
    }>(),
  }),
  'customer/erase': changes('TERMS', {
    title: 'Erase customer',
    summary: "Erase a customer's data for good; the account, its orders and its money stay.",
    rights: ['customers.reset'],
    words: { account },
    examples: [`customer erase c-${'a'.repeat(26)} --note "case 17"`],
    told: '`account`, `erased`: false if the customers process did not answer: the erasure is journaled, and that process carries it out at its next start; `UNKNOWN_ACCOUNT`',
    answer: answers<{ readonly account: string; readonly erased: boolean }>(),
  }),
  'customer/trail': reads({
    title: 'Check the trail of customers',
    summary: 'Check that no entry of the trail of customers was changed or removed, and show its head.',
    rights: ['read.accounts'],
    options: {
      number: whole(1, 1_000_000_000_000, 'show the hash of this entry instead of the newest one'),
    },
    examples: ['customer trail', 'customer trail --number 1200'],
    told: '`entries`, `broken` (the first entry that does not follow from the one before it, or null), `number` and `hash`, to be compared with those in the journal: `action find --kind NoteChange --text "trail of customers"`. `NO_SUCH_ENTRY`',
    answer: answers<AdminTrail>(),
  }),
  'customer/check': reads({
    title: 'Check for personal data',
    summary:
      "List account texts that look like personal data, and customers' accounts that are not in the store of the customers process.",
    rights: ['read.accounts'],
    options: { after: known('only accounts after this one') },
    examples: ['customer check'],
    told: '`findings`: `account`, `place` (`NAME`, `CUSTOMER_ID`, `LABEL`, `FIELD`, `REMARK`, `KEY_LABEL`; `STORE`: this account is not in the store of the customers process) and `looksLike`; `next` for `after`, absent at the end',
    answer: answers<{ readonly findings: readonly AdminCustomerFinding[]; readonly next?: string }>(),
  }),
} satisfies OperationRows
