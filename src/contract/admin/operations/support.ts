/**
 * Customer support: orders and fills of any account, finished withdrawals, a transfer, the overview of an
 * account.
 */

import { ORDER_RATE_TIMES_MAX, PROFILE_FIELDS_MAX, PROFILE_LABELS_MAX } from '../../../units/limits.ts'
import type { AdminAccount } from '../records.ts'
import type {
  AdminAccountSearchPage,
  AdminEndedWithdrawalPage,
  AdminFillPage,
  AdminOrder,
  AdminOrderPage,
  AdminOrderShown,
  AdminStory,
  AdminTransferShown,
} from '../support.ts'
import { ACCOUNTS_PAGE_MAX, SUPPORT_PAGE_MAX } from './bounds.ts'
import {
  account,
  accountLabel,
  customerId,
  flag,
  known,
  listOf,
  profileField,
  required,
  symbolName,
  text,
  textOrEmpty,
  whole,
} from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const order = known('id of the order, or <account>:<client order id>')
const before = known('for the next page: the value of next in the previous page')
const limit = whole(1, SUPPORT_PAGE_MAX, 'at most this many, {range}; default 50')

export const SUPPORT_OPERATIONS = {
  'account/story': reads({
    title: 'Account history',
    summary:
      'Show everything about one account: state, balances, keys, recent orders, recent transfers and actions of operators.',
    // The answer shows operators' actions, and pending requests about the account's money.
    rights: ['read.accounts', 'read.money', 'audit'],
    words: { account },
    examples: ['account story alice'],
    told: 'the account on one screen: `account`, `restrictedBy` (the command that set its restrictions; null: none), `balances` (those that are not zero), `keys`, `openOrders` (their number), and the ten newest each of `orders`, `withdrawalsWaiting`, `approvalsWaiting`, `money` ([events](events.md#kinds) of money that came in, went out or moved) and `actions`',
    answer: answers<AdminStory>(),
  }),
  'account/find': reads({
    title: 'Find by customer id',
    summary: 'Find the account of a customer by the customer id in your own systems.',
    rights: ['read.accounts'],
    options: { customerId: required(known('customer id, as in the notes of the account')) },
    examples: ['account find --customer-id CRM-1042'],
    told: 'the account; `UNKNOWN_ACCOUNT`',
    answer: answers<AdminAccount>(),
  }),
  'account/search': reads({
    title: 'Search accounts',
    summary:
      "Find accounts by part of their name or notes, or of a key's id or label; exact matches come first.",
    rights: ['read.accounts'],
    words: { text: known('text to find, ignoring case') },
    options: {
      after: known('only accounts after this one'),
      limit: whole(1, ACCOUNTS_PAGE_MAX, 'at most this many, {range}; default 50'),
    },
    examples: ['account search smith'],
    told: '`accounts`, as `account/list`, each with `foundIn` (`NAME`, `CUSTOMER_ID`, `LABEL`, `FIELD`, `REMARK`, `API_KEY`, `KEY_LABEL`: the first place that has the text) and `foundText` (the whole text there); `next` (for `after`; null: no more). Accounts whose name, customer id or key equals the text come first, from indexes, then the others in the order of `account/list`. One request compares at most 100,000 accounts, in pieces of 1,000, so that orders are not delayed',
    answer: answers<AdminAccountSearchPage>(),
  }),
  /**
   * Fields that are not given stay unchanged; a field is `name=value`. An empty text or list removes the
   * value.
   */
  'account/note': changes('HARMLESS', {
    title: 'Edit notes',
    summary:
      'Set the notes of an account: customer id, labels, fields, a remark. They stay in the journal for good: write no secrets.',
    rights: ['accounts.open'],
    words: { account },
    options: {
      customerId: customerId("unique to this account; '' for none"),
      labels: listOf(accountLabel(''), 0, PROFILE_LABELS_MAX, "for example vip,mm; '' for none"),
      fields: listOf(profileField, 0, PROFILE_FIELDS_MAX, "for example office=Berlin,class=b; '' for none"),
      remark: textOrEmpty("free text, shown with the account; '' for none"),
    },
    needsOption: true,
    examples: ['account note alice --customer-id CRM-1042 --labels vip'],
    told: 'the account; `CUSTOMER_ID_TAKEN`',
    sets: 'account',
    answer: answers<AdminAccount>(),
  }),
  /**
   * Fields that are not given stay unchanged. Both rates are given or neither; if both are empty, the
   * account's own rates are removed. `openOrdersMax` or `orderRateTimes` 0 removes the account's own limit.
   */
  'account/terms': changes('TERMS', {
    title: 'Set special terms',
    summary: 'Give an account its own commission rates and order limits, until a given time or indefinitely.',
    rights: ['accounts.terms'],
    words: { account },
    options: {
      makerRate: textOrEmpty("together with the taker rate; both '' for none"),
      takerRate: textOrEmpty("together with the maker rate; both '' for none"),
      openOrdersMax: whole(
        0,
        undefined,
        'largest number of open orders in a symbol; 0 for the limit that is set for all',
      ),
      orderRateTimes: whole(
        0,
        ORDER_RATE_TIMES_MAX,
        'multiple of the order rate limit of other accounts; 0 for the same limit',
      ),
      until: text('time at which these terms end; default: never'),
    },
    needsOption: true,
    examples: [
      'account terms alice --order-rate-times 20 --until 2027-03-31T22:00:00Z',
      'account terms alice --maker-rate 0 --taker-rate 0.0004 --until 2027-03-31T22:00:00Z',
    ],
    told: 'the account',
    answer: answers<AdminAccount>(),
  }),
  'order/cancel': changes('QUICK', {
    title: 'Cancel order',
    summary: 'Cancel one open order of any account.',
    rights: ['orders.cancel'],
    words: { order },
    examples: ['order cancel alice:my-order-7 --note "asked by phone"'],
    told: 'the order, canceled with the cause `OPERATOR`; other orders of its list with the cause `LIST`; `UNKNOWN_ORDER`',
    answer: answers<AdminOrder>(),
  }),
  /** Open orders, or with `all` also ended ones; newest first. `before`: the `next` of the previous page. */
  'order/list': reads({
    title: 'Orders',
    summary: 'List the open orders of an account, or all its orders, newest first.',
    rights: ['read.accounts'],
    words: { account },
    options: {
      symbol: symbolName('only in this symbol'),
      all: flag('on to include orders that have ended'),
      before,
      limit,
    },
    examples: ['order list alice --symbol BTC/USDT --all on'],
    told: '`orders`, newest first: the [order object](orders.md#the-order-object) with `account`, its times as ISO 8601; `next`: null at the end',
    answer: answers<AdminOrderPage>(),
  }),
  /** By the order's id, or as `<account>:<client order id>`. */
  'order/show': reads({
    title: 'Order',
    summary: 'Show one order of any account and its last fills.',
    rights: ['read.accounts'],
    words: { order },
    examples: ['order show alice:my-order-7'],
    told: 'the order, its 20 newest `fills`, `next`; `UNKNOWN_ORDER`',
    answer: answers<AdminOrderShown>(),
  }),
  'order/fills': reads({
    title: 'Fills of an order',
    summary: 'List the fills of an order, newest first.',
    rights: ['read.accounts'],
    words: { order },
    options: { before, limit },
    examples: ['order fills alice:my-order-7'],
    told: '`fills`, newest first, as [traders see them](orders.md#fills), `next`: null at the end; a page before the end may be empty',
    answer: answers<AdminFillPage>(),
  }),
  'withdrawal/ended': reads({
    title: 'Withdrawal history',
    summary: 'List withdrawals that were completed or canceled, newest first.',
    rights: ['read.money'],
    options: {
      account: known('only those of this account'),
      before: whole(1, undefined, 'for the next page: the value of next in the previous page'),
      limit,
    },
    examples: ['withdrawal ended --account alice'],
    told: '`withdrawals`, newest first: `reference`, `account`, `asset`, `amount`, `outcome` (`COMPLETED` or `CANCELED`), `endedAt`, `seq`, `by`, `note`; `next`: null at the end',
    answer: answers<AdminEndedWithdrawalPage>(),
  }),
  'transfer/show': reads({
    title: 'Find transfer',
    summary: 'Show the transfer with a reference: its commands, times, actors, notes and outcome.',
    rights: ['read.money', 'audit'],
    words: { reference: known('reference of the transfer') },
    examples: ['transfer show deposit-1042'],
    told: "`reference`, `state` (`DONE`, `COMPLETED`, `CANCELED`, `REJECTED`, `REFUSED`, `EXPIRED`, `WITHDRAWAL_WAITS`, `WAITS_FOR_APPROVAL`), `account`, `asset`, `amount`, `actions`: the operators' commands under it as in `audit/list`, oldest first, at most the 100 newest; `UNKNOWN_REFERENCE`. Withdrawals requested by a [trader](withdrawals.md) are found by their `id`: one that its trader canceled is found for 24 hours, and afterwards in `withdrawal/ended`",
    answer: answers<AdminTransferShown>(),
  }),
} satisfies OperationRows
