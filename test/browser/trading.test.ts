/**
 * A person trades on the page, in a real browser with a real node: key, order, fill, amend, cancel, and what
 * must not happen.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Credentials } from '../support/bourse-process.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { expectBid, openMenu, PHONE_VIEWS, showView } from './support/shown.ts'
import {
  askSeldom,
  chooseKind,
  field,
  fill,
  forgetKey,
  notices,
  orders,
  place,
  sayYes,
  send,
  takeAlice,
  trade,
} from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()
const SYMBOL = 'BTC/USDT'

beforeAll(() => untilStrictSignatures(fixture.baseUrl, fixture.alice))

describe('the trading page', () => {
  test('places an order, shows its fill, edits it and cancels it', async () => {
    const { page } = await fixture.open(SYMBOL)
    await takeAlice(page)
    await place(page, '1000', '2')
    await orders(page).filter({ hasText: '1 000.00' }).waitFor()
    await expectBid(page, '1 000.00', '2.00000000')
    await page.locator('#bids tr[data-own]').waitFor()

    await fixture.place(fixture.bob, SYMBOL, 'SELL', '0.5', '1000')
    await notices(page).getByText('Partly filled: bought 0.5 BTC at 1 000 USDT (1.5 BTC left)').waitFor()
    await expectSoon(() => orders(page).locator('td').nth(7).innerText(), '0.5')
    await trade(page).getByRole('tab', { name: 'Fills' }).click()
    await trade(page).getByRole('tabpanel').getByText('0.0005 BTC').waitFor()
    await trade(page).getByRole('tab', { name: 'Open orders' }).click()

    await orders(page).getByRole('button', { name: /^Edit/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Quantity').fill('0.5')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectBid(page, '1 000.00', '0.50000000')

    await orders(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await orders(page).waitFor({ state: 'detached' })
    await trade(page).getByText('You have no open orders.').waitFor()
    await page.locator('#bids tr[data-own]').waitFor({ state: 'detached' })
  })

  test('a double click places one order, and a click on the book fills the price', async () => {
    const { page } = await fixture.open(SYMBOL)
    await takeAlice(page)
    await askSeldom(page)
    await fill(page, '900', '1')
    await send(page).dblclick()
    await orders(page).first().waitFor()
    await notices(page).getByText('Placed: buy 1 BTC at 900 USDT').waitFor()
    await expectSoon(() => orders(page).count(), 1)
    await expectBid(page, '900.00', '1.00000000')

    await trade(page)
      .getByLabel(/^Price/)
      .fill('')
    await page.locator('#bids tr').first().click()
    await expectSoon(
      () =>
        trade(page)
          .getByLabel(/^Price/)
          .inputValue(),
      '900.00',
    )

    await trade(page).getByRole('button', { name: 'Cancel all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
    await trade(page).getByText('You have no open orders.').waitFor()
  })

  test('calls a market live when its own book has arrived, and not because the previous one was live', async () => {
    const { page } = await fixture.open(SYMBOL)
    await takeAlice(page)
    const seen = page.evaluate(async () => {
      const desk = document.querySelector<HTMLElement>('.trade-desk')
      if (desk === null) throw new Error('expected the form')
      const states: (string | undefined)[] = []
      await new Promise<void>((resolve) => {
        new MutationObserver(() => {
          states.push(desk.dataset.live)
          if (states.length > 1) resolve()
        }).observe(desk, { attributeFilter: ['data-live'] })
        location.hash = 'ETH/USDT'
      })
      return states
    })
    expect(await seen).toEqual(['false', 'true'])
  })

  test('refuses an ambiguous number, and offers the nearest value', async () => {
    const { page } = await fixture.open(SYMBOL)
    await takeAlice(page)
    await fill(page, '1,000', '1')
    await trade(page).getByText('Did you mean 1000 or 1?').waitFor()
    await trade(page).getByRole('button', { name: 'Use 1000', exact: true }).click()
    await expectSoon(
      () =>
        trade(page)
          .getByLabel(/^Price/)
          .inputValue(),
      '1000',
    )

    await fill(page, '1000.126', '1')
    await send(page).click()
    await trade(page).getByRole('button', { name: 'Use 1000.13' }).click()
    await expectSoon(
      () =>
        trade(page)
          .getByLabel(/^Price/)
          .inputValue(),
      '1000.13',
    )
    expect(await orders(page).count()).toBe(0)
  })

  test('asks for confirmation before it sends, with what it would send, until that is switched off', async () => {
    const { page } = await fixture.open(SYMBOL)
    await takeAlice(page)
    await fill(page, '800', '0.5')
    await send(page).click()
    const question = page.getByRole('dialog', { name: 'Confirm buy' })
    await question.getByText('400 USDT').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await send(page).click()
    await sayYes(page)
    await orders(page).waitFor()

    await page.reload()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    await askSeldom(page)
    await fill(page, '800', '0.5')
    await send(page).click()
    await orders(page).nth(1).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    for (const _ of [1, 2]) {
      const left = await orders(page).count()
      await orders(page)
        .first()
        .getByRole('button', { name: /^Cancel/ })
        .click()
      await orders(page)
        .nth(left - 1)
        .waitFor({ state: 'detached' })
    }
  })

  test('takes neither the second click of a double click nor a held Enter for a confirmation', async () => {
    const { page } = await fixture.open(SYMBOL)
    await takeAlice(page)
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname.endsWith('/order')) sent++
    })
    const question = page.getByRole('dialog')
    const yes = question.getByRole('button', { name: 'Buy 0.5 BTC' })
    await fill(page, '800', '0.5')
    // If Enter has been held down since before the question, it presses neither button.
    await page.keyboard.down('Enter')
    await question.waitFor()
    await page.keyboard.down('Enter')
    await yes.focus()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    // The browser counts this click as the second of a double click.
    await yes.hover()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    expect([await question.count(), sent]).toEqual([1, 0])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await place(page, '800', '0.25')
    await orders(page).waitFor()
    expect([await orders(page).count(), sent]).toEqual([1, 1])
    await orders(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await orders(page).waitFor({ state: 'detached' })
  })

  test('asks for confirmation before it sends a price far from the best, and sends nothing without a yes', async () => {
    const { page } = await fixture.open(SYMBOL)
    await takeAlice(page)
    await askSeldom(page)
    await fixture.place(fixture.bob, SYMBOL, 'SELL', '1', '2000')
    await page.locator('#asks').getByText('2 000').waitFor()
    await fill(page, '3000', '0.01')
    await send(page).click()
    const question = page.getByRole('dialog')
    await question
      .getByText(/^The price 3\s000 is 50% above the best ask 2\s000 \(your limit: 5%\)\.$/)
      .waitFor()
    await fixture.place(fixture.bob, SYMBOL, 'SELL', '1', '1600')
    await question.getByText(/is 87\.5% above the best ask 1\s600/).waitFor()
    await sayYes(page)
    await question.getByText('This has changed since you were asked').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.getByText(/^Placed/).count()).toBe(0)

    await chooseKind(page, 'MARKET')
    await trade(page)
      .getByLabel(/^Total/)
      .fill('16')
    await trade(page).getByText('Est. fill 0.01 @ 1 600, fee').waitFor()
    await send(page).click()
    await notices(page).getByText('Filled: bought 0.01 BTC at 1 600 USDT').waitFor()
  })

  test('stores no secret, and one tab drops the key of both', async () => {
    const { page } = await fixture.open(SYMBOL)
    const other = await page.context().newPage()
    await other.goto(page.url())
    const { apiKey, secret } = fixture.alice
    await trade(page).getByLabel('API key').fill(apiKey)
    await trade(page).getByLabel('Secret').fill(secret)
    await trade(page).getByRole('button', { name: 'Use this key' }).click()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    await other.locator('.trade-desk[data-live="true"]').waitFor()
    await page.reload()
    await page.locator('.trade-desk[data-live="true"]').waitFor()

    const kept = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('bourse')
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const request = database.transaction('keys').objectStore('keys').get('trading')
      const key = await new Promise<{ readonly apiKey: string; readonly secret: CryptoKey }>((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
      database.close()
      const read = await crypto.subtle.exportKey('raw', key.secret).then(
        () => 'read',
        (error: Error) => error.name,
      )
      const { extractable, usages } = key.secret
      const texts = JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        location.href,
        document.cookie,
      ])
      return {
        members: Object.keys(key),
        extractable,
        usages,
        read,
        texts,
        page: document.documentElement.outerHTML,
      }
    })
    expect(kept).toMatchObject({
      members: ['apiKey', 'secret'],
      extractable: false,
      usages: ['sign'],
    })
    expect(kept.read).toBe('InvalidAccessError')
    for (const text of [kept.texts, kept.page]) expect(text).not.toContain(secret)

    await fill(other, '1000', '1')
    await (await openMenu(page)).getByRole('button', { name: 'Forget key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep key' }).click()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    await forgetKey(page)
    for (const tab of [page, other]) await trade(tab).getByLabel('Secret').waitFor()
    await takeAlice(other)
    expect(await field(other, 'Quantity').inputValue()).toBe('')
    await forgetBehindDialogs(page, other)
    await page.reload()
    expect(await trade(page).getByLabel('Secret').inputValue()).toBe('')
  })

  test.each([
    [['USER_DATA'], 'TRADE, WALLET'],
    [['TRADE', 'USER_DATA'], 'WALLET'],
    [['WALLET', 'USER_DATA'], 'TRADE'],
  ])(
    'reports for a key with %p that it lacks %p, and sends no request that needs it',
    async (permissions, lacks) => {
      const { apiKey, secret } = await fixture.operate<Credentials>('key/add', {
        account: 'alice',
        permissions,
      })
      const { page, takeComplaints } = await fixture.open(SYMBOL)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 401) refused.push(new URL(response.url()).pathname)
      })
      await trade(page).getByLabel('API key').fill(apiKey)
      await trade(page).getByLabel('Secret').fill(secret)
      await trade(page).getByRole('button', { name: 'Use this key' }).click()
      await trade(page).getByText(`This key lacks the permission ${lacks}. Use one`).waitFor()
      expect(await trade(page).getByText('connecting').count()).toBe(0)
      await expectSoon(() => send(page).getAttribute('aria-disabled'), 'true')
      // A live market moves the chart, and with it the repeated requests.
      for (const price of ['1500', '1501', '1502', '1503']) {
        await fixture.place(fixture.bob, SYMBOL, 'SELL', '0.01', price)
        await fixture.place(fixture.alice, SYMBOL, 'BUY', '0.01', price)
        await page.locator('#last', { hasText: new RegExp(`^1.${price.slice(1)}`) }).waitFor()
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)))
      }
      const times = refused.map((path) => refused.filter((other) => other === path).length)
      expect(times.every((count) => count === 1)).toBe(true)
      takeComplaints()
    },
  )

  /**
   * When the other tab forgets the key, every open question of this tab closes, and nothing from it is sent.
   */
  async function forgetBehindDialogs(page: Page, other: Page): Promise<void> {
    await place(other, '500', '1')
    await orders(other).waitFor()
    const sent: string[] = []
    other.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && /^\/api\/(?!.*\/test$)/.test(pathname)) sent.push(pathname)
    })
    const openers = [
      () => orders(other).getByRole('button', { name: /^Edit/ }),
      () => trade(other).getByRole('button', { name: 'Cancel all' }),
      () => send(other),
    ]
    for (const opener of openers) {
      await orders(other).waitFor()
      await fill(other, '500', '1')
      await opener().click()
      await other.getByRole('dialog').waitFor()
      await page.bringToFront()
      await forgetKey(page)
      await other.bringToFront()
      await other.getByRole('dialog').waitFor({ state: 'detached' })
      await trade(other).getByLabel('Secret').waitFor()
      await takeAlice(other)
      expect(await other.getByRole('dialog').count()).toBe(0)
      await page.locator('.trade-desk[data-live="true"]').waitFor()
    }
    await orders(other).waitFor()
    expect([sent, await orders(other).count()]).toEqual([[], 1])
    await orders(other)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await orders(other).waitFor({ state: 'detached' })
    await forgetKey(page)
    for (const tab of [page, other]) await trade(tab).getByLabel('Secret').waitFor()
  }

  test('sends nothing while the connection is lost, and continues by itself', async () => {
    const { page, takeComplaints } = await fixture.open(SYMBOL)
    await takeAlice(page)
    await fixture.stopNode()
    await trade(page).getByText('Your account data is not live').waitFor()
    await fill(page, '1000', '1')
    await expectSoon(() => send(page).getAttribute('aria-disabled'), 'true')
    await send(page).click({ force: true })
    await fixture.startNode()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    expect(await orders(page).count()).toBe(0)
    const others = takeComplaints().filter(
      (text) => !/ERR_CONNECTION_REFUSED|WebSocket connection to|503/.test(text),
    )
    expect(others).toEqual([])
  })

  test('has room for a finger at every control on a phone: 44 by 44 points', async () => {
    const { page } = await fixture.open(SYMBOL, { width: 390, height: 844 })
    const touch = await page.context().newCDPSession(page)
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await takeAlice(page)
    await fixture.place(fixture.alice, SYMBOL, 'BUY', '1', '10')
    await orders(page).first().waitFor({ state: 'attached' })
    for (const view of PHONE_VIEWS) {
      await showView(page, view)
      expect({ view, small: await smallTargets(page) }).toEqual({ view, small: [] })
    }
    for (const tab of await page.locator('.tabs:not(.market-tabs) [role="tab"]').all()) {
      await tab.click()
      expect({ tab: await tab.innerText(), small: await smallTargets(page) }).toMatchObject({ small: [] })
    }
    await page.locator('#market-button').click()
    await page.locator('#markets [role="option"]').first().waitFor()
    expect({ list: 'markets', small: await smallTargets(page) }).toMatchObject({ small: [] })
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: /^Open orders/ }).click()
    await orders(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await page.getByText('You have no open orders.').waitFor()
    await showView(page, 'Trade')
    await chooseKind(page, 'OTOCO')
    await page.locator('.trade-leg').nth(2).waitFor()
    expect(await smallTargets(page)).toEqual([])
    await page
      .locator('.trade-leg select')
      .first()
      .evaluate((select) => {
        select.style.cssText = 'min-height: 0; height: 30px'
      })
    expect(await smallTargets(page)).toHaveLength(1)
    await touch.detach()
  })

  test('is accessible with a screen reader and on a phone, in both themes', async () => {
    const { page } = await fixture.open(SYMBOL, { width: 390, height: 844 })
    await takeAlice(page)
    await place(page, '1000', '0.01')
    await fill(page, '1,5', '1')
    for (const view of ['Trade', 'Account'] as const) {
      await showView(page, view)
      if (view === 'Account') await orders(page).first().waitFor()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await axeFindings(page)).toEqual([])
      }
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ view, beyond }).toEqual({ view, beyond: 0 })
    }
    // The question is visible from every panel that the phone shows.
    await page.getByRole('button', { name: /^Edit / }).click()
    await page.getByRole('dialog').getByLabel('Price').fill('5000')
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
    await page
      .getByRole('dialog')
      .getByText(/above the best ask 1\s600/)
      .waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  })
})

/**
 * Visible controls that are less than 44 points wide or high. A link in a sentence is as high as its line
 * (WCAG 2.5.8); a checkbox is pressed by its label.
 */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll('button, select, input, summary, [role="option"], a[href]:not(p a)'),
    ].flatMap((control) => {
      const target = control.matches('[type="checkbox"]') ? (control.closest('label') ?? control) : control
      const { width, height, bottom } = target.getBoundingClientRect()
      // Controls outside the top edge of the page cannot be touched.
      const isThere = control.checkVisibility({ visibilityProperty: true }) && bottom > 0
      const isSmall = Math.round(width) < 44 || Math.round(height) < 44
      return isThere && isSmall ? [`${control.outerHTML.slice(0, 80)}: ${width} x ${height}`] : []
    }),
  )
}
