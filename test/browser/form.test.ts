/** The order form before a real node: nothing is sent twice, nothing without consent, and what cannot be sent says why. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { pageFixture } from './support/fixture.ts'
import { orders, place, send, takeAlice, trade } from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()

beforeAll(() => untilStrictSignatures(fixture.baseUrl, fixture.alice))

/** From now on orders are carried out, and their answers never come. Resolves with how many, once there is one. */
async function swallowAnswers(
  page: Page,
): Promise<{ readonly first: Promise<void>; readonly count: () => number }> {
  let count = 0
  const { promise: first, resolve } = Promise.withResolvers<void>()
  await page.context().route('**/api/v3/order', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    count++
    await route.fetch()
    resolve()
  })
  return { first, count: () => count }
}

describe('the order form', () => {
  test('whose answer is lost while the page is loaded again tells the truth, and there is one order', async () => {
    const { page } = await fixture.open('BTC/USDT')
    await takeAlice(page)
    const swallowed = await swallowAnswers(page)
    await place(page, '700', '1')
    await swallowed.first
    await trade(page).getByText('It is not known yet').waitFor()
    expect(await send(page).getAttribute('aria-disabled')).toBe('true')

    await page.reload()
    await trade(page)
      .getByText(/^What was sent before under b-[0-9a-f]+ was placed\.$/)
      .waitFor()
    await orders(page).waitFor()
    expect([await orders(page).count(), swallowed.count()]).toEqual([1, 1])
    await page.locator('.trade-send[aria-disabled="false"]').waitFor()
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((name) => /attempt/.test(name)))
    expect(kept).toEqual([])
    await orders(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await orders(page).waitFor({ state: 'detached' })
  })
})
