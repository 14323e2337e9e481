/** Accounts, their balances and fee tiers, and the cancel of all orders of an account. */

import { ACCOUNT_RESTRICTIONS } from '../../../units/operator-enums.ts'
import type { AdminAccount, AdminBalance, AdminFeeTier, AdminOrdersCanceled } from '../records.ts'
import { ACCOUNTS_PAGE_MAX } from './bounds.ts'
import {
  account,
  accountLabel,
  accountName,
  decimal,
  known,
  listOf,
  oneOf,
  page,
  plainName,
  required,
  symbolName,
  textOrEmpty,
  whole,
} from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

export const ACCOUNT_OPERATIONS = {
  'account/list': reads({
    title: 'Accounts',
    summary:
      "List accounts by time of creation, customers' accounts first, then the house's; at most 1000 at a time.",
    rights: ['read.accounts'],
    options: {
      after: known('only accounts created after this one'),
      limit: whole(1, ACCOUNTS_PAGE_MAX, 'at most this many'),
      label: accountLabel('only those with this label'),
    },
    examples: ['account list --after alice --limit 100'],
    told: "list of accounts by time of creation, customers' accounts first, then the house's: `name`, `role`, `createdAt`, `restrictions`, `operatorRestrictions` and `customerRestrictions` (which side set them: each can lift only its own), `closed`, `feeTier`, `openOrdersMax`, `customerId`, `labels`, `fields` (each `name=value`), `remark`, `terms` (null, or `makerRate`, `takerRate`, `ratesUntil`, `ratesInForce`, `openOrdersMax`, `openOrdersUntil`, `openOrdersInForce`, `orderRateTimes`, `orderRateUntil`, `orderRateInForce`)",
    answer: answers<readonly AdminAccount[]>(),
  }),
  /** `warnings`: possible confusions of the name, also with existing accounts, as sentences. */
  'account/add': changes('HARMLESS', {
    title: 'Open account',
    summary: 'Open an account.',
    rights: ['accounts.open'],
    words: { name: accountName('name of the account, without a colon') },
    examples: ['account add alice'],
    told: 'the account, `warnings`',
    answer: answers<AdminAccount & { readonly warnings: readonly string[] }>(),
  }),
  'balance/list': reads({
    title: 'Balances',
    summary: "Show an account's balances.",
    command: 'account balances',
    rights: ['read.accounts'],
    words: { account },
    examples: ['account balances alice'],
    told: 'list: `asset`, `free`, `locked`, `freeze`, `savings`',
    answer: answers<readonly AdminBalance[]>(),
  }),
  'account/show': reads({
    title: 'Account',
    summary: 'Show one account.',
    rights: ['read.accounts'],
    words: { account },
    examples: ['account show alice'],
    told: 'the account',
    answer: answers<AdminAccount>(),
  }),
  'account/restrict': changes('RIGHTS', {
    title: 'Restrict account',
    summary:
      "Set the operators' restrictions on an account; the customer's own stay. Its open orders stay and can be canceled.",
    // Removing restrictions needs one more right, which the operation itself checks.
    rights: ['accounts.restrict'],
    words: {
      account,
      restrictions: listOf(
        oneOf(ACCOUNT_RESTRICTIONS, ''),
        0,
        ACCOUNT_RESTRICTIONS.length,
        "any of TRADE,WITHDRAW,LOGIN; '' for none",
      ),
    },
    examples: ['account restrict alice WITHDRAW --note "case 17"'],
    told: 'the account',
    sets: 'account',
    answer: answers<AdminAccount>(),
  }),
  'account/freeze': changes('QUICK', {
    title: 'Freeze account',
    summary:
      'Freeze an account: no trading, no withdrawals, no use of its keys. Its open orders stay: see order cancel-all.',
    rights: ['accounts.restrict'],
    words: { account },
    examples: ['account freeze alice --note "keys stolen"'],
    told: 'the account, with all restrictions',
    answer: answers<AdminAccount>(),
  }),
  'account/unfreeze': changes('RIGHTS', {
    title: 'Unfreeze account',
    summary: "Remove the operators' restrictions from an account; the customer's own stay.",
    rights: ['accounts.release'],
    words: { account },
    examples: ['account unfreeze alice'],
    told: "the account, without the operators' restrictions",
    answer: answers<AdminAccount>(),
  }),
  'account/close': changes('TERMS', {
    title: 'Close account',
    summary: 'Close an account for good. It must have no money and no open orders.',
    rights: ['accounts.close'],
    words: { account },
    confirm: 'Close the account {account} permanently?',
    examples: ['account close alice'],
    told: 'the account; `ACCOUNT_NOT_EMPTY`',
    answer: answers<AdminAccount>(),
  }),
  /**
   * An empty `feeTier` removes the tier; `openOrdersMax` 0 restores the symbols' own limits. Fields that are
   * not given stay unchanged.
   */
  'account/set': changes('TERMS', {
    title: 'Set tier and limits',
    summary: "Set an account's fee tier and limits; options not given stay unchanged.",
    rights: ['accounts.terms'],
    words: { account },
    options: {
      feeTier: textOrEmpty("name of the tier; '' for none"),
      openOrdersMax: whole(
        0,
        undefined,
        "largest number of open orders in a symbol; 0 for the symbol's own limit",
      ),
    },
    needsOption: true,
    examples: ['account set alice --fee-tier vip --open-orders-max 500'],
    told: 'the account',
    sets: 'account',
    answer: answers<AdminAccount>(),
  }),
  'tier/list': reads({
    title: 'Fee tiers',
    summary: 'List the fee tiers.',
    rights: ['read'],
    options: page('tier'),
    examples: ['tier list'],
    told: 'list: `name`, `makerShare`, `takerShare`',
    answer: answers<readonly AdminFeeTier[]>(),
  }),
  'tier/set': changes('TERMS', {
    title: 'Set fee tier',
    summary: "Create a fee tier, or change it for all its accounts. A tier is a share of the symbols' rates.",
    rights: ['tiers'],
    words: { name: plainName('name of the tier') },
    options: {
      makerShare: required(decimal('0 to 1; 0.5 is half of the rate')),
      takerShare: required(decimal('0 to 1; 1 is the whole rate')),
    },
    examples: ['tier set vip --maker-share 0.5 --taker-share 0.8'],
    told: 'the tier',
    answer: answers<AdminFeeTier>(),
  }),
  /** Cancels all open orders of an account, of a symbol, or of an account in a symbol. */
  'order/cancel-all': changes('QUICK', {
    title: 'Cancel all orders',
    summary: 'Cancel all open orders of an account, of a symbol, or of an account in a symbol.',
    rights: ['orders.cancel'],
    options: { account: known('only those of this account'), symbol: symbolName('only in this symbol') },
    needsOption: true,
    confirm: 'Cancel all open orders of {account|all accounts} in {symbol|all symbols}?',
    examples: ['order cancel-all --account alice --yes', 'order cancel-all --symbol BTC/USDT --yes'],
    told: '`canceled` (at most 500), `left`: repeat the request until it is 0',
    answer: answers<AdminOrdersCanceled>(),
  }),
} satisfies OperationRows
