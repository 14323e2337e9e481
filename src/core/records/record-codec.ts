/**
 * Records of the registry as they travel in events and views: whole, so that the receiver needs no other
 * record to read one. The form in snapshots (`registry/records-codec.ts`) leaves out what can be derived and
 * the house's own accounts.
 */
import type { ByteReader, ByteWriter } from '../../units/bytes.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import { SYMBOL_STATES } from '../../units/order-enums.ts'
import type { Decimals, TimeMs } from '../../units/quantities.ts'
import { object } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import * as options from '../registry/optional-fields.ts'
import type { Account, AccountRole, Asset, TradingSymbol } from '../registry/records.ts'
import * as records from '../registry/records-codec.ts'
import { SYMBOL_TERMS } from '../registry/terms.ts'

const ACCOUNT_ROLES = ['outside', 'fees', 'rounding', 'trader'] as const satisfies readonly AccountRole[]

const SYMBOL_TERMS_CODEC = byteCodec(object(SYMBOL_TERMS))

export function writeAsset(w: ByteWriter, asset: Asset): void {
  w.uint(asset.id)
  records.writeAsset(w, asset)
}

export function readAsset(r: ByteReader): Asset {
  return records.readAsset(r, r.uint() as AssetId)
}

export function writeAccount(w: ByteWriter, account: Account): void {
  w.uint(account.id)
  w.text(account.name)
  writeWord(w, ACCOUNT_ROLES, account.role)
  w.uint(account.createdAt)
  options.writeAccountOptions(w, account)
}

export function readAccount(r: ByteReader): Account {
  return {
    id: r.uint() as AccountId,
    name: r.text(),
    role: readWord(r, ACCOUNT_ROLES),
    createdAt: r.uint() as TimeMs,
    ...options.readAccountOptions(r),
  }
}

export function writeSymbol(w: ByteWriter, symbol: TradingSymbol): void {
  w.uint(symbol.id)
  w.uint(symbol.base)
  w.uint(symbol.quote)
  w.text(symbol.baseCode)
  w.text(symbol.quoteCode)
  w.uint(symbol.basePrecision)
  w.uint(symbol.quotePrecision)
  SYMBOL_TERMS_CODEC.write(w, symbol)
  writeWord(w, SYMBOL_STATES, symbol.state)
  w.uint(symbol.roundingAccountId)
  options.writeSymbolOptions(w, symbol)
}

export function readSymbol(r: ByteReader): TradingSymbol {
  const id = r.uint() as SymbolId
  const base = r.uint() as AssetId
  const quote = r.uint() as AssetId
  const baseCode = r.text()
  const quoteCode = r.text()
  return {
    id,
    name: `${baseCode}/${quoteCode}`,
    base,
    quote,
    baseCode,
    quoteCode,
    basePrecision: r.uint() as Decimals,
    quotePrecision: r.uint() as Decimals,
    ...SYMBOL_TERMS_CODEC.read(r),
    state: readWord(r, SYMBOL_STATES),
    roundingAccountId: r.uint() as AccountId,
    ...options.readSymbolOptions(r),
  }
}
