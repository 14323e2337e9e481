/**
 * What operators have changed of records after they were made, as bytes: a part of its own beside the records, so that
 * a registry without such changes writes what it always has.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { writeList } from '../../units/field-codec.ts'
import { ACCOUNT_RESTRICTIONS, type AccountRestriction } from '../../units/operator-words.ts'
import type { Amount, Price, TimeMs } from '../../units/quantities.ts'
import type { Account, ApiKey, Asset, TradingSymbol } from './records.ts'

type AssetExtras = Pick<Asset, 'creditMax' | 'approvalAbove'>
type SymbolExtras = Pick<TradingSymbol, 'priceBand'>
type AccountExtras = Pick<Account, 'restrictions' | 'isClosed' | 'feeTier' | 'openOrdersMax'>
type KeyExtras = Pick<ApiKey, 'expiresAt' | 'isRevoked' | 'previousSecret' | 'strictSignature'>

/** Bits of a key's flags. The first was once a byte of its own, and is read as that. */
const REVOKED = 1
const STRICT = 2

function fault(what: string, r: ByteReader): never {
  throw new BytesFault(`${what} before byte ${r.at} cannot be`)
}

/** Writes those records that have extras, each after its place in the list. */
export function writeExtras<T>(
  w: ByteWriter,
  records: readonly T[],
  isAmended: (record: T) => boolean,
  write: (w: ByteWriter, record: T) => void,
): void {
  const places = records.flatMap((record, place) => (isAmended(record) ? [place] : []))
  writeList(w, places, (w, place) => {
    w.uint(place)
    write(w, records[place] as T)
  })
}

/** Reads what `writeExtras` wrote and gives each record with its extras to `put`. */
export function readExtras<T, Extras extends object>(
  r: ByteReader,
  records: readonly T[],
  read: (r: ByteReader) => Extras,
  put: (record: T & Extras) => void,
): void {
  let least = 0
  for (let left = r.uint(); left > 0; left--) {
    const place = r.uint()
    const record = records[place]
    if (place < least || record === undefined) fault(`the changed record ${place}`, r)
    const extras = read(r)
    if (Object.keys(extras).length === 0) fault(`no change of record ${place}`, r)
    put({ ...record, ...extras })
    least = place + 1
  }
}

export function isAmendedAsset(asset: AssetExtras): boolean {
  return asset.creditMax !== undefined || asset.approvalAbove !== undefined
}

export function writeAssetExtras(w: ByteWriter, asset: AssetExtras): void {
  w.bigint(asset.creditMax ?? 0n)
  w.bigint(asset.approvalAbove ?? 0n)
}

export function readAssetExtras(r: ByteReader): AssetExtras {
  const creditMax = r.bigint() as Amount
  const approvalAbove = r.bigint() as Amount
  if (creditMax < 0n || approvalAbove < 0n) fault('limits of an asset', r)
  return { ...(creditMax > 0n ? { creditMax } : {}), ...(approvalAbove > 0n ? { approvalAbove } : {}) }
}

export function isAmendedSymbol(symbol: SymbolExtras): boolean {
  return symbol.priceBand !== undefined
}

export function writeSymbolExtras(w: ByteWriter, { priceBand }: SymbolExtras): void {
  w.uint(priceBand?.min ?? 0)
  w.uint(priceBand?.max ?? 0)
}

export function readSymbolExtras(r: ByteReader): SymbolExtras {
  const min = r.uint() as Price
  const max = r.uint() as Price
  if (min > max || (min === 0 && max > 0)) fault('a price band', r)
  return max > 0 ? { priceBand: { min, max } } : {}
}

export function isAmendedAccount(account: AccountExtras): boolean {
  const { restrictions, isClosed, feeTier, openOrdersMax } = account
  return (restrictions ?? isClosed ?? feeTier ?? openOrdersMax) !== undefined
}

export function writeAccountExtras(w: ByteWriter, account: AccountExtras): void {
  w.u8(restrictionMask(account.restrictions ?? []))
  w.bool(account.isClosed === true)
  w.text(account.feeTier ?? '')
  w.uint(account.openOrdersMax ?? 0)
}

export function readAccountExtras(r: ByteReader): AccountExtras {
  const restrictions = readRestrictions(r)
  const isClosed = r.bool()
  const feeTier = r.text()
  const openOrdersMax = r.uint()
  return {
    ...(restrictions.length > 0 ? { restrictions } : {}),
    ...(isClosed ? { isClosed } : {}),
    ...(feeTier === '' ? {} : { feeTier }),
    ...(openOrdersMax === 0 ? {} : { openOrdersMax }),
  }
}

/** Bits 1, 2 and 4 in the order of `ACCOUNT_RESTRICTIONS`. */
export function restrictionMask(restrictions: readonly AccountRestriction[]): number {
  return ACCOUNT_RESTRICTIONS.reduce(
    (mask, word, bit) => (restrictions.includes(word) ? mask | (1 << bit) : mask),
    0,
  )
}

export function readRestrictions(r: ByteReader): AccountRestriction[] {
  const mask = r.u8()
  if (mask >= 1 << ACCOUNT_RESTRICTIONS.length) fault(`restrictions ${mask}`, r)
  return ACCOUNT_RESTRICTIONS.filter((_, bit) => mask & (1 << bit))
}

export function isAmendedApiKey(key: KeyExtras): boolean {
  const { expiresAt, isRevoked, previousSecret, strictSignature } = key
  return (expiresAt ?? isRevoked ?? previousSecret ?? strictSignature) !== undefined
}

export function writeApiKeyExtras(w: ByteWriter, key: KeyExtras): void {
  const { expiresAt, isRevoked, previousSecret, strictSignature } = key
  w.uint(expiresAt ?? 0)
  w.u8((isRevoked ? REVOKED : 0) | (strictSignature ? STRICT : 0))
  w.uint(previousSecret?.until ?? 0)
  if (previousSecret !== undefined) w.bytes(previousSecret.sealedSecret)
}

export function readApiKeyExtras(r: ByteReader): KeyExtras {
  const expiresAt = r.uint() as TimeMs
  const flags = r.u8()
  if (flags > (REVOKED | STRICT)) fault(`flags ${flags} of a key`, r)
  const until = r.uint() as TimeMs
  // A copy: a view would keep the whole snapshot in memory.
  const previousSecret = until > 0 ? { sealedSecret: r.bytes().slice(), until } : undefined
  return {
    ...(expiresAt > 0 ? { expiresAt } : {}),
    ...(flags & REVOKED ? { isRevoked: true } : {}),
    ...(flags & STRICT ? { strictSignature: true } : {}),
    ...(previousSecret === undefined ? {} : { previousSecret }),
  }
}
