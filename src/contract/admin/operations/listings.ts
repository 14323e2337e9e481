/** Listings of assets and symbols, their terms, and the state of the node. */

import { SELF_TRADE_MODES } from '../../../units/order-enums.ts'
import type { AdminAsset, AdminStatus, AdminSymbol } from '../records.ts'
import { ADDRESS_DELAY_MINUTES_MAX } from './bounds.ts'
import {
  assetCode,
  binanceSymbol,
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
const supplyCap = decimal('largest total amount in the exchange; 0 for no cap')
const symbol = symbolName('<BASE>/<QUOTE>, for example BTC/USDT')
const minQuantity = decimal('smallest quantity of an order')
const minTotal = decimal('smallest price x quantity of an order')
const openOrdersMax = whole(1, undefined, 'largest number of open orders per account')
const levelsMax = whole(1, undefined, 'largest number of price levels per side')

const SELF_TRADE =
  'self-trade prevention: what happens when two orders of one account would trade with each other'
const FLAGS = {
  isDeposit: named('deposit', flag('on or off: deposits are allowed')),
  isWithdraw: named('withdraw', flag('on or off: withdrawals are allowed')),
  isTrade: named('trade', flag('on or off: trading is allowed')),
  isSaving: named('saving', flag('on or off: savings are allowed')),
}
export type AssetFlagFields = ValuesOf<typeof FLAGS>

/**
 * The smallest and largest order sizes of a symbol, as decimal text; they follow from the symbol's decimals.
 */
export type AdminOrderSizes = {
  readonly quantityMin: string
  readonly quantityMax: string
  readonly priceMin: string
  readonly priceMax: string
}

export const LISTING_OPERATIONS = {
  'node/status': reads({
    title: 'Node status',
    summary: 'Show the state of the node.',
    rights: ['read'],
    examples: ['node status'],
    told: '`version`, `commit` and `commitDate` (both `unknown` for a build without a repository), `orderStops` ([list of the reasons why it accepts no orders](monitoring.md#what-stops-all-orders)), `seq`, `rules` (version in force), `assets`, `symbols`, `accounts`, `apiKeys`',
    answer: answers<AdminStatus>(),
  }),
  'rules/set': changes('RIGHTS', {
    title: 'Put rules in force',
    summary: 'Put a newer version of the rules in force, permanently. node status shows the current one.',
    rights: ['rules'],
    words: { version: whole(1, undefined, 'version of the rules') },
    confirm: 'Put version {version} of the rules in force? This cannot be undone.',
    examples: ['rules set 4'],
    told: 'as `node/status`; `UNKNOWN_RULES_VERSION`: lower than the version in force, or unknown to this program',
    answer: answers<{ readonly version: number }>(),
  }),
  'asset/list': reads({
    title: 'Assets',
    summary: 'List the assets.',
    rights: ['read'],
    options: page('asset'),
    examples: ['asset list'],
    told: 'list of assets: `code`, `name`, `fraction`, `isDeposit`, `isWithdraw`, `isTrade`, `isSaving`, `supplyCap`, `creditMax`, `approvalAbove`, `withdrawMin`, `withdrawMax` (`"0"`: none), `addressDelayMinutes`',
    answer: answers<readonly AdminAsset[]>(),
  }),
  'asset/add': changes('TERMS', {
    title: 'Add asset',
    summary: 'List an asset. Its decimals can never change.',
    rights: ['markets'],
    words: { code },
    options: {
      fraction: required(fraction('decimals of the ledger, {range}')),
      name: newName('display name; default: the code'),
      supplyCap,
      ...FLAGS,
    },
    examples: [
      'asset add BTC --fraction 8 --name Bitcoin',
      'asset add USDT --fraction 8 --supply-cap 1000000000',
    ],
    told: 'the asset, and `warnings` if its code looks like that of another asset',
    answer: answers<AdminAsset & { readonly warnings?: readonly string[] }>(),
  }),
  'asset/set': changes('TERMS', {
    title: 'Change asset',
    summary:
      'Change the permitted uses of an asset, its name and its limits; options not given stay unchanged.',
    rights: ['markets'],
    words: { code },
    options: {
      ...FLAGS,
      name: newName('display name'),
      supplyCap,
      creditMax: decimal('largest amount of one credit; 0 for no limit'),
      approvalAbove: decimal('amounts in or out above this need a second person; 0 for never'),
    },
    needsOption: true,
    examples: [
      'asset set BTC --withdraw off --note "wallet maintenance"',
      'asset set BTC --credit-max 100 --approval-above 10',
    ],
    told: 'the asset',
    sets: 'asset',
    answer: answers<AdminAsset>(),
  }),
  /** In the asset's own decimals; `0` means no limit of its own. Fields that are not given stay unchanged. */
  'asset/withdrawals': changes('MONEY', {
    title: 'Set withdrawal limits',
    summary:
      'Set the smallest and largest withdrawal of an asset that traders may request, and the waiting time of a new address.',
    rights: ['markets'],
    words: { code },
    options: {
      withdrawMin: named('min', decimal('smallest withdrawal; 0 for no limit')),
      withdrawMax: named('max', decimal('largest withdrawal; 0 for no limit')),
      addressDelayMinutes: whole(
        0,
        ADDRESS_DELAY_MINUTES_MAX,
        'waiting time of a new address, {range} minutes; 1440 (24 hours) if never set',
      ),
    },
    needsOption: true,
    examples: ['asset withdrawals BTC --min 0.001 --max 5'],
    told: 'the asset',
    sets: 'asset',
    answer: answers<AdminAsset>(),
  }),
  'symbol/list': reads({
    title: 'Symbols',
    summary: 'List the symbols.',
    rights: ['read'],
    options: page('symbol'),
    examples: ['symbol list'],
    told: 'list of symbols: `symbol`, `binanceName`, `state`, `baseFraction`, `quoteFraction`, `takerRate`, `makerRate`, `minTotal`, `minQuantity`, `tickSize`, `stepSize`, `selfTradeMode`, `openOrdersMax`, `levelsMax`, `minPrice`, `maxPrice` (null: any price)',
    answer: answers<readonly AdminSymbol[]>(),
  }),
  'symbol/add': changes('TERMS', {
    title: 'Add symbol',
    summary: 'List a symbol and open it for trading. Its decimals can never change.',
    rights: ['markets'],
    words: { symbol },
    options: {
      baseFraction: required(
        fraction(
          'decimals of a quantity, fixed for good: at most those of the base asset, and at most 15. The smallest order is 1 unit of the last decimal, the largest 9007199254740991 units',
        ),
      ),
      quoteFraction: required(
        fraction(
          'decimals of a price, fixed for good: at most those of the quote asset, and at most 31 together with those of a quantity. The lowest price is 1 unit of the last decimal, the highest 9007199254740991 units',
        ),
      ),
      takerRate: decimal('commission of the taker; default 0.001'),
      makerRate: decimal('commission of the maker; default: the taker rate'),
      minQuantity,
      minTotal,
      selfTradeMode: named(
        'self-trade',
        proposed('EXPIRE_MAKER', oneOf(SELF_TRADE_MODES, `${SELF_TRADE}; default EXPIRE_MAKER`)),
      ),
      openOrdersMax,
      levelsMax,
      binanceName: binanceSymbol(
        'name for clients of Binance, fixed for good; default: both codes together, for example BTCUSDT',
      ),
    },
    examples: [
      'symbol add BTC/USDT --base-fraction 6 --quote-fraction 2 --min-total 5',
      'symbol add AB/CUSDT --base-fraction 2 --quote-fraction 2 --binance-name ABXCUSDT',
    ],
    told: 'the symbol, `warnings`, `sizes` (`quantityMin`, `quantityMax`, `priceMin`, `priceMax` of an order: [decimals](admin.md#tick-and-step))',
    answer: answers<
      AdminSymbol & { readonly warnings: readonly string[]; readonly sizes: AdminOrderSizes }
    >(),
  }),
  'symbol/rates': changes('TERMS', {
    title: 'Set commission rates',
    summary: 'Set the commission of future trades; a rate not given stays unchanged.',
    rights: ['markets'],
    words: { symbol },
    options: {
      takerRate: decimal('for example 0.001, which is 0.1 percent'),
      makerRate: decimal('at least 0 and below 1'),
    },
    needsOption: true,
    examples: ['symbol rates BTC/USDT --taker-rate 0.001 --maker-rate 0.0005'],
    told: 'the symbol, `warnings`',
    sets: 'symbol',
    answer: answers<AdminSymbol & { readonly warnings: readonly string[] }>(),
  }),
  'symbol/halt': changes('QUICK', {
    title: 'Halt trading',
    summary: 'Stop new orders in a symbol; open orders can still be canceled.',
    rights: ['markets'],
    words: { symbol },
    examples: ['symbol halt BTC/USDT --note "feed is wrong"'],
    told: 'the symbol: `HALTED`',
    answer: answers<AdminSymbol>(),
  }),
  'symbol/resume': changes('UNPROTECTS', {
    title: 'Resume trading',
    summary: 'Let a halted symbol trade again.',
    rights: ['markets'],
    words: { symbol },
    examples: ['symbol resume BTC/USDT'],
    told: 'the symbol: `TRADING`; `SYMBOL_DELISTED`: a delisted symbol cannot be resumed',
    answer: answers<AdminSymbol>(),
  }),
  /**
   * Fields that are not given stay unchanged. Both prices are given, or neither; if both are `0`, there is no
   * band.
   */
  'symbol/set': changes('TERMS', {
    title: 'Change limits',
    summary: "Change a symbol's limits and price band; options not given stay unchanged.",
    rights: ['markets'],
    words: { symbol },
    options: {
      minQuantity,
      minTotal,
      selfTradeMode: named('self-trade', oneOf(SELF_TRADE_MODES, SELF_TRADE)),
      openOrdersMax,
      levelsMax,
      minPrice: decimal('lowest price, together with the highest; both 0 for any price'),
      maxPrice: decimal('highest price, together with the lowest'),
    },
    needsOption: true,
    examples: ['symbol set BTC/USDT --min-price 30000 --max-price 90000'],
    told: 'the symbol, `warnings`',
    sets: 'symbol',
    answer: answers<AdminSymbol & { readonly warnings: readonly string[] }>(),
  }),
  /** In the symbol's own decimals. Fields that are not given stay unchanged. */
  'symbol/increments': changes('TERMS', {
    title: 'Set tick and step',
    summary: 'Set the tick size and step size of new orders; open orders are not changed.',
    rights: ['markets'],
    words: { symbol },
    options: {
      tickSize: decimal('prices are multiples of it, for example 0.05'),
      stepSize: decimal('quantities are multiples of it, for example 25'),
    },
    needsOption: true,
    examples: ['symbol increments BTC/USDT --tick-size 0.05 --note "from Monday"'],
    told: 'the symbol',
    sets: 'symbol',
    answer: answers<AdminSymbol>(),
  }),
  'symbol/cancel-only': changes('QUICK', {
    title: 'Allow cancels only',
    summary: 'Wind a symbol down: no new orders; open orders can still be canceled.',
    rights: ['markets'],
    words: { symbol },
    examples: ['symbol cancel-only BTC/USDT --note "delisted on Friday"'],
    told: 'the symbol: `CANCEL_ONLY`',
    answer: answers<AdminSymbol>(),
  }),
  'symbol/delist': changes('TERMS', {
    title: 'Delist symbol',
    summary: 'Delist a symbol. It must have no open orders: see order cancel-all.',
    rights: ['markets'],
    words: { symbol },
    confirm: 'Delist {symbol}?',
    examples: ['symbol delist BTC/USDT'],
    told: 'the symbol: `DELISTED`; `SYMBOL_NOT_EMPTY` while it has open orders',
    answer: answers<AdminSymbol>(),
  }),
} satisfies OperationRows
