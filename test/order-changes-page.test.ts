/**
 * docs/reference/order-changes.md is checked against the code: its examples against the answers of a sandbox.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'
import { marked, reference, section, shapeOf, unstatedFields } from './support/reference.ts'

const PAGE = reference('order-changes')
const EXAMPLES = marked(PAGE, 'answer')
const OF_ORDERS = section(reference('orders'), 'The order object')

/** Fields of bodies inside an answer; other pages describe them. */
const OF_BODIES = ['reason', 'qty', 'created_at', 'side_name']

test('every field of an example in order-changes.md is in the tables above it, or is one of the order object', () => {
  const isElsewhere = (field: string) => OF_ORDERS.includes(`\`${field}\``) || OF_BODIES.includes(field)
  expect(unstatedFields(PAGE).filter(([, field]) => !isElsewhere(field))).toEqual([])
})

let node: NodeProcess
beforeAll(async () => {
  node = await startSandbox()
})
afterAll(() => node.stop())

test('a sandbox answers in the shape of every example in order-changes.md, and with its figures', async () => {
  const ask = async (method: string, path: string, fields: Record<string, string>) =>
    JSON.parse((await node.alice.request(method, path, fields)).text)
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', price: '60000.5' }
  const { id } = await node.alice.place({ ...order, side: 'SELL', quantity: '0.5' })
  await node.bob.place({ ...order, side: 'BUY', quantity: '0.2' })
  const amended = { orderId: id, newQty: '0.4' }
  const answers: Record<string, unknown> = {
    amendOrder: await ask('PUT', '/api/v3/order/amend/keepPriority', amended),
  }
  const again = { ...order, side: 'SELL', price: '60001', quantity: '0.3' }
  const replacing = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: id }
  const replaced = await ask('POST', '/api/v3/order/cancelReplace', { ...again, ...replacing })
  answers.cancelReplace = replaced
  const { id: next } = replaced.data.newOrderResponse.data
  const whole = { ...again, ...replacing, cancelId: next, timeInForce: 'FOK' }
  answers.partlyReplaced = await ask('POST', '/api/v3/order/cancelReplace', whole)
  expect(answers.amendOrder).toMatchObject({ data: { quantity: '0.4', executedQuantity: '0.2' } })
  expect([...EXAMPLES.keys()].toSorted()).toEqual(Object.keys(answers).toSorted())
  for (const [name, text] of EXAMPLES) {
    expect([name, shapeOf(JSON.parse(text))]).toEqual([name, shapeOf(answers[name])])
  }
})
