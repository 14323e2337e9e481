/** The operator's commands for the node, assets and symbols. */

import type { AdminResults } from '../../../contract/admin/admin.ts'
import type { LISTING_OPERATIONS } from '../../../contract/admin/operations/listings.ts'
import type { AdminAsset, AdminSymbol } from '../../../contract/admin/records.ts'
import { versionText } from '../../../contract/program-version.ts'
import { facts, table } from '../../table.ts'
import { withWarnings } from '../../warnings.ts'
import type { Shown } from '../command.ts'
import { takenText } from '../order-stop-text.ts'

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
    ['smallest withdrawal', withdrawMin === '0' ? '-' : withdrawMin],
    ['largest withdrawal', withdrawMax === '0' ? '-' : withdrawMax],
    ['waiting time of a new address', `${addressDelayMinutes} minutes`],
  ])
}

function symbolWithWarnings(symbol: AdminSymbol & { readonly warnings: readonly string[] }): string {
  return withWarnings(symbolTable([symbol]), symbol.warnings)
}

/** The effect of the decimals on orders, in figures: decimals are permanent. */
function listedText(symbol: AdminResults['symbol/add']): string {
  const { quantityMin, quantityMax, priceMin, priceMax } = symbol.sizes
  const [base, quote] = symbol.symbol.split('/')
  const sizes = `An order can have a quantity of ${quantityMin} to ${quantityMax} ${base}, and a price of ${priceMin} to ${priceMax} ${quote}.`
  return `${symbolWithWarnings(symbol)}\n${sizes}`
}

export const LISTING_ANSWERS: Shown<typeof LISTING_OPERATIONS> = {
  'node/status': (status) =>
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
  'rules/set': ({ version }) => `Rules version ${version} is in force.`,
  'asset/list': assetTable,
  'asset/add': ({ warnings = [], ...asset }) => withWarnings(assetTable([asset]), warnings),
  'asset/set': (asset) => assetTable([asset]),
  'asset/withdrawals': withdrawalLimits,
  'symbol/list': symbolTable,
  'symbol/add': listedText,
  'symbol/rates': symbolWithWarnings,
  'symbol/halt': (halted) => symbolTable([halted]),
  'symbol/resume': (resumed) => symbolTable([resumed]),
  'symbol/set': symbolWithWarnings,
  'symbol/increments': (changed) => symbolTable([changed]),
  'symbol/cancel-only': (changed) => symbolTable([changed]),
  'symbol/delist': (changed) => symbolTable([changed]),
}
