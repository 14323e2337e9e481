/** Rows of the account do not move away under a button that is pressed. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { signed } from '../support/bourse-process.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { orders, takeAlice } from './support/trading.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'ETH/USDT'
const fixture = pageFixture()

beforeAll(() => untilStrictSignatures(fixture.baseUrl, fixture.alice))

async function buyAt(price: string): Promise<void> {
  const fields = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '0.1', price }
  expect((await signed(fixture.baseUrl, fixture.alice, 'POST', 'order', fields)).status).toBe(200)
}

/** Presses the button, and holds it until `meanwhile` is done and the page has drawn the result. */
async function pressDuring(page: Page, button: Locator, meanwhile: () => Promise<void>): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await meanwhile()
  for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.mouse.up()
}

describe('a button that is pressed', () => {
  test('cancels its order, though another order appears above it before the release', async () => {
    await buyAt('900')
    const { page } = await fixture.open(SYMBOL, { width: 1440, height: 900 })
    await takeAlice(page)
    const cancel = orders(page)
      .filter({ hasText: '900.00' })
      .getByRole('button', { name: /^Cancel/ })
    await cancel.waitFor()
    await pressDuring(page, cancel, async () => {
      await buyAt('901')
      // The book marks the order once the page has received it.
      await page.locator('#bids tr[data-own]').nth(1).waitFor()
    })
    await cancel.waitFor({ state: 'detached' })
    await page.locator('#bids tr[data-own]').nth(1).waitFor({ state: 'detached' })
    await expectSoon(() => orders(page).count(), 1)
    expect(await orders(page).innerText()).toContain('901')
  })
})
