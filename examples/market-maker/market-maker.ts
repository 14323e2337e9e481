/**
 * A market maker as a starting point: one quote per side around a reference price, shifted against its
 * position.
 *
 *     BOURSE_URL=http://127.0.0.1:8080 BOURSE_KEY=... BOURSE_SECRET=... bun market-maker.ts --symbol BTC/USDT --quantity 0.01
 * The wanted quotes are computed in quotes.ts. `#bring` closes the gap between them and the open orders;
 * errors are handled in one place (`#meet`). README.md beside this file explains each protection.
 */
import {
  type BourseClient,
  BourseError,
  createBourseClient,
  Decimal,
  type Order,
  RefusedError,
} from 'bourse-client'
import {
  inOrder,
  left,
  type Quote,
  type Quotes,
  type Rules,
  type Side,
  wantedQuotes,
  withoutOwn,
} from './quotes.ts'
import { readSettings, type Settings } from './settings.ts'

/**
 * Refusals because the market was faster, or because the order certainly does not exist: the maker decides
 * again with current data.
 */
const FASTER = ['LIMIT_MAKER_WOULD_TAKE', 'UNKNOWN_ORDER', 'CANCEL_REPLACE_PARTLY_DONE']
const UNAUTHORIZED = 401
const LOOK_MS = 250
const LEVELS = 20

export class Maker {
  readonly #client: BourseClient
  readonly #settings: Settings
  readonly #stream: ReturnType<BourseClient['stream']>
  readonly #orders = new Map<string, Order>()
  /** Holdings of the base asset, free and locked together. */
  #holdings: Decimal | undefined
  #target: Decimal | undefined
  #rules: Rules
  #isTrading = false
  #lastPrice: Decimal | undefined
  /**
   * Orders changed by our last requests whose new state the account has not reported yet; until then their
   * side is left alone.
   */
  #unseen = new Map<string, Side>()
  /** Ids that the account reported since the last request began. */
  readonly #told = new Set<string>()
  #hasAccount = false
  /** More orders may be open than the account shows. */
  #inDoubt = false
  #waitUntil = 0
  #countdownAt = 0
  #isStopping = false
  #wake: () => void = () => {}

  private constructor(client: BourseClient, settings: Settings, rules: Rules) {
    this.#client = client
    this.#settings = settings
    this.#rules = rules
    this.#target = settings.target
    this.#lastPrice = settings.price
    this.#stream = client.stream({
      cancelOnDisconnect: { graceMs: settings.graceMs },
      onSessionLost: () => say('session lost: its orders are canceled'),
      onLogin: (login) => {
        if (login.kind === 'refused') this.#isStopping = true
        if (login.kind === 'refused') say('the login was refused:', login.error.reason)
      },
    })
  }

  static async open(client: BourseClient, settings: Settings): Promise<Maker> {
    await letThePastEnd(client, settings)
    return new Maker(client, settings, await rulesOf(client, settings.symbol))
  }

  /** Quotes until `stop` is called. */
  async run(): Promise<void> {
    const { symbol } = this.#settings
    const wake = (): void => this.#wake()
    const book = this.#stream.book(symbol, { onChange: wake, onState: wake })
    const orders = this.#stream.follow('orders', {
      onUpdate: ({ kind, rows }) => {
        if (kind === 'state') this.#restate(rows)
        for (const order of rows) this.#take(order)
        wake()
      },
      onState: wake,
    })
    const balances = this.#stream.follow('balances', {
      onUpdate: ({ rows }) => {
        const base = rows.find(({ asset }) => asset === symbol.split('/')[0])
        if (base !== undefined) this.#holdings = Decimal.from(base.free).plus(base.locked)
        wake()
      },
    })
    this.#stream.follow('fills', {
      onUpdate: ({ rows }) => {
        for (const { side, quantity, price } of rows) say('fill', side, quantity, 'at', price)
      },
    })
    this.#stream.subscribe(
      { channel: 'status', symbol },
      {
        onMessage: ({ status, exchange }) => {
          this.#isTrading = status === 'TRADING' && exchange.phase === 'TRADING'
          wake()
        },
      },
    )
    this.#stream.subscribe(
      { channel: 'trades', symbol },
      {
        onMessage: ({ trades: [newest] }) => {
          if (newest !== undefined) this.#lastPrice = Decimal.from(newest.price)
        },
      },
    )
    while (!this.#isStopping) {
      await this.#somethingNew()
      const isLive = [book, orders, balances].every(({ state }) => state === 'live')
      if (!isLive || this.#isStopping || performance.now() < this.#waitUntil) continue
      try {
        await this.#step(book.book.bids(LEVELS), book.book.asks(LEVELS))
      } catch (error) {
        if (!(error instanceof BourseError)) throw error
        await this.#meet(error)
      }
    }
    await this.#stop()
  }

  stop(): void {
    this.#isStopping = true
    this.#wake()
  }

  /** Moves the quotes to where they should be. */
  async #step(bids: readonly Level[], asks: readonly Level[]): Promise<void> {
    if (this.#inDoubt) await this.#recover()
    await this.#keepCountdown()
    const own = this.#own([...this.#orders.values()])
    if (!this.#isTrading) {
      for (const order of own) await this.#cancel(order)
      return
    }
    const wanted = this.#decide(own, bids, asks)
    for (const side of inOrder(wanted, own)) {
      const have = own.filter((order) => order.side === side)
      await this.#bring(side, have, wanted[side])
    }
  }

  /** Quotes around the middle of the others' best prices; without both, around the last price. */
  #decide(own: readonly Order[], bids: readonly Level[], asks: readonly Level[]): Quotes {
    const bid = withoutOwn(bids, own)
    const ask = withoutOwn(asks, own)
    const middle = bid === undefined || ask === undefined ? undefined : bid.plus(ask).times('0.5')
    const reference = middle ?? this.#lastPrice
    this.#target ??= this.#holdings
    if (reference === undefined || this.#holdings === undefined || this.#target === undefined) return {}
    const position = this.#holdings.minus(this.#target)
    return wantedQuotes(this.#settings, this.#rules, reference, { bid, ask }, position)
  }

  /**
   * Makes the smallest change that turns the open order of a side into the wanted one: nothing, amend,
   * replace, place or cancel.
   */
  async #bring(side: Side, have: readonly Order[], want: Quote | undefined): Promise<void> {
    if ([...this.#unseen.values()].includes(side)) return
    const [order, ...others] = have
    for (const extra of want === undefined ? have : others) await this.#cancel(extra)
    if (want === undefined) return
    if (order === undefined) return this.#place(side, want)
    const rest = left(order)
    const off = want.price.minus(order.price ?? '0')
    const isFar =
      (off.compare('0') < 0 ? off.negated() : off).compare(this.#settings.tolerance.times(want.price)) > 0
    if (isFar || rest.times('2').compare(want.quantity) < 0) return this.#replace(order, want)
    if (want.quantity.compare(rest) < 0) {
      // Less at the same price: the order keeps its place in the queue.
      this.#unseen.set(order.id, side)
      const newQty = want.quantity.plus(order.executedQuantity)
      await this.#client.amendOrder({ orderId: order.id, newQty })
      say('amended', side, 'to', want.quantity)
    }
  }

  async #place(side: Side, want: Quote): Promise<void> {
    const placed = await this.#client.newOrder(
      { ...(await this.#order(side, want)), newOrderRespType: 'RESULT' },
      // A late order is no longer wanted at its price: the maker decides again.
      { sendAgain: false },
    )
    this.#expect(placed.order.id, side)
    say('placed', side, want.quantity, 'at', want.price)
  }

  /**
   * One command: the old order is canceled and the new one placed, or neither, so that no taker can trade
   * with both.
   */
  async #replace({ id, side }: Order, want: Quote): Promise<void> {
    const { replacement } = await this.#client.replaceOrder(
      { ...(await this.#order(side, want)), cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: id },
      { sendAgain: false },
    )
    const { data } = replacement.newOrderResponse as { readonly data: { readonly id: string } }
    this.#expect(data.id, side)
    say('replaced', side, want.quantity, 'at', want.price)
  }

  async #cancel({ id, side, price }: Order): Promise<void> {
    if (this.#unseen.has(id)) return
    this.#unseen.set(id, side)
    await this.#client.cancelOrder({ id })
    say('canceled', side, 'at', price)
  }

  async #order(side: Side, { price, quantity }: Quote) {
    const { symbol, name } = this.#settings
    this.#told.clear()
    const newClientOrderId = await newId(this.#client, name)
    return { symbol, side, type: 'LIMIT_MAKER', price, quantity, newClientOrderId } as const
  }

  /** The account may have reported the order before the answer arrived. */
  #expect(id: string, side: Side): void {
    if (!this.#told.has(id)) this.#unseen.set(id, side)
  }

  #take(order: Order): void {
    this.#told.add(order.id)
    this.#unseen.delete(order.id)
    if (order.status === 'FILLED' || order.status === 'CANCELED') this.#orders.delete(order.id)
    else this.#orders.set(order.id, order)
  }

  /** Replaces the known state by a complete one. */
  #restate(rows: readonly Order[]): void {
    this.#inDoubt = this.#hasAccount
    this.#hasAccount = true
    this.#orders.clear()
    for (const { side, quantity, price } of this.#own(rows)) say('found', side, quantity, 'at', price)
  }

  /** This maker's orders among these: those in its symbol with its name, oldest first. */
  #own(orders: readonly Order[]): readonly Order[] {
    const { symbol, name } = this.#settings
    return orders
      .filter((order) => order.symbol === symbol && order.clientOrderId?.startsWith(`${name}-`))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Finds the open orders, including those that the account has not reported yet. */
  async #recover(): Promise<void> {
    await letThePastEnd(this.#client, this.#settings)
    this.#told.clear()
    const open = this.#own(await this.#client.openOrders({ symbol: this.#settings.symbol }))
    this.#unseen = new Map(
      open.filter(({ id }) => !this.#orders.has(id) && !this.#told.has(id)).map(({ id, side }) => [id, side]),
    )
    this.#inDoubt = false
  }

  /** After any error: pause, check again, continue. Only an error that no pause can resolve ends the run. */
  async #meet(error: BourseError): Promise<void> {
    const { outcome, kind, retryAfterMs } = error
    const reason = error instanceof RefusedError ? error.reason : kind
    say(reason, error.message)
    if (outcome === 'UNKNOWN' || outcome === 'DONE') this.#inDoubt = true
    if (kind === 'USAGE' || (error instanceof RefusedError && error.status === UNAUTHORIZED)) throw error
    if (FASTER.includes(reason)) return
    this.#waitUntil = performance.now() + (retryAfterMs ?? 1000)
    // A limit is reached, funds are missing, or the operator changed the rules of the symbol.
    if (error instanceof RefusedError && error.code === '4001') {
      this.#rules = await rulesOf(this.#client, this.#settings.symbol).catch(() => this.#rules)
    }
  }

  /**
   * Renews the dead man's switch: all orders of the symbol are canceled unless this is called again in time.
   */
  async #keepCountdown(): Promise<void> {
    if (performance.now() < this.#countdownAt) return
    const { symbol, countdownMs } = this.#settings
    await this.#client.countdown({ symbol, countdownTime: countdownMs })
    this.#countdownAt = performance.now() + countdownMs / 3
  }

  #somethingNew(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Cancels its orders, and switches the countdown off. */
  async #stop(): Promise<void> {
    const { symbol } = this.#settings
    try {
      if (this.#inDoubt) await letThePastEnd(this.#client, this.#settings)
      for (const { id } of this.#own(await this.#client.openOrders({ symbol })))
        await this.#client.cancelOrder({ id })
      await this.#client.countdown({ symbol, countdownTime: 0 })
      say('stopped')
    } catch (error) {
      if (!(error instanceof BourseError)) throw error
      say('stopped without canceling; the countdown cancels the orders:', error.message)
    } finally {
      this.#stream.close()
    }
  }
}

type Level = { readonly price: string; readonly quantity: string }

/**
 * Resolves when no request sent before, by this process or by one that was killed, can still become an order.
 * An order takes effect within `recvWindowMs` after it was sent, and orders are processed in the order of
 * their times: so once the exchange reports that an unused name is final with that deadline, all of them are
 * decided.
 */
async function letThePastEnd(client: BourseClient, { name, recvWindowMs }: Settings): Promise<void> {
  const firstAttempt = await client.serverNow()
  const clientOrderId = await newId(client, name)
  const resolution = await client.resolveOrder({
    clientOrderId,
    firstAttempt,
    deadline: firstAttempt + recvWindowMs,
  })
  if (resolution.kind === 'UNKNOWN') throw resolution.error
}

/** Unique over restarts: the exchange's time, and a random part. */
async function newId(client: BourseClient, name: string): Promise<string> {
  const drawn = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  return `${name}-${(await client.serverNow()).toString(16)}-${drawn.toString(16)}`
}

async function rulesOf(client: BourseClient, symbol: string): Promise<Rules> {
  const { symbols } = await client.symbolRules({ symbol })
  const filters = symbols.flatMap((each) => each.filters)
  const found = { tick: '0', step: '0', leastQuantity: '0', leastTotal: '0' }
  for (const filter of filters) {
    if (filter.filterType === 'PRICE_FILTER') found.tick = filter.tickSize
    if (filter.filterType === 'LOT_SIZE') found.step = filter.stepSize
    if (filter.filterType === 'LOT_SIZE') found.leastQuantity = filter.minQty
    if (filter.filterType === 'NOTIONAL') found.leastTotal = filter.minNotional
  }
  const { tick, step, leastQuantity, leastTotal } = found
  return {
    tick: Decimal.from(tick),
    step: Decimal.from(step),
    leastQuantity: Decimal.from(leastQuantity),
    leastTotal: Decimal.from(leastTotal),
  }
}

function say(...words: readonly unknown[]): void {
  console.log(new Date().toISOString().slice(11, 19), ...words.map((word) => plain(String(word))))
}

/** A foreign text for a terminal: control characters and invisible characters are escaped. */
function plain(text: string): string {
  const escaped = (half: string) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (each) => each.replace(/[\s\S]/g, escaped))
}

async function main(): Promise<number> {
  const settings = readSettings(process.argv.slice(2))
  if (typeof settings === 'string') {
    console.error(settings)
    return 2
  }
  const { BOURSE_URL: url = '', BOURSE_KEY: apiKey = '', BOURSE_SECRET: secret = '' } = process.env
  try {
    const { recvWindowMs } = settings
    const client = createBourseClient({ url, apiKey, secret, recvWindowMs, patienceMs: 5_000 })
    const maker = await Maker.open(client, settings)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => maker.stop())
    await maker.run()
    return 0
  } catch (error) {
    if (!(error instanceof BourseError)) throw error
    console.error(plain(error.message))
    return 2
  }
}

process.exit(await main())
