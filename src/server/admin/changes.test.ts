/** A change lists the changed fields: all others keep their values. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openAdminFixture } from './admin.fixture.ts'

const server = await openAdminFixture()
const { done } = server
afterAll(() => server.stop())

beforeAll(async () => {
  await done('account/add', { name: 'carol' })
  await done('tier/set', { name: 'vip', makerShare: '0', takerShare: '0.5' })
  await done('tier/set', { name: 'staff', makerShare: '0', takerShare: '0' })
})

describe('of a key', () => {
  const TERMS = {
    label: 'first',
    permissions: ['WALLET'],
    addresses: ['10.0.0.0/8', '192.0.2.7'],
    expiresAt: '2100-01-01T00:00:00.000+00:00',
  }
  const changes = {
    label: 'second',
    permissions: ['TRADE', 'USER_DATA'],
    addresses: ['::1'],
    expiresAt: '2101-01-01T00:00:00.000+00:00',
  }

  for (const [name, value] of Object.entries(changes)) {
    test(`${name} alone changes: all other terms stay`, async () => {
      const { apiKey } = (await done('key/add', { account: 'carol', ...TERMS })) as { apiKey: string }
      const wanted = { ...TERMS, [name]: value }
      expect(await done('key/set', { apiKey, [name]: value })).toMatchObject(wanted)
      const listed = (await done('key/list', { account: 'carol' })) as { apiKey: string }[]
      expect(listed.find((key) => key.apiKey === apiKey)).toMatchObject(wanted)
    })
  }
})

test('the tier of an account changes without its limit of open orders, and the limit without the tier', async () => {
  const set = (terms: object) => done('account/set', { account: 'carol', ...terms })
  expect(await set({ feeTier: 'vip', openOrdersMax: 7 })).toMatchObject({ feeTier: 'vip', openOrdersMax: 7 })
  expect(await set({ feeTier: 'staff' })).toMatchObject({ feeTier: 'staff', openOrdersMax: 7 })
  expect(await set({ openOrdersMax: 9 })).toMatchObject({ feeTier: 'staff', openOrdersMax: 9 })
  expect(await set({ feeTier: '' })).toMatchObject({ feeTier: null, openOrdersMax: 9 })
})

test('each term of an asset and of a symbol changes alone', async () => {
  const limits = { supplyCap: '900', creditMax: '80', approvalAbove: '7' }
  await done('asset/add', { code: 'EUR', fraction: 2, name: 'Euro', isSaving: true })
  await done('asset/add', { code: 'BTC', fraction: 8 })
  let asset = (await done('asset/set', { code: 'EUR', ...limits })) as object
  for (const change of [{ name: 'euro' }, { creditMax: '81' }, { isTrade: false }, { supplyCap: '901' }]) {
    asset = { ...asset, ...change }
    expect(await done('asset/set', { code: 'EUR', ...change })).toEqual(asset)
  }
  const terms = { minTotal: '5', minQuantity: '0.1', selfTradeMode: 'EXPIRE_TAKER', openOrdersMax: 3 }
  await done('symbol/add', { symbol: 'BTC/EUR', baseFraction: 6, quoteFraction: 2, levelsMax: 8, ...terms })
  const band = { minPrice: '1', maxPrice: '90000' }
  let symbol = (await done('symbol/set', { symbol: 'BTC/EUR', ...band })) as object
  for (const change of [{ minTotal: '6' }, { levelsMax: 9 }, { openOrdersMax: 4 }, { minQuantity: '0.2' }]) {
    symbol = { ...symbol, ...change }
    expect(await done('symbol/set', { symbol: 'BTC/EUR', ...change })).toMatchObject(symbol)
  }
})

test('tick and step of a symbol change alone, and are refused by name where they cannot be', async () => {
  await done('asset/add', { code: 'XAG', fraction: 4 })
  await done('asset/add', { code: 'CHF', fraction: 2 })
  await done('symbol/add', { symbol: 'XAG/CHF', baseFraction: 3, quoteFraction: 2 })
  const set = (sizes: object) => done('symbol/increments', { symbol: 'XAG/CHF', ...sizes })
  expect(await set({ tickSize: '0.05' })).toMatchObject({ tickSize: '0.05', stepSize: '0.001' })
  expect(await set({ stepSize: '25' })).toMatchObject({ tickSize: '0.05', stepSize: '25' })
  const band = { minPrice: '1.01', maxPrice: '1.09' }
  expect(await done('symbol/set', { symbol: 'XAG/CHF', ...band })).toMatchObject({
    tickSize: '0.05',
    ...band,
  })
  const refused = async (operation: 'symbol/increments' | 'symbol/set', fields: object) => {
    const { body } = await server.ask(operation, { symbol: 'XAG/CHF', ...fields })
    const error = 'error' in body ? body.error : undefined
    return [error?.field, error?.message]
  }
  expect(await refused('symbol/increments', { tickSize: '0' })).toEqual([
    'tickSize',
    'tickSize: expected at least 0.01, found 0',
  ])
  expect(await refused('symbol/increments', { stepSize: '0.0005' })).toEqual([
    'stepSize',
    'stepSize: a quantity of this symbol has 3 decimals, found 0.0005',
  ])
  expect(await refused('symbol/increments', { tickSize: '0.1' })).toEqual([
    'tickSize',
    'tickSize: expected a tick size with a multiple in the price band, 1.01 to 1.09; found 0.1',
  ])
  expect(await refused('symbol/set', { minPrice: '1.01', maxPrice: '1.04' })).toEqual([
    'maxPrice',
    'maxPrice: expected a price band with a multiple of the tick size 0.05, found 1.01 to 1.04',
  ])
  expect(await set({ tickSize: '0.01', stepSize: '0.001' })).toMatchObject({
    tickSize: '0.01',
    stepSize: '0.001',
  })
  const entries = (await done('audit/list', { kind: 'SetSymbolIncrements', limit: 1 })) as object[]
  expect(entries).toMatchObject([
    { kind: 'SetSymbolIncrements', fields: { symbol: 'XAG/CHF', tickSize: '0.01', stepSize: '0.001' } },
  ])
})
