/**
 * docs/reference/order-lists.md is checked against the code: its parameters against the accepted ones, its
 * examples against the answers of a sandbox.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parameterNames } from '../src/contract/endpoints/endpoints.ts'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'
import { marked, reference, section, shapeOf } from './support/reference.ts'

const PAGE = reference('order-lists')
const EXAMPLES = marked(PAGE, 'answer')

test('order-lists.md names every parameter of an OCO and an OTO list, and no other', () => {
  const common = namesIn('Endpoints')
  expect([...common, ...namesIn('OCO')].toSorted()).toEqual([...parameterNames('newOco')].toSorted())
  expect([...common, ...namesIn('OTO')].toSorted()).toEqual([...parameterNames('newOto')].toSorted())
})

test('an OTOCO list takes what order-lists.md states: the parameters of OTO except those of the pending order, and of OCO under other names', () => {
  const pair = namesIn('OCO')
    .filter((name) => /^(above|below)/.test(name) && !name.endsWith('Total'))
    .map((name) => `pending${name.charAt(0).toUpperCase()}${name.slice(1)}`)
  const shared = namesIn('OTO').filter((name) => /^working|^pending(Side|Quantity)$/.test(name))
  const expected = [...namesIn('Endpoints'), ...shared, ...pair]
  expect(expected.toSorted()).toEqual([...parameterNames('newOtoco')].toSorted())
})

/** The names in the first cells of a section's table. */
function namesIn(heading: string): string[] {
  const cells = [...section(PAGE, heading).matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => cell.split(', ')).map((name) => name.replaceAll('`', ''))
}

describe('a sandbox', () => {
  let node: NodeProcess
  beforeAll(async () => {
    node = await startSandbox()
  })
  afterAll(() => node.stop())

  test('answers in the shape of every example in order-lists.md', async () => {
    const place = async (kind: string, fields: Record<string, string>) =>
      JSON.parse((await node.alice.request('POST', `/api/v3/orderList/${kind}`, fields)).text)
    const symbol = 'BTC/USDT'
    const answers: Record<string, unknown> = {
      oco: await place('oco', {
        symbol,
        side: 'SELL',
        quantity: '0.5',
        aboveType: 'LIMIT_MAKER',
        abovePrice: '900000',
        belowType: 'STOP_LOSS_LIMIT',
        belowStopPrice: '1100',
        belowPrice: '1000',
        listClientOrderId: 'bracket-1',
      }),
      otoco: await place('otoco', {
        symbol,
        workingType: 'LIMIT',
        workingSide: 'BUY',
        workingPrice: '1200',
        workingQuantity: '0.5',
        pendingSide: 'SELL',
        pendingAboveType: 'LIMIT_MAKER',
        pendingAbovePrice: '900000',
        pendingBelowType: 'STOP_LOSS',
        pendingBelowStopPrice: '1100',
      }),
    }
    expect([...EXAMPLES.keys()].toSorted()).toEqual(Object.keys(answers).toSorted())
    for (const [name, text] of EXAMPLES) {
      expect([name, shapeOf(JSON.parse(text))]).toEqual([name, shapeOf(answers[name])])
    }
  })
})
