/** Positions of an account over HTTP (docs/reference/positions.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PositionQuery } from '../../engine/port/ports.ts'
import type { AssetId } from '../../units/ids.ts'
import { amount } from '../../units/quantities.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

const PATH = '/api/v3/account/positions'

type Position = { readonly asset: string; readonly [field: string]: string }

describe('the positions of an account', () => {
  let f: Fixture
  beforeAll(async () => {
    f = await openFixture()
    const trade = async (symbol: string, price: string, quantity: string) => {
      const terms = { symbol, type: 'LIMIT', price, quantity }
      await f.place(f.alice, { ...terms, side: 'SELL' })
      expect((await f.place(f.bob, { ...terms, side: 'BUY' })).status).toBe(200)
    }
    await trade('BTC/USDT', '50000', '0.1')
    await trade('ETH/USDT', '2000', '1')
    await trade('ETH/BTC', '0.05', '2')
  })
  afterAll(() => f.stop())

  const positions = async (fields: Fields = {}, trader = f.bob): Promise<Position[]> =>
    (await f.send('GET', PATH, fields, trader)).body.data.positions
  const codes = async (fields: Fields) => (await positions(fields)).map(({ asset }) => asset)

  test('has each asset that it ever had, in the order of listing, and an asset without a market with its quantity alone', async () => {
    expect(await codes({})).toEqual(['BTC', 'ETH', 'USDT', 'TRY'])
    expect((await positions({ asset: 'TRY' }))[0]).toEqual({
      asset: 'TRY',
      quantity: '1000000000000000000',
      withoutCost: '1000000000000000000',
    })
  })

  test('values a trade in another market at the last price between the two quotes, and marks it', async () => {
    const [eth] = await positions({ asset: 'ETH' })
    // Trades of 2000 USDT for 0.999 ETH, and of 0.1 BTC, at 50000 USDT, for 1.998 ETH.
    expect(eth).toMatchObject({
      ...{ symbol: 'ETH/USDT', costAsset: 'USDT', cost: '7000', lastPrice: '2000' },
      ...{ averageCost: '2335.66900234', atLastPrice: '1.998', withoutCost: '1000000000000' },
    })
  })

  test('is limited to one asset or to both of a symbol, and leaves out an asset in neither', async () => {
    expect(await codes({ asset: 'BTC' })).toEqual(['BTC'])
    expect(await codes({ symbol: 'USDT/TRY' })).toEqual(['USDT', 'TRY'])
    expect(await codes({ symbol: 'ETH/BTC' })).toEqual(['BTC', 'ETH'])
    expect(await codes({ symbol: 'ETH/BTC', asset: 'ETH' })).toEqual(['ETH'])
    expect(await codes({ symbol: 'ETH/BTC', asset: 'TRY' })).toEqual([])
  })

  test('refuses an unknown asset or symbol, by name, and a key without WALLET', async () => {
    expect((await f.send('GET', PATH, { asset: 'XYZ' }, f.bob)).body.reason).toBe('UNKNOWN_ASSET')
    expect((await f.send('GET', PATH, { symbol: 'XYZ/BTC' }, f.bob)).body.reason).toBe('UNKNOWN_SYMBOL')
    const trading = await f.createKey(f.bob.accountId, { permissions: ['TRADE'] })
    expect((await f.send('GET', PATH, {}, trading)).status).toBe(401)
  })

  test('is empty for an account that never had anything, and is in the requested language', async () => {
    await f.submit({ kind: 'CreateAccount', operator: { actor: 'test', note: '' }, name: 'empty' })
    const empty = await f.createKey((f.bob.accountId + 1) as typeof f.bob.accountId)
    const { body } = await f.send('GET', PATH, {}, empty, { 'accept-language': 'tr' })
    expect(body).toMatchObject({ msg: ['Pozisyonlar getirildi.'], data: { positions: [] } })
  })
})

test('positions are read in limited numbers, and every 25 of them weigh 1 where that is more than 20', async () => {
  const ALL = 2_600
  const asked: PositionQuery[] = []
  const ids = (from: number, limit: number) =>
    Array.from({ length: Math.min(limit, ALL - from) }, (_, i) => (from + i) as AssetId)
  const f = await openFixture({
    wrap: (services) => ({
      ...services,
      history: {
        ...services.history,
        positions: async (query) => {
          asked.push(query)
          const found = ids(query.from, query.limit)
          const zero = amount(0n)
          const none = {
            quantity: zero,
            withoutCost: zero,
            atLastPrice: zero,
            cost: 0n,
            realized: 0n,
            soldCost: 0n,
          }
          const end = query.from + found.length
          return {
            positions: found.map((id) => ({ ...none, assetId: (id % 4) as AssetId, own: undefined })),
            next: end < ALL ? (end as AssetId) : undefined,
          }
        },
      },
    }),
  })
  const weigh = async (fields: Fields) => {
    const { headers, body } = await f.send('GET', PATH, fields, f.bob)
    return [Number(headers.get('x-mbx-used-weight-1m')), body.data.positions.length]
  }
  const [first = 0] = await weigh({ asset: 'BTC' })
  const [second = 0, rows] = await weigh({})
  expect(rows).toBe(ALL)
  expect(second - first).toBe(Math.ceil(ALL / 25))
  expect(asked.map(({ from, limit }) => [Number(from), limit])).toEqual([
    [0, 1],
    [0, 1_000],
    [1_000, 1_000],
    [2_000, 1_000],
  ])
  await f.stop()
})
