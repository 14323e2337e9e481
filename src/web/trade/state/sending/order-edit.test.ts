import { expect, test } from 'bun:test'
import type { Order } from '../../../../client/interface/orders.ts'
import { amendedQuantity } from './order-edit.ts'

const ORDER = {
  type: 'LIMIT',
  isWorking: true,
  price: '100',
  quantity: '2',
  executedQuantity: '0.5',
} as Order

test('an order of which less of what is left is wanted keeps its place: its whole quantity has what was filled', () => {
  expect(amendedQuantity(ORDER, { price: '100.0', quantity: '0.5' })).toBe('1')
  const prevented = { ...ORDER, preventedQuantity: '0.25' }
  expect(amendedQuantity(prevented, { price: '100', quantity: '1' })).toBe('1.75')
})

test('an order with another price, with as much or more, or one that the exchange does not amend, is another one', () => {
  expect(amendedQuantity(ORDER, { price: '99', quantity: '0.5' })).toBeUndefined()
  expect(amendedQuantity(ORDER, { price: '100', quantity: '1.5' })).toBeUndefined()
  expect(amendedQuantity(ORDER, { price: '100', quantity: '1.6' })).toBeUndefined()
  expect(amendedQuantity(ORDER, { price: '100', quantity: '0' })).toBeUndefined()
  const stop = { ...ORDER, stopPrice: '90' }
  expect(amendedQuantity(stop, { price: '100', stopPrice: '91', quantity: '1' })).toBeUndefined()
  expect(amendedQuantity({ ...ORDER, isWorking: false }, { price: '100', quantity: '1' })).toBeUndefined()
  expect(amendedQuantity({ ...ORDER, listId: '1' }, { price: '100', quantity: '1' })).toBeUndefined()
})
