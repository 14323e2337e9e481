/** What the chart is worked with, as a person uses it: indicators, styles, scales, full screen. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeFindings } from './support/axe.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseSetting, live } from './support/shown.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'ETH/USDT'
const LAPTOP = { width: 1366, height: 657 }
const PHONE = { width: 390, height: 660 }
const fixture = pageFixture()

beforeAll(async () => {
  const { alice, bob } = fixture
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

/** No finding in either theme, with the system's colours, and nothing wider than the page with letters twice as large. */
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

/** By keyboard alone: adds a simple moving average, is refused a length, and sets another one. */
async function addAverage(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Indicators' })
  await page.getByRole('button', { name: 'Indicators', exact: true }).focus()
  await page.keyboard.press('Enter')
  await sheet.getByText('No indicator is shown.').waitFor()
  await page.locator('#chart-indicators button:focus').waitFor()
  expect(await focusedName(page)).toBe('Moving average, simple (SMA)')
  await page.keyboard.press('Enter')
  const length = sheet.getByRole('textbox', { name: 'Length' })
  for (const [text, problem] of [
    ['0', 'Length: a whole number from 1 to 500'],
    ['2.5', 'Length: a whole number from 1 to 500'],
    ['1', ''],
  ] as const) {
    await length.fill(text)
    await length.press('Tab')
    expect(await sheet.locator('.chart-problem').textContent()).toBe(problem)
  }
}

test('indicators are added, set and removed by keyboard, said in figures, kept in the browser, and readable in every theme', async () => {
  const { page } = await fixture.open(SYMBOL, LAPTOP)
  await page.getByRole('button', { name: '1d', exact: true }).click()
  await page
    .locator('#chart-figures')
    .getByText(/Vol 1\.5 ETH/)
    .waitFor()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await addAverage(page)
  // Its files came with the first use.
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
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('chart-body')
})

test('styles and scales are chosen and kept, averages are marked as such, and the chart fills the screen until Escape', async () => {
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
  expect(await page.locator('.top').evaluate((top) => (top as HTMLElement).inert)).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await untilWidth(page, before - 2, before + 2)
  expect(await page.locator('.top').evaluate((top) => (top as HTMLElement).inert)).toBe(false)

  await chooseSetting(page, 'language', 'tr')
  await note.getByText('Heikin-Ashi: ortalama fiyatlar, işlem fiyatı değil').waitFor()
  await page.getByRole('button', { name: 'Göstergeler', exact: true }).click()
  await page.getByText('Gösterge yok.').waitFor()
})
