/** docs/reference/orders.md is held to the code: its figures to the values they state, its examples to the answers of a sandbox. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { LEDGER_CAUSES } from '../src/engine/ledger-entries.ts'
import {
  FILLS_LOOKED_AT_MAX,
  FILLS_MAX,
  LEDGER_LOOKED_AT_MAX,
  LEDGER_RECORDS_MAX,
} from '../src/engine/ports.ts'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'
import { marked, reference, section, shapeOf, unstatedFields } from './support/reference.ts'

const PAGE = reference('orders')
const EXAMPLES = marked(PAGE, 'answer')

test('every field of an example in orders.md stands in the tables above it', () =>
  expect(unstatedFields(PAGE)).toEqual([]))

test('orders.md states how much one request may ask for and look at', () => {
  expect(PAGE).toContain(`looks at ${FILLS_LOOKED_AT_MAX.toLocaleString('en')} elements (`)
  expect([LEDGER_LOOKED_AT_MAX, LEDGER_RECORDS_MAX]).toEqual([FILLS_LOOKED_AT_MAX, FILLS_MAX])
  expect(PAGE).toContain(`| 1 to ${FILLS_MAX}: so many`)
  expect(PAGE).toContain(`at most ${FILLS_LOOKED_AT_MAX / 25}.`)
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
    const order = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '0.5' }
    await node.alice.place({ ...order, side: 'SELL', price: '60000.5' })
    await node.bob.place({ ...order, side: 'BUY', price: '60000.5', quantity: '0.2' })
    await node.bob.place({ ...order, side: 'BUY', price: '60000.5', quantity: '0.1' })
    const answers: Record<string, unknown> = {
      myTrades: await ask('myTrades', { limit: 1 }),
      accountLedger: await ask('account/ledger', { limit: 1 }),
    }
    expect([...EXAMPLES.keys()].toSorted()).toEqual(Object.keys(answers).toSorted())
    for (const [name, text] of EXAMPLES) {
      expect([name, shapeOf(JSON.parse(text))]).toEqual([name, shapeOf(answers[name])])
    }
  })
})
