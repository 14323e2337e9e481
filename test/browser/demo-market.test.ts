/** The demo market's switch, in a real browser on a real sandbox. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { pageFixture } from './support/fixture.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()

test('the page of a sandbox starts the demo market, shows its book and trades, and stops it with its orders', async () => {
  const { page } = await fixture.open('BTC/USDT')
  await page.getByText('No orders yet').waitFor()
  expect(await page.locator('#book-empty').innerText()).toContain('Or start the demo market')
  await page.getByRole('button', { name: 'Start demo market' }).click()
  const stop = page.getByRole('button', { name: 'Stop demo market' })
  await stop.waitFor()
  await page.getByText('No orders yet').waitFor({ state: 'hidden' })
  await page.getByText('No trades yet').waitFor({ state: 'hidden' })

  const { page: other } = await fixture.open('ETH/USDT')
  await other.getByRole('button', { name: 'Stop demo market' }).waitFor()
  await stop.click()
  await page.getByRole('button', { name: 'Start demo market' }).waitFor()
  await page.getByText('No orders yet').waitFor()
})
