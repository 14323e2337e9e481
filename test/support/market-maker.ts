/**
 * Requirements on every market maker under `examples/market-maker`, in any language: a program, a sandbox,
 * and a counterparty that trades with it.
 */
import { expect } from 'bun:test'
import { FaultyWay } from '../client/support/faulty-way.ts'
import { BourseProcess, type Credentials, readSandbox, sandbox, signed } from './bourse-process.ts'
import { WAIT_MS_MAX } from './until.ts'

export type Maker = {
  readonly symbol: string
  /** The command line, and settings in addition to address, key and secret. */
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

type Order = {
  readonly id: string
  readonly clientOrderId?: string
  readonly side: 'BUY' | 'SELL'
  readonly price: string
  readonly quantity: string
  readonly executedQuantity: string
  readonly status: string
  readonly createdAt: number
  readonly updatedAt: number
}

const PAUSE_MS = 10
const PAGE = '1000'

/**
 * A sandbox with one maker for Alice's account, which is started and killed, and Bob, who is the rest of the
 * market.
 */
export class MakerStage {
  readonly #node: BourseProcess
  readonly #data: string
  readonly #maker: Maker
  readonly #url: string
  readonly #alice: Credentials
  readonly #bob: Credentials
  /** The maker's connection to the exchange. */
  readonly #way: FaultyWay
  #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | undefined
  #said = ''

  private constructor(node: BourseProcess, data: string, maker: Maker, way: FaultyWay) {
    const { baseUrl, accounts } = readSandbox(data)
    const [alice, bob] = accounts
    if (alice === undefined || bob === undefined) throw new Error('the sandbox has two accounts')
    this.#node = node
    this.#data = data
    this.#maker = maker
    this.#url = baseUrl
    this.#alice = alice
    this.#bob = bob
    this.#way = way
  }

  static async open(data: string, maker: Maker): Promise<MakerStage> {
    const node = await sandbox(data)
    const way = await FaultyWay.to(Number(new URL(await node.ready).port))
    return new MakerStage(node, data, maker, way)
  }

  async close(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#child?.exited
    await this.#way.close()
    await this.#node.end('SIGKILL')
  }

  /** The output of all makers. */
  get said(): string {
    return this.#said
  }

  start(): void {
    const { apiKey, secret } = this.#alice
    this.#child = Bun.spawn([...this.#maker.command, '--symbol', this.#maker.symbol], {
      env: {
        ...process.env,
        ...this.#maker.env,
        BOURSE_URL: `http://127.0.0.1:${this.#way.port}`,
        BOURSE_KEY: apiKey,
        BOURSE_SECRET: secret,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) void this.#read(stream)
  }

  /** Ends the maker; returns its exit code. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    if (this.#child === undefined) throw new Error('no maker runs')
    this.#child.kill(signal)
    return this.#child.exited
  }

  /**
   * Loses the exchange's answers to the maker from now on; after `forMs` milliseconds its connections are
   * cut.
   */
  async loseAnswers(forMs: number): Promise<void> {
    this.#way.deafen()
    await Bun.sleep(forMs)
    this.#way.cut()
  }

  async admin(...words: string[]): Promise<void> {
    const command = new BourseProcess(['admin', '--data', this.#data, ...words])
    command.ready.catch(() => {})
    if ((await command.exited()) !== 0) throw new Error(`admin ${words.join(' ')}: ${command.err}`)
  }

  /** Sets Bob's quotes; he has no other resting orders. */
  async market(bid: string, ask: string): Promise<void> {
    await this.#ask(this.#bob, 'DELETE', 'openOrders', { scope: 'SYMBOL' })
    await this.take('BUY', bid, '5', 'GTC')
    await this.take('SELL', ask, '5', 'GTC')
  }

  async take(side: 'BUY' | 'SELL', price: string, quantity: string, timeInForce = 'IOC'): Promise<void> {
    await this.#ask(this.#bob, 'POST', 'order', { side, type: 'LIMIT', price, quantity, timeInForce })
  }

  open(): Promise<readonly Order[]> {
    return this.#ask<readonly Order[]>(this.#alice, 'GET', 'openOrders')
  }

  /** The one open order of a side; undefined if there is none. Throws if there are two. */
  async quote(side: 'BUY' | 'SELL'): Promise<Order | undefined> {
    const orders = (await this.open()).filter((order) => order.side === side)
    expect(orders.length).toBeLessThanOrEqual(1)
    return orders[0]
  }

  /** Resolves with the quotes of both sides once `holds` returns true for them. */
  async quotes(what: string, holds: (bid: Order, ask: Order) => boolean): Promise<readonly [Order, Order]> {
    for (const end = performance.now() + WAIT_MS_MAX; performance.now() < end; ) {
      const [bid, ask] = [await this.quote('BUY'), await this.quote('SELL')]
      if (bid !== undefined && ask !== undefined && holds(bid, ask)) return [bid, ask]
      if (this.#child?.exitCode != null) break
      await Bun.sleep(PAUSE_MS)
    }
    throw new Error(`not within ${WAIT_MS_MAX} ms: ${what}\n${this.#said}`)
  }

  async until(what: string, fact: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = performance.now() + WAIT_MS_MAX; !(await fact()); await Bun.sleep(PAUSE_MS))
      if (performance.now() > end) throw new Error(`not within ${WAIT_MS_MAX} ms: ${what}\n${this.#said}`)
  }

  /**
   * All orders that the maker ever placed: on each side, one was placed only after the previous one had
   * ended, under an id of its own.
   */
  async expectNoneDoubled(): Promise<number> {
    const { orders } = await this.#ask<{ readonly orders: readonly Order[] }>(
      this.#alice,
      'GET',
      'allOrders',
      { limit: PAGE },
    )
    expect(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size).toBe(orders.length)
    for (const side of ['BUY', 'SELL']) {
      const ofSide = orders.filter((order) => order.side === side).toReversed()
      for (const [at, order] of ofSide.entries()) {
        const before = ofSide[at - 1]
        if (before === undefined) continue
        expect([before.status, order.createdAt >= before.updatedAt]).toEqual([
          expect.stringMatching(/FILLED|CANCELED/),
          true,
        ])
      }
    }
    return orders.length
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) this.#said += chunk
  }

  async #ask<Data>(
    who: Credentials,
    method: 'GET' | 'POST' | 'DELETE',
    endpoint: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Data> {
    const answer = await signed(this.#url, who, method, endpoint, { symbol: this.#maker.symbol, ...fields })
    const body = (await answer.json()) as { readonly data: Data }
    if (!answer.ok) throw new Error(`${method} ${endpoint}: ${JSON.stringify(body)}`)
    return body.data
  }
}

/** A maker continues through trades, kills, a halt and a moving market, and leaves no orders behind. */
export async function playThrough(stage: MakerStage): Promise<void> {
  await stage.market('49000', '51000')
  stage.start()
  const [bid, ask] = await stage.quotes('quotes around the middle', () => true)
  expect([Number(bid.price), Number(ask.price)]).toEqual([49950, 50050])

  // The maker sells: the center moves up with the missing inventory, and the quote is restored to its full
  // size.
  await stage.take('BUY', ask.price, ask.quantity)
  await stage.quotes('a quote after a fill', (_, next) => next.id !== ask.id && Number(next.price) > 50_050)

  // After a kill the maker recovers by itself, and recognizes the orders that it left.
  await stage.end('SIGKILL')
  const left = (await stage.open()).map(({ id }) => id)
  expect(left).toHaveLength(2)
  stage.start()
  await stage.until('it has found its orders', () => /found/.test(stage.said))
  await stage.market('49500', '51500')
  await stage.quotes('quotes around the new middle', (next) => Number(next.price) > 50_300)

  for (const middle of [52_000, 50_500]) {
    await stage.end('SIGKILL')
    stage.start()
    await stage.market(`${middle - 1000}`, `${middle + 1000}`)
    await stage.quotes(`quotes around ${middle}`, (next) => Math.abs(Number(next.price) - middle) < 300)
  }

  // Answers are lost at any stage: the maker queries the outcome.
  for (const [round, middle] of [51_000, 49_000, 50_000].entries()) {
    await stage.market(`${middle - 1000}`, `${middle + 1000}`)
    await stage.loseAnswers(round * 20)
    await stage.quotes(`quotes around ${middle}`, (next) => Math.abs(Number(next.price) - middle) < 300)
  }

  // Orders are carried out without an answer; then limits are exceeded.
  for (const [fault, middle] of [
    ['LOST_ANSWER', 51_500],
    ['RATE_LIMIT', 50_500],
  ] as const) {
    await stage.admin('fault', 'add', fault, '--times', '1', '--endpoint', 'order.cancelReplace')
    await stage.market(`${middle - 1000}`, `${middle + 1000}`)
    await stage.quotes(`quotes around ${middle}`, (next) => Math.abs(Number(next.price) - middle) < 300)
    await stage.admin('fault', 'clear')
  }

  await stage.admin('symbol', 'halt', 'BTC/USDT')
  await stage.until('a halted market has no quotes', async () => (await stage.open()).length === 0)
  await stage.admin('symbol', 'resume', 'BTC/USDT')
  await stage.quotes('quotes after the halt', () => true)

  expect([await stage.end('SIGTERM'), await stage.open()]).toEqual([0, []])
  expect(await stage.expectNoneDoubled()).toBeGreaterThanOrEqual(12)
}
