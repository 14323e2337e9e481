import { describe, expect, test } from 'bun:test'
import { ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import { FEES_ACCOUNT, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { ADDRESSES_PER_KEY_MAX, AMOUNT_MAX, SEALED_SECRET_BYTES_MAX, TEXT_MAX } from '../../units/limits.ts'
import type { Permission, SelfTradeMode, SymbolState } from '../../units/order-enums.ts'
import {
  amount,
  type Decimals,
  decimals,
  type Lots,
  lots,
  type Rate,
  rate,
  timeMs,
} from '../../units/quantities.ts'
import { REGISTRY_LIMITS, Registry, type RegistryLimits } from './registry.ts'
import type { ApiKeyTerms, AssetTerms, SymbolTerms } from './terms.ts'

const NOW = timeMs(1_700_000_000_000)
const ON = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
const OFF = { isDeposit: false, isWithdraw: false, isTrade: false, isSaving: false }
const LONG = 'x'.repeat(TEXT_MAX)
const LONE_SURROGATE = 'x\ud800'

function btc(changes: Partial<AssetTerms> = {}): AssetTerms {
  return { code: 'BTC', name: 'Bitcoin', fraction: decimals(8), flags: ON, supplyCap: amount(0n), ...changes }
}

function terms(changes: Partial<SymbolTerms> = {}): SymbolTerms {
  return {
    baseFraction: decimals(6),
    quoteFraction: decimals(2),
    makerRate: rate(50_000),
    takerRate: rate(100_000),
    minTotal: amount(1_000n),
    minQuantity: lots(5),
    selfTradeMode: 'EXPIRE_TAKER',
    openOrdersMax: 100,
    levelsMax: 1_000,
    ...changes,
  }
}

function key(changes: Partial<ApiKeyTerms> = {}): ApiKeyTerms {
  return {
    accountId: 3 as AccountId,
    apiKey: 'key-1',
    sealedSecret: Uint8Array.of(1, 2, 3),
    permissions: ['TRADE'],
    addresses: ['10.0.0.0/8'],
    label: 'bot',
    createdAt: NOW,
    ...changes,
  }
}

/** BTC (8 decimals), TRY (2), BTC/TRY with rounding account 2, and alice as account 3. */
function market(limits: Partial<RegistryLimits> = {}): Registry {
  const registry = new Registry({ ...REGISTRY_LIMITS, ...limits })
  registry.listAsset(btc())
  registry.listAsset(btc({ code: 'TRY', name: 'Lira', fraction: decimals(2) }))
  registry.listSymbol('BTC', 'TRY', terms(), NOW)
  registry.addAccount('alice', NOW)
  return registry
}

function bytesOf(registry: Registry): Uint8Array {
  const writer = new ByteWriter()
  for (const part of registry.parts) part.write(writer)
  return writer.take()
}

/** Expects `change` to return `reason` and to leave the registry unchanged. */
function refuses(registry: Registry, reason: string, change: () => unknown): void {
  const before = bytesOf(registry)
  expect(change()).toBe(reason)
  expect(bytesOf(registry)).toEqual(before)
}

describe('the house', () => {
  test('exists from the start: the outside world is account 0, the fee account 1', () => {
    const registry = new Registry()
    expect(registry.account(OUTSIDE_ACCOUNT)).toEqual({
      id: OUTSIDE_ACCOUNT,
      name: 'outside',
      role: 'outside',
      createdAt: timeMs(0),
    })
    expect(registry.account(FEES_ACCOUNT)).toMatchObject({ name: 'fees', role: 'fees' })
    expect(registry.accountCount).toBe(2)
  })

  test("has names that no trader's account can take", () => {
    const registry = market()
    refuses(registry, 'ACCOUNT_EXISTS', () => registry.addAccount('outside', NOW))
    refuses(registry, 'ACCOUNT_EXISTS', () => registry.addAccount('fees', NOW))
    refuses(registry, 'INVALID_COMMAND', () => registry.addAccount('rounding:TRY/BTC', NOW))
    refuses(registry, 'INVALID_COMMAND', () => registry.addAccount('a:b', NOW))
  })

  test('never gets an API key', () => {
    const registry = market()
    for (const id of [OUTSIDE_ACCOUNT, FEES_ACCOUNT, 2 as AccountId]) {
      refuses(registry, 'INVALID_COMMAND', () => registry.addApiKey(key({ accountId: id })))
    }
  })
})

describe('assets', () => {
  test('are found by id and by code', () => {
    const registry = new Registry()
    const asset = registry.listAsset(btc({ supplyCap: amount(21n) }))
    expect(asset).toEqual({
      id: 0 as AssetId,
      code: 'BTC',
      name: 'Bitcoin',
      fraction: decimals(8),
      ...ON,
      supplyCap: amount(21n),
    })
    expect(registry.asset(0 as AssetId)).toEqual(asset as never)
    expect(registry.assetByCode('BTC')).toEqual(asset as never)
    expect(registry.assetByCode('btc')).toBeUndefined()
    expect(registry.assets()).toEqual([asset as never])
  })

  test('within all bounds are listed, beyond any bound refused', () => {
    const good: Partial<AssetTerms>[] = [
      { code: 'A' },
      { code: 'A1B2C3D4E5F6G7H8' },
      { code: '1INCH' },
      { name: LONG },
      { fraction: decimals(0) },
      { fraction: decimals(18) },
      { supplyCap: amount(AMOUNT_MAX) },
    ]
    for (const changes of good) expect(new Registry().listAsset(btc(changes))).toBeObject()
    const bad: Partial<AssetTerms>[] = [
      { code: '' },
      { code: 'A1B2C3D4E5F6G7H8I' },
      { code: 'btc' },
      { code: 'BTC\n' },
      { code: 'BT/C' },
      { code: 'İ' },
      { name: '' },
      { name: `${LONG}x` },
      { name: LONE_SURROGATE },
      { fraction: 19 as Decimals },
      { fraction: -1 as Decimals },
      { fraction: 1.5 as Decimals },
      { fraction: Number.NaN as Decimals },
      { supplyCap: amount(-1n) },
      { supplyCap: amount(AMOUNT_MAX + 1n) },
    ]
    const registry = new Registry()
    for (const changes of bad) refuses(registry, 'INVALID_COMMAND', () => registry.listAsset(btc(changes)))
  })

  test('are listed once, and only as many as there is room for', () => {
    const registry = market({ assets: 2 })
    refuses(registry, 'ASSET_EXISTS', () => registry.listAsset(btc({ name: 'Other' })))
    refuses(registry, 'LIMIT_REACHED', () => registry.listAsset(btc({ code: 'ETH' })))
  })

  test('change their flags and nothing else', () => {
    const registry = market()
    const before = registry.assetByCode('BTC')
    const changed = registry.setAssetFlags('BTC', { ...OFF, isSaving: true, code: 'EVIL' } as never)
    expect(changed).toEqual({ ...before, ...OFF, isSaving: true } as never)
    expect(registry.assetByCode('BTC')).toEqual(changed as never)
    expect(before).toMatchObject(ON)
    refuses(registry, 'UNKNOWN_ASSET', () => registry.setAssetFlags('ETH', ON))
  })
})

describe('symbols', () => {
  test('are listed with the decimals of their assets and an account for rounding', () => {
    const registry = new Registry()
    registry.listAsset(btc())
    registry.listAsset(btc({ code: 'TRY', fraction: decimals(2) }))
    const listed = registry.listSymbol('BTC', 'TRY', terms(), NOW)
    const symbol = {
      id: 0 as SymbolId,
      name: 'BTC/TRY',
      base: 0 as AssetId,
      quote: 1 as AssetId,
      baseCode: 'BTC',
      quoteCode: 'TRY',
      basePrecision: decimals(8),
      quotePrecision: decimals(2),
      ...terms(),
      state: 'TRADING' as const,
      roundingAccountId: 2 as AccountId,
    }
    const roundingAccount = {
      id: 2 as AccountId,
      name: 'rounding:BTC/TRY',
      role: 'rounding' as const,
      createdAt: NOW,
    }
    expect(listed).toEqual({ symbol, roundingAccount })
    expect(registry.symbol(0 as SymbolId)).toEqual(symbol)
    expect(registry.symbolByName('BTC/TRY')).toEqual(symbol)
    expect(registry.symbols()).toEqual([symbol])
    expect(registry.account(2 as AccountId)).toEqual(roundingAccount)
    expect(registry.accountByName('rounding:BTC/TRY')).toEqual(roundingAccount)
  })

  test('within all bounds are listed, beyond any bound refused', () => {
    const good: Partial<SymbolTerms>[] = [
      { baseFraction: decimals(0), quoteFraction: decimals(0) },
      { baseFraction: decimals(2), quoteFraction: decimals(8) },
      { makerRate: rate(0), takerRate: rate(99_999_999) },
      { minTotal: amount(0n), minQuantity: lots(0) },
      { minTotal: amount(AMOUNT_MAX), minQuantity: lots(Number.MAX_SAFE_INTEGER) },
      { openOrdersMax: 1, levelsMax: 1 },
    ]
    for (const changes of good) {
      const change = { ...terms({ baseFraction: decimals(2) }), ...changes }
      expect(market().listSymbol('TRY', 'BTC', change, NOW)).toBeObject()
    }
    const bad: Partial<SymbolTerms>[] = [
      { baseFraction: 3 as Decimals },
      { baseFraction: -1 as Decimals },
      { quoteFraction: 9 as Decimals },
      { quoteFraction: 0.5 as Decimals },
      { makerRate: -1 as Rate },
      { makerRate: 100_000_000 as Rate },
      { takerRate: 100_000_000 as Rate },
      { takerRate: 0.1 as Rate },
      { minTotal: amount(-1n) },
      { minTotal: amount(AMOUNT_MAX + 1n) },
      { minQuantity: -1 as Lots },
      { minQuantity: (2 ** 53) as Lots },
      { selfTradeMode: 'SOMETIMES' as SelfTradeMode },
      { openOrdersMax: 0 },
      { openOrdersMax: Number.POSITIVE_INFINITY },
      { levelsMax: 0 },
      { levelsMax: 1.5 },
    ]
    const registry = market()
    for (const changes of bad) {
      const change = { ...terms({ baseFraction: decimals(2) }), ...changes }
      refuses(registry, 'INVALID_COMMAND', () => registry.listSymbol('TRY', 'BTC', change, NOW))
    }
  })

  test('need two different, listed assets', () => {
    const registry = market()
    refuses(registry, 'UNKNOWN_ASSET', () => registry.listSymbol('ETH', 'TRY', terms(), NOW))
    refuses(registry, 'UNKNOWN_ASSET', () => registry.listSymbol('BTC', 'ETH', terms(), NOW))
    refuses(registry, 'INVALID_COMMAND', () => registry.listSymbol('BTC', 'BTC', terms(), NOW))
  })

  test('are listed once, and only while there is room for them and their account', () => {
    const registry = market()
    refuses(registry, 'SYMBOL_EXISTS', () => registry.listSymbol('BTC', 'TRY', terms(), NOW))
    const reversed = terms({ baseFraction: decimals(2) })
    for (const limits of [{ symbols: 1 }, { accounts: 4 }]) {
      const full = market(limits)
      refuses(full, 'LIMIT_REACHED', () => full.listSymbol('TRY', 'BTC', reversed, NOW))
    }
    expect(market({ symbols: 2, accounts: 5 }).listSymbol('TRY', 'BTC', reversed, NOW)).toBeObject()
  })

  test('change their state and their rates and nothing else', () => {
    const registry = market()
    const before = registry.symbolByName('BTC/TRY')
    expect(registry.setSymbolState('BTC/TRY', 'HALTED')).toEqual({ ...before, state: 'HALTED' } as never)
    const changed = registry.setSymbolRates('BTC/TRY', rate(1), rate(2))
    expect(changed).toEqual({ ...before, state: 'HALTED', makerRate: rate(1), takerRate: rate(2) } as never)
    expect(registry.symbol(0 as SymbolId)).toEqual(changed as never)
    expect(before?.state).toBe('TRADING')
    refuses(registry, 'UNKNOWN_SYMBOL', () => registry.setSymbolState('ETH/TRY', 'HALTED'))
    refuses(registry, 'UNKNOWN_SYMBOL', () => registry.setSymbolRates('ETH/TRY', rate(1), rate(2)))
    refuses(registry, 'INVALID_COMMAND', () => registry.setSymbolState('BTC/TRY', 'CLOSED' as SymbolState))
    refuses(registry, 'INVALID_COMMAND', () => registry.setSymbolRates('BTC/TRY', -1 as Rate, rate(2)))
    refuses(registry, 'INVALID_COMMAND', () => registry.setSymbolRates('BTC/TRY', rate(1), 1e8 as Rate))
  })
})

describe('accounts', () => {
  test('are found by id and by name', () => {
    const registry = market()
    const alice = { id: 3 as AccountId, name: 'alice', role: 'trader' as const, createdAt: NOW }
    expect(registry.accountByName('alice')).toEqual(alice)
    expect(registry.account(3 as AccountId)).toEqual(alice)
    expect(registry.accounts().at(-1)).toEqual(alice)
    expect(registry.accountCount).toBe(4)
    expect(registry.account(4 as AccountId)).toBeUndefined()
    expect(registry.accountByName('__proto__')).toBeUndefined()
  })

  test('have a unique name of 1 to 200 characters', () => {
    const registry = market()
    expect(registry.addAccount(LONG, NOW)).toBeObject()
    expect(registry.addAccount('__proto__', NOW)).toBeObject()
    for (const name of ['', `${LONG}x`, LONE_SURROGATE]) {
      refuses(registry, 'INVALID_COMMAND', () => registry.addAccount(name, NOW))
    }
    refuses(registry, 'ACCOUNT_EXISTS', () => registry.addAccount('alice', NOW))
    const full = market({ accounts: 4 })
    refuses(full, 'LIMIT_REACHED', () => full.addAccount('bob', NOW))
  })
})

describe('API keys', () => {
  test('are found by what clients send, and counted by account', () => {
    const registry = market()
    const added = registry.addApiKey(key())
    expect(added).toEqual({ ...key(), enabled: true } as never)
    expect(registry.apiKey('key-1')).toEqual(added as never)
    registry.addApiKey(key({ apiKey: 'key-2' }))
    expect(registry.apiKeyCount(3 as AccountId)).toBe(2)
    expect(registry.apiKeyCount(0 as AccountId)).toBe(0)
    expect(registry.apiKeys().map((k) => k.apiKey)).toEqual(['key-1', 'key-2'])
  })

  test('keep their permissions as a set: order and repetition have no meaning', () => {
    const registry = market()
    const permissions: Permission[] = ['USER_DATA', 'TRADE', 'TRADE']
    expect(registry.addApiKey(key({ permissions }))).toMatchObject({ permissions: ['TRADE', 'USER_DATA'] })
    expect(registry.addApiKey(key({ apiKey: 'none', permissions: [] }))).toMatchObject({ permissions: [] })
  })

  test('keep a copy of what they were given', () => {
    const registry = market()
    const given = key({ addresses: ['::1'], sealedSecret: Uint8Array.of(9) })
    registry.addApiKey(given)
    given.sealedSecret[0] = 0
    ;(given.addresses as string[]).push('::2')
    expect(registry.apiKey('key-1')).toMatchObject({ addresses: ['::1'], sealedSecret: Uint8Array.of(9) })
  })

  test('within all bounds are added, beyond any bound refused', () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, i) => `10.0.0.${i}`)
    const good: Partial<ApiKeyTerms>[] = [
      { apiKey: LONG, label: LONG, addresses: [LONG] },
      { label: '', addresses: addresses(ADDRESSES_PER_KEY_MAX) },
      { sealedSecret: new Uint8Array(SEALED_SECRET_BYTES_MAX) },
    ]
    for (const changes of good) expect(market().addApiKey(key(changes))).toBeObject()
    const bad: Partial<ApiKeyTerms>[] = [
      { apiKey: '' },
      { apiKey: `${LONG}x` },
      { apiKey: LONE_SURROGATE },
      { label: `${LONG}x` },
      { label: LONE_SURROGATE },
      { addresses: [''] },
      { addresses: [`${LONG}x`] },
      { addresses: addresses(ADDRESSES_PER_KEY_MAX + 1) },
      { sealedSecret: new Uint8Array(0) },
      { sealedSecret: new Uint8Array(SEALED_SECRET_BYTES_MAX + 1) },
    ]
    const registry = market()
    for (const changes of bad) refuses(registry, 'INVALID_COMMAND', () => registry.addApiKey(key(changes)))
  })

  test('are unique, of a known account, and only as many as an account may have', () => {
    const registry = market({ apiKeysPerAccount: 1 })
    refuses(registry, 'UNKNOWN_ACCOUNT', () => registry.addApiKey(key({ accountId: 4 as AccountId })))
    registry.addApiKey(key())
    refuses(registry, 'API_KEY_EXISTS', () => registry.addApiKey(key({ label: 'other' })))
    refuses(registry, 'LIMIT_REACHED', () => registry.addApiKey(key({ apiKey: 'key-2' })))
    registry.setApiKeyEnabled('key-1', false)
    refuses(registry, 'LIMIT_REACHED', () => registry.addApiKey(key({ apiKey: 'key-2' })))
  })

  test('are switched off and on without losing their place', () => {
    const registry = market()
    registry.addApiKey(key())
    registry.addApiKey(key({ apiKey: 'key-2' }))
    const before = registry.apiKey('key-1')
    expect(registry.setApiKeyEnabled('key-1', false)).toEqual({ ...before, enabled: false } as never)
    expect(before?.enabled).toBe(true)
    expect(registry.apiKeys().map((k) => [k.apiKey, k.enabled])).toEqual([
      ['key-1', false],
      ['key-2', true],
    ])
    refuses(registry, 'UNKNOWN_API_KEY', () => registry.setApiKeyEnabled('key-3', true))
  })

  test('that demand strict signatures keep doing so, whatever else of them changes, until it is taken back', () => {
    const registry = market()
    const before = registry.addApiKey(key())
    expect(registry.setApiKeyStrict('key-1', true)).toEqual({
      ...(before as object),
      strictSignature: true,
    } as never)
    const terms = { permissions: [], addresses: [], label: '', expiresAt: timeMs(0) }
    const changes = [
      () => registry.amendApiKey('key-1', terms, NOW),
      () => registry.setApiKeyEnabled('key-1', false),
      () => registry.rotateApiKey('key-1', Uint8Array.of(1), timeMs(9)),
      () => registry.resealSecret('key-1', Uint8Array.of(1), Uint8Array.of(2)),
    ]
    for (const change of changes) expect(change()).toMatchObject({ strictSignature: true })
    expect(registry.setApiKeyStrict('key-1', false)).not.toHaveProperty('strictSignature')
    registry.setApiKeyStrict('key-1', true)
    expect(registry.revokeApiKey('key-1')).toMatchObject({ strictSignature: true, isRevoked: true })
    refuses(registry, 'API_KEY_REVOKED', () => registry.setApiKeyStrict('key-1', false))
    refuses(registry, 'UNKNOWN_API_KEY', () => registry.setApiKeyStrict('key-3', true))
  })
})

test('lists handed out are copies: a reader that changes one does not change the registry', () => {
  const registry = market()
  registry.addApiKey(key())
  for (const list of [registry.assets(), registry.symbols(), registry.accounts(), registry.apiKeys()]) {
    ;(list as unknown[]).length = 0
  }
  expect(registry.assets().length).toBe(2)
  expect(registry.symbols().length).toBe(1)
  expect(registry.accounts().length).toBe(4)
  expect(registry.apiKeys().length).toBe(1)
})
