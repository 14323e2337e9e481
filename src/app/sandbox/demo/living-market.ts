/**
 * The demo market: seeded makers and takers that trade on the sandbox through its public interface, so that
 * there is activity. `decisions.ts` makes their decisions; this module schedules them, assigns them to
 * traders and handles the answers. It never ends the node: failures are logged, and retried.
 */

import { BourseError, RefusedError } from '../../../client/errors.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { parseDecimal } from '../../../units/decimal.ts'
import { SeededRandom } from '../random.ts'
import { makerOperations, type OwnOrder, takerOrder } from './decisions.ts'
import { DEMO_MARKETS, type DemoMarket } from './markets.ts'
import { FairPrices } from './prices.ts'
import type { DemoTrader } from './trader.ts'
import type { Treasury } from './treasury.ts'

/** The number of steps in a million at which a maker updates its quotes; at all others a taker trades. */
const MAKER_PER_MILLION = 450_000
/** How often the market's mood changes, and the range of the share of buyers, in millionths. */
const MOOD_CHANGE_PER_MILLION = 5_000
const MOOD = { least: 380_000, most: 620_000 } as const

/**
 * If a trader sends nothing for this long, its orders are canceled, so that a killed demo leaves no orders.
 */
const COUNTDOWN_MS = 120_000
const COUNTDOWN_EVERY_MS = 30_000
const LEVEL_EVERY_MS = 15_000
const RETRY_MS = 1_000
/** Time limit of a stop for the requests that it still has to send. */
const STOP_MS_MAX = 10_000

export type DemoOptions = {
  /** Whole number from 0 to 2^53-1. Given the same answers, the same seed makes the same decisions. */
  readonly seed: number
  /**
   * Steps a second, 1 to 50: at each a trader places an order, or brings its quotes on one symbol up to date.
   */
  readonly pace: number
  readonly makers: readonly [DemoTrader, ...DemoTrader[]]
  readonly takers: readonly [DemoTrader, ...DemoTrader[]]
  readonly treasury: Treasury
  /** Milliseconds since an arbitrary time; never goes back. */
  readonly monotonicMs: () => number
  /** The wait function; resolves after `ms`, or when `until` does. */
  readonly pause: (ms: number, until: Promise<void>) => Promise<void>
  readonly log: Logger
}

export class LivingMarket {
  readonly #options: DemoOptions
  readonly #prices: FairPrices
  readonly #makers: SeededRandom
  readonly #takers: SeededRandom
  readonly #choice: SeededRandom
  readonly #pauses: SeededRandom
  readonly #stopping = Promise.withResolvers<void>()
  readonly #done: Promise<void>
  #isStopping = false
  #buyPerMillion = 500_000
  #countdownAtMs = Number.NEGATIVE_INFINITY
  #levelAtMs = Number.NEGATIVE_INFINITY
  #isFailing = false

  /** It begins at once: orders of an earlier run are canceled, and prices continue from their last values. */
  constructor(options: DemoOptions) {
    this.#options = options
    const { seed } = options
    this.#prices = new FairPrices(seed)
    this.#makers = new SeededRandom(seed, 'makers')
    this.#takers = new SeededRandom(seed, 'takers')
    this.#choice = new SeededRandom(seed, 'choice')
    this.#pauses = new SeededRandom(seed, 'pauses')
    this.#done = this.#run()
  }

  get seed(): number {
    return this.#options.seed
  }

  get pace(): number {
    return this.#options.pace
  }

  /**
   * Stops trading and cancels the orders of the traders. Resolves when that is done, or after ten seconds.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#stopping.resolve()
    await this.#options.pause(STOP_MS_MAX, this.#done)
  }

  async #run(): Promise<void> {
    await this.#untilDone(() => this.#begin())
    while (!this.#isStopping) {
      const pauseMs = (await this.#tried(() => this.#step())) ?? this.#pauseMs()
      await this.#options.pause(pauseMs, this.#stopping.promise)
    }
    await this.#tried(() => this.#cancelAll())
  }

  async #begin(): Promise<void> {
    await this.#cancelAll()
    const [first] = this.#options.makers
    for (const market of DEMO_MARKETS) {
      const { price } = await first.client.priceTicker({ symbol: market.symbol })
      const ticks = price === undefined ? undefined : parseDecimal(price, market.quoteFraction)
      if (typeof ticks === 'bigint') this.#prices.goOnFrom(market, Number(ticks))
    }
    await this.#keepUp()
    for (const market of DEMO_MARKETS)
      for (const maker of this.#options.makers) await this.#quote(maker, market)
  }

  /** One decision of one trader. */
  async #step(): Promise<void> {
    await this.#keepUp()
    this.#prices.step()
    const choice = this.#choice
    if (choice.chance(MOOD_CHANGE_PER_MILLION)) this.#buyPerMillion = choice.between(MOOD.least, MOOD.most)
    const isMaker = choice.chance(MAKER_PER_MILLION)
    const market = choice.weighted(DEMO_MARKETS)
    if (isMaker) return this.#quote(choice.pick(this.#options.makers), market)
    const taker = choice.pick(this.#options.takers)
    const order = takerOrder(market, this.#prices.ticks(market), this.#buyPerMillion, this.#takers)
    await taker.client.newOrder(order).catch(expectRefusal)
  }

  async #quote(maker: DemoTrader, market: DemoMarket): Promise<void> {
    const open = await maker.client.openOrders({ symbol: market.symbol })
    const orders = open.flatMap((order) => ownOrder(market, order))
    const operations = makerOperations(market, this.#prices.ticks(market), orders, this.#makers)
    if (operations.length === 0) return
    await maker.client.orderBatch({ operations })
  }

  /** Periodic work of a careful client. */
  async #keepUp(): Promise<void> {
    const { monotonicMs, treasury } = this.#options
    const nowMs = monotonicMs()
    if (nowMs - this.#countdownAtMs >= COUNTDOWN_EVERY_MS) {
      this.#countdownAtMs = nowMs
      for (const trader of this.#traders()) {
        await trader.client.countdown({ countdownTime: COUNTDOWN_MS })
      }
    }
    if (nowMs - this.#levelAtMs < LEVEL_EVERY_MS) return
    this.#levelAtMs = nowMs
    await treasury.level(this.#traders().map(({ name }) => name))
  }

  async #cancelAll(): Promise<void> {
    for (const trader of this.#traders()) {
      await trader.client.massCancel({ scope: 'ACCOUNT' })
      if (this.#isStopping) await trader.client.countdown({ countdownTime: 0 })
    }
  }

  #traders(): readonly DemoTrader[] {
    return [...this.#options.makers, ...this.#options.takers]
  }

  async #untilDone(work: () => Promise<void>): Promise<void> {
    while (!this.#isStopping) {
      const pauseMs = await this.#tried(work)
      if (pauseMs === undefined) return
      await this.#options.pause(pauseMs, this.#stopping.promise)
    }
  }

  /**
   * Undefined if it succeeded. Otherwise how long to send nothing to the exchange; the first failure of a
   * series is logged.
   */
  async #tried(work: () => Promise<void>): Promise<number | undefined> {
    try {
      await work()
      this.#isFailing = false
      return undefined
    } catch (cause) {
      if (!this.#isFailing) this.#options.log.warn({ err: cause }, 'the demo market waits and tries again')
      this.#isFailing = true
      return (cause instanceof BourseError ? cause.retryAfterMs : undefined) ?? RETRY_MS
    }
  }

  /** Traders do not act at fixed intervals: the pause varies from a quarter of the mean to seven quarters. */
  #pauseMs(): number {
    return Math.round((this.#pauses.between(250, 1_750) * 1_000) / (this.#options.pace * 1_000))
  }
}

type OpenOrder = Awaited<ReturnType<DemoTrader['client']['openOrders']>>[number]

function ownOrder(market: DemoMarket, { id, side, price }: OpenOrder): OwnOrder[] {
  const ticks = price === undefined ? undefined : parseDecimal(price, market.quoteFraction)
  return typeof ticks === 'bigint' ? [{ id, side, ticks: Number(ticks) }] : []
}

/**
 * A refusal is normal on a market, for example of an order that finds no counterparty; a refusal that asks to
 * wait, or no answer, is not.
 */
function expectRefusal(cause: unknown): void {
  if (cause instanceof RefusedError && cause.retryAfterMs === undefined && cause.outcome === 'NOT_DONE')
    return
  throw cause
}
