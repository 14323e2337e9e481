/**
 * docs/reference/timers.md is checked against the code: its figures against the stated values, its examples
 * against the answers of a sandbox.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DUE_PER_BATCH, DUE_STEPS_PER_BATCH } from '../src/engine/port/limits.ts'
import {
  CANCEL_ORDERS_MAX,
  COUNTDOWN_MAX_MS,
  COUNTDOWNS_PER_ACCOUNT_MAX,
  EXPIRE_TIME_AHEAD_MAX_MS,
  MASS_CANCEL_STEPS_MAX,
  MASS_CANCELS_PER_ACCOUNT_MAX,
} from '../src/units/limits.ts'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'
import { eventually } from './postgres/support/eventually.ts'
import { marked, reference, shapeOf } from './support/reference.ts'

const PAGE = reference('timers')
const EXAMPLES = marked(PAGE, 'answer')
const DAY_MS = 86_400_000

test('timers.md states how far ahead an order may end, and how many ends precede a batch', () => {
  expect(PAGE).toContain(`at most ${(EXPIRE_TIME_AHEAD_MAX_MS / DAY_MS).toLocaleString('en')} days ahead`)
  expect(PAGE).toContain(`At most ${DUE_PER_BATCH} of them precede a`)
})

test('waiting-orders.md states how many triggered orders precede a batch, and how many others they may meet', () => {
  const page = reference('waiting-orders')
  expect(page).toContain(`At most ${DUE_PER_BATCH} of them precede a batch`)
  const met = DUE_STEPS_PER_BATCH.toLocaleString('en')
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`more than ${met} resting orders together`)
})

test('timers.md states the bounds of mass cancels and countdowns', () => {
  expect(PAGE).toContain(`One command examines ${CANCEL_ORDERS_MAX} of your orders`)
  expect(PAGE).toContain(`${MASS_CANCEL_STEPS_MAX} orders of an account at a time`)
  expect(PAGE).toContain(`At most ${MASS_CANCELS_PER_ACCOUNT_MAX} of one account are in progress`)
  expect(PAGE).toContain(`at most ${COUNTDOWN_MAX_MS} (a day)`)
  expect(PAGE).toContain(`at most ${COUNTDOWNS_PER_ACCOUNT_MAX} (\`TOO_MANY_COUNTDOWNS\`)`)
})

describe('a sandbox', () => {
  let node: NodeProcess
  beforeAll(async () => {
    node = await startSandbox()
  })
  afterAll(() => node.stop())

  test('answers in the shape of every example in timers.md', async () => {
    const order = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', price: '60000.5', quantity: '0.5' }
    const expireTime = Date.now() + 15 * 60_000
    const timely = { ...order, timeInForce: 'GTD', expireTime, newOrderRespType: 'RESULT' }
    const answers: Record<string, unknown> = {
      goodTillDate: JSON.parse((await node.alice.request('POST', '/api/v3/order', timely)).text),
      massCancel: JSON.parse(
        (await node.alice.request('DELETE', '/api/v3/openOrders', { scope: 'SYMBOL', symbol: 'BTC/USDT' }))
          .text,
      ),
      countdown: JSON.parse(
        (await node.alice.request('POST', '/api/v3/countdownCancelAll', { countdownTime: 60_000 })).text,
      ),
    }
    await node.alice.request('POST', '/api/v3/countdownCancelAll', { countdownTime: 0 })
    expect([...EXAMPLES.keys()].toSorted()).toEqual(Object.keys(answers).toSorted())
    for (const [name, text] of EXAMPLES) {
      expect([name, shapeOf(JSON.parse(text))]).toEqual([name, shapeOf(answers[name])])
    }
  })

  test('ends an order at its time without a request', async () => {
    const order = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', price: '70000', quantity: '0.5' }
    let id: unknown
    // On a paused machine the expire time may have passed when the order arrives.
    for (let aheadMs = 150; id === undefined; aheadMs *= 2) {
      const timely = { ...order, timeInForce: 'GTD', expireTime: Date.now() + aheadMs }
      const { status, body } = await node.alice.request('POST', '/api/v3/order', timely)
      expect([status, body.reason]).toEqual(status === 200 ? [200, undefined] : [400, 'EXPIRE_TIME_PASSED'])
      id = body.data?.id
    }
    const read = async () =>
      JSON.parse((await node.alice.request('GET', '/api/v3/order', { orderId: id as string })).text).data
    await eventually('it is no longer open', async () => (await read()).status !== 'NEW')
    const ended = await read()
    expect(ended).toMatchObject({ status: 'CANCELED', endReason: 'EXPIRED' })
    expect(ended.updatedAt).toBeGreaterThanOrEqual(ended.expireTime)
  })
})
