/**
 * After thousands of random orders of two traders, all answers of the interface add up to the last unit:
 * balances, histories, open orders, book, trades, commissions, the house. ACCEPTANCE_ORDERS and
 * ACCEPTANCE_SEED in the environment make the run longer, or repeat it.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { divideDown, divideHalfUp, divideUp, fixed, plain, power10, sum, units } from './support/decimal.ts'
import { type Exact, numberText } from './support/exact-json.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import {
  FUNDING,
  LEDGER_DECIMALS,
  listOddMarkets,
  type Market,
  markets,
  RandomTraffic,
  runSeed,
} from './support/random-traffic.ts'
import { type Fill, groupBy, type OpenOrder, readStatement, type Statement } from './support/statement.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const REQUESTS = Number(process.env.ACCEPTANCE_ORDERS ?? 4_000)
const RATE_DECIMALS = 9
/** Maker and taker pay different rates in this symbol. */
const SPLIT = { symbol: 'ETH/BTC', maker: '0.0004', taker: '0.0017' }
const COMMON_RATE = '0.001'

let node: NodeProcess
let all: Market[]
let traffic: RandomTraffic
let statements: Statement[]
/** Both sides of every trade, by the trade's id, the oldest trade first. */
let sidesByTrade: Map<string, Fill[]>
/** Oldest first. */
let fillsByOrder: Map<string, Fill[]>
let open: OpenOrder[]

beforeAll(
  async () => {
    node = await startSandbox({ limits: { isEnabled: false } })
    const rates = ['--taker-rate', SPLIT.taker, '--maker-rate', SPLIT.maker]
    await node.admin('symbol', 'rates', SPLIT.symbol, ...rates)
    await listOddMarkets(node.admin)
    all = await markets(node.alice)
    const traders = { alice: node.alice, bob: node.bob }
    traffic = new RandomTraffic({
      traders,
      markets: all,
      seed: runSeed(),
      requests: REQUESTS,
      concurrency: 16,
    })
    await traffic.run()
    await readAll()
  },
  60_000 + REQUESTS * 20,
)
afterAll(() => node.stop())

async function readAll(): Promise<void> {
  statements = await Promise.all([
    readStatement('alice', node.alice, all),
    readStatement('bob', node.bob, all),
  ])
  const fills = statements.flatMap((statement) => statement.fills)
  const inOrder = fills.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  sidesByTrade = groupBy(inOrder, ({ id }) => id)
  fillsByOrder = groupBy(fills, ({ orderId }) => orderId)
  open = statements.flatMap((statement) => statement.open)
}

/** 10^n, for the n decimals of price x quantity beyond the ledger's. */
const excess = ({ baseFraction, quoteFraction, totalDecimals }: Market) =>
  power10(baseFraction + quoteFraction - totalDecimals)

/**
 * The amount that an order moved when the sum of its fills is `exact`, in ledger units of the quote asset.
 */
const moved = (side: 'BUY' | 'SELL', exact: bigint, market: Market) =>
  (side === 'BUY' ? divideUp : divideDown)(exact, excess(market))

/** Quantity in the ledger's units of the base asset. */
const inLedger = (quantity: bigint, { base, baseFraction }: Market) =>
  quantity * power10(LEDGER_DECIMALS[base]! - baseFraction)

const notional = (fills: readonly Fill[]) => sum(fills.map(({ price, quantity }) => price * quantity))
const quantityOf = (fills: readonly Fill[]) => sum(fills.map(({ quantity }) => quantity))
const totalOf = (fills: readonly Fill[]) => sum(fills.map(({ total }) => total))

/** The change of `asset` by a fill, including commission. */
function change({ market, side, quantity, total, commission }: Fill, asset: string): bigint {
  const sign = side === 'BUY' ? 1n : -1n
  let delta = 0n
  if (market.base === asset) delta += sign * inLedger(quantity, market)
  if (market.quote === asset) delta -= sign * total
  if ((side === 'BUY' ? market.base : market.quote) === asset) delta -= commission
  return delta
}

/** The hold of an open order, and its asset. */
function hold(order: OpenOrder): { asset: string; amount: bigint } {
  const { market, side, price, quantity, executed } = order
  const rest = quantity - executed
  if (side === 'SELL') return { asset: market.base, amount: inLedger(rest, market) }
  const fills = fillsByOrder.get(order.id) ?? []
  const atEnd = moved('BUY', notional(fills) + price * rest, market)
  return { asset: market.quote, amount: atEnd - totalOf(fills) }
}

test('the run was large enough: enough trades, open orders and refusals of each kind', () => {
  expect(sidesByTrade.size).toBeGreaterThan(REQUESTS / 4)
  expect(open.length).toBeGreaterThan(5)
  expect(traffic.canceled.size).toBeGreaterThan(REQUESTS / 40)
  for (const { symbol } of all) {
    const trades = [...sidesByTrade.values()].filter(([side]) => side?.market.symbol === symbol)
    expect(trades.length).toBeGreaterThan(REQUESTS / 40)
    expect(trades.some(([one, other]) => one?.trader !== other?.trader)).toBeTrue()
    expect(trades.some(([one, other]) => one?.trader === other?.trader)).toBeTrue()
  }
  expect(traffic.refusals.get('INSUFFICIENT_FUNDS')).toBeGreaterThan(0)
})

describe('balances', () => {
  test('are the start, plus and minus every fill and commission', () => {
    for (const { trader, balanceByAsset, fills } of statements) {
      for (const [asset, { free, locked }] of balanceByAsset) {
        const start = units(FUNDING[asset]!, LEDGER_DECIMALS[asset]!)
        const expected = start + sum(fills.map((fill) => change(fill, asset)))
        expect(`${trader} ${asset} ${free + locked}`).toBe(`${trader} ${asset} ${expected}`)
        expect(free >= 0n && locked >= 0n).toBeTrue()
      }
    }
  })

  test('are locked for exactly what open orders need', () => {
    for (const { trader, balanceByAsset, open: own } of statements) {
      const holds = groupBy(own.map(hold), ({ asset }) => asset)
      for (const [asset, { locked }] of balanceByAsset) {
        const expected = sum((holds.get(asset) ?? []).map(({ amount }) => amount))
        expect(`${trader} ${asset} ${locked}`).toBe(`${trader} ${asset} ${expected}`)
      }
    }
  })

  test('of one asset alone are the same', async () => {
    for (const asset of Object.keys(FUNDING)) {
      const { data } = await node.bob.ask('GET', '/api/v3/wallet/balance', { code: asset })
      const { free } = statements[1]!.balanceByAsset.get(asset)!
      expect(data.free).toBe(plain(free, LEDGER_DECIMALS[asset]!))
    }
  })
})

describe('trades', () => {
  test('have two sides that agree, at the price of the order that came first', () => {
    for (const [id, sides] of sidesByTrade) {
      const buy = sides.find(({ side }) => side === 'BUY')!
      const sell = sides.find(({ side }) => side === 'SELL')!
      expect([id, sides.length, buy.side, sell.side]).toEqual([id, 2, 'BUY', 'SELL'])
      const seen = ({ market, price, quantity, tradeAt }: Fill) =>
        `${market.symbol} ${price} ${quantity} ${tradeAt}`
      expect(seen(buy)).toBe(seen(sell))
      const resting = traffic.placed.get(buy.orderId < sell.orderId ? buy.orderId : sell.orderId)!
      expect(resting.fields).toMatchObject({ type: 'LIMIT' })
      expect(units(String(resting.fields.price), buy.market.quoteFraction)).toBe(buy.price)
    }
  })

  test('of an arriving order are made from the best price on, and at one price by age', () => {
    const byTaker = groupBy(sidesByTrade.values(), (sides) => makerAndTaker(sides).taker.orderId)
    for (const trades of byTaker.values()) {
      for (const [at, sides] of trades.entries()) {
        if (at === 0) continue
        const { maker: earlier } = makerAndTaker(trades[at - 1]!)
        const { maker: later } = makerAndTaker(sides)
        const worse = later.side === 'SELL' ? later.price - earlier.price : earlier.price - later.price
        expect(worse >= 0n).toBeTrue()
        if (worse === 0n) expect(later.orderId > earlier.orderId).toBeTrue()
      }
    }
  })

  test('are listed newest first, as identifiers grow, by both traders and by recent trades alike', async () => {
    for (const { fills } of statements) {
      const ids = fills.map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted())
    }
    for (const market of all) {
      const reported = (await node.alice.trades(market.symbol)).map(
        (trade: Exact) =>
          `${numberText(trade.price)} ${numberText(trade.quantity)} ${numberText(trade.timestamp)}`,
      )
      const known = [...sidesByTrade.values()]
        .map(([side]) => side!)
        .filter((side) => side.market.symbol === market.symbol)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, 1000)
        .map(({ price, quantity, tradeAt }) => {
          const { quoteFraction, baseFraction } = market
          return `${plain(price, quoteFraction)} ${plain(quantity, baseFraction)} ${Date.parse(tradeAt)}`
        })
      expect(reported).toEqual(known)
    }
  })
})

/** The older order is the resting one. */
function makerAndTaker([one, other]: readonly Fill[]): { maker: Fill; taker: Fill } {
  return one!.orderId < other!.orderId ? { maker: one!, taker: other! } : { maker: other!, taker: one! }
}

describe('orders', () => {
  test('pay the exact sum rounded up, receive it rounded down, after every fill', () => {
    for (const fills of fillsByOrder.values()) {
      let exact = 0n
      let before = 0n
      for (const { market, side, price, quantity, total } of fills) {
        exact += price * quantity
        const after = moved(side, exact, market)
        expect(total).toBe(after - before)
        before = after
      }
    }
  })

  test('are charged rate x received, summed exactly and rounded half up, after every fill', () => {
    for (const fills of fillsByOrder.values()) {
      let exact = 0n
      let before = 0n
      for (const fill of fills) {
        const received = fill.side === 'BUY' ? inLedger(fill.quantity, fill.market) : fill.total
        exact += received * units(rateOf(fill), RATE_DECIMALS)
        const after = divideHalfUp(exact, power10(RATE_DECIMALS))
        expect(fill.commission).toBe(after - before)
        before = after
      }
    }
  })

  test('had the effect that their answers reported', () => {
    expect([...fillsByOrder.keys()].filter((id) => !traffic.placed.has(id))).toEqual([])
    for (const [id, { fields, data }] of traffic.placed) {
      const market = all.find(({ symbol }) => symbol === fields.symbol)!
      const fills = fillsByOrder.get(id) ?? []
      if (fields.type === 'LIMIT') checkLimit(market, fields, data, fills)
      else checkMarket(market, fields, data, fills)
    }
  })

  test('are filled, open or canceled, and nothing else', () => {
    const openById = new Map(open.map((order) => [order.id, order]))
    for (const [id, { trader, fields }] of traffic.placed) {
      if (fields.type !== 'LIMIT') continue
      const market = all.find(({ symbol }) => symbol === fields.symbol)!
      const asked = units(String(fields.quantity), market.baseFraction)
      const executed = quantityOf(fillsByOrder.get(id) ?? [])
      const order = openById.get(id)
      openById.delete(id)
      if (order !== undefined) {
        expect([id, order.trader, order.executed]).toEqual([id, trader, executed])
        expect(order.quantity).toBe(asked)
        expect(executed < asked && fields.timeInForce !== 'IOC' && !traffic.canceled.has(id)).toBeTrue()
      } else if (!traffic.canceled.has(id) && fields.timeInForce !== 'IOC' && !market.hasPrevention) {
        expect([id, executed]).toEqual([id, asked])
      }
    }
    expect([...openById.keys()]).toEqual([])
  })
})

function rateOf(fill: Fill): string {
  if (fill.market.symbol !== SPLIT.symbol) return COMMON_RATE
  return makerAndTaker(sidesByTrade.get(fill.id)!).maker === fill ? SPLIT.maker : SPLIT.taker
}

function checkLimit(market: Market, fields: Exact, data: Exact, fills: readonly Fill[]): void {
  const price = units(fields.price, market.quoteFraction)
  const quantity = units(fields.quantity, market.baseFraction)
  expect(data).toMatchObject({
    symbol: fields.symbol,
    side: fields.side,
    price: `#${plain(price, market.quoteFraction)}`,
    qty: `#${plain(quantity, market.baseFraction)}`,
    total: `#${plain(moved(fields.side, price * quantity, market), market.totalDecimals)}`,
  })
  expect(quantityOf(fills) <= quantity).toBeTrue()
  for (const fill of fills) {
    expect(fill.side).toBe(fields.side)
    expect(fill.side === 'BUY' ? fill.price <= price : fill.price >= price).toBeTrue()
  }
}

function checkMarket(market: Market, fields: Exact, data: Exact, fills: readonly Fill[]): void {
  const { baseFraction, quoteFraction, totalDecimals } = market
  const executed = quantityOf(fills)
  const average = executed === 0n ? 0n : divideHalfUp(notional(fills), executed)
  expect(data).toMatchObject({
    qty: `#${plain(executed, baseFraction)}`,
    total: `#${plain(totalOf(fills), totalDecimals)}`,
    price: `#${plain(average, quoteFraction)}`,
  })
  if (fields.quantity !== undefined) expect(executed <= units(fields.quantity, baseFraction)).toBeTrue()
  if (fields.total !== undefined) {
    expect(notional(fills) <= units(fields.total, totalDecimals) * excess(market)).toBeTrue()
  }
}

test('the book is the open orders, level by level, and is not crossed', async () => {
  for (const { symbol, quoteFraction, baseFraction } of all) {
    const { text } = await node.alice.request('GET', '/api/v3/depth', { symbol, limit: 5000 })
    // From the text, since JavaScript reorders keys that look like integers.
    const [sell, buy] = text.split('"buy"').map((side) => [...side.matchAll(/"([\d.]+)":([\d.]+)/g)])
    for (const [reported, side] of [
      [sell!, 'SELL'],
      [buy!, 'BUY'],
    ] as const) {
      const orders = open.filter((order) => order.market.symbol === symbol && order.side === side)
      const levels = [...groupBy(orders, ({ price }) => String(price))].map(([price, own]) => {
        const rest = sum(own.map(({ quantity, executed }) => quantity - executed))
        return [BigInt(price), rest] as const
      })
      levels.sort(([a], [b]) => (a < b === (side === 'SELL') ? -1 : 1))
      const expected = levels.map(
        ([price, rest]) => `${fixed(price, quoteFraction)} ${plain(rest, baseFraction)}`,
      )
      expect(reported.map(([, price, quantity]) => `${price} ${quantity}`)).toEqual(expected)
    }
    const [bid, ask] = [buy?.[0]?.[1], sell?.[0]?.[1]]
    if (bid !== undefined && ask !== undefined) {
      expect(units(bid, quoteFraction) < units(ask, quoteFraction)).toBeTrue()
    }
  }
})

describe('the house', () => {
  test('lost nothing to rounding, in any symbol, and at most one unit moved per fill', () => {
    for (const { symbol } of all) expect(roundingOf(symbol) >= 0n).toBeTrue()
    for (const sides of sidesByTrade.values()) {
      const [one, other] = sides
      const difference = one!.total - other!.total
      expect(difference >= -1n && difference <= 1n).toBeTrue()
    }
  })

  test('has every commission and every rounded unit, and nothing is missing anywhere', async () => {
    const fees = await houseBalances('fees')
    for (const [asset, decimals] of Object.entries(LEDGER_DECIMALS)) {
      const fills = statements.flatMap((statement) => statement.fills)
      const charged = sum(
        fills
          .filter(({ side, market }) => (side === 'BUY' ? market.base : market.quote) === asset)
          .map(({ commission }) => commission),
      )
      expect(fees[asset]).toBe(plain(charged, decimals))
      const traders = sum(
        statements.map(({ balanceByAsset }) => {
          const { free, locked } = balanceByAsset.get(asset)!
          return free + locked
        }),
      )
      const rounded = sum(all.filter(({ quote }) => quote === asset).map(({ symbol }) => roundingOf(symbol)))
      expect(traders + charged + rounded).toBe(2n * units(FUNDING[asset]!, decimals))
    }
    for (const { symbol, quote, totalDecimals } of all) {
      const rounding = await houseBalances(`rounding:${symbol}`)
      expect(rounding[quote]).toBe(plain(roundingOf(symbol), totalDecimals))
    }
  })
})

/** Buyers' payments in a symbol less sellers' proceeds. */
function roundingOf(symbol: string): bigint {
  const fills = statements
    .flatMap((statement) => statement.fills)
    .filter(({ market }) => market.symbol === symbol)
  return sum(fills.map(({ side, total }) => (side === 'BUY' ? total : -total)))
}

/** Balances by asset; read by the operator, since the house has no key. */
async function houseBalances(account: string): Promise<Record<string, string>> {
  const rows = (await node.admin('account', 'balances', account)) as { asset: string; free: string }[]
  return Object.fromEntries(rows.map(({ asset, free }) => [asset, free]))
}

test('nothing is locked and no book is left after every order has been canceled', async () => {
  await Promise.all(open.map(({ trader, id }) => (trader === 'alice' ? node.alice : node.bob).cancel(id)))
  await readAll()
  expect(open).toEqual([])
  for (const { trader, balanceByAsset, fills } of statements) {
    for (const [asset, { free, locked }] of balanceByAsset) {
      const start = units(FUNDING[asset]!, LEDGER_DECIMALS[asset]!)
      const left = start + sum(fills.map((fill) => change(fill, asset)))
      expect([trader, asset, locked, free]).toEqual([trader, asset, 0n, left])
    }
  }
  for (const { symbol } of all) expect(await node.bob.depth(symbol)).toEqual({ sell: {}, buy: {} })
})
