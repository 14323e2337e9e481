/**
 * Once an order or a cancel is answered, every endpoint shows it to every client: each request after an
 * answer uses a new connection, while many others trade.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Client } from './support/client.ts'
import { fixed, plain, sum, units } from './support/decimal.ts'
import type { Exact } from './support/exact-json.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import { markets, RandomTraffic, runSeed } from './support/random-traffic.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const SYMBOL = 'BTC/USDT'
const WORKERS = 8
const ROUNDS = Number(process.env.ACCEPTANCE_ROUNDS ?? 25)
const FRESH = { isFresh: true } as const
const ASK = '60000.01'

let node: NodeProcess
/** Each worker has an account of its own, so that its balances depend on its own orders alone. */
let traders: Client[]

beforeAll(async () => {
  node = await startSandbox({ limits: { isEnabled: false } })
  await node.admin('symbol', 'rates', SYMBOL, '--taker-rate', '0', '--maker-rate', '0')
  traders = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => fundedTrader(`worker-${worker}`)),
  )
})
afterAll(() => node.stop())

async function fundedTrader(name: string): Promise<Client> {
  await node.admin('account', 'add', name)
  await node.admin('credit', name, 'USDT', '1000000', '--reference', name)
  return node.client((await node.admin('key', 'add', name)) as { apiKey: string; secret: string })
}

/** Every worker runs `work` at the same time, `ROUNDS` times; `unique` is a number that no other run has. */
async function atOnce(work: (trader: Client, unique: number) => Promise<void>): Promise<void> {
  const rounds = async (trader: Client, worker: number) => {
    for (let round = 0; round < ROUNDS; round++) await work(trader, worker * ROUNDS + round)
  }
  await Promise.all(traders.map(rounds))
}

const idsOf = (orders: readonly Exact[]): string[] => orders.map(({ id }) => id)

async function heldBy(trader: Client): Promise<bigint> {
  const { USDT } = await trader.balances(FRESH)
  return units(USDT.locked, 8)
}

test('a placed order is open, in the book and held; a canceled one is nowhere any more', async () => {
  await atOnce(async (trader, unique) => {
    const price = fixed(BigInt(1_000_000 + unique), 2)
    const order = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '0.01', price }
    const { id } = await trader.place(order)
    const [ofSymbol, ofAll, theirs, book, held] = await Promise.all([
      trader.active({ symbol: SYMBOL }, FRESH),
      trader.active({}, FRESH),
      node.bob.active({}, FRESH),
      node.bob.depth(SYMBOL, FRESH),
      heldBy(trader),
    ])
    expect([idsOf(ofSymbol), idsOf(ofAll), idsOf(theirs)]).toEqual([[id], [id], []])
    expect(book.buy[price]).toBe('#0.01')
    expect(held).toBe(units(price, 2) * 10n ** 4n)

    await trader.cancel(id)
    const [open, bookAfter, heldAfter, again] = await Promise.all([
      trader.active({}, FRESH),
      node.bob.depth(SYMBOL, FRESH),
      heldBy(trader),
      trader.request('DELETE', '/api/v3/order', { id }, FRESH),
    ])
    expect(open).toEqual([])
    expect(bookAfter.buy).not.toHaveProperty([price])
    expect(heldAfter).toBe(0n)
    expect(again.body.reason).toBe('UNKNOWN_ORDER')
  })
})

test('a trade is in both histories, in recent trades, gone from the book, and paid', async () => {
  const ask = await node.alice.place({
    symbol: SYMBOL,
    side: 'SELL',
    type: 'LIMIT',
    quantity: '50',
    price: ASK,
  })
  let answered = 0n
  await atOnce(async (trader, unique) => {
    const quantity = fixed(BigInt(100_000 + unique), 8)
    const taken = await trader.place({ symbol: SYMBOL, side: 'BUY', type: 'MARKET', total: '1000', quantity })
    expect(taken.qty).toBe(`#${plain(units(quantity, 8), 8)}`)
    answered += units(quantity, 8)
    const atLeast = answered
    const [buys, sells, recent, book, [resting], balances] = await Promise.all([
      trader.history({ symbol: SYMBOL, size: 1000 }, FRESH),
      node.alice.history({ size: 1000 }, FRESH),
      node.bob.trades(SYMBOL, FRESH),
      node.bob.depth(SYMBOL, FRESH),
      node.alice.active({ symbol: SYMBOL }, FRESH),
      trader.balances(FRESH),
    ])
    const [newest] = buys.items
    expect([newest.orderId, units(newest.quantity, 8)]).toEqual([taken.id, units(quantity, 8)])
    expect(sells.items.find(({ id }: Exact) => id === newest.id)).toMatchObject({ orderId: ask.id })
    expect(recent.map((trade: Exact) => trade.quantity)).toContain(taken.qty)
    expect(units(resting.execQty, 8) >= atLeast).toBeTrue()
    expect(units(book.sell[ASK].slice(1), 8) <= units('50', 8) - atLeast).toBeTrue()
    const all = sum(buys.items.map((item: Exact) => units(item.quantity, 8)))
    expect(units(balances.BTC.free, 8)).toBe(all)
    expect(balances.USDT.locked).toBe('0')
  })
})

test('a history read with before while it grows has every older trade once', async () => {
  const all = await markets(node.alice)
  const trading = (requests: number, seed: number) =>
    new RandomTraffic({
      traders: { alice: node.alice, bob: node.bob },
      markets: all,
      seed,
      requests,
      concurrency: 8,
    }).run()
  const seed = runSeed()
  await trading(600, seed)
  let isOver = false
  let walks = 0
  // The history grows until it has been read twice, however slow the reading is.
  const grow = async () => {
    for (let part = 1; part <= 5 || (walks < 2 && part <= 50); part++) await trading(300, seed + part)
  }
  const growing = grow().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { items: newest } = await node.alice.history({ size: 50 })
    const before = newest[0].id
    const walked: string[] = []
    for (let page = 0; walked.length < 200; page++) {
      const { items } = await node.alice.history({ size: 40, page, before })
      walked.push(...items.map(keyOf))
    }
    const older = newest.filter(({ id }: Exact) => id !== before).map(keyOf)
    expect(walked.slice(0, older.length)).toEqual(older)
    expect(new Set(walked).size).toBe(walked.length)
    expect(walked.toSorted()).toEqual(walked.toReversed())
    walks++
  }
  await growing
  expect(walks).toBeGreaterThan(1)
})

/**
 * A trade of an account with itself has two items: the arriving order's item, which is the newer one, comes
 * first.
 */
const keyOf = ({ id, orderId }: Exact): string => `${id} ${orderId}`
