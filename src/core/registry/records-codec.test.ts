/** Registries of any history, written as bytes and read back. */

import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { expectDamageNoticed } from '../../units/damaged-bytes.fixture.ts'
import { writeList } from '../../units/field-codec.ts'
import { type AccountId, FEES_ACCOUNT } from '../../units/ids.ts'
import { AMOUNT_MAX } from '../../units/limits.ts'
import { PERMISSIONS, SELF_TRADE_MODES, SYMBOL_STATES } from '../../units/order-enums.ts'
import { amount, decimals, lots, RATE_ONE, rate, timeMs, UNITS_MAX } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { PLAIN_TERMS } from './plain-terms.fixture.ts'
import type { Account, ApiKey, Asset, TradingSymbol } from './records.ts'
import { writeAccount, writeApiKey, writeAsset, writeSymbol } from './records-codec.ts'
import { Registry } from './registry.ts'

type Change = (registry: Registry) => object | CoreReason

const codes = fc.constantFrom('BTC', 'ETH', 'TRY', 'X')
const names = fc.oneof(fc.constantFrom('alice', 'bob', 'fees', 'a:b', ''), fc.string({ maxLength: 210 }))
const times = fc.integer({ min: 0, max: UNITS_MAX }).map(timeMs)
const rates = fc.integer({ min: 0, max: RATE_ONE - 1 }).map(rate)
const amounts = fc.bigInt({ min: 0n, max: AMOUNT_MAX }).map(amount)
const places = fc.integer({ min: 0, max: 18 }).map(decimals)
const flags = fc.record({
  isDeposit: fc.boolean(),
  isWithdraw: fc.boolean(),
  isTrade: fc.boolean(),
  isSaving: fc.boolean(),
})
const assetTerms = fc.record({ code: codes, name: names, fraction: places, flags, supplyCap: amounts })
const symbolTerms = fc.record({
  baseFraction: fc.integer({ min: 0, max: 4 }).map(decimals),
  quoteFraction: fc.integer({ min: 0, max: 4 }).map(decimals),
  makerRate: rates,
  takerRate: rates,
  minTotal: amounts,
  minQuantity: fc.integer({ min: 0, max: UNITS_MAX }).map(lots),
  selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
  openOrdersMax: fc.integer({ min: 0, max: UNITS_MAX }),
  levelsMax: fc.integer({ min: 1, max: UNITS_MAX }),
})
const keyTerms = fc.record({
  accountId: fc.nat({ max: 6 }).map((id) => id as AccountId),
  apiKey: names,
  sealedSecret: fc.uint8Array({ minLength: 0, maxLength: 60 }),
  permissions: fc.array(fc.constantFrom(...PERMISSIONS)),
  addresses: fc.array(fc.string({ minLength: 1, maxLength: 50 }), { maxLength: 3 }),
  label: fc.string({ maxLength: 50 }),
  createdAt: times,
})
const symbolNames = fc.tuple(codes, codes).map(([base, quote]) => `${base}/${quote}`)

const change: fc.Arbitrary<Change> = fc.oneof(
  assetTerms.map(
    (terms): Change =>
      (r) =>
        r.listAsset(terms),
  ),
  fc.tuple(codes, flags).map(
    ([code, now]): Change =>
      (r) =>
        r.setAssetFlags(code, now),
  ),
  fc.tuple(codes, codes, symbolTerms, times).map(
    ([base, quote, terms, at]): Change =>
      (r) =>
        r.listSymbol(base, quote, terms, at),
  ),
  fc.tuple(symbolNames, fc.constantFrom(...SYMBOL_STATES)).map(
    ([name, state]): Change =>
      (r) =>
        r.setSymbolState(name, state),
  ),
  fc.tuple(symbolNames, rates, rates).map(
    ([name, maker, taker]): Change =>
      (r) =>
        r.setSymbolRates(name, maker, taker),
  ),
  fc.tuple(names, times).map(
    ([name, at]): Change =>
      (r) =>
        r.addAccount(name, at),
  ),
  keyTerms.map(
    (terms): Change =>
      (r) =>
        r.addApiKey(terms),
  ),
  fc.tuple(names, fc.boolean()).map(
    ([key, enabled]): Change =>
      (r) =>
        r.setApiKeyEnabled(key, enabled),
  ),
)
const histories = fc.array(change, { maxLength: 40, size: 'max' })

function after(history: readonly Change[]): Registry {
  const registry = new Registry()
  for (const apply of history) apply(registry)
  return registry
}

function bytesOf(registry: Registry): Uint8Array {
  const writer = new ByteWriter()
  for (const part of registry.parts) part.write(writer)
  return writer.take()
}

function readWhole(bytes: Uint8Array): Registry {
  const reader = new ByteReader(bytes)
  const registry = new Registry()
  for (const part of registry.parts) part.read(reader)
  registry.checkRead()
  reader.end()
  return registry
}

/** The written parts of a registry, list by list. */
type Records = {
  readonly accounts: readonly Account[]
  readonly assets: readonly Asset[]
  readonly symbols: readonly TradingSymbol[]
  readonly apiKeys: readonly ApiKey[]
}

/** The records of one symbol with two assets, and of alice with a key. */
function records(): Records {
  const registry = new Registry()
  const off = { isDeposit: false, isWithdraw: false, isTrade: false, isSaving: false }
  const fraction = decimals(8)
  for (const code of ['BTC', 'TRY']) {
    registry.listAsset({ code, name: code, fraction, flags: off, supplyCap: amount(0n) })
  }
  const terms = { ...PLAIN_TERMS, quoteFraction: fraction, openOrdersMax: 1, levelsMax: 1 }
  registry.listSymbol('BTC', 'TRY', terms, timeMs(1))
  registry.addAccount('alice', timeMs(2))
  const key = { apiKey: 'k', sealedSecret: Uint8Array.of(1), permissions: [], addresses: [], label: '' }
  registry.addApiKey({ ...key, accountId: 3 as AccountId, createdAt: timeMs(3) })
  return {
    accounts: registry.accounts().slice(2),
    assets: registry.assets(),
    symbols: registry.symbols(),
    apiKeys: registry.apiKeys(),
  }
}

/** The bytes of these records with some lists replaced by others, in the layout of a registry. */
function forged(changes: Partial<Records>): Uint8Array {
  const { accounts, assets, symbols, apiKeys } = { ...records(), ...changes }
  const writer = new ByteWriter()
  writeList(writer, accounts, writeAccount)
  writeList(writer, assets, writeAsset)
  writeList(writer, symbols, writeSymbol)
  writeList(writer, apiKeys, writeApiKey)
  return writer.take()
}

/** All readable data of a registry, by every kind of lookup. */
function contents(r: Registry): unknown {
  return {
    assets: r.assets().map((a) => [r.asset(a.id), r.assetByCode(a.code)]),
    symbols: r.symbols().map((s) => [r.symbol(s.id), r.symbolByName(s.name), r.account(s.roundingAccountId)]),
    accounts: r.accounts().map((a) => [r.account(a.id), r.accountByName(a.name), r.apiKeyCount(a.id)]),
    keys: r.apiKeys().map((k) => r.apiKey(k.apiKey)),
  }
}

test('a refusal changes nothing, whatever came before', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const registry = new Registry()
      for (const apply of history) {
        const before = bytesOf(registry)
        if (typeof apply(registry) === 'string') expect(bytesOf(registry)).toEqual(before)
      }
    }),
  )
})

test('a registry with any history finds every record by all of its names, and no two records share one', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const registry = after(history)
      for (const asset of registry.assets()) expect(registry.assetByCode(asset.code)).toBe(asset)
      for (const symbol of registry.symbols()) expect(registry.symbolByName(symbol.name)).toBe(symbol)
      for (const account of registry.accounts()) expect(registry.accountByName(account.name)).toBe(account)
    }),
  )
})

describe('bytes', () => {
  test('give the same registry back', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const registry = after(history)
        const again = readWhole(bytesOf(registry))
        expect(contents(again)).toEqual(contents(registry))
        expect(bytesOf(again)).toEqual(bytesOf(registry))
      }),
    )
  })

  test('cut anywhere are a fault', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, at) => {
        const bytes = bytesOf(after(history))
        expect(() => readWhole(bytes.subarray(0, at % bytes.length))).toThrow(BytesFault)
      }),
    )
  })

  test('damaged anywhere are a fault, or another registry that has exactly these bytes', () => {
    fc.assert(
      fc.property(histories, fc.nat(), fc.integer({ min: 1, max: 255 }), (history, at, flip) => {
        expectDamageNoticed(bytesOf(after(history)), { at, flip }, (bytes) => bytesOf(readWhole(bytes)))
      }),
      { numRuns: 500 },
    )
  })

  test('of a record beyond its bounds are a fault', () => {
    const [, alice] = records().accounts as [Account, Account]
    const [asset] = records().assets as [Asset]
    const alone = { accounts: [{ ...alice, id: 2 as AccountId }], symbols: [], apiKeys: [] }
    expect(readWhole(forged({ ...alone, assets: [asset] })).assets()).toEqual([asset])
    expect(() => readWhole(forged({ ...alone, assets: [{ ...asset, code: 'btc' }] }))).toThrow(BytesFault)
    const bytes = forged({})
    // The key's text, account 3, a secret of one byte, and the mask of permissions.
    const mask = bytes.findIndex((_, i) => [107, 3, 1, 1, 0].every((byte, j) => bytes[i + j] === byte)) + 4
    bytes[mask] = 31
    expect(readWhole(bytes).apiKey('k')?.permissions).toEqual([...PERMISSIONS])
    bytes[mask] = 32
    expect(() => readWhole(bytes)).toThrow(BytesFault)
  })

  test('of records that contradict one another are a fault', () => {
    const whole = records()
    expect(contents(readWhole(forged({})))).toEqual(contents(readWhole(forged(whole))))
    const [rounding, alice] = whole.accounts as [Account, Account]
    const [asset] = whole.assets as [Asset]
    const [symbol] = whole.symbols as [TradingSymbol]
    const [key] = whole.apiKeys as [ApiKey]
    const contradictions: Partial<Records>[] = [
      { accounts: [rounding, alice, alice] },
      { accounts: [rounding, { ...alice, name: 'fees' }] },
      { accounts: [rounding, { ...alice, name: 'rounding:X/Y' }] },
      { accounts: [rounding, { ...alice, role: 'rounding' }] },
      { accounts: [{ ...rounding, name: 'rounding:X/Y' }, alice] },
      { accounts: [rounding, alice, { ...rounding, name: 'rounding:X/Y' }] },
      { accounts: [alice] },
      { assets: [asset, asset] },
      { assets: [asset] },
      { symbols: [symbol, symbol] },
      { symbols: [{ ...symbol, base: symbol.quote }] },
      { symbols: [{ ...symbol, baseFraction: decimals(9) }] },
      { symbols: [{ ...symbol, roundingAccountId: alice.id }] },
      { symbols: [{ ...symbol, roundingAccountId: 9 as AccountId }] },
      { symbols: [] },
      { apiKeys: [key, key] },
      { apiKeys: [{ ...key, accountId: FEES_ACCOUNT }] },
      { apiKeys: [{ ...key, accountId: rounding.id }] },
      { apiKeys: [{ ...key, accountId: 9 as AccountId }] },
      { apiKeys: [{ ...key, sealedSecret: new Uint8Array(0) }] },
    ]
    for (const changes of contradictions) {
      expect(() => readWhole(forged(changes)), JSON.stringify(Object.keys(changes))).toThrow(BytesFault)
    }
  })
})
