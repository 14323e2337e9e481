/**
 * The page in a real browser: it fits every screen, can be used without a mouse, and the browser logs no
 * errors or warnings.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseMarket, chooseSetting, expectBid, live, PHONE_VIEWS, showView } from './support/shown.ts'

setDefaultTimeout(300_000)

const PHONE_WIDTHS = [320, 360, 390, 430]
const TABS_MAX = 5

const fixture = pageFixture()

/** How far the document extends beyond the window's right edge, and the figures that are cut off. */
function misfits(page: Page): Promise<{ readonly beyond: number; readonly cut: readonly string[] }> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const cut = [...document.querySelectorAll('td')]
      .filter((element) => element.textContent !== '' && element.scrollWidth > element.clientWidth)
      .map((element) => element.textContent ?? '')
    return { beyond: scrollWidth - clientWidth, cut }
  })
}

describe('the page', () => {
  test('has no horizontal scroll at the width of a phone and cuts no figure off, empty or full', async () => {
    const { page } = await fixture.open('ETH/USDT', { width: 320, height: 640 })
    const expectFit = async () => {
      for (const width of PHONE_WIDTHS) {
        await page.setViewportSize({ width, height: 740 })
        for (const view of PHONE_VIEWS) {
          await showView(page, view)
          expect({ width, view, ...(await misfits(page)) }).toEqual({ width, view, beyond: 0, cut: [] })
        }
      }
    }
    await showView(page, 'Book')
    await page.getByText('No orders yet').waitFor()
    await expectFit()
    const { alice, bob } = fixture
    await fixture.place(bob, 'ETH/USDT', 'SELL', '123.456789', '10987.65')
    await fixture.place(alice, 'ETH/USDT', 'BUY', '23.456789', '10987.65')
    await fixture.place(bob, 'ETH/USDT', 'SELL', '654.321987', '98765.43')
    await fixture.place(alice, 'ETH/USDT', 'BUY', '321.654987', '8765.43')
    await showView(page, 'Book')
    await expectBid(page, '8 765.43', '321.654987')
    await expectFit()
  })

  test('grows with letters twice as large, on a wide screen and on a phone, and still has no horizontal scroll', async () => {
    const { page } = await fixture.open('ETH/USDT', { width: 1440, height: 900 })
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await page.reload()
    await live(page)
    const shown = () =>
      page.evaluate(() => ({
        letters: ['body', '#bids td', '#views button', '.quotes dt'].map((path) => {
          const element = document.querySelector(path)
          return element === null ? '' : getComputedStyle(element).fontSize
        }),
        outside: [...document.querySelectorAll('.top button, .top select, #views button')].filter(
          (element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth,
        ).length,
      }))
    for (const [width, figures] of [
      [1440, '26px'],
      [390, '24px'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      for (const view of PHONE_VIEWS) {
        await showView(page, view)
        expect({ width, view, ...(await misfits(page)) }).toEqual({ width, view, beyond: 0, cut: [] })
      }
      expect({ width, ...(await shown()) }).toEqual({
        width,
        letters: ['26px', figures, width === 390 ? '26px' : '24px', '22px'],
        outside: 0,
      })
    }
  })

  test('the measurement behind it would find a document too wide and a figure too long', async () => {
    const { page } = await fixture.open('ETH/BTC', { width: 360, height: 740 })
    await showView(page, 'Book')
    await page.evaluate(() => {
      document.body.style.minWidth = '400px'
      const cell = document.querySelector('#asks td')
      if (cell !== null) cell.textContent = '123\u202f456\u202f789.01'.repeat(3)
    })
    const { beyond, cut } = await misfits(page)
    expect(beyond).toBeGreaterThan(0)
    expect(cut).toHaveLength(1)
  })

  test('works with the keyboard alone: Tab reaches the market’s button, which opens the list, and an arrow key and Enter choose from it', async () => {
    const { page } = await fixture.open('BTC/USDT')
    const picker = page.locator('#market-button')
    const isReached = () => picker.evaluate((element) => element === document.activeElement)
    for (let tabs = 0; tabs < TABS_MAX && !(await isReached()); tabs++) await page.keyboard.press('Tab')
    expect(await isReached()).toBe(true)
    expect(await picker.evaluate((element) => element.matches(':focus-visible'))).toBe(true)

    await page.keyboard.press('Enter')
    await page.locator('#market-search:focus').waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    expect(await isReached()).toBe(true)
    const chosen = await picker.innerText()
    expect(chosen).not.toBe('BTC/USDT')
    const [base] = chosen.split('/')
    await expectSoon(
      () => page.locator('[data-unit="base"]').allTextContents(),
      [base, base, base].map(String),
    )
    expect(new URL(page.url()).hash).toBe(`#${chosen}`)
  })

  test('keeps the chosen theme, and appears in no other one when it is reloaded', async () => {
    const { page } = await fixture.open('BTC/USDT')
    await page.emulateMedia({ colorScheme: 'dark' })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await ground()
    await chooseSetting(page, 'theme', 'light')
    const light = await ground()
    expect(light).not.toBe(dark)
    await page.addInitScript(() => {
      const look = () => {
        // Nothing of the page is visible before that.
        if (document.documentElement?.hasAttribute('data-starting') !== false) requestAnimationFrame(look)
        else Object.assign(window, { firstSeen: getComputedStyle(document.body).backgroundColor })
      }
      look()
    })
    await page.reload()
    await live(page)
    expect(await page.evaluate(() => (window as unknown as { readonly firstSeen: string }).firstSeen)).toBe(
      light,
    )
    expect(await ground()).toBe(light)
    await expectSoon(() => page.getByLabel('Theme').inputValue(), 'light')
    await chooseSetting(page, 'theme', 'system')
    expect(await ground()).toBe(dark)
  })

  test('moves nothing around the book, the trades and the chart while its market is busy', async () => {
    const { page } = await fixture.open('USDT/TRY', { width: 1440, height: 900 })
    await page.locator('#chart-state').getByText('Live').waitFor()
    await page.evaluate(() => {
      const moved: string[] = []
      Object.assign(window, { moved })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { sources } = entry as PerformanceEntry & {
            readonly sources: readonly { readonly node: Node | null }[]
          }
          for (const { node } of sources) {
            const element = node instanceof Element ? node : node?.parentElement
            // Rows and figures of these boxes come and go.
            const isDrawn = element?.closest('#book-body, .tape-body, #chart-body') != null
            if (element != null && !isDrawn) moved.push(element.outerHTML.slice(0, 80))
          }
        }
      }).observe({ type: 'layout-shift' })
    })
    const moved = () =>
      page.evaluate(() => (window as unknown as { readonly moved: readonly string[] }).moved)
    for (let step = 0; step < 12; step++) {
      const price = `40.${20 + step}`
      await fixture.place(fixture.bob, 'USDT/TRY', 'SELL', '1', price)
      await fixture.place(fixture.alice, 'USDT/TRY', 'BUY', '1', price)
      await fixture.place(fixture.bob, 'USDT/TRY', 'SELL', `${step + 1}.5`, `41.${20 + step}`)
      await fixture.place(fixture.alice, 'USDT/TRY', 'BUY', '500', `39.${20 + step}`)
    }
    await page.locator('#last', { hasText: '40.31' }).waitFor()
    await expectBid(page, '39.31', '500.00')
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await moved()).toEqual([])
    // If the page moved, the measurement would be wrong.
    await page.locator('main').evaluate((main) => {
      main.style.marginTop = '60px'
    })
    await page.waitForFunction(
      () => (window as unknown as { readonly moved: readonly string[] }).moved.length > 0,
    )
  })

  test('causes no console error, violates no content policy and sends requests to its own node alone', async () => {
    const { page, takeComplaints, origins } = await fixture.open('BTC/USDT')
    await fixture.place(fixture.bob, 'BTC/USDT', 'SELL', '2', '1000')
    await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '1', '1000')
    await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '1', '999')
    await expectBid(page, '999.00', '1.00000000')
    await page.getByRole('button', { name: 'Copy' }).click()
    await chooseMarket(page, 'USDT/TRY')
    await page.reload()
    await live(page)
    expect(takeComplaints()).toEqual([])
    expect([...origins]).toEqual([fixture.baseUrl])
  })

  test('the watch behind it would find markup, scripts, styles and requests that the policy forbids', async () => {
    const { page, takeComplaints } = await fixture.open('BTC/USDT')
    const forbidden = [
      () => document.head.append(Object.assign(document.createElement('style'), { textContent: 'b{}' })),
      () => document.body.insertAdjacentHTML('beforeend', '<b>markup</b>'),
      () => Object.assign(document.createElement('script'), { textContent: '1' }),
      () => fetch('http://127.0.0.2:1/'),
      () => console.error('said by the page'),
    ]
    for (const attempt of forbidden) {
      await page.evaluate(attempt).catch(() => {})
      await until(`a complaint about ${attempt}`, () => takeComplaints().length > 0)
    }
    await page.close()
    takeComplaints()
  })
})
