/**
 * Two traders at random on every symbol, with many requests at a time: orders of every kind, cancels, and
 * amounts from one smallest unit to a complete balance. Requests and answers are recorded for reconciliation.
 */
import { randomNumbers } from '../../support/random-numbers.ts'
import type { Client, Fields } from './client.ts'
import { fixed, units } from './decimal.ts'
import { type Exact, numberText } from './exact-json.ts'

/** The range of prices and sizes of orders, in smallest units of price and quantity. */
export type Market = {
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly baseFraction: number
  readonly quoteFraction: number
  /** Decimals of the quote asset's ledger. */
  readonly totalDecimals: number
  readonly middle: bigint
  readonly lotsMax: number
  /**
   * Whether some orders use self-trade prevention, so that orders may end without an action of their owner.
   */
  readonly hasPrevention: boolean
}

/** Decimals of each asset's ledger. A sandbox does not list FINE and WHOLE; `listOddMarkets` does. */
export const LEDGER_DECIMALS: Readonly<Record<string, number>> = {
  BTC: 8,
  ETH: 8,
  USDT: 8,
  TRY: 2,
  FINE: 18,
  WHOLE: 0,
}
/** Each trader's initial balances. */
export const FUNDING: Readonly<Record<string, string>> = {
  BTC: '100',
  ETH: '1000',
  USDT: '5000000',
  TRY: '50000000',
  FINE: '1000',
  WHOLE: '50000',
}

/** Middle price and largest ordinary quantity; odd figures, so that nearly every product needs rounding. */
const SHAPES: Readonly<Record<string, readonly [price: string, quantity: string]>> = {
  'BTC/USDT': ['60000.37', '0.05'],
  'ETH/USDT': ['2500.13', '1'],
  'ETH/BTC': ['0.041237', '1'],
  'USDT/TRY': ['34.17', '2000'],
  // Prices near the maximum, so that products are twice as long as a safe integer.
  'FINE/USDT': ['90000000.12345671', '0.001'],
  // A ledger without decimals, where rounding gains or loses whole units.
  'FINE/WHOLE': ['37', '2'],
}
const LARGEST = 2n ** 53n - 1n

/**
 * Lists assets and symbols with extreme scales, and funds both traders. In every symbol orders of one account
 * may trade with each other.
 */
export async function listOddMarkets(
  admin: (...words: readonly string[]) => Promise<unknown>,
): Promise<void> {
  for (const asset of ['FINE', 'WHOLE']) {
    await admin('asset', 'add', asset, '--fraction', String(LEDGER_DECIMALS[asset]))
    for (const trader of ['alice', 'bob']) {
      await admin('credit', trader, asset, FUNDING[asset]!, '--reference', `${trader} ${asset}`)
    }
  }
  const fine = ['--base-fraction', '12', '--self-trade', 'NONE']
  await admin('symbol', 'add', 'FINE/USDT', '--quote-fraction', '8', ...fine)
  await admin('symbol', 'add', 'FINE/WHOLE', '--quote-fraction', '0', ...fine)
}

const SPREAD_TICKS = 25
/** A cancel is for one of this many newest orders: most of the older ones have ended. */
const NEWEST = 40

/** The markets as exchange information lists them. */
export async function markets(client: Client): Promise<Market[]> {
  const { body } = await client.raw({ method: 'GET', path: '/api/v3/exchangeInfo' })
  return body.symbols.map((each: Exact) => {
    const [price, quantity] = SHAPES[each.symbol]!
    const baseFraction = Number(numberText(each.baseFraction))
    const quoteFraction = Number(numberText(each.quoteFraction))
    return {
      symbol: each.symbol,
      base: each.baseAssetCode,
      quote: each.quoteAssetCode,
      baseFraction,
      quoteFraction,
      totalDecimals: LEDGER_DECIMALS[each.quoteAssetCode]!,
      middle: units(price, quoteFraction),
      lotsMax: Number(units(quantity, baseFraction)),
      hasPrevention: each.symbol === 'ETH/USDT',
    }
  })
}

/** An accepted order. */
export type Placed = { readonly trader: string; readonly fields: Fields; readonly data: Exact }

/** Refusals that random orders may get. Anything else is a finding. */
const EXPECTED = new Set([
  'INSUFFICIENT_FUNDS',
  'TOTAL_TOO_SMALL',
  'NO_LIQUIDITY',
  'TOTAL_BELOW_BEST_PRICE',
  'SELF_TRADE_PREVENTED',
  'UNKNOWN_ORDER',
])

export type TrafficOptions = {
  readonly traders: Readonly<Record<string, Client>>
  readonly markets: readonly Market[]
  readonly seed: number
  /** Total number of requests. */
  readonly requests: number
  /** Number of requests in flight at the same time. */
  readonly concurrency: number
}

/** The seed of this run: ACCEPTANCE_SEED in the environment, or a new one, which is printed. */
export function runSeed(): number {
  const seed = Number(process.env.ACCEPTANCE_SEED ?? Date.now() % 1_000_000_007)
  process.stderr.write(`acceptance: ACCEPTANCE_SEED=${seed}\n`)
  return seed
}

export class RandomTraffic {
  readonly placed = new Map<string, Placed>()
  readonly canceled = new Set<string>()
  /** Count of each refusal's reason. */
  readonly refusals = new Map<string, number>()
  readonly #options: TrafficOptions
  readonly #restingByTrader = new Map<string, string[]>()
  #left: number

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#left = options.requests
    for (const name of Object.keys(options.traders)) this.#restingByTrader.set(name, [])
  }

  /** Resolves when every request has been answered; rejects at an unexpected answer. */
  async run(): Promise<void> {
    const { concurrency, seed } = this.#options
    await Promise.all(
      Array.from({ length: concurrency }, (_, at) => this.#work(randomNumbers(seed + 7919 * at))),
    )
  }

  async #work(random: () => number): Promise<void> {
    const { traders, markets: all } = this.#options
    const names = Object.keys(traders)
    while (this.#left > 0) {
      this.#left--
      const trader = pick(random, names)
      const client = traders[trader]!
      if (random() < 0.2) await this.#cancel(trader, client, random)
      else await this.#place(trader, client, randomOrder(pick(random, all), random))
    }
  }

  async #place(trader: string, client: Client, fields: Fields): Promise<void> {
    const { status, body, text } = await client.request('POST', '/api/v3/order', fields)
    if (status !== 200) return this.#refused(body, `${status} ${text} to ${JSON.stringify(fields)}`)
    this.placed.set(body.data.id, { trader, fields, data: body.data })
    if (fields.type === 'LIMIT') this.#restingByTrader.get(trader)!.push(body.data.id)
  }

  async #cancel(trader: string, client: Client, random: () => number): Promise<void> {
    const resting = this.#restingByTrader.get(trader)!
    if (resting.length === 0) return
    const at = Math.max(0, resting.length - 1 - Math.floor(random() * NEWEST))
    const id = resting[at]!
    // The last order moves to the place of the removed one, so that removal takes constant time.
    resting[at] = resting.at(-1)!
    resting.pop()
    const { status, body, text } = await client.request('DELETE', '/api/v3/order', { id })
    if (status === 200) this.canceled.add(id)
    else this.#refused(body, `${status} ${text} to canceling ${id}`)
  }

  #refused(body: Exact, description: string): void {
    const reason = body?.reason
    if (!EXPECTED.has(reason)) throw new Error(`unexpected: ${description}`)
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
  }
}

function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!
}

function randomOrder(market: Market, random: () => number): Fields {
  const { symbol, baseFraction, quoteFraction, middle, lotsMax } = market
  const side = random() < 0.5 ? 'BUY' : 'SELL'
  const tiny = random() < 0.3
  const lots = BigInt(1 + Math.floor(random() * (tiny ? 9 : lotsMax)))
  const price = middle + BigInt(Math.floor((random() * 2 - 1) * SPREAD_TICKS))
  const quantity = fixed(lots, baseFraction)
  const common = { symbol, side, ...prevention(market, random) }
  const kind = random()
  if (kind < 0.02) return { ...common, ...everything(market, side), type: 'LIMIT' }
  if (kind < 0.7) return { ...common, type: 'LIMIT', quantity, price: fixed(price, quoteFraction) }
  if (kind < 0.8) {
    return { ...common, type: 'LIMIT', quantity, price: fixed(price, quoteFraction), timeInForce: 'IOC' }
  }
  const excess = BigInt(baseFraction + quoteFraction - market.totalDecimals)
  const total = fixed((lots * price) / 10n ** excess + 1n, market.totalDecimals)
  const both = random() < 0.2
  if (side === 'BUY') return { ...common, type: 'MARKET', total, ...(both ? { quantity } : {}) }
  return { ...common, type: 'MARKET', quantity, ...(both ? { total } : {}) }
}

function prevention({ hasPrevention }: Market, random: () => number): Fields {
  if (!hasPrevention || random() > 0.2) return {}
  return { selfTradePreventionMode: pick(random, ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH']) }
}

/**
 * An order for more than half of the trader's initial balance, far from the market: there is no room for two
 * of these.
 */
function everything({ base, quote, baseFraction, quoteFraction, middle }: Market, side: string): Fields {
  if (side === 'SELL') {
    const quantity = (units(FUNDING[base]!, baseFraction) * 3n) / 5n
    const price = middle * 2n < LARGEST ? middle * 2n : LARGEST
    return { quantity: fixed(quantity, baseFraction), price: fixed(price, quoteFraction) }
  }
  const price = middle / 2n
  const quantity = (units(FUNDING[quote]!, baseFraction + quoteFraction) * 3n) / (5n * price)
  return { quantity: fixed(quantity, baseFraction), price: fixed(price, quoteFraction) }
}
