import { expect, test } from 'bun:test'
import { END_REASONS } from '../../../contract/api/order-fields.ts'
import { orderStatus, STATUS_OF_END } from './order-status.ts'

test('every reason for which an order ends has a status of Binance', () => {
  expect(Object.keys(STATUS_OF_END).sort()).toEqual([...END_REASONS].sort())
  const shown = END_REASONS.map((endReason) => orderStatus({ status: 'CANCELED', endReason }))
  expect(new Set(shown)).toEqual(new Set(['CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH'] as const))
})

test.each([
  ['USER', 'CANCELED'],
  ['DEAD_MAN', 'CANCELED'],
  ['LIST', 'CANCELED'],
  ['IOC', 'EXPIRED'],
  ['MARKET_REMAINDER', 'EXPIRED'],
  ['OPERATOR', 'EXPIRED'],
  ['SELF_TRADE', 'EXPIRED_IN_MATCH'],
] as const)('an order that ends by %s is %s', (endReason, status) => {
  expect(orderStatus({ status: 'CANCELED', endReason })).toBe(status)
})

test('an order that waits for the working order of its list is PENDING_NEW, one that waits for a price is NEW', () => {
  expect(orderStatus({ status: 'NEW', isWorking: false })).toBe('PENDING_NEW')
  expect(orderStatus({ status: 'NEW', isWorking: false, stopPrice: '1' })).toBe('NEW')
  expect(orderStatus({ status: 'FILLED' })).toBe('FILLED')
})
