/**
 * The setting of the pictures: a real node whose market is the same in every run, to the candle, and a
 * browser whose pages use the node's time. Orders are placed through the interface; the node's clock is
 * advanced between them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { AdminAddress, AdminAnswer, AdminOperation } from '../../../src/contract/admin/admin.ts'
import { BourseProcess, dataDirectory, ROOT, readSandbox, signed } from '../../support/bourse-process.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { PAGE_WAIT_MS_MAX } from '../support/bounded.ts'
import { launchBrowser } from '../support/browser.ts'

/** Start of trading, by the node's clock. */
const BEGIN_MS = Date.UTC(2026, 0, 15, 9, 0, 10)
const MINUTE_MS = 60_000
const CANDLES = 75
const TRADES_EACH = 4
const ALICE_EACH = 13
const LEVELS = 28
const SEED = 15

type Account = 'alice' | 'bob'
type OrderFields = Readonly<Record<string, string>>

export class Stage {
  readonly #directory = dataDirectory()
  readonly #random = randomNumbers(SEED)
  #node: BourseProcess | undefined
  #browser: Browser | undefined
  #aheadMs = 0
  #token: string | undefined
  #url = ''

  /** Time of the picture, by the node's clock. */
  readonly timeMs = BEGIN_MS + (CANDLES + 1) * MINUTE_MS

  async setUp(): Promise<void> {
    const [browser] = await Promise.all([launchBrowser(), this.#startNode()])
    this.#browser = browser
  }

  async tearDown(): Promise<void> {
    await this.#browser?.close()
    await this.#node?.end('SIGKILL')
    this.#directory.remove()
  }

  get browser(): Browser {
    if (this.#browser === undefined) throw new Error('the browser is not there yet')
    return this.#browser
  }

  /** A page of its own, at the time of the picture. */
  async open(address: string, options: BrowserContextOptions): Promise<Page> {
    const context = await this.browser.newContext({ ...options, timezoneId: 'UTC' })
    const page = await context.newPage()
    page.setDefaultTimeout(PAGE_WAIT_MS_MAX)
    await page.clock.setFixedTime(this.timeMs)
    await page.goto(address)
    return page
  }

  get url(): string {
    return this.#url
  }

  /** URL of the trading page, with the code that unlocks the offered keys. */
  get pageUrl(): string {
    return readSandbox(this.#data).pageUrl
  }

  get admin(): AdminAddress {
    return JSON.parse(readFileSync(path.join(this.#data, 'admin.json'), 'utf8')) as AdminAddress
  }

  /** Token with all rights. */
  async operatorToken(): Promise<string> {
    this.#token ??= (
      await this.#operate<{ readonly token: string }>('token/add', { name: 'ayse', role: 'OPERATOR' })
    ).token
    return this.#token
  }

  async #operate<Result>(operation: AdminOperation, body: object): Promise<Result> {
    const response = await fetch(`${this.admin.url}/admin/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as AdminAnswer
    if (!answer.ok) throw new Error(`${operation}: ${answer.error.message}`)
    return answer.result as Result
  }

  /**
   * Trades a little more than an hour of BTC/USDT, makes a trade in each other market, and leaves a book with
   * Alice's orders.
   */
  async trade(): Promise<void> {
    let price = 60_000
    for (let candle = 1; candle <= CANDLES; candle++) {
      this.#moveTo(BEGIN_MS + candle * MINUTE_MS)
      for (let trade = 0; trade < TRADES_EACH; trade++) {
        price += this.#between(-45, 47)
        // Most trades are between other accounts: the chart marks Alice's.
        const taker = candle % ALICE_EACH === 0 && trade === 0 ? 'alice' : 'bob'
        await this.#cross(
          'BTC/USDT',
          `0.${this.#between(11, 99)}`,
          `${price}.${this.#between(10, 99)}`,
          taker,
        )
      }
    }
    for (const [symbol, quantity, first, second] of OTHERS) {
      await this.#cross(symbol, quantity, first)
      await this.#cross(symbol, quantity, second)
    }
    await this.#fillBook(price)
    this.#moveTo(this.timeMs)
    for (let second = 14; second > 0; second--) {
      this.#moveTo(this.timeMs - second * 2_000)
      await this.#cross(
        'BTC/USDT',
        `0.0${this.#between(11, 99)}`,
        `${price + (second % 3) - 1}.50`,
        second === 1 ? 'alice' : 'bob',
      )
    }
    this.#moveTo(this.timeMs)
    await this.#placeOwn(price)
    for (const [reference, asset, amount] of WITHDRAWALS)
      await this.#operate('withdrawal/hold', { account: 'alice', asset, amount, reference })
    await this.#operate('withdrawal/complete', { reference: 'bank-1041' })
  }

  async #startNode(): Promise<void> {
    this.#moveTo(BEGIN_MS)
    const preload = path.join(import.meta.dir, 'moved-clock.ts')
    this.#node = new BourseProcess(
      ['sandbox', '--port', '0', '--data', this.#data, '--limits', 'off'],
      { MOVED_CLOCK: this.#clockFile },
      [],
      [process.execPath, '--no-env-file', '--preload', preload, path.join(ROOT, 'src/app/main.ts')],
    )
    this.#url = await this.#node.ready
  }

  /** Bob's levels on both sides, with Alice's between them. */
  async #fillBook(price: number): Promise<void> {
    let [ask, bid] = [price + 3, price - 3]
    for (let level = 0; level < LEVELS; level++) {
      ask += this.#between(1, 14)
      bid -= this.#between(1, 14)
      await this.#place('bob', limit('BTC/USDT', 'SELL', `0.${this.#between(10, 99)}`, `${ask}.25`))
      await this.#place('bob', limit('BTC/USDT', 'BUY', `0.${this.#between(10, 99)}`, `${bid}.75`))
    }
  }

  async #placeOwn(price: number): Promise<void> {
    await this.#place('alice', limit('BTC/USDT', 'BUY', '0.25', `${price - 60}.00`))
    await this.#place('alice', limit('BTC/USDT', 'SELL', '0.4', `${price + 85}.00`))
    await this.#place('alice', {
      ...limit('BTC/USDT', 'SELL', '0.1', `${price - 410}.00`),
      type: 'STOP_LOSS_LIMIT',
      stopPrice: `${price - 400}.00`,
    })
  }

  /** Bob sells and the taker buys, or the other way around. */
  async #cross(symbol: string, quantity: string, price: string, taker: Account = 'bob'): Promise<void> {
    const isBuy = this.#between(0, 1) === 1
    await this.#place('bob', limit(symbol, isBuy ? 'SELL' : 'BUY', quantity, price))
    await this.#place(taker, limit(symbol, isBuy ? 'BUY' : 'SELL', quantity, price))
  }

  async #place(name: Account, fields: OrderFields): Promise<void> {
    const account = readSandbox(this.#data).accounts.find((each) => each.name === name)
    if (account === undefined) throw new Error(`the sandbox has no account '${name}'`)
    const response = await signed(this.#url, account, 'POST', 'order', fields, {}, Date.now() + this.#aheadMs)
    const answer = (await response.json()) as { readonly status: boolean; readonly msg: readonly string[] }
    if (!answer.status) throw new Error(`order of ${name} ${JSON.stringify(fields)}: ${answer.msg.join(' ')}`)
  }

  #moveTo(timeMs: number): void {
    this.#aheadMs = timeMs - Date.now()
    writeFileSync(this.#clockFile, String(this.#aheadMs))
  }

  #between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }

  get #data(): string {
    return path.join(path.dirname(this.#directory.path), 'data')
  }

  get #clockFile(): string {
    return path.join(path.dirname(this.#directory.path), 'ahead')
  }
}

/** Symbol, quantity, and the prices of two trades. */
const OTHERS = [
  ['ETH/USDT', '1.5', '2980.10', '3014.60'],
  ['ETH/BTC', '2', '0.0502', '0.0499'],
  ['USDT/TRY', '1500', '41.02', '41.11'],
] as const

/** Reference, asset and amount. */
const WITHDRAWALS = [
  ['bank-1041', 'TRY', '25000'],
  ['bank-1042', 'USDT', '1200.50'],
  ['chain-77', 'BTC', '0.75'],
] as const

function limit(symbol: string, side: 'BUY' | 'SELL', quantity: string, price: string): OrderFields {
  return { symbol, side, type: 'LIMIT', quantity, price }
}
