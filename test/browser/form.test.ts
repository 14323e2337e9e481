/**
 * The order form with a real node: nothing is sent twice or without consent, and the form shows why an order
 * cannot be sent.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { signed } from '../support/bourse-process.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { openMenu } from './support/shown.ts'
import {
  chooseKind,
  field,
  fill,
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

beforeAll(() => untilStrictSignatures(fixture.baseUrl, fixture.alice))

/** Places the page's order under its own id, with a new signature. */
async function placeAgain(request: Request): Promise<void> {
  const sent = new URLSearchParams(request.postData() ?? new URL(request.url()).search)
  const names = ['symbol', 'side', 'type', 'quantity', 'price', 'newClientOrderId']
  const fields = Object.fromEntries(names.map((name) => [name, sent.get(name) ?? '']))
  const answer = await signed(fixture.baseUrl, fixture.alice, 'POST', 'order', fields)
  if (answer.status !== 200) throw new Error(`expected the order to be placed, found ${await answer.text()}`)
}

/**
 * From now on orders are carried out, but their answers never arrive. Resolves with their number once there
 * is one.
 */
async function swallowAnswers(
  page: Page,
): Promise<{ readonly first: Promise<void>; readonly count: () => number }> {
  let count = 0
  const { promise: first, resolve } = Promise.withResolvers<void>()
  await page.context().route('**/api/v3/order', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    count++
    const answer = await route.fetch()
    // A machine under load took longer than the signature is valid: then the same order is placed here.
    if (answer.status() !== 200) await placeAgain(route.request())
    resolve()
  })
  return { first, count: () => count }
}

describe('the order form', () => {
  test('whose answer is lost while the page is reloaded shows the outcome, and there is one order', async () => {
    const { page } = await fixture.open('BTC/USDT')
    await takeAlice(page)
    const swallowed = await swallowAnswers(page)
    await place(page, '700', '1')
    await swallowed.first
    await trade(page).getByText('It is not known yet').waitFor()
    await expectSoon(() => send(page).getAttribute('aria-disabled'), 'true')

    await page.reload()
    await notices(page).getByText('Your earlier order was placed: buy 1 BTC at 700 USDT').waitFor()
    await orders(page).waitFor()
    await expectSoon(async () => [await orders(page).count(), swallowed.count()], [1, 1])
    await page.locator('.trade-send[aria-disabled="false"]').waitFor()
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((name) => /attempt/.test(name)))
    expect(kept).toEqual([])
    await orders(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await orders(page).waitFor({ state: 'detached' })
  })

  test('whose answer is lost is looked up by one tab once, never sent again, and blocks every tab meanwhile', async () => {
    const { page } = await fixture.open('ETH/USDT')
    await takeAlice(page)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('.trade-desk[data-live="true"]').waitFor()
    const asked: string[] = []
    other.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/order'))
        asked.push(`${request.method()} ${searchParams.has('origClientOrderId')}`)
    })
    const swallowed = await swallowAnswers(page)
    await place(page, '700', '1')
    await swallowed.first
    await trade(other).getByText('It is not known yet').waitFor()
    await expectSoon(() => send(other).getAttribute('aria-disabled'), 'true')
    // The sending tab sends no query while it waits for its own answer, and then it is closed.
    expect(asked).toEqual([])
    await page.close()
    await notices(other).getByText('Your earlier order was placed: buy 1 ETH at 700 USDT').waitFor()
    await other.locator('.trade-send[aria-disabled="false"]').waitFor()
    await expectSoon(
      async () => [asked, swallowed.count(), await orders(other).count()],
      [['GET true'], 1, 1],
    )
    await cancelFirst(other)
  })

  test('says about an order that the browser does not store it, and sends it once', async () => {
    const { page } = await fixture.open('ETH/USDT')
    await takeAlice(page)
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await place(page, '600', '1')
    await notices(page).getByText('This browser keeps no record of what you send').waitFor()
    await notices(page).getByText('Placed: buy 1 ETH at 600 USDT').waitFor()
    await orders(page).waitFor()
    await expectSoon(() => orders(page).count(), 1)
    await cancelFirst(page)
  })

  test('places each kind of list, and its orders are seen and canceled together', async () => {
    const { page, takeComplaints } = await fixture.open('BTC/USDT')
    await takeAlice(page)
    // A trade is needed: waiting orders are measured against the last price.
    await fixture.place(fixture.bob, 'BTC/USDT', 'SELL', '0.1', '1000')
    await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '0.1', '1000')
    await page.locator('#last', { hasText: /^1.000/ }).waitFor()
    const leg = (name: string) => trade(page).getByRole('group', { name: new RegExp(`^${name}`) })

    await chooseKind(page, 'OTOCO')
    await field(page, 'Quantity').fill('0.5')
    await leg('Entry')
      .getByLabel(/^Price/)
      .fill('900')
    await leg('Take profit')
      .getByLabel(/^Price/)
      .fill('800')
    await leg('Stop loss')
      .getByLabel(/^Stop price/)
      .fill('850')
    await leg('Stop loss').getByText('Take profit must be at a better price').waitFor()
    await leg('Take profit')
      .getByLabel(/^Price/)
      .fill('1200')
    await leg('Stop loss').getByText('15% away.').waitFor()
    await leg('Entry').getByText('Est. stays open, holds 450 USDT').waitFor()
    await send(page).click()
    await page.getByRole('dialog').getByText('Stop loss · Sell, once the entry is filled').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await sayYes(page)
    await orders(page).nth(2).waitFor()
    for (const name of ['Entry (Limit)', 'Take profit (Post only)', 'Stop loss (Stop, market)'])
      await expectSoon(
        async () => [name, await orders(page).getByText(name, { exact: true }).count()],
        [name, 1],
      )
    await cancelFirst(page)

    await chooseKind(page, 'OCO')
    await trade(page).getByRole('button', { name: 'Sell', exact: true }).click()
    await field(page, 'Quantity').fill('0.25')
    await leg('Take profit')
      .getByLabel(/^Price/)
      .fill('1300')
    await leg('Stop loss')
      .getByLabel(/^Stop price/)
      .fill('1100')
    await leg('Stop loss').getByText('Already reached').waitFor()
    await leg('Stop loss').getByRole('button', { name: 'Use 999.99' }).click()
    const distance = leg('Stop loss').getByLabel(/^Trailing/)
    await distance.fill('25')
    await leg('Stop loss').getByText('Must be from 0.1% to 20%.').waitFor()
    await distance.fill('1.5')
    await leg('Stop loss')
      .getByLabel(/^Activation price/)
      .fill('')
    await leg('Stop loss').getByText('It follows the price from the next trade on.').waitFor()
    await send(page).click()
    await page.getByRole('dialog').getByText('Sells when the price falls 1.5% below its highest.').waitFor()
    await sayYes(page)
    await orders(page).nth(1).waitFor()
    await orders(page).filter({ hasText: 'trails by 1.5%' }).waitFor()
    await cancelFirst(page)

    await chooseKind(page, 'OTO')
    await field(page, 'Quantity').first().fill('0.5')
    await leg('Entry')
      .getByLabel(/^Price/)
      .fill('1500')
    await leg('Then').getByLabel('Type').selectOption('MARKET')
    await send(page).click()
    await sayYes(page)
    await orders(page).nth(1).waitFor()
    await cancelFirst(page)
    expect(besideRefusals(takeComplaints())).toEqual([])
  })

  test('places an order by one click only after consent, asks beyond the limits, and stops at Escape', async () => {
    const { page } = await fixture.open('ETH/BTC')
    await takeAlice(page)
    await fixture.place(fixture.bob, 'ETH/BTC', 'SELL', '1', '0.05')
    await fixture.place(fixture.bob, 'ETH/BTC', 'SELL', '1', '0.08')
    const ask = (price: string) => page.locator('#asks tr').filter({ hasText: price })
    await ask('0.05').click()
    expect(await field(page, 'Price').inputValue()).not.toBe('')
    expect(await page.getByText(/^Placed/).count()).toBe(0)

    await (await openMenu(page)).getByRole('button', { name: 'One-click trading' }).click()
    await page.getByRole('dialog').getByText('a click on an ask buys').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Switch it on' }).click()
    await page.locator('#book').getByText('One-click trading is on: set its quantity').waitFor()
    await ask('0.05').click()
    await notices(page).getByText('Set the quantity per click first').waitFor()
    await field(page, 'Quantity per click').fill('0.1')
    await page.locator('#book').getByText('One click trades 0.1 ETH').waitFor()
    await ask('0.05').dblclick()
    await notices(page).getByText('Filled: bought 0.1 ETH at 0.05 BTC').waitFor()
    await ask('0.08').click()
    await page
      .getByRole('dialog')
      .getByText('The price 0.08 is 60% above the best ask 0.05 (your limit: 5%).')
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expectSoon(
      () =>
        notices(page)
          .getByText(/^Filled: /)
          .count(),
      1,
    )

    await page.reload()
    await page.locator('#book').getByText('One-click trading is on').waitFor()
    await field(page, 'Price').focus()
    await page.keyboard.press('Escape')
    await page.locator('.one-click-mark').waitFor({ state: 'detached' })
    await ask('0.05').click()
    expect(await field(page, 'Price').inputValue()).toMatch(/^0\.050*$/)
  })

  test('has no hotkeys at first, then those that are set, and none in a field', async () => {
    const { page } = await fixture.open('USDT/TRY')
    await takeAlice(page)
    await fixture.place(fixture.bob, 'USDT/TRY', 'SELL', '50', '30')
    await page.locator('#asks tr').filter({ hasText: '30' }).waitFor()
    await field(page, 'Quantity').fill('10')
    const side = () => trade(page).locator('.trade-sides [aria-pressed="true"]').innerText()
    const leave = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await leave()
    for (const key of ['t', 'b', '?']) await page.keyboard.press(key)
    await expectSoon(async () => [await side(), await page.getByRole('dialog').count()], ['Buy', 0])

    await (await openMenu(page)).getByRole('button', { name: 'Hotkeys' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hotkeys' })
    await dialog.getByLabel('Hotkeys are on').check()
    const keyOf = (action: string) => dialog.locator(`[data-action="${action}"]`)
    await keyOf('TOGGLE_SIDE').click()
    await page.keyboard.press('b')
    await dialog.getByText('This key is already used for: Buy at the best ask').waitFor()
    await page.keyboard.press('j')
    await expectSoon(() => keyOf('TOGGLE_SIDE').innerText(), 'j')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
    await dialog.getByRole('button', { name: 'Done' }).click()
    await leave()
    await page.keyboard.press('j')
    await expectSoon(() => side(), 'Sell')
    await page.keyboard.press('t')
    await page.keyboard.press('q')
    await page.keyboard.press('j')
    await expectSoon(async () => [await side(), await field(page, 'Quantity').inputValue()], ['Sell', '10j'])
    await field(page, 'Quantity').fill('10')
    await leave()
    await page.keyboard.press('b')
    await page.getByRole('dialog', { name: 'Confirm buy' }).getByText('300 TRY').waitFor()
    await sayYes(page)
    await notices(page).getByText('Filled: bought 10 USDT at 30 TRY').waitFor()
    await page.keyboard.press('?')
    await dialog.getByRole('button', { name: 'Reset to default keys' }).click()
    await expectSoon(() => keyOf('TOGGLE_SIDE').innerText(), 't')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.keyboard.press('n')
    await page.waitForFunction(() => location.hash !== '#USDT/TRY')
  })

  test('sends stops and icebergs, and offers the nearest value that the exchange accepts', async () => {
    const { page, takeComplaints } = await fixture.open('ETH/USDT')
    await takeAlice(page)
    await fixture.place(fixture.bob, 'ETH/USDT', 'SELL', '0.1', '100')
    await fixture.place(fixture.alice, 'ETH/USDT', 'BUY', '0.1', '100')
    await page.locator('#last', { hasText: '100' }).waitFor()
    await chooseKind(page, 'STOP_LOSS_LIMIT')
    await field(page, 'Stop price').fill('99')
    await fill(page, '99', '1')
    await trade(page).getByText('Already reached: the exchange refuses the order.').waitFor()
    await trade(page).getByRole('button', { name: 'Use 100.01' }).click()
    await field(page, 'Price').fill('101')
    await send(page).click()
    await sayYes(page)
    await orders(page).filter({ hasText: 'Stop, limit' }).waitFor()

    await chooseKind(page, 'LIMIT')
    await field(page, 'Price').fill('90')
    await trade(page).getByRole('button', { name: 'available: use all of it' }).click()
    expect(await field(page, 'Total').inputValue()).toMatch(/^\d{6,}/)
    await field(page, 'Quantity').fill('10')
    await trade(page).getByText('Iceberg and self-trade prevention').click()
    await field(page, 'Visible').fill('0.001')
    await trade(page).getByRole('button', { name: 'Use 0.1', exact: true }).click()
    await page.keyboard.press('Enter')
    await sayYes(page)
    await orders(page).filter({ hasText: '90' }).waitFor()
    await page.locator('#bids tr[data-own]').waitFor()
    await expectSoon(() => page.locator('#bids tr[data-own] td').nth(1).innerText(), '0.100000')

    await chooseKind(page, 'STOP_LOSS')
    await trade(page).locator('[data-side="SELL"]').first().click()
    await field(page, 'Trailing').fill('25')
    await trade(page).getByText('Must be from 0.1% to 20%.').waitFor()
    await field(page, 'Trailing').fill('1.5')
    await trade(page).getByText('Sells when the price falls 1.5% below its highest.').waitFor()
    await trade(page).getByText('Already reached: the exchange refuses the order.').waitFor()
    await field(page, 'Activation price').fill('')
    await trade(page).getByText('It follows the price from the next trade on.').waitFor()
    await field(page, 'Quantity').fill('1')
    await send(page).click()
    await sayYes(page)
    const trailing = orders(page).filter({ hasText: 'trails by 1.5%' })
    await trailing.getByRole('button', { name: /^Edit/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It starts following the price afresh').waitFor()
    await expectSoon(() => dialog.getByLabel(/^Trailing distance/).inputValue(), '1.5')
    await dialog.getByLabel(/^Trailing distance/).fill('0.05')
    await dialog.getByText('Must be from 0.1% to 20%.').waitFor()
    await dialog.getByLabel(/^Trailing distance/).fill('2')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await orders(page).filter({ hasText: 'trails by 2%' }).waitFor()
    await trailing.waitFor({ state: 'detached' })
    await chooseKind(page, 'LIMIT')

    await page.reload()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    await expectSoon(() => trade(page).locator('[data-tab="LIMIT"]').getAttribute('aria-pressed'), 'true')
    expect(besideRefusals(takeComplaints())).toEqual([])
  })
})

/** The errors and warnings of the browser except those about refused test orders. */
function besideRefusals(complaints: readonly string[]): readonly string[] {
  return complaints.filter((text) => !/order\/test 400|status of 400/.test(text))
}

/** Linked orders are canceled together. */
async function cancelFirst(page: Page): Promise<void> {
  await orders(page)
    .first()
    .getByRole('button', { name: /^Cancel/ })
    .click()
  await trade(page).getByText('You have no open orders.').waitFor()
}
