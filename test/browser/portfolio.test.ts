/** Gains and losses of an account, as the page shows them, compared with the exchange's answers over HTTP. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type BourseClient, createBourseClient } from '../../src/client/client.ts'
import { GROUP_SPACE } from '../../src/web/shared/grouped-text.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { axeFindings } from './support/axe.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { chooseSetting, showView } from './support/shown.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()
const SYMBOL = 'BTC/USDT'

async function trade(buyer: BourseClient, seller: BourseClient, price: string): Promise<void> {
  const order = { symbol: SYMBOL, type: 'LIMIT', quantity: '0.4', price } as const
  await seller.newOrder({ ...order, side: 'SELL' })
  await buyer.newOrder({ ...order, side: 'BUY' })
}

async function cells(page: Page, asset: string): Promise<readonly string[]> {
  const texts = await page.locator(`tr[data-asset="${asset}"] td`).allInnerTexts()
  return texts.map((text) => text.replaceAll(GROUP_SPACE, '').replaceAll(/\s+/g, ' '))
}

test('a portfolio shows average cost and profit as the exchange has them, follows fills, and marks assets without a cost', async () => {
  const { baseUrl: url } = fixture
  await untilStrictSignatures(url, fixture.alice)
  const [alice, bob] = [fixture.alice, fixture.bob].map(({ apiKey, secret }) =>
    createBourseClient({ url, apiKey, secret }),
  ) as [BourseClient, BourseClient]
  await trade(alice, bob, '900')
  const { page } = await fixture.open(SYMBOL, { width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Trade as alice' }).click()
  await page.locator('.trade-desk[data-live="true"]').waitFor()
  await page.getByRole('tab', { name: /^Portfolio/ }).click()
  const btc = page.locator('tr[data-asset="BTC"]')
  await btc.waitFor()
  const { positions } = await alice.accountPositions()
  const [held] = positions
  expect(held).toMatchObject({ asset: 'BTC', cost: '360', averageCost: '900.9009009' })
  await expectSoon(
    () => cells(page, 'BTC'),
    [
      'BTC',
      held?.quantity ?? '',
      `900.90 USDT (${held?.withoutCost} without cost)`,
      `${Number(held?.value).toFixed(2)} USDT`,
      '-0.36 USDT -0.10%',
      '0.00 USDT',
    ],
  )
  const rows = await page
    .locator('tr[data-asset]')
    .evaluateAll((all) => all.map((row) => row.getAttribute('data-asset')))
  expect(rows).toEqual(positions.filter(({ quantity }) => quantity !== '0').map(({ asset }) => asset))
  await expectSoon(async () => (await cells(page, 'TRY')).slice(3), ['–', '–', '–'])

  await trade(alice, bob, '950')
  await btc.locator('td', { hasText: /^\+19\.24 USDT \+2\.60%$/ }).waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page)).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await showView(page, 'Account')
  await btc.locator('[data-label="Unrealized P&L"]').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await chooseSetting(page, 'language', 'tr')
  await page.getByRole('columnheader', { name: 'Gerçekleşmemiş K/Z' }).waitFor()
  await btc.locator('td', { hasText: '+%2.60' }).waitFor()
})
