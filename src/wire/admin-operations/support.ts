/** What helps a customer: orders and fills of any account, finished withdrawals, a transfer, the story of an account. */

import { ORDER_RATE_TIMES_MAX, PROFILE_FIELDS_MAX, PROFILE_LABELS_MAX } from '../../units/limits.ts'
import type { AdminAccount } from '../admin-records.ts'
import type {
  AdminAccountSearchPage,
  AdminEndedWithdrawalPage,
  AdminFillPage,
  AdminOrder,
  AdminOrderPage,
  AdminOrderShown,
  AdminStory,
  AdminTransferShown,
} from '../admin-support.ts'
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
const before = known('go on: what the page before said')
const limit = whole(1, SUPPORT_PAGE_MAX, 'at most so many, 1 to 250; 50 without it')

export const SUPPORT_OPERATIONS = {
  'account/story': reads({
    summary:
      "Show one account's whole story: state, balances, keys, the last orders, the last money and what operators did.",
    // It shows what operators did, and what waits of the account's money.
    rights: ['read.accounts', 'read.money', 'audit'],
    words: { account },
    examples: ['account story alice'],
    told: 'the account on one screen: `account`, `restrictedBy` (the command that set its restrictions; null: none did), `balances` (what is not zero), `keys`, `openOrders` (how many), and the ten newest of each of `orders`, `withdrawalsWaiting`, `approvalsWaiting`, `money` ([facts](events.md#kinds) of money that came, went or moved) and `actions`',
    answer: answers<AdminStory>(),
  }),
  'account/find': reads({
    summary: 'Find the account of a customer by the id that it has in your own systems.',
    rights: ['read.accounts'],
    options: { customerId: required(known('as account note has it')) },
    examples: ['account find --customer-id CRM-1042'],
    told: 'the account; `UNKNOWN_ACCOUNT`',
    answer: answers<AdminAccount>(),
  }),
  'account/search': reads({
    summary:
      'Find accounts by a part of a name, of what is noted of them, or of the id or label of a key; what it is itself stands first.',
    rights: ['read.accounts'],
    words: { text: known('in any letter case') },
    options: {
      after: known('go on after this account'),
      limit: whole(1, ACCOUNTS_PAGE_MAX, 'at most so many, 1 to 1000; 50 without it'),
    },
    examples: ['account search smith'],
    told: '`accounts`, as `account/list`, each with `foundIn` (`NAME`, `CUSTOMER_ID`, `LABEL`, `FIELD`, `REMARK`, `API_KEY`, `KEY_LABEL`: the first place that has the text) and `foundText` (what stands there); `next` (for `after`; null: all were looked at). Those whose name, customer id or key the text is come first, from indexes, then the others as `account/list` has them. One question compares 100,000 accounts at most, 1,000 in a piece, so that orders pass between',
    answer: answers<AdminAccountSearchPage>(),
  }),
  /** What is not named stays; a field is `name=value`. An empty text, an empty list: none. */
  'account/note': changes('HARMLESS', {
    summary:
      'Note what you know of an account: customer id, labels, fields, a remark. It is in the journal for good: no secrets.',
    rights: ['accounts.open'],
    words: { account },
    options: {
      customerId: customerId("of this account alone; '': none"),
      labels: listOf(accountLabel(''), 0, PROFILE_LABELS_MAX, "for example vip,mm; '': none"),
      fields: listOf(profileField, 0, PROFILE_FIELDS_MAX, "for example desk=Berlin,class=b; '': none"),
      remark: textOrEmpty("for whoever looks at the account; '': none"),
    },
    needsOption: true,
    examples: ['account note alice --customer-id CRM-1042 --labels vip'],
    told: 'the account; `CUSTOMER_ID_TAKEN`',
    answer: answers<AdminAccount>(),
  }),
  /** What is not named stays. Both rates are given or neither, both empty: none of its own; `openOrdersMax` or `orderRateTimes` 0: none of its own. */
  'account/terms': changes('TERMS', {
    summary: 'Give an account rates and limits of orders of its own, until a moment or without an end.',
    rights: ['accounts.terms'],
    words: { account },
    options: {
      makerRate: textOrEmpty("with --taker-rate; both '': none"),
      takerRate: textOrEmpty("with --maker-rate; both '': none"),
      openOrdersMax: whole(0, undefined, 'most open orders in a symbol; 0: none of its own'),
      orderRateTimes: whole(
        0,
        ORDER_RATE_TIMES_MAX,
        'so many times as many orders in a window as others may place; 0: none of its own',
      ),
      until: text('when what is named ends; without it: never'),
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
    summary: 'Cancel one open order of anybody.',
    rights: ['orders.cancel'],
    words: { order },
    examples: ['order cancel alice:my-order-7 --note "asked by phone"'],
    told: 'the order, which has ended with `OPERATOR`, and others of its list with `LIST`; `UNKNOWN_ORDER`',
    answer: answers<AdminOrder>(),
  }),
  /** Open ones, or with `all` those that ended too; newest first. `before`: what `next` said. */
  'order/list': reads({
    summary: 'List the open orders of an account, or all that it ever placed, newest first.',
    rights: ['read.accounts'],
    words: { account },
    options: {
      symbol: symbolName('only in this symbol'),
      all: flag('on: those that have ended too'),
      before,
      limit,
    },
    examples: ['order list alice --symbol BTC/USDT --all on'],
    told: '`orders`, newest first: the [order object](orders.md#the-order-object) with `account`, its times as ISO 8601; `next`: null at the end',
    answer: answers<AdminOrderPage>(),
  }),
  /** By the order's id, or as `<account>:<client order id>`. */
  'order/show': reads({
    summary: 'Show one order of anybody and its last fills.',
    rights: ['read.accounts'],
    words: { order },
    examples: ['order show alice:my-order-7'],
    told: 'the order, its 20 newest `fills`, `next`; `UNKNOWN_ORDER`',
    answer: answers<AdminOrderShown>(),
  }),
  'order/fills': reads({
    summary: 'List what an order has traded, newest first.',
    rights: ['read.accounts'],
    words: { order },
    options: { before, limit },
    examples: ['order fills alice:my-order-7'],
    told: '`fills`, newest first, as [traders see them](orders.md#fills), `next`: null at the end; a page may be empty before it',
    answer: answers<AdminFillPage>(),
  }),
  'withdrawal/ended': reads({
    summary: 'List withdrawals that were completed or canceled, newest first.',
    rights: ['read.money'],
    options: {
      account: known('only of this account'),
      before: whole(1, undefined, 'go on: what the page before said'),
      limit,
    },
    examples: ['withdrawal ended --account alice'],
    told: '`withdrawals`, newest first: `reference`, `account`, `asset`, `amount`, `outcome` (`COMPLETED` or `CANCELED`), `endedAt`, `seq`, `by`, `note`; `next`: null at the end',
    answer: answers<AdminEndedWithdrawalPage>(),
  }),
  'transfer/show': reads({
    summary: 'Show what was ordered under a reference: what, when, by whom, why, and what has become of it.',
    rights: ['read.money', 'audit'],
    words: { reference: known('the reference it was made with') },
    examples: ['transfer show deposit-1042'],
    told: "`reference`, `state` (`DONE`, `COMPLETED`, `CANCELED`, `REJECTED`, `REFUSED`, `EXPIRED`, `WITHDRAWAL_WAITS`, `WAITS_FOR_APPROVAL`), `account`, `asset`, `amount`, `actions`: the operators' commands under it as in `audit/list`, oldest first, at most the 100 newest; `UNKNOWN_REFERENCE`. Of what a [trader](withdrawals.md) has asked for too, by its `id`: one that its trader has cancelled for 24 hours, then `withdrawal/ended` has it",
    answer: answers<AdminTransferShown>(),
  }),
} satisfies OperationRows
