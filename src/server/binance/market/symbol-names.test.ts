/** Names of symbols on this wire (docs/binance.md#names-of-symbols). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TERMS } from '../../../core/exchange/exchange-harness.fixture.ts'
import { BINANCE_NAME_RULES } from '../../../core/exchange/rules.ts'
import { amount, decimals } from '../../../units/quantities.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

const operator = { actor: 'test', note: '' }
const FLAGS = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
const ORDER = { side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', quantity: '1', price: '60000' }
type Seen = { readonly body: { symbol: string; readonly symbols: readonly { readonly symbol: string }[] } }

/** Opens an exchange with the assets BTCU and SDT, whose codes join to the same name as those of BTC/USDT. */
async function opened(rules: number): Promise<BinanceFixture> {
  const f = await openBinance({ isOfWire: () => true, rules })
  for (const code of ['BTCU', 'SDT'])
    await f.submit({
      kind: 'ListAsset',
      operator,
      code,
      name: code,
      fraction: decimals(8),
      flags: FLAGS,
      supplyCap: amount(0n),
    })
  return f
}

const names = async (f: BinanceFixture) =>
  ((await f.ask('/api/v3/exchangeInfo')) as Seen).body.symbols.map(({ symbol }) => symbol)

async function funded(f: BinanceFixture): Promise<void> {
  const credit = { kind: 'Credit', operator, accountId: f.alice.accountId, asset: 'BTCU' } as const
  await f.submit({ ...credit, amount: amount(10n ** 12n), reference: 'for the names' })
}

describe('a symbol that is listed under a name of its own', () => {
  let f: BinanceFixture
  beforeAll(async () => {
    f = await opened(BINANCE_NAME_RULES)
    const listed = { kind: 'ListSymbol', operator, base: 'BTCU', quote: 'SDT', terms: TERMS } as const
    expect(await f.engine.submit(listed)).toEqual({ kind: 'Refused', reason: 'BINANCE_NAME_TAKEN' })
    await f.submit({ ...listed, binanceName: 'BTCUXSDT' })
    await funded(f)
  })
  afterAll(() => f.stop())

  test('is offered under it, with its assets apart', async () => {
    expect(await names(f)).toEqual(['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'USDTTRY', 'BTCUXSDT'])
    const { body } = await f.ask('/api/v3/exchangeInfo?symbol=BTCUXSDT')
    expect([body.symbols[0].baseAsset, body.symbols[0].quoteAsset]).toEqual(['BTCU', 'SDT'])
  })

  test('is traded and read under it, and BTCUSDT remains the other one', async () => {
    const placed = await f.signed('POST', '/api/v3/order', { symbol: 'BTCUXSDT', ...ORDER })
    expect([placed.status, placed.body.symbol]).toEqual([200, 'BTCUXSDT'])
    f.clock.time += 1_000
    const read = (symbol: string) => f.signed('GET', '/api/v3/openOrders', { symbol })
    expect((await read('BTCUXSDT')).body).toMatchObject([
      { symbol: 'BTCUXSDT', orderId: placed.body.orderId },
    ])
    expect((await read('BTCUSDT')).body).toEqual([])
    const { body: depth } = await f.ask('/api/v3/depth?symbol=BTCUXSDT')
    expect(depth.asks).toHaveLength(1)
    expect((await f.ask('/api/v3/ticker/bookTicker?symbol=BTCUXSDT')).body.symbol).toBe('BTCUXSDT')
  })
})

describe('two symbols with one name in a journal from before the rules of the names', () => {
  let f: BinanceFixture
  beforeAll(async () => {
    f = await opened(BINANCE_NAME_RULES - 1)
    await f.submit({ kind: 'ListSymbol', operator, base: 'BTCU', quote: 'SDT', terms: TERMS })
    await funded(f)
    await f.submit({ kind: 'SetRulesVersion', operator, version: BINANCE_NAME_RULES })
  })
  afterAll(() => f.stop())

  test('are both hidden under it, and other symbols are offered as usual', async () => {
    expect(await names(f)).toEqual(['ETHUSDT', 'ETHBTC', 'USDTTRY'])
    const placed = await f.signed('POST', '/api/v3/order', { symbol: 'BTCUSDT', ...ORDER })
    expect([placed.status, placed.body.code]).toEqual([400, -1121])
    const order = await f.place(f.alice, { symbol: 'BTCU/SDT', ...ORDER })
    expect(order.status).toBe(200)
  })

  test('have their orders among all open ones, whose money is locked', async () => {
    const { body } = await f.signed('GET', '/api/v3/openOrders')
    expect(body.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['BTCUSDT'])
  })

  test('leave the name to the remaining one when the other is delisted', async () => {
    await f.submit({ kind: 'CancelOrders', operator, accountId: undefined, symbol: 'BTCU/SDT' })
    await f.submit({ kind: 'SetSymbolState', operator, symbol: 'BTCU/SDT', state: 'DELISTED' })
    expect(await names(f)).toEqual(['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'USDTTRY'])
    const { body } = await f.ask('/api/v3/exchangeInfo?symbol=BTCUSDT')
    expect(body.symbols[0].baseAsset).toBe('BTC')
  })
})
