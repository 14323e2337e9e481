import { expect, test } from 'bun:test'
import { createBourseClient } from './client.ts'
import { eachLedgerEntry, eachOrder, eachTrade } from './pages.ts'
import { success, VirtualPlatform } from './virtual-platform.fixture.ts'

const ROWS = 25
const NAMES = { '/myTrades': 'fills', '/allOrders': 'orders', '/account/ledger': 'entries' } as const

/** Lists of 25 rows numbered from 0, the newest first. */
function setUp() {
  const net = new VirtualPlatform()
  net.answer = ({ path, fields }) => {
    const from = Number(fields.before ?? 0)
    const to = Math.min(ROWS, from + Number(fields.limit ?? 10))
    const rows = Array.from({ length: to - from }, (_, index) => ({ id: `${from + index}` }))
    const name = NAMES[path as keyof typeof NAMES]
    return success({ [name]: rows, ...(to < ROWS ? { next: `${to}` } : {}) })
  }
  const client = createBourseClient({ url: 'http://exchange.test', apiKey: 'k', secret: 's', platform: net })
  return { net, client }
}

async function idsOf(rows: AsyncGenerator<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of rows) ids.push(id)
  return ids
}

const ALL = Array.from({ length: ROWS }, (_, index) => `${index}`)

test('each paged list is read to its end, once and in order', async () => {
  const { net, client } = setUp()
  for (const each of [eachTrade, eachOrder, eachLedgerEntry])
    expect(await net.run(idsOf(each(client)))).toEqual(ALL)
})

test('a list is read no further than requested, and continues from where the caller says', async () => {
  const { net, client } = setUp()
  const ids = await net.run(idsOf(eachOrder(client, { limit: 4, before: '2' }, { elementsMax: 6 })))
  expect(ids).toEqual(ALL.slice(2, 8))
  expect(net.to('GET', '/allOrders').map(({ fields }) => fields.before)).toEqual(['2', '6'])
  for (const each of [eachTrade, eachOrder, eachLedgerEntry])
    expect(await net.run(idsOf(each(client, { before: '20' })))).toEqual(ALL.slice(20))
})
