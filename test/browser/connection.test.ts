/** The page in a real browser while its node goes and comes back: it never shows an old book as if it were live. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { pageFixture } from './support/fixture.ts'
import { expectBid, live } from './support/shown.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()

test('a page whose node stops says so; when the node is back on its port the page is live again by itself', async () => {
  const { page, loads, takeComplaints } = await fixture.open('BTC/USDT')
  const alert = page.getByRole('alert')
  await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '1', '1000')
  await expectBid(page, '1 000.00', '1.00000000')
  expect(await alert.isVisible()).toBe(false)

  await fixture.stopNode()
  await page.getByRole('status').getByText('Reconnecting').waitFor()
  await alert.getByText('The connection to the exchange is lost.').waitFor()

  await fixture.startNode()
  await live(page)
  await alert.waitFor({ state: 'hidden' })
  await expectBid(page, '1 000.00', '1.00000000')
  await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '1', '1000')
  await expectBid(page, '1 000.00', '2.00000000')
  expect(loads()).toBe(1)
  // The browser itself logs every attempt that found no server, and nothing else.
  const others = takeComplaints().filter((text) => !/^console: WebSocket connection to .* failed/.test(text))
  expect(others).toEqual([])
})
