/**
 * The registry's records as bytes, for snapshots. Identifiers are positions and are not written, nor is what
 * follows from other records. Reading throws `BytesFault` for a record that the registry would never have made.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import { PERMISSIONS, SELF_TRADE_MODES, SYMBOL_STATES } from '../../units/order-words.ts'
import type { Amount, Decimals, Lots, Rate, TimeMs } from '../../units/quantities.ts'
import type { Account, AccountRole, ApiKey, Asset, TradingSymbol } from './records.ts'
import { isValidApiKey, isValidAsset, isValidSymbol } from './terms.ts'

/** A role's number is its place here: add at the end, never remove or move one. */
const ACCOUNT_ROLES = ['outside', 'fees', 'rounding', 'trader'] as const satisfies readonly AccountRole[]

/** Reads a position in a list of words. */
function readWord<Word extends string>(reader: ByteReader, words: readonly Word[]): Word {
  const position = reader.u8()
  const word = words[position]
  if (word === undefined)
    throw new BytesFault(`expected one of ${words.join(', ')}, found number ${position}`)
  return word
}

function check(isValid: boolean, what: string, name: string): void {
  if (!isValid) throw new BytesFault(`${what} ${name} is out of its bounds`)
}

export function writeAccount(writer: ByteWriter, account: Account): void {
  writer.text(account.name)
  writer.u8(ACCOUNT_ROLES.indexOf(account.role))
  writer.uint(account.createdAt)
}

export function readAccount(reader: ByteReader, id: AccountId): Account {
  const name = reader.text()
  return { id, name, role: readWord(reader, ACCOUNT_ROLES), createdAt: reader.uint() as TimeMs }
}

export function writeAsset(writer: ByteWriter, asset: Asset): void {
  writer.text(asset.code)
  writer.text(asset.name)
  writer.uint(asset.fraction)
  writer.bool(asset.isDeposit)
  writer.bool(asset.isWithdraw)
  writer.bool(asset.isTrade)
  writer.bool(asset.isSaving)
  writer.bigint(asset.supplyCap)
}

export function readAsset(reader: ByteReader, id: AssetId): Asset {
  const asset: Asset = {
    id,
    code: reader.text(),
    name: reader.text(),
    fraction: reader.uint() as Decimals,
    isDeposit: reader.bool(),
    isWithdraw: reader.bool(),
    isTrade: reader.bool(),
    isSaving: reader.bool(),
    supplyCap: reader.bigint() as Amount,
  }
  check(isValidAsset({ ...asset, flags: asset }), 'asset', asset.code)
  return asset
}

export function writeSymbol(writer: ByteWriter, symbol: TradingSymbol): void {
  writer.uint(symbol.base)
  writer.uint(symbol.quote)
  writer.uint(symbol.baseFraction)
  writer.uint(symbol.quoteFraction)
  writer.uint(symbol.makerRate)
  writer.uint(symbol.takerRate)
  writer.bigint(symbol.minTotal)
  writer.uint(symbol.minQuantity)
  writer.u8(SELF_TRADE_MODES.indexOf(symbol.selfTradeMode))
  writer.uint(symbol.openOrdersMax)
  writer.uint(symbol.levelsMax)
  writer.u8(SYMBOL_STATES.indexOf(symbol.state))
  writer.uint(symbol.roundingAccountId)
}

/** `assets`: those listed, by id. */
export function readSymbol(reader: ByteReader, id: SymbolId, assets: readonly Asset[]): TradingSymbol {
  const base = assets[reader.uint()]
  const quote = assets[reader.uint()]
  if (base === undefined || quote === undefined) throw new BytesFault(`symbol ${id} of an unknown asset`)
  const symbol: TradingSymbol = {
    id,
    name: `${base.code}/${quote.code}`,
    base: base.id,
    quote: quote.id,
    baseCode: base.code,
    quoteCode: quote.code,
    basePrecision: base.fraction,
    quotePrecision: quote.fraction,
    baseFraction: reader.uint() as Decimals,
    quoteFraction: reader.uint() as Decimals,
    makerRate: reader.uint() as Rate,
    takerRate: reader.uint() as Rate,
    minTotal: reader.bigint() as Amount,
    minQuantity: reader.uint() as Lots,
    selfTradeMode: readWord(reader, SELF_TRADE_MODES),
    openOrdersMax: reader.uint(),
    levelsMax: reader.uint(),
    state: readWord(reader, SYMBOL_STATES),
    roundingAccountId: reader.uint() as AccountId,
  }
  check(isValidSymbol(symbol, base, quote), 'symbol', symbol.name)
  return symbol
}

export function writeApiKey(writer: ByteWriter, key: ApiKey): void {
  writer.text(key.apiKey)
  writer.uint(key.accountId)
  writer.bytes(key.sealedSecret)
  writer.u8(permissionMask(key))
  writer.uint(key.addresses.length)
  for (const address of key.addresses) writer.text(address)
  writer.text(key.label)
  writer.uint(key.createdAt)
  writer.bool(key.enabled)
}

export function readApiKey(reader: ByteReader): ApiKey {
  const apiKey = reader.text()
  const accountId = reader.uint() as AccountId
  // A copy: a view would keep the whole snapshot in memory.
  const sealedSecret = reader.bytes().slice()
  const mask = reader.u8()
  check(mask < 1 << PERMISSIONS.length, 'permissions of key', apiKey)
  const addresses: string[] = []
  for (let rest = reader.uint(); rest > 0; rest--) addresses.push(reader.text())
  const key: ApiKey = {
    apiKey,
    accountId,
    sealedSecret,
    permissions: PERMISSIONS.filter((_, bit) => mask & (1 << bit)),
    addresses,
    label: reader.text(),
    createdAt: reader.uint() as TimeMs,
    enabled: reader.bool(),
  }
  check(isValidApiKey(key), 'key', apiKey)
  return key
}

/** Bits 1, 2 and 4 in the order of `PERMISSIONS`. */
function permissionMask(key: ApiKey): number {
  return PERMISSIONS.reduce(
    (mask, word, bit) => (key.permissions.includes(word) ? mask | (1 << bit) : mask),
    0,
  )
}
