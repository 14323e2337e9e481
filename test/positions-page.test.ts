/**
 * docs/reference/positions.md is checked against the code: its example is traded, step by step, and its
 * answer equals an exchange's answer.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Fixture, openFixture, type Trader } from '../src/server/public/gateway.fixture.ts'
import { amount } from '../src/units/quantities.ts'
import { marked, reference, section, unstatedFields } from './support/reference.ts'

const PAGE = reference('positions')
const OPERATOR = { actor: 'test', note: '' }

/** From the table of the example: quantity, cost, average cost, realized profit after each step. */
const STEPS = (section(PAGE, 'Average cost').split('| Step |')[1] ?? '')
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split(' | ')
      .slice(1)
      .map((cell) => cell.replace(/ \|$/, '')),
  )

test('every field of the example in positions.md is in its table', () => {
  expect(unstatedFields(PAGE)).toEqual([])
})

describe('the example of positions.md', () => {
  let f: Fixture
  let trader: Trader
  beforeAll(async () => {
    f = await openFixture()
    await f.submit({ kind: 'CreateAccount', operator: OPERATOR, name: 'carol' })
    const accountId = (f.bob.accountId + 1) as typeof f.bob.accountId
    trader = await f.createKey(accountId)
    await move('Credit', 'USDT', 20_000_000_000_000n, 'first')
  })
  afterAll(() => f.stop())

  const move = (kind: 'Credit' | 'Debit', asset: string, units: bigint, reference: string) =>
    f.submit({
      ...{ kind, operator: OPERATOR, accountId: trader.accountId, asset, reference },
      amount: amount(units),
    })
  const trade = async (side: 'BUY' | 'SELL', price: string, quantity: string, by: Trader = trader) => {
    const order = { symbol: 'BTC/USDT', type: 'LIMIT', price, quantity }
    await f.place(f.alice, { ...order, side: side === 'BUY' ? 'SELL' : 'BUY' })
    expect((await f.place(by, { ...order, side })).status).toBe(200)
  }
  const position = async (fields = {}) =>
    (await f.send('GET', '/api/v3/account/positions', { asset: 'BTC', ...fields }, trader)).body

  test('leads to what its table says after each step, and to the answer that it shows', async () => {
    const steps = [
      () => trade('BUY', '60000', '1'),
      () => trade('BUY', '63000', '1'),
      () => trade('SELL', '66000', '0.5'),
      () => move('Credit', 'BTC', 10_000_000n, 'deposit'),
      () => move('Debit', 'BTC', 20_000_000n, 'withdrawal'),
    ]
    expect(STEPS).toHaveLength(steps.length)
    for (const [i, step] of steps.entries()) {
      await step()
      const [{ quantity, cost, averageCost, realizedProfit }] = (await position()).data.positions
      expect([quantity, cost, averageCost, realizedProfit]).toEqual(STEPS[i] as string[])
    }
    await trade('BUY', '65000', '0.1', f.bob)
    const answer = await position()
    const [{ value, cost, unrealizedProfit }] = answer.data.positions
    expect(PAGE).toContain(
      `the value is 1.398 x 65000 = ${value}, the unrealized profit ${value} - ${cost} = ${unrealizedProfit}.`,
    )
    expect(answer).toEqual(JSON.parse(marked(PAGE, 'answer').get('accountPositions') ?? ''))
  })
})
