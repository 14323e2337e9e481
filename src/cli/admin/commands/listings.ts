/** The operator's commands on the node, assets and symbols. */
import { SELF_TRADE_MODES } from '../../../units/order-words.ts'
import type { AdminResults } from '../../../wire/admin.ts'
import type { AdminAsset, AdminSymbol } from '../../../wire/admin-records.ts'
import { versionText } from '../../../wire/program-version.ts'
import { facts, table } from '../../table.ts'
import { withWarnings } from '../../warnings.ts'
import { type AdminCommand, command } from '../command.ts'
import { takenText } from '../order-stop-text.ts'
import { pageOptions } from './page-options.ts'

const onOff = (value: boolean): string => (value ? 'on' : 'off')
const cap = (value: string): string => (value === '0' ? 'none' : value)

function assetTable(assets: readonly AdminAsset[]): string {
  const headings = [
    'CODE',
    'NAME',
    'DECIMALS',
    'DEPOSIT',
    'WITHDRAW',
    'TRADE',
    'SAVING',
    'SUPPLY CAP',
    'CREDIT MAX',
    'APPROVAL ABOVE',
  ]
  const rows = assets.map((asset) => [
    asset.code,
    asset.name,
    String(asset.fraction),
    onOff(asset.isDeposit),
    onOff(asset.isWithdraw),
    onOff(asset.isTrade),
    onOff(asset.isSaving),
    cap(asset.supplyCap),
    cap(asset.creditMax),
    cap(asset.approvalAbove),
  ])
  return table(headings, rows, 'No asset is listed yet. Add one: bourse admin asset add BTC --fraction 8')
}

function symbolTable(symbols: readonly AdminSymbol[]): string {
  const headings = [
    'SYMBOL',
    'STATE',
    'QUANTITY/PRICE DECIMALS',
    'TAKER',
    'MAKER',
    'MIN QUANTITY',
    'MIN TOTAL',
    'TICK SIZE',
    'STEP SIZE',
    'PRICES',
  ]
  const rows = symbols.map((symbol) => [
    symbol.symbol,
    symbol.state,
    `${symbol.baseFraction}/${symbol.quoteFraction}`,
    symbol.takerRate,
    symbol.makerRate,
    symbol.minQuantity,
    symbol.minTotal,
    symbol.tickSize,
    symbol.stepSize,
    symbol.minPrice === null ? 'any' : `${symbol.minPrice} to ${symbol.maxPrice}`,
  ])
  return table(headings, rows, 'No symbol is listed yet. Add one: bourse admin symbol add BTC/USDT ...')
}

function withdrawalLimits({ code, withdrawMin, withdrawMax, addressDelayMinutes }: AdminAsset): string {
  return facts([
    ['asset', code],
    ['least withdrawal', withdrawMin === '0' ? '-' : withdrawMin],
    ['largest withdrawal', withdrawMax === '0' ? '-' : withdrawMax],
    ['a new address waits', `${addressDelayMinutes} minutes`],
  ])
}

function symbolWithWarnings(symbol: AdminSymbol & { readonly warnings: readonly string[] }): string {
  return withWarnings(symbolTable([symbol]), symbol.warnings)
}

/** What decimals mean, in the figures of an order: they stay for good. */
function listedText(symbol: AdminResults['symbol/add']): string {
  const { quantityMin, quantityMax, priceMin, priceMax } = symbol.sizes
  const [base, quote] = symbol.symbol.split('/')
  const sizes = `An order has ${quantityMin} to ${quantityMax} ${base}, at prices of ${priceMin} to ${priceMax} ${quote}.`
  return `${symbolWithWarnings(symbol)}\n${sizes}`
}

const FLAG_OPTIONS = {
  deposit: { field: 'isDeposit', kind: 'switch', help: 'on or off: may come in' },
  withdraw: { field: 'isWithdraw', kind: 'switch', help: 'on or off: may go out' },
  trade: { field: 'isTrade', kind: 'switch', help: 'on or off: may be traded' },
  saving: { field: 'isSaving', kind: 'switch', help: 'on or off: may be saved' },
} as const

const LIMIT_OPTIONS = {
  'min-quantity': { field: 'minQuantity', kind: 'text', help: 'smallest quantity of an order' },
  'min-total': { field: 'minTotal', kind: 'text', help: 'smallest price x quantity of an order' },
  'self-trade': {
    field: 'selfTradeMode',
    kind: 'text',
    values: SELF_TRADE_MODES,
    help: 'what happens when an order meets one of its own account',
  },
  'open-orders-max': { field: 'openOrdersMax', kind: 'integer', help: 'most open orders of an account' },
  'levels-max': { field: 'levelsMax', kind: 'integer', help: 'most price levels of a side' },
} as const

const code = { field: 'code', kind: 'text', help: 'code of the asset, for example BTC' } as const
const symbol = { field: 'symbol', kind: 'text', help: '<BASE>/<QUOTE>, for example BTC/USDT' } as const

export const LISTING_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'node status',
    operation: 'node/status',
    summary: 'Show what the node holds.',
    examples: ['bourse admin --data data/main node status'],
    show: (status) =>
      facts([
        ['orders', takenText(status.orderStops)],
        ['version', versionText({ number: status.version, ...status })],
        ['last command', String(status.seq)],
        ['rules', String(status.rules)],
        ['assets', String(status.assets)],
        ['symbols', String(status.symbols)],
        ['accounts', String(status.accounts)],
        ['API keys', String(status.apiKeys)],
      ]),
  }),
  command({
    name: 'rules set',
    operation: 'rules/set',
    summary: 'Put newer rules in force, for good: node status shows those of now.',
    positionals: [{ field: 'version', kind: 'integer', help: 'version of the rules' }],
    examples: ['bourse admin --data data/main rules set 4'],
    confirm: ({ version }) => `Put version ${version} of the rules in force? There is no way back.`,
    show: ({ version }) => `Version ${version} of the rules is in force.`,
  }),
  command({
    name: 'asset list',
    operation: 'asset/list',
    summary: 'List the assets.',
    options: pageOptions('asset'),
    examples: ['bourse admin --data data/main asset list'],
    show: assetTable,
  }),
  command({
    name: 'asset add',
    operation: 'asset/add',
    summary: 'List an asset. Its decimals can never change.',
    positionals: [code],
    options: {
      fraction: {
        field: 'fraction',
        kind: 'integer',
        required: true,
        help: 'decimals of the ledger, 0 to 18',
      },
      name: { field: 'name', kind: 'text', help: 'name for people; the code without it' },
      'supply-cap': { field: 'supplyCap', kind: 'text', help: 'most that may be in the exchange; 0: no cap' },
      ...FLAG_OPTIONS,
    },
    examples: [
      'bourse admin --data data/main asset add BTC --fraction 8 --name Bitcoin',
      'bourse admin --data data/main asset add USDT --fraction 8 --supply-cap 1000000000',
    ],
    show: (asset) => assetTable([asset]),
  }),
  command({
    name: 'asset set',
    operation: 'asset/set',
    summary: 'Change what an asset may be used for, its name and its limits; what is not named stays.',
    positionals: [code],
    options: {
      ...FLAG_OPTIONS,
      name: { field: 'name', kind: 'text', help: 'name for people' },
      'supply-cap': { field: 'supplyCap', kind: 'text', help: 'most that may be in the exchange; 0: no cap' },
      'credit-max': { field: 'creditMax', kind: 'text', help: 'most that one credit may bring; 0: no limit' },
      'approval-above': {
        field: 'approvalAbove',
        kind: 'text',
        help: 'money in or out above it needs a second person; 0: none does',
      },
    },
    needsOption: true,
    examples: [
      'bourse admin --data data/main asset set BTC --withdraw off --note "wallet maintenance"',
      'bourse admin --data data/main asset set BTC --credit-max 100 --approval-above 10',
    ],
    show: (asset) => assetTable([asset]),
  }),
  command({
    name: 'asset withdrawals',
    operation: 'asset/withdrawals',
    summary: 'Set what traders may ask to withdraw of an asset, and how long a new address waits.',
    positionals: [code],
    options: {
      min: { field: 'withdrawMin', kind: 'text', help: 'least of one withdrawal; 0: no limit' },
      max: { field: 'withdrawMax', kind: 'text', help: 'most of one withdrawal; 0: no limit' },
      'address-delay-minutes': {
        field: 'addressDelayMinutes',
        kind: 'integer',
        help: 'how long a new address waits, 0 to 43200; 1440 (24 hours) unless it is set',
      },
    },
    needsOption: true,
    examples: ['bourse admin --data data/main asset withdrawals BTC --min 0.001 --max 5'],
    show: withdrawalLimits,
  }),
  command({
    name: 'symbol list',
    operation: 'symbol/list',
    summary: 'List the symbols.',
    options: pageOptions('symbol'),
    examples: ['bourse admin --data data/main symbol list'],
    show: symbolTable,
  }),
  command({
    name: 'symbol add',
    operation: 'symbol/add',
    summary: 'List a symbol and open it for trading. Its decimals can never change.',
    positionals: [symbol],
    options: {
      'base-fraction': {
        field: 'baseFraction',
        kind: 'integer',
        required: true,
        help: 'decimals of a quantity, for good: at most those of the base asset, and 15. The smallest order is 1 unit of the last decimal, the largest 9007199254740991 of them',
      },
      'quote-fraction': {
        field: 'quoteFraction',
        kind: 'integer',
        required: true,
        help: 'decimals of a price, for good: at most those of the quote asset. The lowest price is 1 unit of the last decimal, the highest 9007199254740991 of them',
      },
      'taker-rate': { field: 'takerRate', kind: 'text', help: 'commission of the taker, 0.001 without it' },
      'maker-rate': {
        field: 'makerRate',
        kind: 'text',
        help: 'commission of the maker, the taker rate without it',
      },
      ...LIMIT_OPTIONS,
      'self-trade': {
        ...LIMIT_OPTIONS['self-trade'],
        proposed: 'EXPIRE_MAKER',
        help: `${LIMIT_OPTIONS['self-trade'].help}, EXPIRE_MAKER without it`,
      },
    },
    examples: [
      'bourse admin --data data/main symbol add BTC/USDT --base-fraction 6 --quote-fraction 2 --min-total 5',
    ],
    show: listedText,
  }),
  command({
    name: 'symbol rates',
    operation: 'symbol/rates',
    summary: 'Set the commission of trades from now on; a rate that is not named stays.',
    positionals: [symbol],
    options: {
      'taker-rate': { field: 'takerRate', kind: 'text', help: '0.001 is one part in a thousand' },
      'maker-rate': { field: 'makerRate', kind: 'text', help: 'at least 0 and below 1' },
    },
    needsOption: true,
    examples: ['bourse admin --data data/main symbol rates BTC/USDT --taker-rate 0.001 --maker-rate 0.0005'],
    show: symbolWithWarnings,
  }),
  command({
    name: 'symbol halt',
    operation: 'symbol/halt',
    summary: 'Stop new orders in a symbol; cancelling goes on.',
    positionals: [symbol],
    examples: ['bourse admin --data data/main symbol halt BTC/USDT --note "feed is wrong"'],
    show: (halted) => symbolTable([halted]),
  }),
  command({
    name: 'symbol resume',
    operation: 'symbol/resume',
    summary: 'Let a halted symbol trade again.',
    positionals: [symbol],
    examples: ['bourse admin --data data/main symbol resume BTC/USDT'],
    show: (resumed) => symbolTable([resumed]),
  }),
  command({
    name: 'symbol set',
    operation: 'symbol/set',
    summary: "Change a symbol's limits and price band; what is not named stays.",
    positionals: [symbol],
    options: {
      ...LIMIT_OPTIONS,
      'min-price': {
        field: 'minPrice',
        kind: 'text',
        help: 'lowest price; with --max-price, both 0: any price',
      },
      'max-price': { field: 'maxPrice', kind: 'text', help: 'highest price' },
    },
    needsOption: true,
    examples: ['bourse admin --data data/main symbol set BTC/USDT --min-price 30000 --max-price 90000'],
    show: symbolWithWarnings,
  }),
  command({
    name: 'symbol increments',
    operation: 'symbol/increments',
    summary: 'Set what prices and quantities of new orders are multiples of; open orders stay as they are.',
    positionals: [symbol],
    options: {
      'tick-size': { field: 'tickSize', kind: 'text', help: 'prices are multiples of it, for example 0.05' },
      'step-size': {
        field: 'stepSize',
        kind: 'text',
        help: 'quantities are multiples of it, for example 25',
      },
    },
    needsOption: true,
    examples: [
      'bourse admin --data data/main symbol increments BTC/USDT --tick-size 0.05 --note "from Monday"',
    ],
    show: (changed) => symbolTable([changed]),
  }),
  command({
    name: 'symbol cancel-only',
    operation: 'symbol/cancel-only',
    summary: 'Wind a symbol down: no new orders; cancelling goes on.',
    positionals: [symbol],
    examples: ['bourse admin --data data/main symbol cancel-only BTC/USDT --note "delisted on Friday"'],
    show: (changed) => symbolTable([changed]),
  }),
  command({
    name: 'symbol delist',
    operation: 'symbol/delist',
    summary: 'Show a symbol to nobody any more. It must have no open order: see order cancel-all.',
    positionals: [symbol],
    examples: ['bourse admin --data data/main symbol delist BTC/USDT'],
    confirm: ({ symbol }) => `Delist ${symbol}?`,
    show: (changed) => symbolTable([changed]),
  }),
]
