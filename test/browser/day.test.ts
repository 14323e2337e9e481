/**
 * A complete day of a person on the page, by keyboard: in English on a wide dark screen, in Turkish on a
 * light phone; and the hours in which a market or a page does not trade.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { ENGLISH } from '../../src/web/shared/texts/english/english.ts'
import { TURKISH } from '../../src/web/shared/texts/turkish/turkish.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import { OTHER_NAME } from './support/browser.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { expectBid } from './support/shown.ts'
import { notices, orders, send, takeAlice } from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()
/** More than the number of tab stops on the page. */
const TABS_MAX = 250

beforeAll(() => untilStrictSignatures(fixture.baseUrl, fixture.alice))

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  const wanted = await place.elementHandle()
  for (let count = 0; count < TABS_MAX; count++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((element) => document.activeElement === element, wanted)) return
  }
  throw new Error(`the Tab key does not come to ${place}`)
}

/** Moves the focus to the field and replaces its contents. */
async function typeInto(page: Page, place: Locator, text: string): Promise<void> {
  await tabTo(page, place)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

async function press(page: Page, place: Locator): Promise<void> {
  await tabTo(page, place)
  await page.keyboard.press('Enter')
}

/** A field of the order form. */
function field(page: Page, name: 'price' | 'quantity'): Locator {
  return page.locator(`#trade [data-field="${name}"]`)
}

/** On a phone, opens one of its views; on other screens all panels are visible. */
async function goTo(page: Page, view: string): Promise<void> {
  const button = page.locator('#views').getByRole('button', { name: view, exact: true })
  if (await button.isVisible()) await press(page, button)
}

/** Counts the orders that the page sends from now on. */
function countPlaced(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/order(?:List\/\w+)?$/.test(new URL(request.url()).pathname)) count++
  })
  return () => count
}

/** Checks that the browser logged only failures that the test caused. */
function expectComplaints(complaints: readonly string[], expected: RegExp): void {
  expect(complaints.filter((text) => !expected.test(text))).toEqual([])
}

/** Checks for barriers in both themes, and that nothing scrolls sideways. */
async function expectNoneKeptOut(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeFindings(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  // Another theme changes only colors.
  expect(await axeFindings(page, ['color-contrast'])).toEqual([])
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(beyond).toBe(0)
}

describe('a day on the page', () => {
  test.each([
    {
      language: 'en',
      words: ENGLISH,
      market: { symbol: 'BTC/USDT', zeros: '000000' },
      viewport: { width: 1440, height: 900 },
      colorScheme: 'dark',
    },
    {
      language: 'tr',
      words: TURKISH,
      market: { symbol: 'ETH/USDT', zeros: '0000' },
      viewport: { width: 390, height: 844 },
      colorScheme: 'light',
    },
  ] as const)(
    'works by the keyboard alone in the browser’s language ($language, $colorScheme): key, order, fill, amend, cancel, history',
    async ({ language, words, market: { symbol, zeros }, viewport, colorScheme }) => {
      const { page } = await fixture.open(symbol, viewport, { locale: language === 'tr' ? 'tr-TR' : 'en-GB' })
      await expectSoon(() => page.locator('html').getAttribute('lang'), language)
      const labelled = (text: string) => page.locator('#trade').getByLabel(new RegExp(`^${text}`))
      const button = (name: string) => page.getByRole('button', { name, exact: true })

      const { view } = words.layout
      await goTo(page, view.trade)
      await expectNoneKeptOut(page)
      await page.emulateMedia({ colorScheme })
      await typeInto(page, labelled(words.key.name), fixture.alice.apiKey)
      await typeInto(page, labelled(words.key.secret), fixture.alice.secret)
      await page.keyboard.press('Enter')
      await page.locator('.trade-desk[data-live="true"]').waitFor()

      await typeInto(page, field(page, 'price'), '1000')
      await typeInto(page, field(page, 'quantity'), '2')
      await page.keyboard.press('Enter')
      await press(page, page.getByRole('dialog').locator('.trade-primary'))
      await orders(page).waitFor({ state: 'attached' })
      await goTo(page, view.book)
      await expectBid(page, '1 000.00', `2.${zeros}00`)

      await fixture.place(fixture.bob, symbol, 'SELL', '0.5', '1000')
      await goTo(page, view.trade)
      const { partlyFilled, done } = words.notices
      const [base] = symbol.split('/')
      const price = '1\u202f000 USDT'
      const filled = partlyFilled(done.BUY, `0.5 ${base}`, price, `1.5 ${base}`)
      await notices(page).getByText(filled).waitFor()

      await goTo(page, view.account)
      await press(page, orders(page).getByRole('button', { name: new RegExp(`^${words.account.open.edit}`) }))
      await typeInto(page, page.getByRole('dialog').getByLabel(words.orders.quantity), '0.5')
      await press(page, page.getByRole('dialog').getByRole('button', { name: words.account.open.edit }))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await goTo(page, view.book)
      await expectBid(page, '1 000.00', `0.5${zeros}0`)
      await goTo(page, view.account)
      await expectNoneKeptOut(page)

      await press(page, orders(page).getByRole('button', { name: new RegExp(`^${words.orders.cancel}`) }))
      await page.getByText(words.orders.none).waitFor()

      const { tabs } = words.account
      const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
      await tabTo(page, tab(tabs.OPEN_ORDERS))
      for (const [name, shown] of [
        [tabs.ORDERS, words.account.statuses.CANCELED],
        [tabs.FILLS, words.side.BUY],
        [tabs.LEDGER, words.account.ledger.causes.COMMISSION],
        [tabs.BALANCES, 'USDT'],
        [tabs.PORTFOLIO, 'USDT'],
        [tabs.NOTICES, filled],
      ] as const) {
        await page.keyboard.press('ArrowRight')
        await page.locator('[role="tab"][aria-selected="true"]', { hasText: name }).waitFor()
        await page.locator('.trade-lists [role="tabpanel"] :is(tbody, ul)').getByText(shown).first().waitFor()
        await expectNoneKeptOut(page)
      }

      await goTo(page, view.chart)
      await press(page, tab(words.chart.views.candles))
      await page.keyboard.press('ArrowRight')
      await page.locator('[role="tab"][aria-selected="true"]', { hasText: words.chart.views.depth }).waitFor()
      const isPhone = await page.locator('#views').isVisible()
      for (const name of isPhone ? [view.chart, view.book, view.tape, view.trade] : [view.chart]) {
        await goTo(page, name)
        await expectNoneKeptOut(page)
      }

      for (const name of [words.quick.title, words.quick.hotkeys.title]) {
        await press(page, page.locator('#menu-button'))
        await press(page, button(name))
        await page.locator('dialog[open]').waitFor()
        await expectNoneKeptOut(page)
        await page.keyboard.press('Escape')
        await page.locator('dialog[open]').waitFor({ state: 'detached' })
      }
    },
  )
})

describe('the language of the page', () => {
  test('changes by the keyboard without a reload, loses nothing that is typed, and is kept', async () => {
    const { page, loads } = await fixture.open('BTC/USDT', undefined, { locale: 'tr-TR' })
    const titles = () => page.evaluate(() => (globalThis as unknown as { readonly titles: string[] }).titles)
    await page.addInitScript(() => {
      const titles = new Set<string>()
      Object.defineProperty(globalThis, 'titles', { get: () => [...titles] })
      new MutationObserver(() => {
        const title = document.querySelector('#book-title')?.textContent
        if (title) titles.add(title)
      }).observe(document, { subtree: true, childList: true, characterData: true })
    })
    await page.reload()
    await page.locator('#book-title', { hasText: TURKISH.book.title }).waitFor()
    await takeAliceIn(page, TURKISH.key.sandbox('alice'))
    await field(page, 'price').fill('1,5')
    await page.getByText(TURKISH.problems.readings(`15 ${TURKISH.problems.or} 1.5`)).waitFor()
    await expectSoon(() => titles(), [TURKISH.book.title])

    const before = loads()
    await page.locator('#menu-button').focus()
    await page.keyboard.press('Enter')
    await page.locator('#language').focus()
    await page.keyboard.press('Home')
    await page.locator('html[lang="en"]').waitFor()
    await page.getByText(ENGLISH.problems.readings('15 or 1.5')).waitFor()
    await expectSoon(() => field(page, 'price').inputValue(), '1,5')
    expect(loads()).toBe(before)
    await page.reload()
    await page.locator('#book-title', { hasText: ENGLISH.book.title }).waitFor()
    await expectSoon(() => titles(), [ENGLISH.book.title])
  })
})

async function takeAliceIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.locator('.trade-desk[data-live="true"]').waitFor()
}

describe('a page that cannot trade', () => {
  test('offers the nearest price of a market’s steps where the exchange refuses one, and sends that', async () => {
    await fixture.operate('symbol/increments', { symbol: 'ETH/BTC', tickSize: '0.0005' })
    const { page, takeComplaints } = await fixture.open('ETH/BTC')
    await takeAlice(page)
    await field(page, 'price').fill('0.0314')
    await field(page, 'quantity').fill('1')
    const offer = page.getByRole('button', { name: ENGLISH.offer('0.0315'), exact: true })
    await press(page, offer)
    await expectSoon(() => field(page, 'price').inputValue(), '0.0315')
    await field(page, 'price').press('Enter')
    await press(page, page.getByRole('dialog').locator('.trade-primary'))
    await orders(page).filter({ hasText: '0.0315' }).waitFor()
    expectComplaints(takeComplaints(), /order\/test 400|status of 400/)
  })

  test('says that a market is halted, sends nothing to it, and continues when it trades again', async () => {
    await fixture.operate('symbol/halt', { symbol: 'ETH/BTC' })
    const { page, takeComplaints } = await fixture.open('ETH/BTC')
    const placed = countPlaced(page)
    await takeAlice(page)
    await page.locator('#phase', { hasText: ENGLISH.phases.symbol.HALTED }).waitFor()
    await page.getByText(ENGLISH.sending.waits.HALTED).waitFor()
    await field(page, 'price').fill('0.03')
    await field(page, 'quantity').fill('1')
    await page.keyboard.press('Enter')
    await send(page).click({ force: true })
    expect([await send(page).getAttribute('aria-disabled'), await page.getByRole('dialog').count()]).toEqual([
      'true',
      0,
    ])
    await expectNoneKeptOut(page)

    await fixture.operate('symbol/resume', { symbol: 'ETH/BTC' })
    await page.locator('.trade-send[aria-disabled="false"]').waitFor()
    expect(placed()).toBe(0)
    await page.locator('#phase').waitFor({ state: 'hidden' })
    expectComplaints(takeComplaints(), /order\/test 503|status of 503/)
  })

  test('is read-only where a browser does not trust it, says why, and stores no key', async () => {
    const { page, takeComplaints } = await fixture.open('BTC/USDT', undefined, { host: OTHER_NAME })
    await page.getByText(ENGLISH.key.insecure).waitFor()
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    expect(await page.locator('#trade :is(input, button, select)').count()).toBe(0)
    const kept = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    expect(kept).toEqual([])
    await expectNoneKeptOut(page)
    expectComplaints(takeComplaints(), /Cross-Origin-Opener-Policy header has been ignored/)
  })
})
