/** Markets, candles, and the book in groups of prices, as a person finds them on the page: by keyboard, in both themes, on wide screens and on a phone. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings } from './support/axe.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseMarket, expectBid, PHONE_VIEWS, readMarket, shownMarket, showView } from './support/shown.ts'

setDefaultTimeout(300_000)

const PHONE = { width: 390, height: 844 }

const fixture = pageFixture()

describe('the list of markets', () => {
  test('shows the last price of a market that is not looked at, finds it by name, and opens it by keyboard alone', async () => {
    const { page } = await fixture.open('BTC/USDT')
    await fixture.place(fixture.bob, 'ETH/USDT', 'SELL', '2', '3000.5')
    await fixture.place(fixture.alice, 'ETH/USDT', 'BUY', '2', '3000.5')
    const option = page.locator('#market-list .market').filter({ hasText: 'ETH/USDT' })
    await page.locator('#market-button').focus()
    await page.keyboard.press('Enter')
    await option.getByText('3 000.50').waitFor()
    await option.getByText('6K USDT').waitFor()

    const search = page.getByRole('combobox', { name: 'Search markets' })
    await page.locator('#market-search:focus').waitFor()
    await page.keyboard.type('usdt')
    expect(await page.locator('#market-list .market:visible').count()).toBe(3)
    await page.keyboard.press('ArrowDown')
    expect(await search.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.locator('#last', { hasText: '3 000.50' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#ETH/USDT')
    expect(await option.getAttribute('aria-selected')).toBe('true')
    expect(await shownMarket(page)).toBe('ETH/USDT')

    await page.keyboard.press('Enter')
    await page.locator('#market-search:focus').waitFor()
    await page.keyboard.type('x')
    await page.getByText('No market has this name.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('#market-list .market:visible').count()).toBe(4)
  })
})

describe('the list of markets on a phone', () => {
  test('opens over the page, is searched and chosen from, and is left by Escape with the focus where it was', async () => {
    const { page } = await fixture.open('BTC/USDT', PHONE)
    const button = page.locator('#market-button')
    const sheet = page.locator('#markets')
    await button.click()
    await sheet.waitFor()
    await page.keyboard.type('ethb')
    const found = sheet.getByRole('option')
    expect(await found.filter({ visible: true }).count()).toBe(1)
    await found.filter({ hasText: 'ETH/BTC' }).click()
    await sheet.waitFor({ state: 'hidden' })
    await button.getByText('ETH/BTC').waitFor()
    expect(new URL(page.url()).hash).toBe('#ETH/BTC')

    await button.click()
    await sheet.waitFor()
    expect(await found.filter({ visible: true }).count()).toBe(4)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe('the book', () => {
  test('is put together by the chosen step of prices, with exact sums, and each market keeps its step', async () => {
    const { page } = await fixture.open('USDT/TRY')
    for (const [side, quantity, price] of [
      ['SELL', '1.25', '41.11'],
      ['SELL', '2.5', '41.20'],
      ['SELL', '4', '41.21'],
      ['BUY', '10', '40.99'],
      ['BUY', '20.75', '40.95'],
      ['BUY', '40', '40.89'],
    ] as const) {
      await fixture.place(fixture.alice, 'USDT/TRY', side, quantity, price)
    }
    await expectBid(page, '40.89', '40.00')
    const grouping = page.getByLabel('Group by')
    // What can be chosen from goes by the first price that was seen: the book's bids are at 40.99 or below.
    expect(await grouping.locator('option').allTextContents()).toEqual(['0.01', '0.02', '0.05'])
    await grouping.selectOption('0.05')
    await expectBid(page, '40.95', '30.75')
    const { buy, sell } = await readMarket(page)
    expect(buy).toEqual([
      ['40.95', '30.75', '30.75'],
      ['40.85', '40.00', '70.75'],
    ])
    expect(sell).toEqual([
      ['41.15', '1.25', '1.25'],
      ['41.20', '2.50', '3.75'],
      ['41.25', '4.00', '7.75'],
    ])

    await chooseMarket(page, 'ETH/BTC')
    await page.locator('#grouping option', { hasText: '0.000001' }).first().waitFor({ state: 'attached' })
    expect(await grouping.inputValue()).toBe('1')
    await chooseMarket(page, 'USDT/TRY')
    await expectBid(page, '40.95', '30.75')
  })
})

describe('the chart', () => {
  test('opens with the candles there are, shows a trade in the one that runs, and is moved and changed by keyboard', async () => {
    const { page } = await fixture.open('ETH/BTC', { width: 1440, height: 900 })
    const state = page.locator('#chart-state')
    await state.getByText('Live, 1m, times in UTC').waitFor()
    expect(await page.locator('#chart-figures').textContent()).toBe('')
    expect(await page.locator('#chart-notice a').getAttribute('href')).toBe('https://www.tradingview.com/')

    await fixture.place(fixture.bob, 'ETH/BTC', 'SELL', '2', '0.05')
    await fixture.place(fixture.alice, 'ETH/BTC', 'BUY', '1.5', '0.05')
    const figures = page.locator('#chart-figures')
    await figures.getByText(/C 0\.050000\s+Vol 1\.5 ETH/).waitFor()
    expect(await page.locator('#chart-body canvas').count()).toBeGreaterThan(0)
    // The page's own tables have paddings, which would cut the prices beside the candles off.
    const isCut = (cells: Element[]) => cells.some((cell) => cell.scrollWidth > cell.clientWidth)
    expect(await page.locator('#chart-body td').evaluateAll(isCut)).toBe(false)

    const hour = page.getByRole('button', { name: '1h', exact: true })
    await hour.focus()
    await page.keyboard.press('Enter')
    await state.getByText('Live, 1h, times in UTC').waitFor()
    expect(await hour.getAttribute('aria-pressed')).toBe('true')
    await figures.getByText(/O 0\.050000\s+H 0\.050000/).waitFor()
    await page.getByRole('group', { name: /^Candles of ETH\/BTC, 1h/ }).focus()
    for (const key of ['ArrowLeft', '+', '-', 'End']) await page.keyboard.press(key)

    // It is drawn in the colours that the system has for all pages.
    const isGround = (wanted: string) =>
      page.waitForFunction((color) => {
        const canvas = document.querySelector<HTMLCanvasElement>('#chart-body canvas')
        // A copy: the browser complains of a canvas that is read again and again.
        const copy = new OffscreenCanvas(1, 1).getContext('2d')
        if (canvas === null || copy === null) return false
        copy.drawImage(canvas, -1, -1)
        const [red, green, blue] = copy.getImageData(0, 0, 1, 1).data
        return color === `${red} ${green} ${blue}`
      }, wanted)
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
    await isGround('0 0 0')
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
    await isGround('255 255 255')

    await chooseMarket(page, 'BTC/USDT')
    await page.getByRole('group', { name: /^Candles of BTC\/USDT, 1h/ }).waitFor()
    await state.getByText('Live, 1h, times in UTC').waitFor()
    expect(await figures.textContent()).toBe('')
  })
})

describe('the page', () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`has nothing for axe to find, wide and on a phone, ${colorScheme}`, async () => {
      const { page } = await fixture.open('BTC/USDT', { width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.locator('#chart-state').getByText('Live, 1m').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.setViewportSize(PHONE)
      for (const view of PHONE_VIEWS) {
        await showView(page, view)
        expect(await axeFindings(page)).toEqual([])
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(beyond).toBe(0)
      }
    })
  }
})
