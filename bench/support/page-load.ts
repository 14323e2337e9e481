/**
 * The activity on an exchange while its page is open: a book that changes frequently, trades, a maker's
 * orders that are filled, and trades in other markets. Bob trades; Alice, whose key the page has, has a few
 * orders of her own. Each half second another order becomes the best bid, with a quantity that identifies it:
 * the time until the page shows it is its delay.
 */
import { createMarketClient, type MarketClient } from '../../src/client/market-client.ts'
import { randomNumbers } from '../../test/support/random-numbers.ts'
import { OrderSocket } from './order-socket.ts'
import type { PageNode } from './page-node.ts'

export const SYMBOL = 'BTC/USDT'

/** In cents. */
const [BEST_BID, BEST_ASK] = [59_999_00, 60_001_00]
const MARK_PRICE = '59999.50'
const ALICE_ASK = '60000.50'
/** Cents between two prices of the book, and the number of prices on each side. */
const STEP = 10
const PRICES = 60
const LEVELS = 300
const ALICE_ORDERS = 15
const TICK_MS = 2
/** Maximum number of unanswered requests of the load. */
const WAITING_MAX = 100
const MARK_MS = 500
const FILL_MS = 200
const OTHERS_MS = 1_000
/** Per thousand. */
const TAKEN = 80
const [PLACED, ENDED] = [460, 460]

/** Changes of levels of the displayed market, from its stream. */
export type BookCount = { readonly messages: number; readonly levels: number }

/** The quantity of an order that became the best bid at time `at`, by the common clock. */
export type Mark = { readonly quantity: string; readonly at: number }

export class PageLoad {
  readonly marks: Mark[] = []
  readonly #node: PageNode
  readonly #random: () => number
  readonly #watcher: MarketClient
  readonly #bob: OrderSocket
  readonly #alice: OrderSocket
  /** Client order ids of bob's resting orders, the oldest first. */
  readonly #resting: string[] = []
  #placed = 0
  #marked = 0
  #isMarking = false
  #messages = 0
  #levels = 0
  #timers: (() => void)[] = []

  /** Resolves when the book has all its levels. */
  static async open(node: PageNode, seed: number): Promise<PageLoad> {
    const { url } = node.server
    const sockets = await Promise.all([OrderSocket.open(url, node.bob), OrderSocket.open(url, node.alice)])
    const load = new PageLoad(node, seed, sockets)
    await load.#fillBook()
    return load
  }

  private constructor(node: PageNode, seed: number, [bob, alice]: readonly [OrderSocket, OrderSocket]) {
    this.#node = node
    this.#random = randomNumbers(seed)
    this.#bob = bob
    this.#alice = alice
    this.#watcher = createMarketClient({ url: node.server.url })
    this.#watcher.stream.book(SYMBOL, {
      onChange: (_book, { prevSeq, bids, asks }) => {
        if (prevSeq === undefined) return
        this.#messages++
        this.#levels += bids.length + asks.length
      },
    })
  }

  get count(): BookCount {
    return { messages: this.#messages, levels: this.#levels }
  }

  /** Runs `steps` steps one after the other: the same seed gives the same book. */
  async play(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.#step()
  }

  /** Places another order as the best bid. */
  async mark(): Promise<void> {
    this.#isMarking = true
    const before = `mark-${this.#marked++}`
    const quantity = `0.0${String(1_000_000 + this.#marked)}`
    const order = { ...limit('BUY', MARK_PRICE, quantity), newClientOrderId: `mark-${this.#marked}` }
    if (this.#marked > 1) await this.#bob.request('order.cancel', { cancelOrigClientOrderId: before })
    await this.#bob.request('order.place', order)
    this.marks.push({ quantity, at: Date.now() })
    this.#isMarking = false
  }

  /** Fills one of Alice's orders completely. */
  async fillAlice(): Promise<void> {
    await this.#alice.request('order.place', limit('SELL', ALICE_ASK, '0.002'))
    const taken = { ...limit('BUY', ALICE_ASK, '0.002'), timeInForce: 'IOC' }
    await this.#bob.request('order.place', taken)
  }

  /** Runs from now on until `end`. */
  begin(changesPerSecond: number): void {
    const startedAt = performance.now()
    let due = 0
    this.#every(TICK_MS, () => {
      const before = due
      due = Math.floor(((performance.now() - startedAt) / 1_000) * changesPerSecond)
      // Steps for which a busy machine has no time are skipped and not counted.
      for (let step = before; step < due && this.#bob.waiting < WAITING_MAX; step++) void this.#step()
    })
    this.#every(MARK_MS, () => {
      if (!this.#isMarking) void this.mark()
    })
    this.#every(FILL_MS, () => void this.fillAlice())
    this.#every(OTHERS_MS, () => this.#tradeOthers())
  }

  end(): void {
    for (const cancel of this.#timers.splice(0)) cancel()
  }

  close(): void {
    this.end()
    this.#bob.close()
    this.#alice.close()
    this.#watcher.stream.disconnect()
  }

  #every(ms: number, act: () => void): void {
    const timer = setInterval(act, ms)
    this.#timers.push(() => clearInterval(timer))
  }

  async #fillBook(): Promise<void> {
    const placed = Array.from({ length: LEVELS * 2 }, (_, index) => this.#place(index % 2, index >> 1))
    const alices = Array.from({ length: ALICE_ORDERS }, (_, index) =>
      this.#alice.request('order.place', {
        ...limit('BUY', cents(BEST_BID - STEP * (index * 3 + 1)), '0.01'),
        newClientOrderId: `alice-${index}`,
      }),
    )
    const refused = (await Promise.all([...placed, ...alices])).filter((status) => status !== 200)
    if (refused.length > 0) throw new Error(`an order was answered with ${refused[0]}`)
  }

  #step(): Promise<number> {
    const chosen = Math.floor(this.#random() * 1_000)
    if (chosen < PLACED || this.#resting.length < LEVELS) {
      // Most activity of a book is near its best prices.
      const depth = Math.floor(this.#random() * this.#random() * PRICES)
      return this.#place(Math.floor(this.#random() * 2), depth)
    }
    if (chosen < PLACED + ENDED) {
      const at = Math.floor(this.#random() * this.#resting.length)
      const [id = ''] = this.#resting.splice(at, 1)
      return this.#bob.request('order.cancel', { cancelOrigClientOrderId: id })
    }
    const taken = limit('BUY', cents(BEST_ASK + STEP * PRICES), quantityOf(this.#random(), TAKEN))
    return this.#bob.request('order.place', { ...taken, timeInForce: 'IOC' })
  }

  /** `side` is 0 for a buy order, 1 for a sell order; `depth` is the number of steps from the best price. */
  #place(side: number, depth: number): Promise<number> {
    const id = `bob-${this.#placed++}`
    this.#resting.push(id)
    const price = side === 0 ? BEST_BID - STEP * depth : BEST_ASK + STEP * depth
    const order = limit(side === 0 ? 'BUY' : 'SELL', cents(price), quantityOf(this.#random(), 1_000))
    return this.#bob.request('order.place', { ...order, newClientOrderId: id })
  }

  #tradeOthers(): void {
    for (const symbol of this.#node.markets) {
      const price = (1 + Math.floor(this.#random() * 1_000) / 10_000).toFixed(4)
      const order = (side: string) => ({ symbol, side, type: 'LIMIT', quantity: '10', price })
      void this.#bob.request('order.place', order('SELL'))
      void this.#bob.request('order.place', { ...order('BUY'), timeInForce: 'IOC' })
    }
  }
}

function limit(side: string, price: string, quantity: string) {
  return { symbol: SYMBOL, side, type: 'LIMIT', price, quantity }
}

function cents(price: number): string {
  return (price / 100).toFixed(2)
}

/** A random quantity up to `most` hundred-thousandths, never zero. */
function quantityOf(random: number, most: number): string {
  return ((Math.floor(random * most) + 1) / 100_000).toFixed(8)
}
