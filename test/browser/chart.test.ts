/**
 * The chart as a person uses it: older candles, the depth of the book, the account's orders and fills, and
 * orders that are moved to another price.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page, WebSocketRoute } from 'playwright-core'
import { signed } from '../support/bourse-process.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { notices, sayYes, takeAlice } from './support/trading.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'ETH/USDT'
const WIDE = { width: 1440, height: 900 }
const fixture = pageFixture()

type OpenOrder = { readonly id: string; readonly price: string; readonly status: string }

/** Alice's orders in the symbol, newest first. */
async function ordersOfAlice(): Promise<readonly OpenOrder[]> {
  const answer = await signed(fixture.baseUrl, fixture.alice, 'GET', 'allOrders', { symbol: SYMBOL })
  const { data } = (await answer.json()) as { readonly data: { readonly orders: readonly OpenOrder[] } }
  return data.orders
}

const chip = (page: Page, name: RegExp): Locator => page.locator('.chart-chips').getByRole('button', { name })

/** Counts the page's requests to replace an order. */
function countReplacements(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.url().includes('cancelReplace')) count++
  })
  return () => count
}

/** The height in the window at which a line of the chart can be grabbed. */
async function heightOfLine(page: Page, x: number): Promise<number> {
  const box = await page.locator('#chart-body').boundingBox()
  if (box === null) throw new Error('the chart has no place on the page')
  for (let y = box.y + 1; y < box.y + box.height; y += 4) {
    await page.mouse.move(x, y)
    if ((await page.locator('#chart-body[data-over]').count()) > 0) return y + 4
  }
  throw new Error('no line of the chart can be taken')
}

// A trade at 1000, and asks and bids around it.
beforeAll(async () => {
  const { alice, bob } = fixture
  await untilStrictSignatures(fixture.baseUrl, alice)
  await fixture.place(bob, SYMBOL, 'SELL', '1.5', '1000')
  await fixture.place(alice, SYMBOL, 'BUY', '1.5', '1000')
  await fixture.place(bob, SYMBOL, 'SELL', '2', '1005')
  await fixture.place(bob, SYMBOL, 'SELL', '3.25', '1010')
  await fixture.place(bob, SYMBOL, 'BUY', '4', '995')
  await fixture.place(bob, SYMBOL, 'BUY', '8', '980')
})

describe('the depth of the book', () => {
  test('is chosen by keyboard, shows the exact sums of the book, and is there again at the next visit', async () => {
    const { page } = await fixture.open(SYMBOL, WIDE)
    await page.getByRole('tab', { name: 'Candles' }).focus()
    await page.keyboard.press('ArrowRight')
    const figures = page.locator('#depth-figures')
    await figures
      .getByText(/Bid 995\.00\s+Ask 1\s?005\.00\s+Spread 10\.00\s+Within 1%: bids 4 ETH, asks 5\.25 ETH/)
      .waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('group', { name: /^Depth of ETH\/USDT/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await figures.getByText(/1\s?010\.00: buying up to it fills 5\.25 ETH for 5\s?292\.5 USDT/).waitFor()
    await page.keyboard.press('Escape')
    await fixture.place(fixture.bob, SYMBOL, 'BUY', '0.5', '996')
    await figures.getByText(/Bid 996\.00.*bids 4\.5 ETH/).waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
    await page.reload()
    await figures.getByText(/Bid 996\.00/).waitFor()
    await expectSoon(() => page.getByRole('tab', { name: 'Depth' }).getAttribute('aria-selected'), 'true')
  })
})

describe('an own order on the chart', () => {
  test('is dragged to another price, confirmed, and replaced once', async () => {
    await fixture.place(fixture.alice, SYMBOL, 'BUY', '2', '998')
    const { page } = await fixture.open(SYMBOL, WIDE)
    await takeAlice(page)
    await chip(page, /Buy 2 ETH Limit at 998\.00/).waitFor()
    const replacements = countReplacements(page)
    const { x, width } = (await page.locator('#chart-body').boundingBox()) ?? { x: 0, width: 0 }
    const across = x + width / 3
    const y = await heightOfLine(page, across)

    await page.mouse.down()
    await page.mouse.move(across, y + 30, { steps: 3 })
    await page
      .locator('.chart-price')
      .getByText(/stay in the book$/)
      .waitFor()
    await page.keyboard.press('Escape')
    await chip(page, /Buy 2 ETH Limit at 998\.00/).waitFor()
    await page.mouse.up()
    expect(replacements()).toBe(0)

    await page.mouse.move(across, y)
    await page.mouse.down()
    await page.mouse.move(across, y + 30, { steps: 3 })
    const shown = (await page.locator('.chart-price').getAttribute('aria-valuenow')) ?? ''
    await page.mouse.up()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`998 → ${shown} USDT`).waitFor()
    await dialog.getByText('2 ETH').waitFor()
    await sayYes(page)
    await notices(page)
      .getByText(/^Edited: buy 2 ETH at /)
      .waitFor()
    expect(replacements()).toBe(1)
    const [placed, canceled] = await ordersOfAlice()
    expect([placed?.status, placed?.price, canceled?.status, canceled?.price]).toEqual([
      'NEW',
      shown,
      'CANCELED',
      '998',
    ])
    expect(Number(shown)).toBeLessThan(998)
  })

  test('is moved by keyboard alone, step by step, and the focus is not lost', async () => {
    const before = await ordersOfAlice()
    const { page } = await fixture.open(SYMBOL, WIDE)
    await takeAlice(page)
    const replacements = countReplacements(page)
    await chip(page, /Buy 2 ETH/).focus()
    await page.keyboard.press('Enter')
    const price = page.getByRole('spinbutton', { name: /^New price of Buy 2 ETH Limit/ })
    const from = Number(await price.getAttribute('aria-valuenow'))
    for (const key of ['ArrowUp', 'ArrowUp', 'Shift+ArrowDown']) await page.keyboard.press(key)
    await expectSoon(() => price.getAttribute('aria-valuenow'), String(Math.round(from * 100 - 8) / 100))
    await page.keyboard.press('Escape')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    expect(await focused()).toMatch(/^Move Buy 2 ETH Limit/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await sayYes(page)
    await notices(page)
      .getByText(/^Edited: buy 2 ETH at /)
      .waitFor()
    await chip(page, /Buy 2 ETH/).waitFor()
    expect(await focused()).not.toBe('')
    const after = await ordersOfAlice()
    expect(after.length - before.length).toBe(1)
    expect(Number(after[0]?.price)).toBe(Math.round(from * 100 - 1) / 100)
    expect(replacements()).toBe(1)
    expect(after.filter(({ status }) => status === 'NEW')).toHaveLength(1)
  })

  test('that belongs to a list is not moved, and says why; own fills are described with the candle', async () => {
    const { page } = await fixture.open(SYMBOL, WIDE)
    await takeAlice(page)
    const fields = { symbol: SYMBOL, side: 'SELL', quantity: '0.25', aboveType: 'LIMIT_MAKER' }
    const prices = { abovePrice: '1004', belowType: 'STOP_LOSS', belowStopPrice: '997' }
    const placed = await signed(fixture.baseUrl, fixture.alice, 'POST', 'orderList/oco', {
      ...fields,
      ...prices,
    })
    expect(placed.status).toBe(200)
    const replacements = countReplacements(page)
    await chip(page, /Stop price: Sell 0\.25 ETH/).click()
    await page.locator('#chart-said').getByText('An order in a list cannot be moved').waitFor()
    await chip(page, /Sell 0\.25 ETH Take profit \(Post only\) at 1\s?004\.00/).focus()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('spinbutton').count()).toBe(0)
    expect(replacements()).toBe(0)

    await page.getByRole('button', { name: '1d', exact: true }).click()
    await page.locator('#chart-figures').getByText('Your fills: bought 1.5, sold 0').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })
})

describe('older candles', () => {
  test('are loaded without a key as the left edge comes into view, to the first of all; the newest are one button away, and nothing moves once the connection is lost', async () => {
    const { page } = await fixture.open(SYMBOL, WIDE)
    // The stream sends 500 candles at once, and a market that is some seconds old has fewer: this page gets
    // only the last two.
    const open: WebSocketRoute[] = []
    let isCut = false
    await page.routeWebSocket(/\/stream/, (socket) => {
      if (isCut) return
      const server = socket.connectToServer()
      open.push(socket)
      server.onMessage((message) => socket.send(shortened(String(message))))
    })
    await page.reload()
    await page.getByLabel('Other intervals').selectOption('1s')
    await page.locator('#chart-state').getByText('Live, 1s').waitFor()
    // After more seconds than the chart has room for, the received candles are out of sight, and the first
    // candles of all can be reached from there.
    const begins = page.locator('#chart-older').getByText('This is where the market begins')
    await page.locator('#chart-body').focus()
    for (let presses = 0; presses < 1_000 && !(await begins.isVisible()); presses++) {
      await page.keyboard.press('Home')
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    await begins.waitFor()
    const newest = page.getByRole('button', { name: 'Newest' })
    // Zooms in until the first candles and the newest one are not visible together.
    const comeNearer = async () => {
      for (const key of ['+', 'Home']) {
        await page.keyboard.press(key)
        // The chart moves in the following frames, and the next key starts from its new position.
        for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame))
      }
    }
    for (let presses = 0; presses < 40; presses++) {
      await comeNearer()
      if (await newest.isVisible()) break
    }
    // A partly visible candle that ends moves the chart; after two more steps none is.
    for (let presses = 0; presses < 2; presses++) await comeNearer()
    const { x, y } = (await page.locator('#chart-body').boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(x + 1, y + 60)
    await page
      .locator('#chart-figures')
      .getByText(/Vol 1\.5 ETH/)
      .waitFor()
    await page.mouse.move(x - 5, y - 5)
    await newest.focus()
    await page.keyboard.press('Enter')
    await newest.waitFor({ state: 'hidden' })
    await expectSoon(() => page.evaluate(() => document.activeElement?.id), 'chart-body')

    await takeAliceAgain(page)
    // The connection after a lost one never answers: no data is live, and no order can be moved.
    await chip(page, /Buy 2 ETH/).waitFor()
    isCut = true
    await Promise.all(open.map((socket) => socket.close()))
    await page.locator('#chart-state').getByText('Connection lost').waitFor()
    await chip(page, /Buy 2 ETH/).click()
    await page
      .locator('#chart-said')
      .getByText(/^Waiting for/)
      .waitFor()
    expect(await page.getByRole('spinbutton').count()).toBe(0)
  })
})

/** The first message of candles, reduced to the last two that are complete. */
function shortened(text: string): string {
  const message: unknown = text.startsWith('[') ? JSON.parse(text) : undefined
  if (!Array.isArray(message) || !String(message[0]).startsWith('kline_')) return text
  const [name, state] = message as [string, { prevSeq?: number; closed?: unknown[] }]
  if (state.prevSeq !== undefined) return text
  return JSON.stringify([name, { ...state, closed: state.closed?.slice(-2) }])
}

/** Loads Alice's key again after a reload, if the browser did not keep it. */
async function takeAliceAgain(page: Page): Promise<void> {
  const offer = page.getByRole('button', { name: 'Trade as alice' })
  const desk = page.locator('.trade-desk[data-live="true"]')
  await offer.or(desk).first().waitFor()
  if (await offer.isVisible()) await offer.click()
  await desk.waitFor()
}
