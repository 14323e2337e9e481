/** Names of symbols for clients of Binance, as operators choose them (docs/binance.md#names-of-symbols). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { BINANCE_NAME_RULES } from '../../../core/exchange/rules.ts'
import { openAdminFixture } from '../admin.fixture.ts'

const server = await openAdminFixture()
const older = await openAdminFixture(undefined, BINANCE_NAME_RULES - 1)
afterAll(() => Promise.all([server.stop(), older.stop()]))

const SIZES = { baseFraction: 2, quoteFraction: 2 }

beforeAll(async () => {
  for (const { done } of [server, older])
    for (const code of ['BTC', 'BTCU', 'USDT', 'SDT']) await done('asset/add', { code, fraction: 8 })
})

test('a symbol whose joined name belongs to another is refused with both names and what to do, and listed under a name of its own', async () => {
  const { done, error } = server
  expect(await done('symbol/add', { symbol: 'BTC/USDT', ...SIZES })).toMatchObject({ binanceName: 'BTCUSDT' })
  await done('symbol/add', { symbol: 'USDT/SDT', ...SIZES })
  expect(await error('symbol/add', { symbol: 'BTCU/SDT', ...SIZES })).toEqual({
    status: 409,
    reason: 'BINANCE_NAME_TAKEN',
    field: 'binanceName',
    message:
      'Another symbol already has this name for clients of Binance: BTC/USDT and BTCU/SDT would both be BTCUSDT. ' +
      'Give this one another name: binanceName (--binance-name).',
  })
  const listed = await done('symbol/add', { symbol: 'BTCU/SDT', ...SIZES, binanceName: 'BTCUXSDT' })
  expect(listed).toMatchObject({ symbol: 'BTCU/SDT', binanceName: 'BTCUXSDT' })
  const shown = await done('symbol/list', {})
  expect(shown).toMatchObject([
    { binanceName: 'BTCUSDT' },
    { binanceName: 'USDTSDT' },
    { binanceName: 'BTCUXSDT' },
  ])
  for (const wrong of ['', 'btc', 'BTC/USD', '9'.repeat(33)])
    expect(await error('symbol/add', { symbol: 'BTCU/USDT', ...SIZES, binanceName: wrong })).toMatchObject({
      reason: 'INVALID_FIELD',
      field: 'binanceName',
    })
})

test('a journal under older rules takes both without a name, and refuses one that is given', async () => {
  const { done, error } = older
  await done('symbol/add', { symbol: 'BTC/USDT', ...SIZES })
  expect(await error('symbol/add', { symbol: 'BTCU/SDT', ...SIZES, binanceName: 'X' })).toMatchObject({
    reason: 'RULES_VERSION_TOO_LOW',
  })
  expect(await done('symbol/add', { symbol: 'BTCU/SDT', ...SIZES })).toMatchObject({ binanceName: 'BTCUSDT' })
})
