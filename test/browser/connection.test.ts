/** The page in a real browser while its node stops and restarts: it never shows an old book as live. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeFindings } from './support/axe.ts'
import { pageFixture } from './support/fixture.ts'
import { expectBid, expectShown, live, marketByHttp } from './support/shown.ts'
import { SlowLink } from './support/slow-link.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()

const ETH_USDT = { symbol: 'ETH/USDT', quoteFraction: 2, baseFraction: 6 }

async function expectAsByHttp(page: Page): Promise<void> {
  await live(page)
  await expectShown(page, await marketByHttp(fixture.baseUrl, fixture.alice, ETH_USDT))
}

test('a page whose node stops says so; when the node is back on its port the page is live again by itself', async () => {
  const { page, loads, takeComplaints } = await fixture.open('BTC/USDT')
  const alert = page.getByRole('alert')
  await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '1', '1000')
  await expectBid(page, '1 000.00', '1.00000000')
  expect(await alert.isVisible()).toBe(false)

  await fixture.stopNode()
  await page.getByRole('status').getByText('Reconnecting').waitFor()
  await alert.getByText('Connection to the exchange lost.').waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await axeFindings(page)]).toEqual([colorScheme, []])
  }

  await fixture.startNode()
  await live(page)
  await alert.waitFor({ state: 'hidden' })
  await expectBid(page, '1 000.00', '1.00000000')
  await fixture.place(fixture.alice, 'BTC/USDT', 'BUY', '1', '1000')
  await expectBid(page, '1 000.00', '2.00000000')
  expect(loads()).toBe(1)
  // The browser logs every failed connection attempt, and nothing else.
  const others = takeComplaints().filter((text) => !/^console: WebSocket connection to .* failed/.test(text))
  expect(others).toEqual([])
})

test('a page whose link stalls, and stays open, stops calling its book live; once the link works again it has the book of the exchange', async () => {
  using link = await SlowLink.to(fixture.baseUrl)
  const { page, loads } = await fixture.open('ETH/USDT', undefined, { address: link.address })
  await fixture.place(fixture.alice, 'ETH/USDT', 'BUY', '1', '2000')
  await expectBid(page, '2 000.00', '1.000000')
  link.bytesPerSecond = 0
  await fixture.place(fixture.alice, 'ETH/USDT', 'BUY', '1', '2001')
  await page.getByRole('status').getByText('Reconnecting').waitFor()
  expect(await page.locator('#bid').textContent()).toMatch(/^2\s000\.00$/)
  link.bytesPerSecond = Number.POSITIVE_INFINITY
  await expectAsByHttp(page)
  expect(loads()).toBe(1)
})

test('a page whose link is slower than the market stops calling its book live, and catches up with the exchange once the market is quiet', async () => {
  using link = await SlowLink.to(fixture.baseUrl)
  const { page } = await fixture.open('ETH/USDT', undefined, { address: link.address })
  link.bytesPerSecond = 1_000
  for (let order = 0; order < 150; order++) {
    await fixture.place(fixture.alice, 'ETH/USDT', 'BUY', '0.01', String(1_000 + (order % 5)))
  }
  await page.getByRole('status').getByText('Reconnecting').waitFor()
  link.bytesPerSecond = 100_000
  await expectAsByHttp(page)
})

test('a page whose browser has no network says so at once and sends nothing, and is live again by received data, not by the browser’s word', async () => {
  using link = await SlowLink.to(fixture.baseUrl)
  const { page, loads } = await fixture.open('ETH/USDT', undefined, { address: link.address })
  const toldBy = (event: 'offline' | 'online') =>
    page.evaluate((name) => {
      dispatchEvent(new Event(name))
      const text = (id: string) => document.getElementById(id)?.textContent
      const { connection } = document.body.dataset
      return [text('connection'), connection, document.getElementById('toast')?.hidden, text('lost-title')]
    }, event)
  link.bytesPerSecond = 0
  expect(await toldBy('offline')).toEqual(['Offline', 'lost', false, 'You are offline.'])
  expect(await toldBy('online')).toEqual(['Reconnecting', 'lost', false, 'Connection to the exchange lost.'])
  link.bytesPerSecond = Number.POSITIVE_INFINITY
  await expectAsByHttp(page)
  // A browser's report about its network may be wrong: received messages count.
  expect((await toldBy('offline'))[0]).toBe('Offline')
  await expectAsByHttp(page)
  expect(loads()).toBe(1)
})
