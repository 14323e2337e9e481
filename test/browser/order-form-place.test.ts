/**
 * Everything that an order needs is visible at once: both sides, price, quantity and the send button, for
 * each type in the form, on each screen.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasPrice } from '../../src/web/trade/state/draft/draft.ts'
import { isListKind } from '../../src/web/trade/state/draft/list-draft.ts'
import { KIND_TABS, type OrderKind } from '../../src/web/trade/state/draft/order-kinds.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { pageFixture } from './support/fixture.ts'
import { live, showView } from './support/shown.ts'
import { chooseKind, outOfSight, SCREENS } from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()
const KINDS: readonly OrderKind[] = Object.values(KIND_TABS).flat()

beforeAll(() => untilStrictSignatures(fixture.baseUrl, fixture.alice))

/** An order at market has no price, and buys for a total. */
function neededBy(kind: OrderKind): readonly string[] {
  const amount = !isListKind(kind) && !hasPrice(kind) ? 'total' : 'quantity'
  const price = isListKind(kind) || hasPrice(kind) ? ['[data-field="price"]'] : []
  const stop = !isListKind(kind) && /^(?:STOP|TAKE)/.test(kind) ? ['[data-field="stopPrice"]'] : []
  return [
    '[data-side="BUY"]',
    '[data-side="SELL"]',
    ...stop,
    ...price,
    `[data-field="${amount}"]`,
    '.trade-send',
  ]
}

describe('the order form', () => {
  test.each(
    SCREENS.flatMap((screen) => (['en-US', 'tr-TR'] as const).map((locale) => [screen, locale] as const)),
  )(
    'on a screen of %p in %p has sides, price, quantity and button of every type in view at once',
    async (screen, locale) => {
      const { page } = await fixture.open('BTC/USDT', screen, { locale })
      const view = page.locator('#views button').nth(3)
      if (await view.isVisible()) await view.click()
      await page.locator('.trade-key button:not(.trade-primary)').first().click()
      await page.locator('.trade-desk[data-live="true"]').waitFor()
      const missing: Record<string, readonly string[]> = {}
      for (const kind of KINDS) {
        await chooseKindIn(page, kind)
        missing[kind] = await outOfSight(page, neededBy(kind))
      }
      expect(missing).toEqual(Object.fromEntries(KINDS.map((kind) => [kind, []])))
      await chooseKindIn(page, 'LIMIT')
      await page.locator('.trade-form [data-field="price"]').fill('59,600')
      await page.locator('.trade-form .trade-problem').first().waitFor()
      expect(await outOfSight(page, neededBy('LIMIT'))).toEqual([])
      expect(await idsTwice(page)).toEqual([])
    },
  )
})

describe('the order form with letters twice as large', () => {
  test('has price, quantity and button in view together on every screen once one of its fields has the keyboard', async () => {
    const { page } = await fixture.open('BTC/USDT')
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await page.reload()
    await live(page)
    await showView(page, 'Trade')
    await page.locator('.trade-key button:not(.trade-primary)').first().click()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    const fields = ['price', 'quantity'].map((name) => `[data-field="${name}"]`)
    for (const screen of SCREENS) {
      await page.setViewportSize(screen)
      await showView(page, 'Trade')
      for (const field of fields) {
        await page.evaluate(() => {
          ;(document.activeElement as HTMLElement | null)?.blur()
          scrollTo(0, 0)
        })
        await page.locator(`.trade-form ${field}`).focus()
        const hidden = await outOfSight(page, [...fields, '.trade-send'])
        expect({ screen, field, hidden }).toEqual({ screen, field, hidden: [] })
      }
    }
  })
})

describe('the order form on a phone', () => {
  test('has the book beside it, opens from under the chart with the side chosen, and hides neither field nor button behind the keyboard', async () => {
    const phone = { width: 390, height: 660 }
    const { page } = await fixture.open('BTC/USDT', phone)
    await page.locator('#views button').nth(3).click()
    await page.locator('.trade-key button:not(.trade-primary)').first().click()
    await page.locator('.trade-desk[data-live="true"]').waitFor()
    expect(await page.locator('#book').isVisible()).toBe(true)
    for (const side of ['SELL', 'BUY'] as const) {
      await page.locator('#views button').first().click()
      await page.locator(`#phone-sides [data-side="${side}"]`).click()
      await page.locator(`.trade-sides [data-side="${side}"][aria-pressed="true"]`).waitFor()
      expect(await outOfSight(page, ['.trade-send'])).toEqual([])
    }
    const typed = ['[data-field="quantity"]', '.trade-send']
    // The keyboard makes the page smaller ...
    await page.setViewportSize({ ...phone, height: 330 })
    await page.locator('.trade-form [data-field="quantity"]').focus()
    expect(await outOfSight(page, typed)).toEqual([])
    // ... or covers it.
    await page.setViewportSize(phone)
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { get: () => 340 })
      visualViewport?.dispatchEvent(new Event('resize'))
    })
    await page.locator('body[data-keyboard]').waitFor()
    expect(await outOfSight(page, typed)).toEqual([])
    const bottom = await page
      .locator('.trade-send')
      .evaluate((button) => button.getBoundingClientRect().bottom)
    expect(bottom).toBeLessThanOrEqual(340)
  })
})

/** Ids that several elements share: the label of one would refer to another. */
function idsTwice(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })
}

async function chooseKindIn(page: Page, kind: OrderKind): Promise<void> {
  await chooseKind(page, kind)
  await page.evaluate(() => {
    scrollTo(0, 0)
    document.querySelector('.trade-body')?.scrollTo(0, 0)
  })
}
