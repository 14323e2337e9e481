/**
 * The history of an account, as the page shows it and saves it, compared with the exchange's answers over
 * HTTP.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { type BourseClient, createBourseClient } from '../../src/client/client.ts'
import { Decimal } from '../../src/client/decimal.ts'
import { eachLedgerEntry, eachOrder, eachTrade } from '../../src/client/pages.ts'
import { GROUP_SPACE } from '../../src/web/shared/grouped-text.ts'
import { TURKISH } from '../../src/web/shared/texts/turkish/turkish.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import type { WatchedPage } from './support/browser.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseSetting, showView } from './support/shown.ts'
import { notices } from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()
const SYMBOL = 'BTC/USDT'
/** More orders than fit on one page. */
const ORDERS = 60

let alice: BourseClient
let bob: BourseClient

/** A day of Alice's: resting orders, an order filled twice, a canceled one, a list. */
beforeAll(async () => {
  await untilStrictSignatures(fixture.baseUrl, fixture.alice)
  const url = fixture.baseUrl
  alice = createBourseClient({ url, apiKey: fixture.alice.apiKey, secret: fixture.alice.secret })
  bob = createBourseClient({ url, apiKey: fixture.bob.apiKey, secret: fixture.bob.secret })
  for (let count = 0; count < ORDERS; count++) {
    await alice.newOrder({ ...limit('BUY', '0.1', String(100 + count)), newClientOrderId: `day-${count}` })
  }
  await alice.newOrder({ ...limit('BUY', '0.4', '900'), newClientOrderId: 'filled' })
  await bob.newOrder(limit('SELL', '0.1', '900'))
  await bob.newOrder(limit('SELL', '0.3', '900'))
  const canceled = await alice.newOrder({ ...limit('SELL', '1', '2000'), newClientOrderId: '-evil' })
  await alice.cancelOrder({ id: canceled.order.id })
})

function limit(side: 'BUY' | 'SELL', quantity: string, price: string) {
  return { symbol: SYMBOL, side, type: 'LIMIT', quantity, price } as const
}

/** As if another tab were in front of the page, or the page were visible again. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

async function openTab(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

async function open(): Promise<Page> {
  return (await openWatched()).page
}

async function openWatched(): Promise<WatchedPage> {
  const watched = await fixture.open(SYMBOL, { width: 1440, height: 900 })
  const { page } = watched
  await page.getByRole('button', { name: 'Trade as alice' }).click()
  await page.locator('.trade-desk[data-live="true"]').waitFor()
  return watched
}

/** Names of the rows of the chosen tab, in order. */
function shown(page: Page, attribute: string): Promise<readonly string[]> {
  return page
    .locator(`tr[${attribute}]`)
    .evaluateAll((rows, name) => rows.map((row) => row.getAttribute(name) ?? ''), attribute)
}

/**
 * Columns of the table whose head is not aligned with the cells below it, or whose decimal points are not
 * aligned; and whether there are figures at all.
 */
function alignment(
  page: Page,
): Promise<{ readonly crooked: readonly string[]; readonly hasPoints: boolean }> {
  return page.locator('.tab-panel table').evaluate((table) => {
    const pointOf = (cell: Element): readonly number[] => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.nodeValue?.indexOf('.') ?? -1
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return [Math.round(range.getBoundingClientRect().left)]
      }
      return []
    }
    const heads = [...table.querySelectorAll('thead th')]
    const rows = [...table.querySelectorAll('tbody tr')]
    const points = heads.map((_, column) =>
      rows.flatMap(({ children }) =>
        children[column]?.className === 'number' ? pointOf(children[column]) : [],
      ),
    )
    const crooked = heads.flatMap((head, column) => {
      const sides = rows.map(({ children }) => getComputedStyle(children[column] ?? head).textAlign)
      const isOver = sides.every((side) => side === getComputedStyle(head).textAlign)
      return isOver && new Set(points[column]).size <= 1 ? [] : [head.textContent ?? '']
    })
    return { crooked, hasPoints: points.flat().length > 0 }
  })
}

const STRAIGHT = { crooked: [], hasPoints: true }

async function all<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = []
  for await (const row of rows) found.push(row)
  return found
}

/** The text of the file that the chosen tab saves, and its name. */
async function saved(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

describe('the history of an account on the page', () => {
  test('shows each order once, page by page, while new ones are placed', async () => {
    const page = await open()
    await openTab(page, /^Order history/)
    const before = (await all(eachOrder(alice))).map(({ id }) => id)
    await page.getByText('Page 1').waitFor()
    const first = await shown(page, 'data-past-order')
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('Page 2').waitFor()
    const late = await alice.newOrder(limit('BUY', '0.1', '99'))
    await expectSoon(async () => [...first, ...(await shown(page, 'data-past-order'))], before)
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByText('Page 1').waitFor()
    await expectSoon(() => shown(page, 'data-past-order'), first)
    await page.getByRole('button', { name: 'Newest (new entries)' }).click()
    await page.locator(`tr[data-past-order="${late.order.id}"]`).waitFor()
    await alice.cancelOrder({ id: late.order.id })
    await page.locator(`tr[data-past-order="${late.order.id}"]`).getByText('Canceled').waitFor()
  })

  test('shows the course of an order, and finds orders by their outcome', async () => {
    const page = await open()
    await openTab(page, /^Order history/)
    await page.getByLabel('Status').selectOption('FILLED')
    const row = page.locator('tr[data-past-order]')
    await page.locator('tr[data-past-order]:only-of-type').waitFor()
    expect(await row.locator('td').allInnerTexts()).toMatchObject({
      4: '900.00',
      5: '–',
      7: '0.4 BTC',
      8: '900.00',
      9: 'Filled',
    })
    await row.getByRole('button', { name: 'Details of buy 0.4 BTC at 900 USDT' }).click()
    const story = page.locator('.story')
    await story.locator('tbody tr').nth(1).waitFor()
    const cells = await story.locator('tbody tr').first().locator('td').allInnerTexts()
    expect(cells.slice(1)).toEqual(['900.00', '0.3 BTC', '270 USDT', '0.0003 BTC', 'Maker'])
    expect(await story.innerText()).toContain('0.0004 BTC')
    await story.getByRole('button', { name: 'Copy: Client order id' }).click()
    await story.getByText('Copied.').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('filled')

    await page.getByLabel('Status').selectOption('CANCELED')
    await page.getByRole('button', { name: 'Details of sell 1 BTC at 2 000 USDT' }).click()
    await story.getByText('Canceled: by you').waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
    await page.getByLabel('Time (UTC)').selectOption('CHOSEN')
    await page.getByLabel('To (UTC)').fill('2020-01-01T00:00')
    await page.getByLabel('To (UTC)').blur()
    await page.getByText('Nothing found.').waitFor()
  })

  test('shows fills and ledger as the exchange has them, and the tabs are reached by arrow keys', async () => {
    const page = await open()
    await page.getByRole('tab', { name: /^Open orders/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const fills = (await all(eachTrade(alice))).map(({ id }) => id)
    await page.locator('tr[data-fill]').first().waitFor()
    await expectSoon(() => shown(page, 'data-fill'), fills)
    await expectSoon(() => alignment(page), STRAIGHT)
    await page.keyboard.press('ArrowRight')
    const entries = await all(eachLedgerEntry(alice))
    await page.locator('tr[data-entry]').first().waitFor()
    await expectSoon(
      () => shown(page, 'data-entry'),
      entries.slice(0, 50).map(({ id }) => id),
    )
    await page.getByLabel('Asset', { exact: true }).selectOption('BTC')
    await page
      .locator('tr[data-entry] td:nth-child(2)', { hasText: /^USDT/ })
      .first()
      .waitFor({ state: 'detached' })
    await expectSoon(() => alignment(page), STRAIGHT)
    await page.getByLabel('Asset', { exact: true }).selectOption('')
    await page.getByLabel('Cause').selectOption('COMMISSION')
    await page.locator('tr[data-entry]:nth-child(3)').waitFor({ state: 'detached' })
    await expectSoon(
      () => shown(page, 'data-entry'),
      entries.filter(({ cause }) => cause === 'COMMISSION').map(({ id }) => id),
    )
    await page.getByRole('tab', { name: /^Ledger/ }).focus()
    await page.keyboard.press('ArrowRight')
    const btc = page.locator('tr[data-asset="BTC"]')
    await btc.locator('td:last-child', { hasText: /\d/ }).waitFor()
    await expectSoon(() => alignment(page), STRAIGHT)
    const [, free = '', locked = '', whole = '', worth = ''] = (await btc.locator('td').allInnerTexts()).map(
      (text) => text.replaceAll(GROUP_SPACE, ''),
    )
    expect(Decimal.from(free).plus(locked).compare(whole)).toBe(0)
    expect(Decimal.from(whole).times('900').compare(worth)).toBe(0)
    await page.getByRole('button', { name: 'ETH: show ETH/USDT' }).click()
    await page.locator('#market-button', { hasText: 'ETH/USDT' }).waitFor()
  })

  test('is saved as CSV, to the digit as the exchange answers', async () => {
    const page = await open()
    await openTab(page, /^Ledger/)
    const ledger = await saved(page)
    expect(ledger.text).toBe((await alice.accountLedgerCsv()).csv)
    expect(ledger.name).toMatch(/^bourse-ledger-all-until-\d{4}-\d{2}-\d{2}\.csv$/)

    await openTab(page, /^Order history/)
    await page.getByRole('region', { name: 'Order history' }).getByLabel('Market').selectOption(SYMBOL)
    await page.getByLabel('Time (UTC)').selectOption('TODAY')
    const file = await saved(page)
    expect(file.name).toMatch(/^bourse-orders-BTC-USDT-(\d{4}-\d{2}-\d{2})-\1\.csv$/)
    const [head = '', ...lines] = file.text.trimEnd().split('\r\n')
    const orders = await all(eachOrder(alice))
    expect(lines.length).toBe(orders.length)
    const columns = head.split(',')
    for (const [index, line] of lines.entries()) {
      const order = orders[index] as Readonly<Record<string, unknown>>
      const cells = Object.fromEntries(line.split(',').map((cell, at) => [columns[at], cell]))
      const { createdDate, updatedDate, expireDate, clientOrderId, ...same } = cells
      expect(createdDate).toEndWith('+00:00')
      expect(Date.parse(createdDate ?? '')).toBe(Number(order.createdAt))
      expect(clientOrderId).toBe(
        order.clientOrderId === '-evil' ? "'-evil" : String(order.clientOrderId ?? ''),
      )
      for (const [name, cell] of Object.entries(same))
        expect([name, cell]).toEqual([name, String(order[name] ?? '')])
    }
  })
})

describe('the open orders of the page', () => {
  test('show lists with their legs, triggers and shown parts, and are sorted by the keyboard', async () => {
    const page = await open()
    const rows = page.locator('tr[data-order]')
    await alice.newOco({
      symbol: SYMBOL,
      side: 'SELL',
      quantity: '0.2',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '3000',
      belowType: 'STOP_LOSS',
      belowStopPrice: '500',
    })
    const legs = page.locator('tbody.order-list')
    await legs.getByText('List of 2 orders, BTC/USDT').waitFor()
    await expectSoon(() => legs.locator('tr[data-order]').count(), 2)
    await legs.getByText('≤ 500').waitFor()
    expect(await legs.getByRole('button', { name: /^Edit/ }).count()).toBe(0)
    await legs.getByRole('button', { name: 'Cancel list' }).click()
    await legs.waitFor({ state: 'detached' })

    // Time and type stay on one line while there is room.
    const lines = await rows
      .locator('.wrapped')
      .evaluateAll((cells) => cells.map((cell) => cell.clientHeight))
    expect(Math.max(...lines)).toBe(15)
    await alice.newOrder({ ...limit('SELL', '5', '4000'), icebergQty: '0.5' })
    await rows.getByText('Limit (visible 0.5)').waitFor()
    await page.getByRole('columnheader', { name: 'Price', exact: true }).getByRole('button').focus()
    await page.keyboard.press('Enter')
    await rows.first().getByText('100.00', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await rows.first().getByText('4 000.00').waitFor()
    await expectSoon(
      () => page.getByRole('columnheader', { name: 'Price', exact: true }).getAttribute('aria-sort'),
      'descending',
    )
    expect(await axeFindings(page)).toEqual([])

    // Where there is no room for column heads, two selects sort the table.
    expect(await page.getByRole('region', { name: 'Open orders' }).getByLabel('Sort by').isVisible()).toBe(
      false,
    )
    await page.setViewportSize({ width: 390, height: 844 })
    await showView(page, 'Account')
    await page.getByRole('region', { name: 'Open orders' }).getByLabel('Sort by').selectOption('Side')
    await rows.first().getByText('Buy').waitFor()
    await page.getByLabel('Direction').selectOption('Descending')
    await rows.first().getByText('Sell').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('are replaced in place, and a refusal stays in the dialog with the nearest value', async () => {
    const { page, takeComplaints } = await openWatched()
    await page.getByRole('button', { name: 'Edit buy 0.1 BTC at 100 USDT', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Price').fill('100.555')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('button', { name: /^Use 100\.5/ }).click()
    await dialog.getByLabel('Price').fill('99.5')
    await dialog.getByLabel('Quantity').fill('0.25')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cancel buy 0.25 BTC at 99.5 USDT' }).waitFor()
    const left = await alice.openOrders({ symbol: SYMBOL })
    expect(left.filter(({ price }) => price === '100' || price === '99.5')).toMatchObject([
      { price: '99.5', quantity: '0.25' },
    ])
    // If the replacement of an order was refused, a notice reports the order's end.
    await page.getByRole('button', { name: 'Edit buy 0.1 BTC at 101 USDT', exact: true }).click()
    await dialog.getByLabel('Price').fill('101.555')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('button', { name: /^Use 101\.5/ }).waitFor()
    await page.keyboard.press('Escape')
    for (const { id, price } of left) if (price === '101') await alice.cancelOrder({ id })
    await notices(page).getByText('Canceled elsewhere: buy 0.1 BTC at 101 USDT').waitFor()
    // The browser logs requests that were refused: for that price, or because they arrived too late.
    expect(takeComplaints().filter((text) => !/cancelReplace 40[01]|of 40[01]/.test(text))).toEqual([])
  })

  test('are canceled for one market, and then for all, after a confirmation', async () => {
    const page = await open()
    const other = await alice.newOrder({ ...limit('BUY', '1', '10'), symbol: 'ETH/USDT' })
    const rows = page.locator('tr[data-order]')
    await page.locator(`tr[data-order="${other.order.id}"]`).waitFor()
    await page.getByRole('button', { name: 'Cancel BTC/USDT' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel BTC/USDT' }).click()
    await page.getByRole('tab', { name: 'Open orders (1)' }).waitFor()
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.getByLabel('Only BTC/USDT').check()
    await rows.waitFor({ state: 'detached' })
    await page.getByLabel('Only BTC/USDT').uncheck()
    await page.getByRole('button', { name: 'Cancel all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
    await page.getByText('You have no open orders.').waitFor()
    await expectSoon(() => alice.openOrders(), [])
  })
})

describe('the notices of the page', () => {
  test('show fills as one, cancels made elsewhere, and deposits, and stay in the log', async () => {
    const page = await open()
    const notices = page.locator('.trade-notices')
    const { order } = await alice.newOrder(limit('BUY', '0.4', '950'))
    const own = await alice.newOrder(limit('BUY', '0.1', '20'))
    await page.locator(`tr[data-order="${own.order.id}"]`).waitFor()
    await setHidden(page, true)
    await bob.newOrder({ ...limit('SELL', '0.3', '950'), type: 'MARKET', price: undefined })
    await page.waitForFunction(() => /^● Partly filled: bought 0\.3 BTC/.test(document.title))
    await setHidden(page, false)
    await page.waitForFunction(() => /^[\d\s.]+BTC\/USDT/.test(document.title))
    await notices.getByText('Partly filled: bought 0.3 BTC at 950 USDT (0.1 BTC left)').waitFor()
    await alice.cancelOrder({ id: order.id })
    await notices.getByText('Canceled elsewhere: buy 0.4 BTC at 950 USDT').waitFor()
    const credit = { account: 'alice', asset: 'ETH', amount: '7', reference: 'deposit-1' }
    await fixture.operate('money/credit', credit)
    await notices.getByText('Deposit: 7 ETH').waitFor()

    await page.getByRole('button', { name: 'Cancel buy 0.1 BTC at 20 USDT' }).click()
    await page.locator(`tr[data-order="${own.order.id}"]`).waitFor({ state: 'detached' })
    await notices.getByText('Canceled: buy 0.1 BTC at 20 USDT').waitFor()
    await page.getByRole('button', { name: /^Dismiss: Deposit/ }).click()
    await notices.getByText('Deposit').waitFor({ state: 'detached' })
    await openTab(page, /^Notices/)
    await expectSoon(() => page.locator('.notice-log li').count(), 4)
    const filled = page.locator('.notice-log li', { hasText: 'Partly filled' })
    await filled.getByRole('button', { name: /^Copy: id of/ }).click()
    await expectSoon(() => page.evaluate(() => navigator.clipboard.readText()), order.id)
    expect(await page.getByLabel('With a sound').isChecked()).toBe(false)
    expect(await page.getByLabel('Browser notifications').isChecked()).toBe(false)
    expect(await axeFindings(page)).toEqual([])
  })

  test('cover no control that acts on money on any screen, fold, change with the language, and do not move the focus', async () => {
    const page = await open()
    const notices = page.locator('.trade-notices')
    await alice.newOrder(limit('BUY', '0.1', '40'))
    // While the page is hidden, its notices wait.
    await setHidden(page, true)
    for (const amount of ['1', '2', '3', '4', '5']) {
      const credit = { account: 'alice', asset: 'ETH', amount, reference: `notice-${amount}` }
      await fixture.operate('money/credit', credit)
    }
    await notices.getByText('Deposit: 5 ETH').waitFor()
    const items = notices.locator('li')
    for (const [width, height, count] of [
      [390, 844, 1],
      [1024, 768, 3],
      [1440, 900, 3],
    ] as const) {
      await page.setViewportSize({ width, height })
      await notices.getByRole('button', { name: `${5 - count} more` }).waitFor()
      await expectSoon(() => items.count(), count)
      const views = width === 390 ? (['Book', 'Trade', 'Account'] as const) : (['Trade'] as const)
      for (const view of views) {
        await showView(page, view)
        expect(await coveredControls(page)).toEqual([])
      }
    }

    await chooseSetting(page, 'language', 'tr')
    await notices
      .getByText(TURKISH.notices.transfer(TURKISH.account.ledger.causes.CREDIT, '5', 'ETH'))
      .waitFor()
    await page
      .getByRole('button', { name: TURKISH.orders.cancelThis('40 USDT fiyattan 0.1 BTC alış') })
      .waitFor()
    await chooseSetting(page, 'language', 'en')
    await notices.getByText('Deposit: 5 ETH').waitFor()

    const field = page.locator('#trade [data-field="price"]')
    await field.focus()
    await notices.getByRole('button', { name: '2 more' }).press('Enter')
    await expectSoon(() => items.count(), 5)
    const dismiss = notices.getByRole('button', { name: /^Dismiss: / })
    for (let left = 4; left >= 0; left--) {
      await dismiss.first().press('Enter')
      await page.waitForFunction(
        (count) => document.querySelectorAll('.trade-notices li').length === count,
        left,
      )
      const focused = left === 0 ? field : dismiss.first()
      expect([left, await focused.evaluate((place) => place === document.activeElement)]).toEqual([
        left,
        true,
      ])
    }
  })

  test('and the lists continue by themselves after the connection was lost, and are gray meanwhile', async () => {
    const { page, takeComplaints } = await openWatched()
    await alice.newOrder(limit('BUY', '0.1', '30'))
    await page.getByRole('button', { name: 'Cancel buy 0.1 BTC at 30 USDT' }).waitFor()
    await openTab(page, /^Order history/)
    await page.locator('tr[data-past-order]').first().waitFor()
    await fixture.stopNode()
    await page.locator('.trade-desk[data-live="false"]').waitFor()
    expect(await page.locator('.tab-panel').evaluate((panel) => getComputedStyle(panel).filter)).toBe(
      'grayscale(1)',
    )
    await openTab(page, /^Open orders/)
    const isDisabled = (name: string) => page.getByRole('button', { name }).isDisabled()
    await expectSoon(() => isDisabled('Edit buy 0.1 BTC at 30 USDT'), true)
    expect(await isDisabled('Cancel buy 0.1 BTC at 30 USDT')).toBe(false)
    await fixture.startNode()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    const late = await alice.newOrder(limit('BUY', '0.1', '31'))
    await page.locator(`tr[data-order="${late.order.id}"]`).waitFor()
    await openTab(page, /^Order history/)
    await page.locator(`tr[data-past-order="${late.order.id}"]`).waitFor()
    const expected = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|WebSocket connection to|503/
    expect(takeComplaints().filter((text) => !expected.test(text))).toEqual([])
  })
})

/** Visible controls that act on money and are covered by a notice. */
function coveredControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const rectsOf = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .map((element) => ({
          text: `${element.className} ${element.innerText}`,
          rect: element.getBoundingClientRect(),
        }))
        .filter(({ rect }) => rect.width > 0 && rect.height > 0)
    const notices = rectsOf('.trade-notices :is(li, button)')
    const controls = rectsOf(
      '.trade-entry :is(button, input, select), .book-body tr, tr[data-order] button, .orders-cancel button, .chart-orders button',
    )
    return controls
      .filter(({ rect }) =>
        notices.some(
          ({ rect: over }) =>
            over.left < rect.right &&
            rect.left < over.right &&
            over.top < rect.bottom &&
            rect.top < over.bottom,
        ),
      )
      .map(({ text }) => text)
  })
}
