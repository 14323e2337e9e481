import { expect, test } from 'bun:test'
import type { Order } from '../../../../client/interface/orders.ts'
import { kindText, legOf } from './order-leg.ts'

function order(id: string, type: Order['type'], fields: Partial<Order> = {}): Order {
  return {
    ...{ id, type, listId: 'list', symbol: 'BTC/USDT', side: 'SELL', quantity: '1', status: 'NEW' },
    ...{ executedQuantity: '0', executedTotal: '0', commission: '0', commissionAsset: 'BTC' },
    ...{ isWorking: false, createdAt: 1, updatedAt: 1 },
    ...fields,
  }
}

const WORKS = { isWorking: true } as const
const ENTRY = { ...WORKS, side: 'BUY' } as const

test.each([
  [
    'OTOCO',
    [order('e', 'LIMIT', ENTRY), order('p', 'LIMIT_MAKER'), order('l', 'STOP_LOSS')],
    ['entry', 'profit', 'loss'],
  ],
  [
    'OTOCO with a trigger',
    [order('e', 'LIMIT_MAKER', ENTRY), order('p', 'TAKE_PROFIT_LIMIT'), order('l', 'STOP_LOSS_LIMIT')],
    ['entry', 'profit', 'loss'],
  ],
  [
    'OTOCO on one side',
    [order('e', 'LIMIT', WORKS), order('p', 'LIMIT_MAKER'), order('l', 'STOP_LOSS')],
    ['entry', 'profit', 'loss'],
  ],
  ['OCO', [order('p', 'LIMIT_MAKER', WORKS), order('l', 'STOP_LOSS_LIMIT')], ['profit', 'loss']],
  ['OCO of triggers', [order('p', 'TAKE_PROFIT'), order('l', 'STOP_LOSS')], ['profit', 'loss']],
  ['OTO', [order('e', 'LIMIT', ENTRY), order('n', 'LIMIT_MAKER')], ['entry', 'next']],
  ['OTO with a stop', [order('e', 'LIMIT', WORKS), order('n', 'STOP_LOSS')], ['entry', 'next']],
  ['the rest of an OTO', [order('n', 'LIMIT')], [undefined]],
  ['orders of no list', [order('a', 'LIMIT', { listId: undefined })], [undefined]],
] as const)('the orders of an %s have the names of its legs', (_, orders, legs) => {
  const stranger = order('s', 'STOP_LOSS', { listId: 'other' })
  expect(orders.map((each) => legOf(each, [...orders, stranger]))).toEqual([...legs])
})

test('a take profit that rests in the book is called that, and not by its type alone', () => {
  const pair = [order('p', 'LIMIT_MAKER', WORKS), order('l', 'STOP_LOSS')]
  expect(pair.map((each) => kindText(each, pair))).toEqual([
    'Take profit (Post only)',
    'Stop loss (Stop, market)',
  ])
  expect(kindText(order('a', 'LIMIT', { listId: undefined }), pair)).toBe('Limit')
})
