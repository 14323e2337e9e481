/**
 * Commands of operators as bytes: funds, listings, accounts, keys. Each begins with who gave it and why. The
 * rules of these formats stand in `command-codec.ts`.
 */
import type { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../../units/field-codec.ts'
import type { AccountId } from '../../../units/ids.ts'
import { PERMISSIONS, SELF_TRADE_MODES, SYMBOL_STATES } from '../../../units/order-words.ts'
import type { Amount, Decimals, Lots, Rate } from '../../../units/quantities.ts'
import type * as C from '../command.ts'

/** The buckets an operator may move money between; numbered by position: new ones go to the end. */
const MOVABLE_BUCKETS = [
  'free',
  'freeze',
  'savings',
] as const satisfies readonly C.MoveBetweenBuckets['from'][]

export function writeTransfer(w: ByteWriter, c: C.Credit | C.Debit): void {
  writeOperator(w, c.operator)
  w.uint(c.accountId)
  w.text(c.asset)
  w.bigint(c.amount)
  w.text(c.reference)
}

export function readTransfer<K extends 'Credit' | 'Debit'>(r: ByteReader, kind: K) {
  return {
    kind,
    operator: readOperator(r),
    accountId: r.uint() as AccountId,
    asset: r.text(),
    amount: r.bigint() as Amount,
    reference: r.text(),
  }
}

export function writeMoveBetweenBuckets(w: ByteWriter, c: C.MoveBetweenBuckets): void {
  writeOperator(w, c.operator)
  w.uint(c.accountId)
  w.text(c.asset)
  writeWord(w, MOVABLE_BUCKETS, c.from)
  writeWord(w, MOVABLE_BUCKETS, c.to)
  w.bigint(c.amount)
  w.text(c.reference)
}

export function readMoveBetweenBuckets(r: ByteReader): C.MoveBetweenBuckets {
  return {
    kind: 'MoveBetweenBuckets',
    operator: readOperator(r),
    accountId: r.uint() as AccountId,
    asset: r.text(),
    from: readWord(r, MOVABLE_BUCKETS),
    to: readWord(r, MOVABLE_BUCKETS),
    amount: r.bigint() as Amount,
    reference: r.text(),
  }
}

export function writeListAsset(w: ByteWriter, c: C.ListAsset): void {
  writeOperator(w, c.operator)
  w.text(c.code)
  w.text(c.name)
  w.uint(c.fraction)
  writeAssetFlags(w, c.flags)
  w.bigint(c.supplyCap)
}

export function readListAsset(r: ByteReader): C.ListAsset {
  return {
    kind: 'ListAsset',
    operator: readOperator(r),
    code: r.text(),
    name: r.text(),
    fraction: r.uint() as Decimals,
    flags: readAssetFlags(r),
    supplyCap: r.bigint() as Amount,
  }
}

export function writeSetAssetFlags(w: ByteWriter, c: C.SetAssetFlags): void {
  writeOperator(w, c.operator)
  w.text(c.code)
  writeAssetFlags(w, c.flags)
}

export function readSetAssetFlags(r: ByteReader): C.SetAssetFlags {
  return { kind: 'SetAssetFlags', operator: readOperator(r), code: r.text(), flags: readAssetFlags(r) }
}

export function writeListSymbol(w: ByteWriter, c: C.ListSymbol): void {
  writeOperator(w, c.operator)
  w.text(c.base)
  w.text(c.quote)
  writeSymbolTerms(w, c.terms)
}

export function readListSymbol(r: ByteReader): C.ListSymbol {
  return {
    kind: 'ListSymbol',
    operator: readOperator(r),
    base: r.text(),
    quote: r.text(),
    terms: readSymbolTerms(r),
  }
}

export function writeSetSymbolState(w: ByteWriter, c: C.SetSymbolState): void {
  writeOperator(w, c.operator)
  w.text(c.symbol)
  writeWord(w, SYMBOL_STATES, c.state)
}

export function readSetSymbolState(r: ByteReader): C.SetSymbolState {
  return {
    kind: 'SetSymbolState',
    operator: readOperator(r),
    symbol: r.text(),
    state: readWord(r, SYMBOL_STATES),
  }
}

export function writeSetSymbolRates(w: ByteWriter, c: C.SetSymbolRates): void {
  writeOperator(w, c.operator)
  w.text(c.symbol)
  w.uint(c.makerRate)
  w.uint(c.takerRate)
}

export function readSetSymbolRates(r: ByteReader): C.SetSymbolRates {
  return {
    kind: 'SetSymbolRates',
    operator: readOperator(r),
    symbol: r.text(),
    makerRate: r.uint() as Rate,
    takerRate: r.uint() as Rate,
  }
}

export function writeCreateAccount(w: ByteWriter, c: C.CreateAccount): void {
  writeOperator(w, c.operator)
  w.text(c.name)
}

export function readCreateAccount(r: ByteReader): C.CreateAccount {
  return { kind: 'CreateAccount', operator: readOperator(r), name: r.text() }
}

export function writeCreateApiKey(w: ByteWriter, c: C.CreateApiKey): void {
  writeOperator(w, c.operator)
  w.uint(c.accountId)
  w.text(c.apiKey)
  w.bytes(c.sealedSecret)
  writeList(w, c.permissions, (w, permission) => writeWord(w, PERMISSIONS, permission))
  writeList(w, c.addresses, (w, address) => w.text(address))
  w.text(c.label)
}

export function readCreateApiKey(r: ByteReader): C.CreateApiKey {
  return {
    kind: 'CreateApiKey',
    operator: readOperator(r),
    accountId: r.uint() as AccountId,
    apiKey: r.text(),
    // The state keeps the secret: a view would keep the whole batch in memory with it.
    sealedSecret: r.bytes().slice(),
    permissions: readList(r, (r) => readWord(r, PERMISSIONS)),
    addresses: readList(r, (r) => r.text()),
    label: r.text(),
  }
}

export function writeSetApiKeyEnabled(w: ByteWriter, c: C.SetApiKeyEnabled): void {
  writeOperator(w, c.operator)
  w.text(c.apiKey)
  w.bool(c.enabled)
}

export function readSetApiKeyEnabled(r: ByteReader): C.SetApiKeyEnabled {
  return { kind: 'SetApiKeyEnabled', operator: readOperator(r), apiKey: r.text(), enabled: r.bool() }
}

export function writeSetRulesVersion(w: ByteWriter, c: C.SetRulesVersion): void {
  writeOperator(w, c.operator)
  w.uint(c.version)
}

export function readSetRulesVersion(r: ByteReader): C.SetRulesVersion {
  return { kind: 'SetRulesVersion', operator: readOperator(r), version: r.uint() }
}

export function writeOperator(w: ByteWriter, operator: C.Operator): void {
  w.text(operator.actor)
  w.text(operator.note)
}

export function readOperator(r: ByteReader): C.Operator {
  return { actor: r.text(), note: r.text() }
}

function writeAssetFlags(w: ByteWriter, flags: C.AssetFlags): void {
  w.bool(flags.isDeposit)
  w.bool(flags.isWithdraw)
  w.bool(flags.isTrade)
  w.bool(flags.isSaving)
}

function readAssetFlags(r: ByteReader): C.AssetFlags {
  return { isDeposit: r.bool(), isWithdraw: r.bool(), isTrade: r.bool(), isSaving: r.bool() }
}

export function writeSymbolTerms(w: ByteWriter, terms: C.SymbolTerms): void {
  w.uint(terms.baseFraction)
  w.uint(terms.quoteFraction)
  w.uint(terms.makerRate)
  w.uint(terms.takerRate)
  w.bigint(terms.minTotal)
  w.uint(terms.minQuantity)
  writeWord(w, SELF_TRADE_MODES, terms.selfTradeMode)
  w.uint(terms.openOrdersMax)
  w.uint(terms.levelsMax)
}

export function readSymbolTerms(r: ByteReader): C.SymbolTerms {
  return {
    baseFraction: r.uint() as Decimals,
    quoteFraction: r.uint() as Decimals,
    makerRate: r.uint() as Rate,
    takerRate: r.uint() as Rate,
    minTotal: r.bigint() as Amount,
    minQuantity: r.uint() as Lots,
    selfTradeMode: readWord(r, SELF_TRADE_MODES),
    openOrdersMax: r.uint(),
    levelsMax: r.uint(),
  }
}
