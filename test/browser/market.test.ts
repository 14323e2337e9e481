/**
 * The page in a real browser: it shows a market as the exchange reports it. Each test has a symbol of its
 * own, so that no test gets another's orders. `BROWSER_SEED` repeats a run of random trading.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { randomNumbers } from '../support/random-numbers.ts'
import { Trader } from '../support/random-trader.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import {
  chooseMarket,
  expectBid,
  expectShown,
  marketByHttp,
  readBars,
  readMarket,
  roomForLevels,
  shownMarket,
} from './support/shown.ts'

setDefaultTimeout(300_000)

const BTC_USDT = { symbol: 'BTC/USDT', quoteFraction: 2, baseFraction: 8 }
/** Number of trades that the page keeps. */
const TRADES_MAX = 60
const STEPS_MAX = 2_000

const seed = Number(process.env.BROWSER_SEED ?? Date.now() % 1_000_000)
const fixture = pageFixture()

/** Trades until the book and the list of trades have more rows than the page has room for. */
async function tradeUntilFull(levels: number): Promise<void> {
  const { baseUrl, alice, bob } = fixture
  const random = randomNumbers(seed)
  const traders = [new Trader(alice, random), new Trader(bob, random)]
  for (let step = 1; step <= STEPS_MAX; step++) {
    for (const trader of traders) expect(await trader.act(baseUrl)).toBe(true)
    if (step % 50 !== 0) continue
    const { sell, buy, trades } = await marketByHttp(baseUrl, alice, BTC_USDT)
    if (sell.length > levels && buy.length > levels && trades.length > TRADES_MAX) return
  }
  throw new Error(`no book of more than ${levels} levels a side after ${STEPS_MAX} steps (seed ${seed})`)
}

describe('the page', () => {
  test('shows instructions for an empty book, and no figure', async () => {
    const { page } = await fixture.open('USDT/TRY')
    await page.getByText('No orders yet').waitFor()
    expect(await page.locator('#book-empty').innerText()).toContain('The first limit order appears here')
    await page.getByText('No trades yet').waitFor()
    const nothing = { sell: [], buy: [], trades: [], last: '–', bid: '–', ask: '–' }
    expect(await readMarket(page)).toEqual(nothing)
  })

  test('shows the order placed by its own snippet, run in a shell, without a reload', async () => {
    const { page, loads } = await fixture.open('ETH/BTC')
    await page.getByText('No orders yet').waitFor()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(String(await page.locator('#snippet').textContent()))

    const { stdout, stderr } = Bun.spawnSync(['sh', '-c', copied], { cwd: fixture.home })
    expect(stderr.toString()).toBe('')
    const answer = JSON.parse(stdout.toString())
    expect(answer).toMatchObject({ status: true, code: '0000', data: { symbol: 'ETH/BTC', side: 'BUY' } })
    await expectBid(page, '1.000000', '0.010000')
    await page.getByText('No orders yet').waitFor({ state: 'hidden' })
    expect(loads()).toBe(1)
  })

  test(`after random trading shows the levels and trades of GET /depth and GET /trades (seed ${seed})`, async () => {
    const { page: watcher } = await fixture.open('BTC/USDT')
    const levels = await roomForLevels(watcher)
    await tradeUntilFull(levels)
    const { sell, buy, trades, ...best } = await marketByHttp(fixture.baseUrl, fixture.alice, BTC_USDT)
    const wanted = {
      sell: sell.slice(0, levels),
      buy: buy.slice(0, levels),
      trades: trades.slice(0, TRADES_MAX),
      ...best,
    }
    await expectShown(watcher, wanted)
    const { page: latecomer } = await fixture.open('BTC/USDT')
    await expectShown(latecomer, wanted)
  })

  test('changes the symbol: units, book and address are the new one’s, and orders of the old one are not shown', async () => {
    const { page } = await fixture.open('BTC/USDT')
    await chooseMarket(page, 'ETH/USDT')
    await page.getByText('No orders yet').waitFor()
    expect(new URL(page.url()).hash).toBe('#ETH/USDT')
    await expectSoon(() => page.locator('[data-unit="base"]').allTextContents(), ['ETH', 'ETH', 'ETH'])

    await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '0.5', '40000')
    await fixture.place(fixture.alice, 'ETH/USDT', 'BUY', '2', '3000')
    await expectBid(page, '3 000.00', '2.000000')
    await expectSoon(async () => (await readMarket(page)).buy, [['3\u202f000.00', '2.000000', '2.000000']])

    await page.reload()
    await expectBid(page, '3 000.00', '2.000000')
    await expectSoon(() => shownMarket(page), 'ETH/USDT')
  })

  test('draws behind each level a bar in proportion to its sum, on one scale for both sides', async () => {
    const { page } = await fixture.open('USDT/TRY')
    for (const [side, quantity, price] of [
      ['SELL', '10', '41.10'],
      ['SELL', '40', '41.30'],
      ['BUY', '20', '40.90'],
      ['BUY', '5', '40.80'],
    ] as const) {
      await fixture.place(fixture.alice, 'USDT/TRY', side, quantity, price)
    }
    await expectBid(page, '40.80', '5.00')
    const inProportion = [10, 50, 20, 25].map((sum) => ({ sum, length: sum / 50 }))
    const bars = await readBars(page)
    expect(bars.toSorted((a, b) => a.sum - b.sum)).toEqual(inProportion.toSorted((a, b) => a.sum - b.sum))
  })

  test('shows times in UTC to a reader elsewhere, and says so', async () => {
    const { page } = await fixture.open('ETH/USDT')
    expect(await page.evaluate(() => new Date(0).getHours())).toBe(5)
    expect(await page.locator('.tape thead').innerText()).toMatch(/Time\s+UTC/)
  })
})
