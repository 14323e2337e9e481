/**
 * The registry's records as bytes, for snapshots. Identifiers are positions and are not written, nor is what
 * follows from other records. Reading throws `BytesFault` for a record that the registry would never have
 * made.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../units/field-codec.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import { PERMISSIONS, SELF_TRADE_MODES, SYMBOL_STATES } from '../../units/order-enums.ts'
import type { Amount, Decimals, Lots, Rate, TimeMs } from '../../units/quantities.ts'
import { hasPriceOnTick } from './amendments.ts'
import {
  isAmendedAccount,
  readAccountOptions,
  readApiKeyOptions,
  readAssetOptions,
  readSymbolOptions,
  writeAccountOptions,
  writeApiKeyOptions,
  writeAssetOptions,
  writeSymbolOptions,
} from './optional-fields.ts'
import type { Account, AccountRole, ApiKey, Asset, TradingSymbol } from './records.ts'
import { isValidApiKey, isValidAsset, isValidSymbol, isValidTraderName } from './terms.ts'

/**
 * The roles of accounts that are written; the other two are every registry's own. A role's number is its
 * place here: add at the end, never remove or move one.
 */
const WRITTEN_ROLES = ['rounding', 'trader'] as const satisfies readonly AccountRole[]

/** Throws unless `isPossible`: the sentence states the value that no registry can hold. */
export function check(isPossible: boolean, sentence: string): void {
  if (!isPossible) throw new BytesFault(sentence)
}

export function writeAccount(writer: ByteWriter, account: Account): void {
  writer.text(account.name)
  writeWord(writer, WRITTEN_ROLES, account.role as (typeof WRITTEN_ROLES)[number])
  writer.uint(account.createdAt)
  writeAccountOptions(writer, account)
}

export function readAccount(reader: ByteReader, id: AccountId): Account {
  const name = reader.text()
  const role = readWord(reader, WRITTEN_ROLES)
  const isPossible = role === 'rounding' || isValidTraderName(name)
  // A sentence for each of a million accounts would cost more than reading them
  // (`npm run bench -- recovery`).
  if (!isPossible) throw new BytesFault(`account ${id} cannot be named ${name}`)
  const account = { id, name, role, createdAt: reader.uint() as TimeMs, ...readAccountOptions(reader) }
  check(role === 'trader' || !isAmendedAccount(account), `account ${name} of the house cannot be changed`)
  return account
}

export function writeAsset(writer: ByteWriter, asset: Asset): void {
  writer.text(asset.code)
  writer.text(asset.name)
  writer.uint(asset.fraction)
  writer.bool(asset.isDeposit)
  writer.bool(asset.isWithdraw)
  writer.bool(asset.isTrade)
  writer.bool(asset.isSaving)
  writer.whole(asset.supplyCap)
  writeAssetOptions(writer, asset)
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
    supplyCap: reader.whole() as Amount,
    ...readAssetOptions(reader),
  }
  check(isValidAsset({ ...asset, flags: asset }), `asset ${asset.code} is out of bounds`)
  return asset
}

export function writeSymbol(writer: ByteWriter, symbol: TradingSymbol): void {
  writer.uint(symbol.base)
  writer.uint(symbol.quote)
  writer.uint(symbol.baseFraction)
  writer.uint(symbol.quoteFraction)
  writer.uint(symbol.makerRate)
  writer.uint(symbol.takerRate)
  writer.whole(symbol.minTotal)
  writer.uint(symbol.minQuantity)
  writeWord(writer, SELF_TRADE_MODES, symbol.selfTradeMode)
  writer.uint(symbol.openOrdersMax)
  writer.uint(symbol.levelsMax)
  writeWord(writer, SYMBOL_STATES, symbol.state)
  writer.uint(symbol.roundingAccountId)
  writeSymbolOptions(writer, symbol)
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
    minTotal: reader.whole() as Amount,
    minQuantity: reader.uint() as Lots,
    selfTradeMode: readWord(reader, SELF_TRADE_MODES),
    openOrdersMax: reader.uint(),
    levelsMax: reader.uint(),
    state: readWord(reader, SYMBOL_STATES),
    roundingAccountId: reader.uint() as AccountId,
    ...readSymbolOptions(reader),
  }
  // A name that both codes make anyway is never written.
  const hasOneForm = symbol.binanceName !== base.code + quote.code
  const isPossible = isValidSymbol(symbol, base, quote) && hasPriceOnTick(symbol) && hasOneForm
  check(isPossible, `symbol ${symbol.name} is out of bounds`)
  return symbol
}

export function writeApiKey(writer: ByteWriter, key: ApiKey): void {
  writer.text(key.apiKey)
  writer.uint(key.accountId)
  writer.bytes(key.sealedSecret)
  writer.u8(permissionMask(key))
  writeList(writer, key.addresses, (w, address) => w.text(address))
  writer.text(key.label)
  writer.uint(key.createdAt)
  writer.bool(key.enabled)
  writeApiKeyOptions(writer, key)
}

export function readApiKey(reader: ByteReader): ApiKey {
  const apiKey = reader.text()
  const accountId = reader.uint() as AccountId
  // A copy: a view would keep the whole snapshot in memory.
  const sealedSecret = reader.bytes().slice()
  const mask = reader.u8()
  check(mask < 1 << PERMISSIONS.length, `key ${apiKey} has unknown permissions ${mask}`)
  const addresses = readList(reader, (r) => r.text())
  const key: ApiKey = {
    apiKey,
    accountId,
    sealedSecret,
    permissions: PERMISSIONS.filter((_, bit) => mask & (1 << bit)),
    addresses,
    label: reader.text(),
    createdAt: reader.uint() as TimeMs,
    enabled: reader.bool(),
    ...readApiKeyOptions(reader),
  }
  check(isValidApiKey(key), `key ${apiKey} is out of bounds`)
  return key
}

/** A bit for each, in the order of `PERMISSIONS`. */
function permissionMask(key: ApiKey): number {
  return PERMISSIONS.reduce(
    (mask, word, bit) => (key.permissions.includes(word) ? mask | (1 << bit) : mask),
    0,
  )
}
