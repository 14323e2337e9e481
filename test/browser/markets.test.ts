/**
 * Markets, candles, and the book in groups of prices, as a person uses them on the page: by keyboard, in both
 * themes, on wide screens and on a phone.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseMarket, expectBid, PHONE_VIEWS, readMarket, shownMarket, showView } from './support/shown.ts'

setDefaultTimeout(300_000)

const PHONE = { width: 390, height: 844 }

const fixture = pageFixture()

describe('the list of markets', () => {
  test('shows the last price of a market that is not open, finds it by name, and opens it by keyboard alone', async () => {
    const { page } = await fixture.open('BTC/USDT')
    await fixture.place(fixture.bob, 'ETH/USDT', 'SELL', '2', '3000.5')
    await fixture.place(fixture.alice, 'ETH/USDT', 'BUY', '2', '3000.5')
    const option = page.locator('#market-list .market').filter({ hasText: 'ETH/USDT' })
    await page.locator('#market-button').focus()
    await page.keyboard.press('Enter')
    await option.locator('.market-last', { hasText: '3 000.50' }).waitFor()
    await option.getByText('6K USDT').waitFor()

    const search = page.getByRole('combobox', { name: 'Search markets' })
    await page.locator('#market-search:focus').waitFor()
    await page.keyboard.type('usdt')
    await expectSoon(() => page.locator('#market-list .market:visible').count(), 3)
    await page.keyboard.press('ArrowDown')
    await expectSoon(() => search.getAttribute('aria-activedescendant'), await option.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.locator('#last', { hasText: '3 000.50' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#ETH/USDT')
    await expectSoon(() => option.getAttribute('aria-selected'), 'true')
    await expectSoon(() => shownMarket(page), 'ETH/USDT')

    await page.keyboard.press('Enter')
    await page.locator('#market-search:focus').waitFor()
    await page.keyboard.type('x')
    await page.getByText('No market has this name.').waitFor()
    await page.keyboard.press('Escape')
    await expectSoon(() => page.locator('#market-list .market:visible').count(), 4)
  })
})

describe('the list of markets on a phone', () => {
  test('opens over the page, is searched and chosen from, and is closed by Escape with the focus where it was', async () => {
    const { page } = await fixture.open('BTC/USDT', PHONE)
    const button = page.locator('#market-button')
    const sheet = page.locator('#markets')
    await button.click()
    await sheet.waitFor()
    await page.keyboard.type('ethb')
    const found = sheet.getByRole('option')
    await expectSoon(() => found.filter({ visible: true }).count(), 1)
    await found.filter({ hasText: 'ETH/BTC' }).click()
    await sheet.waitFor({ state: 'hidden' })
    await button.getByText('ETH/BTC').waitFor()
    expect(new URL(page.url()).hash).toBe('#ETH/BTC')

    await button.click()
    await sheet.waitFor()
    await expectSoon(() => found.filter({ visible: true }).count(), 4)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await expectSoon(() => button.evaluate((element) => element === document.activeElement), true)
  })
})

describe('the book', () => {
  test('is grouped by the chosen price step, with exact sums, and each market keeps its step', async () => {
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
    // The choices depend on the first price received: the book's bids are at 40.99 or below.
    await expectSoon(() => grouping.locator('option').allTextContents(), ['0.01', '0.02', '0.05'])
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
    await expectSoon(() => grouping.inputValue(), '1')
    await chooseMarket(page, 'USDT/TRY')
    await expectBid(page, '40.95', '30.75')
  })
})

describe('the chart', () => {
  test('opens with the existing candles, shows a trade in the open one, and is moved and changed by keyboard', async () => {
    const { page } = await fixture.open('ETH/BTC', { width: 1440, height: 900 })
    const state = page.locator('#chart-state')
    await state.getByText('Live, 1m, times in UTC').waitFor()
    expect(await page.locator('#chart-figures').textContent()).toBe('')
    await expectSoon(
      () => page.locator('#chart-notice a').getAttribute('href'),
      'https://www.tradingview.com/',
    )

    await fixture.place(fixture.bob, 'ETH/BTC', 'SELL', '2', '0.05')
    await fixture.place(fixture.alice, 'ETH/BTC', 'BUY', '1.5', '0.05')
    const figures = page.locator('#chart-figures')
    await figures.getByText(/C 0\.050000\s+Vol 1\.5 ETH/).waitFor()
    expect(await page.locator('#chart-body canvas').count()).toBeGreaterThan(0)
    // The padding of the page's own tables would cut off the prices beside the candles.
    const isCut = (cells: Element[]) => cells.some((cell) => cell.scrollWidth > cell.clientWidth)
    expect(await page.locator('#chart-body td').evaluateAll(isCut)).toBe(false)

    const hour = page.getByRole('button', { name: '1h', exact: true })
    await hour.focus()
    await page.keyboard.press('Enter')
    await state.getByText('Live, 1h, times in UTC').waitFor()
    await expectSoon(() => hour.getAttribute('aria-pressed'), 'true')
    await figures.getByText(/O 0\.050000\s+H 0\.050000/).waitFor()
    await page.getByRole('group', { name: /^Candles of ETH\/BTC, 1h/ }).focus()
    for (const key of ['ArrowLeft', '+', '-', 'End']) await page.keyboard.press(key)

    // The chart is drawn in the system's colors on all pages.
    const isGround = (wanted: string) =>
      page.waitForFunction((color) => {
        const canvas = document.querySelector<HTMLCanvasElement>('#chart-body canvas')
        // A copy: the browser complains about a canvas that is read repeatedly.
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

describe('a list of 300 markets', () => {
  const SCREENS = [
    { width: 1366, height: 657 },
    { width: 1024, height: 700 },
    { width: 390, height: 660 },
  ] as const

  test('is sorted, searched and marked by keyboard alone, sends one request for all figures, and has no finding of axe', async () => {
    for (let index = 0; index < 296; index++) {
      const code = `C${String(index).padStart(3, '0')}`
      await fixture.operate('asset/add', { code, fraction: 8 })
      const quote = index % 3 === 0 ? 'TRY' : 'USDT'
      await fixture.operate('symbol/add', { symbol: `${code}/${quote}`, baseFraction: 4, quoteFraction: 2 })
    }
    for (const [symbol, ...prices] of [
      ['USDT/TRY', '41.02', '41.11'],
      ['ETH/USDT', '3000', '2950.5'],
      ['BTC/USDT', '60000.5', '61234.25'],
    ] as const) {
      for (const price of prices) {
        await fixture.place(fixture.bob, symbol, 'SELL', '0.5', price)
        await fixture.place(fixture.alice, symbol, 'BUY', '0.5', price)
      }
    }
    await fixture.operate('symbol/halt', { symbol: 'ETH/BTC' })
    const { page } = await fixture.open('ETH/USDT', SCREENS[0])
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      asked.push(`${pathname}${search}`)
    })
    const button = page.locator('#market-button')
    const rows = page.locator('#market-list .market')
    const active = page.locator('#market-list .market[data-active] .market-code')
    const first = rows.first().locator('.market-code')

    await button.focus()
    await page.keyboard.press('Enter')
    await page.locator('#market-search:focus').waitFor()
    // The figures of visible markets come with the stream too; only the answers to both requests have states.
    const halted = rows.filter({ hasText: 'Halted' })
    await halted.first().waitFor()
    await rows.first().locator('.market-last', { hasText: '61 234.25' }).waitFor()
    await expectSoon(async () => [await rows.count(), await active.innerText()], [300, 'ETH/USDT'])
    // Both requests are repeated from time to time, however long the test takes.
    expect([...new Set(asked.filter((address) => /ticker|rules/.test(address)))].toSorted()).toEqual([
      '/api/v3/exchangeInfo/rules',
      '/api/v3/ticker/24hr',
    ])
    const figures = await rows.nth(0).locator('span:not(:has(span))').allInnerTexts()
    expect(figures.filter((text) => text !== '')).toEqual([
      ...['☆', 'BTC/USDT', '61\u202f234.25', '+2.06%', '61\u202f234.25', '60\u202f000.50', '60.62K USDT'],
    ])
    await expectSoon(() => halted.locator('.market-code').allInnerTexts(), ['ETH/BTC'])

    await page.keyboard.press('End')
    await expectSoon(() => active.innerText(), 'C295/USDT')
    const [body, last] = await Promise.all([
      page.locator('#markets-body').boundingBox(),
      page.locator('#market-list .market[data-active]').boundingBox(),
    ])
    if (body === null || last === null) throw new Error('expected the list and its last market')
    expect(last.y + last.height).toBeLessThanOrEqual(body.y + body.height + 1)
    await page.keyboard.press('*')
    await page.keyboard.press('PageUp')
    await expectSoon(() => active.innerText(), 'C285/TRY')
    await page.keyboard.press('Home')
    await page.keyboard.press('*')
    await page.keyboard.type('c29')
    await page.getByText('6 of 300 markets').waitFor()
    await expectSoon(() => active.innerText(), 'C290/USDT')
    await page.keyboard.type('x')
    await page.getByText('No market has this name.').waitFor()
    await page.keyboard.press('Escape')
    await expectSoon(() => rows.count(), 300)

    await page.getByRole('tab', { name: 'All' }).focus()
    await page.keyboard.press('ArrowRight')
    await expectSoon(() => rows.locator('.market-code').allInnerTexts(), ['BTC/USDT', 'C295/USDT'])
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await page.getByRole('tab', { name: 'TRY', selected: true }).waitFor()
    await expectSoon(async () => [await rows.count(), await first.innerText()], [100, 'USDT/TRY'])
    await page.keyboard.press('Home')

    await page.getByRole('button', { name: '24h change' }).focus()
    await page.keyboard.press('Enter')
    const codes = () => rows.locator('.market-code').allInnerTexts()
    // Only the markets that traded here: others may have traded before.
    const traded = async () =>
      (await codes()).filter((code) => ['BTC/USDT', 'USDT/TRY', 'ETH/USDT'].includes(code))
    await expectSoon(() => traded(), ['BTC/USDT', 'USDT/TRY', 'ETH/USDT'])
    await expectSoon(async () => (await codes())[0], 'BTC/USDT')
    await page.getByRole('button', { name: '24h change, descending', pressed: true }).press('Enter')
    await expectSoon(() => traded(), ['ETH/USDT', 'USDT/TRY', 'BTC/USDT'])
    await expectSoon(async () => (await codes())[0], 'ETH/USDT')
    await page.getByRole('button', { name: '24h change, ascending', pressed: true }).press('Enter')
    await expectSoon(async () => (await codes())[2], 'ETH/BTC')

    // Most rows are alike: a few of them are checked, and those that differ.
    await page.locator('#market-search').fill('bt')
    for (const screen of SCREENS) {
      await page.setViewportSize(screen)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        expect([screen, colorScheme, await axeFindings(page)]).toEqual([screen, colorScheme, []])
      }
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect([screen, beyond]).toEqual([screen, 0])
    }
    await page.setViewportSize(SCREENS[0])
    await page.locator('#market-search').fill('btcu')
    await page.keyboard.press('Enter')
    await page.locator('#markets').waitFor({ state: 'hidden' })
    await expectSoon(() => button.evaluate((element) => element === document.activeElement), true)

    await page.locator('#last', { hasText: '61 234.25' }).waitFor()
    // The figures of the day are requested separately.
    await page.locator('#day-change', { hasText: '+2.06%' }).waitFor()
    const shown = ['#day-change', '#day-high', '#day-low', '#day-volume'].map((id) =>
      page.locator(id).innerText(),
    )
    await expectSoon(() => Promise.all(shown), ['+2.06%', '61\u202f234.25', '60\u202f000.50', '60.62K'])
    await page.reload()
    await page.getByRole('button', { name: 'Remove BTC/USDT from favorites' }).click()
    await page.getByRole('button', { name: 'Add BTC/USDT to favorites' }).waitFor()
    await page.locator('#market-button').click()
    await page.getByRole('tab', { name: 'Favorites' }).click()
    await rows.getByText('★').click()
    await page.getByRole('tab', { name: 'Favorites' }).click()
    await page.getByText('No favorites yet. The star next to a market adds it.').waitFor()
    await fixture.operate('symbol/resume', { symbol: 'ETH/BTC' })
  })
})

describe('the page', () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`has no finding of axe, wide and on a phone, ${colorScheme}`, async () => {
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
