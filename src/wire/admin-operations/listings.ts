/** The node, assets and symbols: how they are listed, and the terms of each. */

import { SELF_TRADE_MODES } from '../../units/order-words.ts'
import type { AdminAsset, AdminStatus, AdminSymbol } from '../admin-records.ts'
import { ADDRESS_DELAY_MINUTES_MAX } from './bounds.ts'
import {
  assetCode,
  decimal,
  flag,
  fraction,
  named,
  newName,
  oneOf,
  page,
  proposed,
  required,
  symbolName,
  type ValuesOf,
  whole,
} from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const code = assetCode('code of the asset, for example BTC')
const supplyCap = decimal('most that may be in the exchange; 0: no cap')
const symbol = symbolName('<BASE>/<QUOTE>, for example BTC/USDT')
const minQuantity = decimal('smallest quantity of an order')
const minTotal = decimal('smallest price x quantity of an order')
const openOrdersMax = whole(1, undefined, 'most open orders of an account')
const levelsMax = whole(1, undefined, 'most price levels of a side')

const SELF_TRADE = 'what happens when an order meets one of its own account'
const FLAGS = {
  isDeposit: named('deposit', flag('on or off: may come in')),
  isWithdraw: named('withdraw', flag('on or off: may go out')),
  isTrade: named('trade', flag('on or off: may be traded')),
  isSaving: named('saving', flag('on or off: may be saved')),
}
export type AssetFlagFields = ValuesOf<typeof FLAGS>

/** How small and large an order of a symbol can be, by its decimals: decimal texts. */
export type AdminOrderSizes = {
  readonly quantityMin: string
  readonly quantityMax: string
  readonly priceMin: string
  readonly priceMax: string
}

export const LISTING_OPERATIONS = {
  'node/status': reads({
    summary: 'Show what the node holds.',
    rights: ['read'],
    examples: ['node status'],
    told: '`version`, `commit` and `commitDate` (both `unknown` for a build without a repository), `orderStops` ([what keeps it from taking any order](monitoring.md#what-stops-all-orders), as a list of words), `seq`, `rules` (version in force), `assets`, `symbols`, `accounts`, `apiKeys`',
    answer: answers<AdminStatus>(),
  }),
  'rules/set': changes('RIGHTS', {
    summary: 'Put newer rules in force, for good: node status shows those of now.',
    rights: ['rules'],
    words: { version: whole(1, undefined, 'version of the rules') },
    confirm: 'Put version {version} of the rules in force? There is no way back.',
    examples: ['rules set 4'],
    told: 'the same; `UNKNOWN_RULES_VERSION`: lower than those in force, or newer than the program',
    answer: answers<{ readonly version: number }>(),
  }),
  'asset/list': reads({
    summary: 'List the assets.',
    rights: ['read'],
    options: page('asset'),
    examples: ['asset list'],
    told: 'list of assets: `code`, `name`, `fraction`, `isDeposit`, `isWithdraw`, `isTrade`, `isSaving`, `supplyCap`, `creditMax`, `approvalAbove`, `withdrawMin`, `withdrawMax` (`"0"`: none), `addressDelayMinutes`',
    answer: answers<readonly AdminAsset[]>(),
  }),
  'asset/add': changes('TERMS', {
    summary: 'List an asset. Its decimals can never change.',
    rights: ['markets'],
    words: { code },
    options: {
      fraction: required(fraction('decimals of the ledger, 0 to 18')),
      name: newName('name for people; the code without it'),
      supplyCap,
      ...FLAGS,
    },
    examples: [
      'asset add BTC --fraction 8 --name Bitcoin',
      'asset add USDT --fraction 8 --supply-cap 1000000000',
    ],
    told: 'the asset, and `warnings` where its code looks like another one',
    answer: answers<AdminAsset & { readonly warnings?: readonly string[] }>(),
  }),
  'asset/set': changes('TERMS', {
    summary: 'Change what an asset may be used for, its name and its limits; what is not named stays.',
    rights: ['markets'],
    words: { code },
    options: {
      ...FLAGS,
      name: newName('name for people'),
      supplyCap,
      creditMax: decimal('most that one credit may bring; 0: no limit'),
      approvalAbove: decimal('money in or out above it needs a second person; 0: none does'),
    },
    needsOption: true,
    examples: [
      'asset set BTC --withdraw off --note "wallet maintenance"',
      'asset set BTC --credit-max 100 --approval-above 10',
    ],
    told: 'the asset',
    answer: answers<AdminAsset>(),
  }),
  /** In the asset's own decimals; `0`: no limit of its own. What is not named stays. */
  'asset/withdrawals': changes('MONEY', {
    summary: 'Set what traders may ask to withdraw of an asset, and how long a new address waits.',
    rights: ['markets'],
    words: { code },
    options: {
      withdrawMin: named('min', decimal('least of one withdrawal; 0: no limit')),
      withdrawMax: named('max', decimal('most of one withdrawal; 0: no limit')),
      addressDelayMinutes: whole(
        0,
        ADDRESS_DELAY_MINUTES_MAX,
        'how long a new address waits, 0 to 43200; 1440 (24 hours) unless it is set',
      ),
    },
    needsOption: true,
    examples: ['asset withdrawals BTC --min 0.001 --max 5'],
    told: 'the asset',
    answer: answers<AdminAsset>(),
  }),
  'symbol/list': reads({
    summary: 'List the symbols.',
    rights: ['read'],
    options: page('symbol'),
    examples: ['symbol list'],
    told: 'list of symbols: `symbol`, `state`, `baseFraction`, `quoteFraction`, `takerRate`, `makerRate`, `minTotal`, `minQuantity`, `tickSize`, `stepSize`, `selfTradeMode`, `openOrdersMax`, `levelsMax`, `minPrice`, `maxPrice` (null: any price)',
    answer: answers<readonly AdminSymbol[]>(),
  }),
  'symbol/add': changes('TERMS', {
    summary: 'List a symbol and open it for trading. Its decimals can never change.',
    rights: ['markets'],
    words: { symbol },
    options: {
      baseFraction: required(
        fraction(
          'decimals of a quantity, for good: at most those of the base asset, and 15. The smallest order is 1 unit of the last decimal, the largest 9007199254740991 of them',
        ),
      ),
      quoteFraction: required(
        fraction(
          'decimals of a price, for good: at most those of the quote asset, and 31 together with those of a quantity. The lowest price is 1 unit of the last decimal, the highest 9007199254740991 of them',
        ),
      ),
      takerRate: decimal('commission of the taker, 0.001 without it'),
      makerRate: decimal('commission of the maker, the taker rate without it'),
      minQuantity,
      minTotal,
      selfTradeMode: named(
        'self-trade',
        proposed('EXPIRE_MAKER', oneOf(SELF_TRADE_MODES, `${SELF_TRADE}, EXPIRE_MAKER without it`)),
      ),
      openOrdersMax,
      levelsMax,
    },
    examples: ['symbol add BTC/USDT --base-fraction 6 --quote-fraction 2 --min-total 5'],
    told: 'the symbol, `warnings`, `sizes` (`quantityMin`, `quantityMax`, `priceMin`, `priceMax` of an order: [decimals](#tick-and-step))',
    answer: answers<
      AdminSymbol & { readonly warnings: readonly string[]; readonly sizes: AdminOrderSizes }
    >(),
  }),
  'symbol/rates': changes('TERMS', {
    summary: 'Set the commission of trades from now on; a rate that is not named stays.',
    rights: ['markets'],
    words: { symbol },
    options: {
      takerRate: decimal('0.001 is one part in a thousand'),
      makerRate: decimal('at least 0 and below 1'),
    },
    needsOption: true,
    examples: ['symbol rates BTC/USDT --taker-rate 0.001 --maker-rate 0.0005'],
    told: 'the symbol, `warnings`',
    answer: answers<AdminSymbol & { readonly warnings: readonly string[] }>(),
  }),
  'symbol/halt': changes('QUICK', {
    summary: 'Stop new orders in a symbol; cancelling goes on.',
    rights: ['markets'],
    words: { symbol },
    examples: ['symbol halt BTC/USDT --note "feed is wrong"'],
    told: 'the symbol: `HALTED`',
    answer: answers<AdminSymbol>(),
  }),
  'symbol/resume': changes('UNPROTECTS', {
    summary: 'Let a halted symbol trade again.',
    rights: ['markets'],
    words: { symbol },
    examples: ['symbol resume BTC/USDT'],
    told: 'the symbol: `TRADING`; `SYMBOL_DELISTED`: a delisted one stays so',
    answer: answers<AdminSymbol>(),
  }),
  /** What is not named stays. Both prices are given, or neither; both `0`: no band. */
  'symbol/set': changes('TERMS', {
    summary: "Change a symbol's limits and price band; what is not named stays.",
    rights: ['markets'],
    words: { symbol },
    options: {
      minQuantity,
      minTotal,
      selfTradeMode: named('self-trade', oneOf(SELF_TRADE_MODES, SELF_TRADE)),
      openOrdersMax,
      levelsMax,
      minPrice: decimal('lowest price; with --max-price, both 0: any price'),
      maxPrice: decimal('highest price'),
    },
    needsOption: true,
    examples: ['symbol set BTC/USDT --min-price 30000 --max-price 90000'],
    told: 'the symbol, `warnings`',
    answer: answers<AdminSymbol & { readonly warnings: readonly string[] }>(),
  }),
  /** In the symbol's own decimals. What is not named stays. */
  'symbol/increments': changes('TERMS', {
    summary: 'Set what prices and quantities of new orders are multiples of; open orders stay as they are.',
    rights: ['markets'],
    words: { symbol },
    options: {
      tickSize: decimal('prices are multiples of it, for example 0.05'),
      stepSize: decimal('quantities are multiples of it, for example 25'),
    },
    needsOption: true,
    examples: ['symbol increments BTC/USDT --tick-size 0.05 --note "from Monday"'],
    told: 'the symbol',
    answer: answers<AdminSymbol>(),
  }),
  'symbol/cancel-only': changes('QUICK', {
    summary: 'Wind a symbol down: no new orders; cancelling goes on.',
    rights: ['markets'],
    words: { symbol },
    examples: ['symbol cancel-only BTC/USDT --note "delisted on Friday"'],
    told: 'the symbol: `CANCEL_ONLY`',
    answer: answers<AdminSymbol>(),
  }),
  'symbol/delist': changes('TERMS', {
    summary: 'Show a symbol to nobody any more. It must have no open order: see order cancel-all.',
    rights: ['markets'],
    words: { symbol },
    confirm: 'Delist {symbol}?',
    examples: ['symbol delist BTC/USDT'],
    told: 'the symbol: `DELISTED`; `SYMBOL_NOT_EMPTY` while orders rest',
    answer: answers<AdminSymbol>(),
  }),
} satisfies OperationRows
