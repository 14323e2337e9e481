/**
 * Optional fields of records, as bytes: a presence bitmap after the record's own fields, then the present
 * fields, in the order of their bits. A later field is a new bit; bits are never reused, and unknown ones are
 * refused.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { KeyNumber } from '../../units/ids.ts'
import { ADDRESS_DELAY_DEFAULT_MS, ADDRESS_DELAY_MAX_MS } from '../../units/limits.ts'
import {
  ACCOUNT_RESTRICTIONS,
  type AccountRestriction,
  RESTRICTION_SOURCES,
} from '../../units/operator-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../units/quantities.ts'
import { PROFILE_CODEC, readStoredProfile } from './account-profile.ts'
import { isValidBinanceName } from './binance-name.ts'
import type { Account, ApiKey, Asset, Increments, PriceBand, TradingSymbol } from './records.ts'
import { readStoredTerms, TERMS_CODEC } from './special-terms.ts'

type AssetOptions = Pick<
  Asset,
  'creditMax' | 'approvalAbove' | 'withdrawMin' | 'withdrawMax' | 'addressDelayMs'
>
type SymbolOptions = Pick<TradingSymbol, 'priceBand' | 'increments' | 'binanceName'>
type AccountOptions = Pick<
  Account,
  | 'restrictions'
  | 'isClosed'
  | 'feeTier'
  | 'openOrdersMax'
  | 'profile'
  | 'special'
  | 'restrictionsBySource'
  | 'customer'
>
type KeyOptions = Pick<
  ApiKey,
  | 'expiresAt'
  | 'isRevoked'
  | 'previousSecret'
  | 'strictSignature'
  | 'publicKey'
  | 'wire'
  | 'endedAt'
  | 'number'
>

/** Which bits are set, each for one field that is there. */
function presenceOf(...isThere: readonly boolean[]): number {
  return isThere.reduce((bits, one, bit) => (one ? bits | (1 << bit) : bits), 0)
}

/** Reads a bitmap of `known` fields. */
function readPresence(r: ByteReader, known: number, what: string): (bit: number) => boolean {
  const presence = r.uint()
  if (presence >= 1 << known) fault(`unknown fields ${presence} of ${what}`, r)
  return (bit) => (presence & (1 << bit)) !== 0
}

function fault(what: string, r: ByteReader): never {
  throw new BytesFault(`${what} before byte ${r.at} is not valid`)
}

/** A value that would not have been written is refused, so that each record has one form. */
function required<Value>(value: Value, isPossible: boolean, what: string, r: ByteReader): Value {
  return isPossible ? value : fault(what, r)
}

export function writeAssetOptions(w: ByteWriter, asset: AssetOptions): void {
  const { creditMax, approvalAbove, withdrawMin, withdrawMax, addressDelayMs } = asset
  const limits = [creditMax, approvalAbove, withdrawMin, withdrawMax]
  w.uint(presenceOf(...limits.map((limit) => limit !== undefined), addressDelayMs !== undefined))
  for (const limit of limits) if (limit !== undefined) w.whole(limit)
  if (addressDelayMs !== undefined) w.uint(addressDelayMs)
}

export function readAssetOptions(r: ByteReader): AssetOptions {
  const has = readPresence(r, 5, 'an asset')
  const limit = (): Amount => {
    const units = r.whole() as Amount
    return required(units, units > 0, `a limit of ${units} units`, r)
  }
  return {
    ...(has(0) ? { creditMax: limit() } : {}),
    ...(has(1) ? { approvalAbove: limit() } : {}),
    ...(has(2) ? { withdrawMin: limit() } : {}),
    ...(has(3) ? { withdrawMax: limit() } : {}),
    ...(has(4) ? { addressDelayMs: readDelay(r) } : {}),
  }
}

function readDelay(r: ByteReader): number {
  const delayMs = r.uint()
  const isPossible = delayMs !== ADDRESS_DELAY_DEFAULT_MS && delayMs <= ADDRESS_DELAY_MAX_MS
  return required(delayMs, isPossible, `a delay of ${delayMs} ms`, r)
}

export function writeSymbolOptions(w: ByteWriter, symbol: SymbolOptions): void {
  const { priceBand, increments, binanceName } = symbol
  w.uint(presenceOf(priceBand !== undefined, increments !== undefined, binanceName !== undefined))
  if (priceBand !== undefined) {
    w.uint(priceBand.min)
    w.uint(priceBand.max)
  }
  if (increments !== undefined) {
    w.uint(increments.tickSize)
    w.uint(increments.stepSize)
  }
  if (binanceName !== undefined) w.text(binanceName)
}

export function readSymbolOptions(r: ByteReader): SymbolOptions {
  const has = readPresence(r, 3, 'a symbol')
  return {
    ...(has(0) ? { priceBand: readBand(r) } : {}),
    ...(has(1) ? { increments: readIncrements(r) } : {}),
    ...(has(2) ? { binanceName: readBinanceName(r) } : {}),
  }
}

function readBand(r: ByteReader): PriceBand {
  const [min, max] = [r.uint() as Price, r.uint() as Price]
  return required({ min, max }, min > 0 && min <= max, `a band of ${min} to ${max}`, r)
}

function readIncrements(r: ByteReader): Increments {
  const [tickSize, stepSize] = [r.uint() as Price, r.uint() as Lots]
  const isPossible = tickSize > 0 && stepSize > 0 && (tickSize > 1 || stepSize > 1)
  return required({ tickSize, stepSize }, isPossible, `increments of ${tickSize} and ${stepSize}`, r)
}

function readBinanceName(r: ByteReader): string {
  const name = r.text()
  return required(name, isValidBinanceName(name), `a name ${name} for clients of Binance`, r)
}

/** True for an account that was changed since it was opened. */
export function isAmendedAccount(account: AccountOptions): boolean {
  return !isPlainAccount(account) || (account.profile ?? account.customer) !== undefined
}

/** True for an account without restrictions and with the common terms; notes and customers do not matter. */
export function isPlainAccount(account: AccountOptions): boolean {
  const { restrictions, isClosed, feeTier, openOrdersMax, special } = account
  return (restrictions ?? isClosed ?? feeTier ?? openOrdersMax ?? special) === undefined
}

export function writeAccountOptions(w: ByteWriter, account: AccountOptions): void {
  const { restrictions, isClosed, feeTier, openOrdersMax, profile, special } = account
  const { restrictionsBySource, customer } = account
  w.uint(
    presenceOf(
      restrictions !== undefined,
      isClosed === true,
      feeTier !== undefined,
      openOrdersMax !== undefined,
      profile !== undefined,
      special !== undefined,
      restrictionsBySource !== undefined,
      customer !== undefined,
    ),
  )
  if (restrictions !== undefined) w.u8(restrictionMask(restrictions))
  if (feeTier !== undefined) w.text(feeTier)
  if (openOrdersMax !== undefined) w.uint(openOrdersMax)
  if (profile !== undefined) PROFILE_CODEC.write(w, profile)
  if (special !== undefined) TERMS_CODEC.write(w, special)
  if (restrictionsBySource !== undefined)
    for (const source of RESTRICTION_SOURCES) w.u8(restrictionMask(restrictionsBySource[source]))
  if (customer === undefined) return
  w.uint(customer.epoch)
  w.u8(customer.isForgotten ? 1 : 0)
}

export function readAccountOptions(r: ByteReader): AccountOptions {
  const has = readPresence(r, 8, 'an account')
  const restrictions = has(0) ? readRestrictions(r) : undefined
  const feeTier = has(2) ? r.text() : undefined
  const openOrdersMax = has(3) ? r.uint() : undefined
  const isPossible = restrictions?.length !== 0 && feeTier !== '' && openOrdersMax !== 0
  return required(
    {
      ...(restrictions === undefined ? {} : { restrictions }),
      ...(has(1) ? { isClosed: true } : {}),
      ...(feeTier === undefined ? {} : { feeTier }),
      ...(openOrdersMax === undefined ? {} : { openOrdersMax }),
      ...(has(4) ? { profile: readStoredProfile(r) } : {}),
      ...(has(5) ? { special: readStoredTerms(r) } : {}),
      ...(has(6) ? { restrictionsBySource: readBySource(r, restrictions) } : {}),
      ...(has(7) ? { customer: readCustomer(r) } : {}),
    },
    isPossible,
    'an empty field of an account',
    r,
  )
}

/** Those of the customer are there, and both together are the account's. */
function readBySource(
  r: ByteReader,
  union: readonly AccountRestriction[] = [],
): NonNullable<Account['restrictionsBySource']> {
  const [OPERATOR, CUSTOMER] = [readRestrictions(r), readRestrictions(r)]
  const isUnion = restrictionMask([...OPERATOR, ...CUSTOMER]) === restrictionMask(union)
  return required({ OPERATOR, CUSTOMER }, CUSTOMER.length > 0 && isUnion, 'restrictions by source', r)
}

function readCustomer(r: ByteReader): NonNullable<Account['customer']> {
  const [epoch, flag] = [r.uint(), r.u8()]
  return required({ epoch, isForgotten: flag === 1 }, flag <= 1, `a customer's mark ${flag}`, r)
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

export function writeApiKeyOptions(w: ByteWriter, key: KeyOptions): void {
  const { expiresAt, isRevoked, previousSecret, strictSignature, publicKey, wire, endedAt, number } = key
  w.uint(
    presenceOf(
      expiresAt !== undefined,
      isRevoked === true,
      previousSecret !== undefined,
      strictSignature === true,
      publicKey !== undefined,
      wire !== undefined,
      endedAt !== undefined,
      number !== undefined,
    ),
  )
  if (expiresAt !== undefined) w.uint(expiresAt)
  if (previousSecret !== undefined) {
    w.uint(previousSecret.until)
    w.bytes(previousSecret.sealedSecret)
  }
  if (publicKey !== undefined) w.bytes(publicKey)
  if (endedAt !== undefined) w.uint(endedAt)
  if (number !== undefined) w.uint(number)
}

export function readApiKeyOptions(r: ByteReader): KeyOptions {
  const has = readPresence(r, 8, 'a key')
  const moment = (): TimeMs => {
    const at = r.uint() as TimeMs
    return required(at, at > 0, 'a moment of 0', r)
  }
  return {
    ...(has(0) ? { expiresAt: moment() } : {}),
    ...(has(1) ? { isRevoked: true as const } : {}),
    // A copy of the secret: a view would keep the whole snapshot in memory.
    ...(has(2) ? { previousSecret: { until: moment(), sealedSecret: r.bytes().slice() } } : {}),
    ...(has(3) ? { strictSignature: true as const } : {}),
    ...(has(4) ? { publicKey: r.bytes().slice() } : {}),
    ...(has(5) ? { wire: 'BINANCE' as const } : {}),
    ...(has(6)
      ? { endedAt: required(r.uint() as TimeMs, has(1), 'the end of a key that is not revoked', r) }
      : {}),
    ...(has(7) ? { number: readNumber(r) } : {}),
  }
}

/** The first key of an account has number 1, which is never written. */
function readNumber(r: ByteReader): KeyNumber {
  const number = r.uint() as KeyNumber
  return required(number, number > 1, `the number ${number} of a key`, r)
}
