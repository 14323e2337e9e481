/** The columns of the account's tables: each figure is in the unit of its column head, or states its own. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createBourseClient } from '../../src/client/client.ts'
import { untilStrictSignatures } from '../support/strict-signatures.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { takeAlice } from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()
const SYMBOL = 'BTC/USDT'

beforeAll(() => untilStrictSignatures(fixture.baseUrl, fixture.alice))

test('the history shows the total of a MARKET order in its own asset, and the stop price of a waiting order beside its price', async () => {
  const url = fixture.baseUrl
  const [alice, bob] = [fixture.alice, fixture.bob].map(({ apiKey, secret }) =>
    createBourseClient({ url, apiKey, secret }),
  )
  if (alice === undefined || bob === undefined) throw new Error('expected two accounts')
  await bob.newOrder({ symbol: SYMBOL, side: 'SELL', type: 'LIMIT', quantity: '0.1', price: '1000' })
  const spent = await alice.newOrder({ symbol: SYMBOL, side: 'BUY', type: 'MARKET', total: '50' })
  const stop = { type: 'STOP_LOSS', stopPrice: '90', quantity: '0.1' } as const
  const waiting = await alice.newOrder({ symbol: SYMBOL, side: 'SELL', ...stop })
  const { page } = await fixture.open(SYMBOL, { width: 1440, height: 900 })
  await takeAlice(page)
  await page.getByRole('tab', { name: /^Order history/ }).click()
  const cell = (id: string, name: string) =>
    page.locator(`tr[data-past-order="${id}"] td[data-label="${name}"]`).innerText()
  await page.locator(`tr[data-past-order="${waiting.order.id}"]`).waitFor()
  await expectSoon(() => cell(spent.order.id, 'Quantity'), 'for 50 USDT')
  expect(await cell(spent.order.id, 'Filled')).toMatch(/^0\.05\d* BTC$/)
  expect(await cell(waiting.order.id, 'Quantity')).toMatch(/^0\.10* BTC$/)
  await expectSoon(() => cell(waiting.order.id, 'Price'), '–')
  expect(await cell(waiting.order.id, 'Trigger')).toMatch(/^≤ 90/)
})
