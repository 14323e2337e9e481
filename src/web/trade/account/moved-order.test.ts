import { describe, expect, test } from 'bun:test'
import type { Order } from '../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import { questionsOf, USUAL_LIMITS } from '../state/sending/questions.ts'
import type { Trader } from '../state/trader.ts'
import { movedOrder, whyNotMoved } from './moved-order.ts'

const MARKET = { name: 'BTC/USDT', baseCode: 'BTC', quoteCode: 'USDT', baseFraction: 8, quoteFraction: 2 }
const SEEN = {
  ...{ baseCode: 'BTC', quoteCode: 'USDT' },
  ...{ bestBid: '99', bestAsk: '101', last: '100', free: undefined },
}
const AROUND = {
  market: MARKET,
  questions: (order: NewOrderParameters) => questionsOf(order, SEEN, USUAL_LIMITS),
}

const ORDER: Order = {
  ...{ id: 'o', symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', status: 'NEW' },
  ...{ price: '98', quantity: '2', executedQuantity: '0', executedTotal: '0' },
  ...{ commission: '0', commissionAsset: 'BTC', createdAt: 1, updatedAt: 1 },
}

describe('an order that is moved', () => {
  test('is sent with exactly one changed field, and shown with both prices and what would happen', async () => {
    const { parts, questions, send } = movedOrder(
      { order: ORDER, field: 'price', price: '98.5', effect: () => 'stays' },
      AROUND,
    )
    const values = parts[0]?.facts.map(([, value]) => value)
    expect(values).toEqual(['Limit', '98 → 98.5 USDT', '2 BTC', 'stays'])
    expect(questions()).toEqual([])
    const sent: unknown[] = []
    const replace: Trader['replace'] = (order, replacement) => {
      sent.push([order.id, replacement])
      return Promise.resolve({ kind: 'PLACED', id: 'new' })
    }
    await send({ replace } as Trader)
    const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '2' }
    expect(sent).toEqual([['o', { ...order, price: '98.5' }]])
  })

  test('shows in its question what would happen at that moment', () => {
    let effect = 'stays'
    const { parts } = movedOrder(
      { order: ORDER, field: 'price', price: '98.5', effect: () => effect },
      AROUND,
    )
    const shown = () => parts[0]?.facts.map(([, value]) => value)
    expect(shown()).toContain('stays')
    effect = 'trades'
    expect(shown()).toContain('trades')
  })

  test('far beyond the best price needs confirmation', () => {
    const far = { order: ORDER, field: 'price', price: '120', effect: () => '' } as const
    expect(movedOrder(far, AROUND).questions()).toMatchObject([{ kind: 'PRICE_FAR' }])
  })

  test('that is partly filled shows what was filled, and moves what is left', () => {
    const begun: Order = { ...ORDER, executedQuantity: '0.5', preventedQuantity: '0.25' }
    const { parts } = movedOrder({ order: begun, field: 'price', price: '97', effect: () => 'stays' }, AROUND)
    const values = parts[0]?.facts.map(([, value]) => value)
    expect(values).toHaveLength(5)
    expect(values?.[2]).toBe('1.25 BTC')
    expect(values?.[4]).toContain('0.5')
  })

  test('that follows the price keeps its distance, and says that it starts to follow again where it had begun', async () => {
    const stop = { ...ORDER, type: 'STOP_LOSS_LIMIT', stopPrice: '105', trailingDelta: 150 } as const
    const valuesOf = (order: Order, field: 'price' | 'stopPrice') => {
      const { parts, subject } = movedOrder({ order, field, price: '106', effect: () => 'waits' }, AROUND)
      return [parts[0]?.facts.slice(1, 3), subject.kind === 'REPLACEMENT' && subject.order] as const
    }
    const [facts, order] = valuesOf(stop, 'stopPrice')
    const distance = 'Buys when the price rises 1.5% above its lowest.'
    expect(facts).toEqual([
      ['Activation price', '105 → 106 USDT'],
      ['Trailing distance', distance],
    ])
    expect(order).toMatchObject({ stopPrice: '106', trailingDelta: 150, price: '98' })
    const [begun, later] = valuesOf({ ...stop, trailingTime: 4 }, 'price')
    expect(begun?.[1]).toEqual([
      'Trailing distance',
      `${distance} It starts following the price afresh: earlier prices no longer count.`,
    ])
    expect(later).toMatchObject({ trailingDelta: 150, price: '106' })
    expect(later).not.toHaveProperty('stopPrice')
  })

  test('is never part of a list', () => {
    expect([whyNotMoved(ORDER), whyNotMoved({ ...ORDER, listId: 'l' })]).toEqual([undefined, 'LIST'])
  })
})
