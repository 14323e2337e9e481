/**
 * The texts that a person reads on the page, and the expected ones, derived from the answers of the HTTP
 * interface.
 */
import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { type Credentials, signed } from '../../support/bourse-process.ts'
import { units } from '../../support/exact.ts'
import { PAGE_WAIT_MS_MAX } from './bounded.ts'

/** Texts of the cells of one row. */
export type Row = readonly string[]

export type ShownMarket = {
  /** Price, quantity and sum; best first. */
  readonly sell: readonly Row[]
  readonly buy: readonly Row[]
  /** Time, price and quantity; newest first. */
  readonly trades: readonly Row[]
  readonly last: string
  readonly bid: string
  readonly ask: string
}

const NOTHING = '–'

/** Waits until the page says that it is live, in any language. */
export async function live(page: Page): Promise<void> {
  await page.locator('body[data-connection="live"]').waitFor()
}

export const PHONE_VIEWS = ['Chart', 'Book', 'Trades', 'Trade', 'Account'] as const

/** On a phone, opens one of its views; on other screens all panels are visible. */
export async function showView(page: Page, view: (typeof PHONE_VIEWS)[number]): Promise<void> {
  const button = page.locator('#views').getByRole('button', { name: view, exact: true })
  if (await button.isVisible()) await button.click()
}

/** Opens the menu of account and settings, if it is closed. */
export async function openMenu(page: Page): Promise<Locator> {
  const menu = page.locator('#menu')
  if (!(await menu.isVisible())) await page.locator('#menu-button').click()
  await menu.waitFor()
  return menu
}

export async function closeMenu(page: Page): Promise<void> {
  const menu = page.locator('#menu')
  if (await menu.isVisible()) await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
}

/** Chooses a setting of the menu, by the id of its control. */
export async function chooseSetting(
  page: Page,
  setting: 'language' | 'theme' | 'zone',
  value: string,
): Promise<void> {
  const menu = await openMenu(page)
  await menu.locator(`#${setting}`).selectOption(value)
  await closeMenu(page)
}

/** Chooses a market as a person does: its button opens the list. */
export async function chooseMarket(page: Page, symbol: string): Promise<void> {
  await page.locator('#market-button').click()
  await page.locator('#market-list').getByRole('option', { name: symbol }).click()
  await page.locator('#market-button', { hasText: symbol }).waitFor()
}

export function shownMarket(page: Page): Promise<string> {
  return page.locator('#market-button').innerText()
}

/** Number of levels per side for which the page has room. */
export function roomForLevels(page: Page): Promise<number> {
  return page.locator('#asks tr').count()
}

export function readMarket(page: Page): Promise<ShownMarket> {
  return page.evaluate(() => {
    const rows = (id: string) =>
      [...document.querySelectorAll(`#${id} tr`)]
        .map((row) => [...row.children].map((cell) => cell.textContent ?? ''))
        .filter((cells) => cells.some((text) => text !== ''))
    const text = (id: string) => document.getElementById(id)?.textContent ?? ''
    return {
      sell: rows('asks').reverse(),
      buy: rows('bids'),
      trades: rows('tape'),
      last: text('last'),
      bid: text('bid'),
      ask: text('ask'),
    }
  })
}

/**
 * The sum of each visible level, and the drawn length of the bar behind it as a share of its row, 0 to 1;
 * asks, then bids.
 */
export function readBars(page: Page): Promise<{ readonly sum: number; readonly length: number }[]> {
  return page.evaluate(() =>
    ['ask', 'bid'].flatMap((side) => {
      const bars = document.getElementById(`${side}-bars`) as HTMLElement
      // Each bar has four corners; the second one is at the left end.
      const corners = getComputedStyle(bars).clipPath.slice('polygon('.length, -1).split(', ')
      const below = bars.getBoundingClientRect().top
      return [...document.querySelectorAll(`#${side}s tr`)].flatMap((row, index) => {
        const sum = Number(row.lastElementChild?.textContent?.replace(/\s/g, ''))
        const [left = '', top = ''] = corners[index * 4 + 1]?.split(' ') ?? []
        const isBehind = Math.abs(below + Number.parseFloat(top) - row.getBoundingClientRect().top) < 0.5
        const length = isBehind ? (100 - Number.parseFloat(left)) / 100 : Number.NaN
        return row.textContent === '' ? [] : [{ sum, length }]
      })
    }),
  )
}

/** Waits until the page shows exactly this; otherwise fails with the difference. */
export async function expectShown(page: Page, wanted: ShownMarket): Promise<void> {
  const end = performance.now() + PAGE_WAIT_MS_MAX
  let shown = await readMarket(page)
  while (!Bun.deepEquals(shown, wanted) && performance.now() < end) {
    await page.evaluate(() => new Promise(requestAnimationFrame))
    shown = await readMarket(page)
  }
  expect(shown).toEqual(wanted)
}

/**
 * Waits until a level with this price and quantity is shown among the bids. A space matches the one between
 * groups of digits.
 */
export async function expectBid(page: Page, price: string, quantity: string): Promise<void> {
  const priceText = price.replaceAll(' ', '\\s')
  const row = page.locator('#bids tr').filter({
    has: page.locator('td:nth-child(1)', { hasText: new RegExp(`^${priceText}$`) }),
  })
  await row.locator('td:nth-child(2)', { hasText: new RegExp(`^${quantity}$`) }).waitFor()
}

type Depth = {
  readonly sell: Readonly<Record<string, number>>
  readonly buy: Readonly<Record<string, number>>
}
type Trade = { readonly price: number; readonly quantity: number; readonly timestamp: number }

/** Everything that the node reports about a market over HTTP, formatted as on the page. */
export async function marketByHttp(
  baseUrl: string,
  account: Credentials,
  market: { readonly symbol: string; readonly quoteFraction: number; readonly baseFraction: number },
): Promise<ShownMarket> {
  const { symbol, quoteFraction, baseFraction } = market
  const ask = async (endpoint: string) => (await signed(baseUrl, account, 'GET', endpoint, { symbol })).json()
  const depth = (await ask('depth')) as Depth
  const trades = (await ask('trades')) as readonly Trade[]
  const price = (value: number | string) => grouped(value, quoteFraction)
  const side = (name: keyof Depth): Row[] => {
    let sum = 0n
    return Object.entries(depth[name]).map(([at, quantity]) => {
      sum += units(quantity.toFixed(8))
      return [price(at), grouped(quantity, baseFraction), grouped(decimal(sum), baseFraction)]
    })
  }
  const [sell, buy] = [side('sell'), side('buy')]
  const best = (rows: readonly Row[]) => rows[0]?.[0] ?? NOTHING
  return {
    sell,
    buy,
    trades: trades.map((trade) => [
      clock(trade.timestamp),
      price(trade.price),
      grouped(trade.quantity, baseFraction),
    ]),
    last: trades[0] === undefined ? NOTHING : price(trades[0].price),
    bid: best(buy),
    ask: best(sell),
  }
}

/** `1 234.50` with this number of decimals. */
function grouped(value: number | string, decimals: number): string {
  const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const text = new Intl.NumberFormat('en-US', places).format(value as Intl.StringNumericLiteral)
  return text.replaceAll(',', '\u202f')
}

/** Units of 10^-8 as a decimal. */
function decimal(value: bigint): string {
  const digits = value.toString().padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/** `14:05:09`, UTC. */
function clock(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(11, 19)
}
