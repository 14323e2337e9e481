/**
 * docs/reference/orders.md is checked against the code: its figures against the stated values, its examples
 * against the answers of a sandbox.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CANCEL_CAUSES } from '../src/core/events/event.ts'
import { LEDGER_CAUSES } from '../src/engine/history/ledger-entries.ts'
import { FILLS_MAX, FILLS_READ_MAX, LEDGER_READ_MAX, LEDGER_RECORDS_MAX } from '../src/engine/port/ports.ts'
import { PLACED_FILLS_MAX } from '../src/views/placements.ts'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'
import { marked, reference, rows, section, shapeOf, unstatedFields } from './support/reference.ts'

const PAGE = reference('orders')
const EXAMPLES = marked(PAGE, 'answer')

test('every field of an example in orders.md is in the tables above it, or is one of the order object', () => {
  const object = section(PAGE, 'The order object')
  const unstated = unstatedFields(PAGE).filter(([, field]) => !object.includes(`\`${field}\``))
  expect(unstated).toEqual([])
})

test('orders.md states how many fills the answer to a placement has, and what they weigh', () => {
  expect(PAGE).toContain(`the first ${PLACED_FILLS_MAX} fills, oldest first`)
  expect(PAGE).toContain(`weight ${PLACED_FILLS_MAX / 25} more`)
})

test('orders.md states how much one request may return and read', () => {
  expect(PAGE).toContain(`examines at most ${FILLS_READ_MAX.toLocaleString('en')} fills and transfers`)
  expect([LEDGER_READ_MAX, LEDGER_RECORDS_MAX]).toEqual([FILLS_READ_MAX, FILLS_MAX])
  expect(PAGE).toContain(`| 1 to ${FILLS_MAX}: at most this many`)
  expect(PAGE).toContain(`at most ${FILLS_READ_MAX / 25}.`)
})

test('orders.md has every reason why an order ends, and no other', () => {
  const [, table = ''] = section(PAGE, 'The order object').split('| `endReason` | |')
  expect(rows(table).map(([word]) => word as string)).toEqual([...CANCEL_CAUSES])
})

test('orders.md has every cause of an entry of the ledger, and no other', () => {
  const [, table = ''] = section(PAGE, 'Ledger').split('| `cause` | |')
  const words = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.split(', '))
  expect(words).toEqual(LEDGER_CAUSES.map((cause) => `\`${cause}\``))
})

describe('a sandbox', () => {
  let node: NodeProcess
  beforeAll(async () => {
    node = await startSandbox()
  })
  afterAll(() => node.stop())

  test('answers in the shape of every example in orders.md', async () => {
    const ask = async (path: string, fields = {}) =>
      JSON.parse((await node.bob.request('GET', `/api/v3/${path}`, fields)).text)
    const order = { symbol: 'BTC/USDT', type: 'LIMIT', price: '60000.5', quantity: '0.5' }
    const { id: resting } = await node.alice.place({ ...order, side: 'SELL' })
    const { id } = await node.bob.place({ ...order, side: 'BUY', timeInForce: 'IOC', quantity: '0.8' })
    await node.alice.place({ ...order, side: 'SELL' })
    await node.bob.place({ symbol: 'BTC/USDT', side: 'BUY', type: 'MARKET', total: '6000.05' })
    expect(await node.alice.ask('GET', '/api/v3/order', { orderId: resting })).toMatchObject({
      data: { status: 'FILLED' },
    })
    const answers: Record<string, unknown> = {
      order: await ask('order', { orderId: id }),
      openOrders: JSON.parse((await node.alice.request('GET', '/api/v3/openOrders', {})).text),
      allOrders: await ask('allOrders', { limit: 1 }),
      myTrades: await ask('myTrades', { limit: 1 }),
      accountLedger: await ask('account/ledger', { limit: 1 }),
    }
    const full = { ...order, side: 'BUY', timeInForce: 'IOC', quantity: '0.3', newOrderRespType: 'FULL' }
    answers.newOrderFull = JSON.parse((await node.bob.request('POST', '/api/v3/order', full)).text)
    expect([...EXAMPLES.keys()].toSorted()).toEqual(Object.keys(answers).toSorted())
    for (const [name, text] of EXAMPLES) {
      expect([name, shapeOf(JSON.parse(text))]).toEqual([name, shapeOf(answers[name])])
    }
  })
})
