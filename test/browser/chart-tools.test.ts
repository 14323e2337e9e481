/**
 * The tools of the chart, as a person uses them: indicators, styles, scales, full screen, drawings, the menu
 * of a price, price alerts.
 */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { signed } from '../support/bourse-process.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseMarket, chooseSetting, live } from './support/shown.ts'
import { field, notices, takeAlice } from './support/trading.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'ETH/USDT'
const LAPTOP = { width: 1366, height: 657 }
const PHONE = { width: 390, height: 660 }
const fixture = pageFixture()

beforeAll(async () => {
  const { alice, bob } = fixture
  await untilStrictSignatures(fixture.baseUrl, alice)
  await fixture.place(bob, SYMBOL, 'SELL', '1.5', '1000')
  await fixture.place(alice, SYMBOL, 'BUY', '1.5', '1000')
})

const focusedName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )

const legend = (page: Page) => page.locator('#chart-legend')
const chartWidth = async (page: Page) => (await page.locator('#chart-body').boundingBox())?.width ?? 0

/** The chart's canvases follow the size of the chart. */
async function untilWidth(page: Page, least: number, most: number): Promise<void> {
  const isWithin = ([from, to]: readonly number[]) => {
    const width = document.querySelector('#chart-body table')?.getBoundingClientRect().width ?? 0
    return width >= (from ?? 0) && width <= (to ?? 0)
  }
  await page.waitForFunction(isWithin, [least, most])
}

/**
 * Checks that axe finds nothing in either theme or with the system's colors, and that nothing is wider than
 * the page at twice the text size.
 */
async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await axeFindings(page)]).toEqual([colorScheme, []])
  }
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' })
  expect(await axeFindings(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' })
  const session = await page.context().newCDPSession(page)
  for (const standard of [32, 16]) {
    await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: 13 } })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  }
  await session.detach()
}

/** By keyboard alone: adds a simple moving average, enters a length that is refused, and sets another one. */
async function addAverage(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Indicators' })
  await page.getByRole('button', { name: 'Indicators', exact: true }).focus()
  await page.keyboard.press('Enter')
  await sheet.getByText('No indicator is shown.').waitFor()
  await page.locator('#chart-indicators button:focus').waitFor()
  await expectSoon(() => focusedName(page), 'Moving average, simple (SMA)')
  await page.keyboard.press('Enter')
  const length = sheet.getByRole('textbox', { name: 'Length' })
  for (const [text, problem] of [
    ['0', 'Length: a whole number from 1 to 500'],
    ['2.5', 'Length: a whole number from 1 to 500'],
    ['1', ''],
  ] as const) {
    await length.fill(text)
    await length.press('Tab')
    await expectSoon(() => sheet.locator('.chart-problem').textContent(), problem)
  }
}

test('indicators are added, set and removed by keyboard, described in figures, stored in the browser, and readable in every theme', async () => {
  const { page } = await fixture.open(SYMBOL, LAPTOP)
  await page.getByRole('button', { name: '1d', exact: true }).click()
  await page
    .locator('#chart-figures')
    .getByText(/Vol 1\.5 ETH/)
    .waitFor()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await addAverage(page)
  // The files of the indicators are loaded at the first use.
  expect(requested.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(0)
  // The average of a single close is the close.
  await legend(page).getByText('SMA 1', { exact: true }).waitFor()
  await legend(page)
    .getByText(/^1\s?000\.00$/)
    .waitFor()
  const sheet = page.getByRole('dialog', { name: 'Indicators' })
  for (const kind of [/BOLL/, /VWAP/, /RSI/, /MACD/])
    await sheet.getByRole('button', { name: kind }).last().click()
  await legend(page).getByText('MACD 12 26 9').waitFor()
  expect(await page.locator('#chart-body tr:has(td canvas)').count()).toBeGreaterThanOrEqual(4)
  await expectReadable(page)
  await page.keyboard.press('Escape')
  await page.reload()
  await live(page)
  await legend(page).getByText('MACD 12 26 9').waitFor()
  await legend(page)
    .getByText(/^1\s?000\.00$/)
    .first()
    .waitFor()
  await page.setViewportSize(PHONE)
  await expectReadable(page)
  for (const name of ['SMA 1', 'BOLL 20 2', 'VWAP', 'RSI 14', 'MACD 12 26 9']) {
    await legend(page)
      .getByRole('button', { name: `Remove ${name}`, exact: true })
      .focus()
    await page.keyboard.press('Enter')
  }
  await legend(page).waitFor({ state: 'hidden' })
  await expectSoon(() => page.evaluate(() => document.activeElement?.id), 'chart-body')
})

test('styles and scales are chosen and stored, averages are marked as such, and the chart fills the screen until Escape', async () => {
  const { page } = await fixture.open(SYMBOL, LAPTOP)
  await page.locator('#chart[data-state="live"]').waitFor()
  const note = page.locator('#chart-older')
  const style = page.getByRole('dialog', { name: 'Style' })
  await page.getByRole('button', { name: 'Style', exact: true }).click()
  for (const chosen of ['bars', 'line', 'heikin-ashi']) await style.getByLabel('Style').selectOption(chosen)
  for (const scale of ['log', 'percent']) await style.getByLabel('Price scale').selectOption(scale)
  await note.getByText('Heikin-Ashi: averaged prices, not traded ones').waitFor()
  await expectReadable(page)
  await page.keyboard.press('Escape')
  await page.reload()
  await live(page)
  await note.getByText('Heikin-Ashi: averaged prices').waitFor()

  const before = await chartWidth(page)
  await page.getByRole('button', { name: 'Full screen' }).click()
  await untilWidth(page, LAPTOP.width - 30, LAPTOP.width)
  await expectSoon(() => page.locator('.top').evaluate((top) => (top as HTMLElement).inert), true)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await untilWidth(page, before - 2, before + 2)
  expect(await page.locator('.top').evaluate((top) => (top as HTMLElement).inert)).toBe(false)

  await chooseSetting(page, 'language', 'tr')
  await note.getByText('Heikin-Ashi: ortalama fiyatlar, işlem fiyatı değil').waitFor()
  await page.getByRole('button', { name: 'Göstergeler', exact: true }).click()
  await page.getByText('Hiçbir gösterge seçilmedi.').waitFor()
})

/** Opens the sheet of drawings. */
async function drawSheet(page: Page) {
  const sheet = page.getByRole('dialog', { name: 'Draw' })
  await page.getByRole('button', { name: 'Draw', exact: true }).click()
  await sheet.getByRole('button', { name: 'Trend line', exact: true }).waitFor()
  return sheet
}

/** Opens the menu of a price by keyboard. */
async function menuAt(page: Page, price: string) {
  await (await drawSheet(page)).getByRole('button', { name: 'At a price' }).click()
  const menu = page.getByRole('dialog', { name: 'At a price' })
  await menu.getByLabel('Price').fill(price)
  return menu
}

/** The height in the window at which the line of an order can be grabbed. */
async function heightOfOrder(page: Page, x: number, from: number, to: number): Promise<number> {
  for (let y = from; y < to; y += 3) {
    await page.mouse.move(x, y)
    if ((await page.locator('#chart-body[data-over]').count()) > 0) return y + 3
  }
  throw new Error('no line of an order can be taken')
}

test('lines are drawn, moved and deleted by keyboard and by pointer, stored for their market, and never dragged in place of an order', async () => {
  await fixture.place(fixture.alice, SYMBOL, 'BUY', '2', '998')
  const { page } = await fixture.open(SYMBOL, LAPTOP)
  await takeAlice(page)
  await page.getByRole('button', { name: '1d', exact: true }).click()
  await page
    .locator('.chart-chips')
    .getByRole('button', { name: /Buy 2 ETH Limit/ })
    .waitFor()
  const said = page.locator('#chart-said')
  await (await drawSheet(page)).getByRole('button', { name: 'Trend line', exact: true }).click()
  await expectSoon(() => page.evaluate(() => document.activeElement?.id), 'chart-body')
  await page.keyboard.press('Enter')
  await said.getByText(/^Drag it, or use the arrow keys/).waitFor()
  const trendName = async () => {
    const name = await (await drawSheet(page))
      .getByRole('button', { name: 'Select: Trend line' })
      .textContent()
    await page.keyboard.press('Escape')
    return name?.replaceAll(/\s/g, '') ?? ''
  }
  const [before = '', level = ''] = /from(\S+)to(\S+)/.exec(await trendName())?.slice(1) ?? []
  expect(before).toBe(level)
  // Moves only the first end, upwards.
  await (await drawSheet(page)).getByRole('button', { name: 'Select: Trend line' }).click()
  for (const key of ['Enter', 'Shift+ArrowUp', 'ArrowLeft']) await page.keyboard.press(key)
  await said.getByText(/^First end/).waitFor()
  const [higher = '', same = ''] = /from(\S+)to(\S+)/.exec(await trendName())?.slice(1) ?? []
  expect([Number(higher) > Number(before), same]).toEqual([true, level])
  await page.locator('#chart-body').focus()
  await page.keyboard.press('Delete')
  await said.getByText(/./).waitFor({ state: 'hidden' })

  // A press that ends a drawing does not grab the order below it; the next press does.
  let replacements = 0
  page.on('request', (request) => {
    if (request.method() !== 'GET') replacements++
  })
  const { x, y, width, height } = (await page.locator('#chart-body').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  const across = x + width / 3
  const order = await heightOfOrder(page, across, y + 1, y + height)
  await (await drawSheet(page)).getByRole('button', { name: 'Horizontal line', exact: true }).click()
  await page.mouse.move(across, order)
  await page.mouse.down()
  await page.mouse.move(across, order + 20, { steps: 3 })
  await page.mouse.up()
  await said.getByText(/^Drag it/).waitFor()
  expect(await page.getByRole('dialog', { name: /Move order/ }).count()).toBe(0)
  await page.mouse.move(across, order)
  await page.mouse.down()
  await page.mouse.move(across, order + 20, { steps: 3 })
  await page.mouse.up()
  await page.getByRole('dialog').getByText('998 →').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(replacements).toBe(0)

  await page.reload()
  await live(page)
  const sheet = await drawSheet(page)
  await sheet.getByRole('button', { name: /^Select: Horizontal line/ }).waitFor()
  await expectReadable(page)
  await page.keyboard.press('Escape')
  await chooseMarket(page, 'BTC/USDT')
  expect(await (await drawSheet(page)).getByRole('button', { name: /^Select/ }).count()).toBe(0)
})

test('a right click at a price, or the keyboard, puts an order into the form and sends none; an alert is shown once when the last price gets there', async () => {
  const { page } = await fixture.open(SYMBOL, LAPTOP)
  await takeAlice(page)
  await page.getByRole('button', { name: '1d', exact: true }).click()
  await page.locator('#chart-figures').getByText(/Vol/).waitFor()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().includes('order/test')) sent++
  })
  const { x, y, width, height } = (await page.locator('#chart-body').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  await page.mouse.click(x + width / 3, y + height / 3, { button: 'right' })
  const menu = page.getByRole('dialog', { name: 'At a price' })
  const price = await menu.getByLabel('Price').inputValue()
  expect(Number(price)).toBeGreaterThan(900)
  await expectReadable(page)
  await menu.getByRole('button', { name: /^Buy limit at/ }).click()
  await expectSoon(() => field(page, 'Price').inputValue(), price)
  await page.locator('[data-field="quantity"]:focus').waitFor()
  for (const [typed, button] of [
    ['1003', 'Buy stop at'],
    ['997', 'Sell stop at'],
  ] as const) {
    await (await menuAt(page, typed)).getByRole('button', { name: new RegExp(`^${button}`) }).click()
    await expectSoon(() => field(page, 'Stop price').inputValue(), typed)
  }
  const asked = () => page.evaluate(() => (window as unknown as { asked: number }).asked)
  await page.evaluate(() => {
    Object.assign(window, { asked: 0 })
    Notification.requestPermission = async () => {
      Object.assign(window, { asked: (window as unknown as { asked: number }).asked + 1 })
      return 'granted'
    }
  })
  const refused = await menuAt(page, '1,000')
  await refused.getByText('Price: digits and at most one point, above zero').waitFor()
  expect(
    await refused
      .getByRole('button')
      .evaluateAll((all) => all.every((each) => (each as HTMLButtonElement).disabled)),
  ).toBe(true)
  await refused.getByLabel('Price').fill('1002.5')
  await refused.getByRole('button', { name: /^Alert at/ }).click()
  await page.locator('#chart-said').getByText('while this page is open').waitFor()
  expect(sent).toBe(0)
  const sheet = await drawSheet(page)
  await sheet.getByText(/^ETH\/USDT at 1\s?002\.5$/).waitFor()
  // Only the switch requests the browser's permission.
  expect(await asked()).toBe(0)
  await sheet.getByLabel(/^Browser notifications/).check()
  expect(await asked()).toBe(1)
  await page.keyboard.press('Escape')

  // The alert is kept, and is watched again after a reload with a layout that hides the chart; a price below
  // it causes no notice.
  await page.getByRole('button', { name: 'Hide: Chart' }).click()
  await page.reload()
  await live(page)
  await page.locator('#chart[data-state="live"]').waitFor({ state: 'attached' })
  expect(await page.locator('#chart').isVisible()).toBe(false)
  const { alice, bob } = fixture
  for (const trade of ['1001', '1003', '1001']) {
    await fixture.place(bob, SYMBOL, 'SELL', '0.5', trade)
    await fixture.place(alice, SYMBOL, 'BUY', '0.5', trade)
  }
  await notices(page)
    .getByText(/^ETH\/USDT has risen to 1\s?002\.5$/)
    .waitFor()
  await page.locator('#layout-button').click()
  await page.getByRole('button', { name: 'Reset layout' }).click()
  await page.keyboard.press('Escape')
  expect(await (await drawSheet(page)).getByText('Price alerts').count()).toBe(0)
})

test('each order of a list is labelled on the chart by its purpose', async () => {
  const entry = { workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '985', workingQuantity: '0.5' }
  const after = {
    pendingSide: 'SELL',
    pendingQuantity: '0.4',
    pendingAboveType: 'LIMIT_MAKER',
    pendingAbovePrice: '1090',
  }
  const loss = { pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: '970' }
  const list = await signed(fixture.baseUrl, fixture.alice, 'POST', 'orderList/otoco', {
    symbol: SYMBOL,
    ...entry,
    ...after,
    ...loss,
  })
  expect(await list.json()).toMatchObject({ status: true })
  const { page } = await fixture.open(SYMBOL, LAPTOP)
  await takeAlice(page)
  const chips = page.locator('.chart-chips')
  for (const name of [
    /Buy 0\.5 ETH Entry \(Limit\) at 985/,
    /Sell 0\.4 ETH Take profit \(Post only\) at 1\s?090/,
    /Stop price: Sell 0\.4 ETH Stop loss \(.*\) at 970/,
  ])
    await chips.getByRole('button', { name }).waitFor()
})
