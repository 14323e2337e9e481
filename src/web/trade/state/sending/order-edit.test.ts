import { expect, test } from 'bun:test'
import type { Order } from '../../../../client/interface/orders.ts'
import { amendedQuantity, checkedEdit, editTexts } from './order-edit.ts'
import { replacementOf } from './replacement.ts'

const ORDER = {
  type: 'LIMIT',
  isWorking: true,
  price: '100',
  quantity: '2',
  executedQuantity: '0.5',
} as Order

test('an order that keeps less of its remainder keeps its place: its new quantity includes what was filled', () => {
  expect(amendedQuantity(ORDER, { price: '100.0', quantity: '0.5' })).toBe('1')
  const prevented = { ...ORDER, preventedQuantity: '0.25' }
  expect(amendedQuantity(prevented, { price: '100', quantity: '1' })).toBe('1.75')
})

test('an order with another price, with as much or more, or one that the exchange does not amend, is replaced', () => {
  expect(amendedQuantity(ORDER, { price: '99', quantity: '0.5' })).toBeUndefined()
  expect(amendedQuantity(ORDER, { price: '100', quantity: '1.5' })).toBeUndefined()
  expect(amendedQuantity(ORDER, { price: '100', quantity: '1.6' })).toBeUndefined()
  expect(amendedQuantity(ORDER, { price: '100', quantity: '0' })).toBeUndefined()
  const stop = { ...ORDER, stopPrice: '90' }
  expect(amendedQuantity(stop, { price: '100', stopPrice: '91', quantity: '1' })).toBeUndefined()
  expect(amendedQuantity({ ...ORDER, isWorking: false }, { price: '100', quantity: '1' })).toBeUndefined()
  expect(amendedQuantity({ ...ORDER, listId: '1' }, { price: '100', quantity: '1' })).toBeUndefined()
})

const TRAILING = {
  ...ORDER,
  ...{ symbol: 'ETH/USDT', side: 'SELL', type: 'STOP_LOSS_LIMIT', isWorking: false },
  ...{ stopPrice: '110', trailingDelta: 150, executedQuantity: '0' },
} as Order

test('an order that follows the price is edited with its distance in percent, and another distance is another order', () => {
  const texts = editTexts(replacementOf(TRAILING))
  expect(texts).toEqual({ stopPrice: '110', trailingDelta: '1.5', price: '100', quantity: '2' })
  expect(checkedEdit(texts)).toEqual({
    problems: {},
    edited: { stopPrice: '110', trailingDelta: 150, price: '100', quantity: '2' },
  })
  const { edited } = checkedEdit({ ...texts, trailingDelta: '0.29' })
  expect(replacementOf(TRAILING, edited)).toMatchObject({ stopPrice: '110', trailingDelta: 29, price: '100' })
  const resting = { ...TRAILING, isWorking: true }
  expect(amendedQuantity(resting, { price: '100', trailingDelta: 150, quantity: '1' })).toBe('1')
  expect(amendedQuantity(resting, { price: '100', trailingDelta: 29, quantity: '1' })).toBeUndefined()
  expect(amendedQuantity(resting, { price: '100', beginsAtOnce: true, quantity: '1' })).toBeUndefined()
})

test('an order that follows the price may be left without a stop price, and then begins at once; no other may', () => {
  const texts = editTexts(replacementOf(TRAILING))
  const { problems, edited } = checkedEdit({ ...texts, stopPrice: '' })
  expect([problems, edited.beginsAtOnce]).toEqual([{}, true])
  const replacement = replacementOf(TRAILING, edited)
  expect([replacement.trailingDelta, 'stopPrice' in replacement]).toEqual([150, false])
  const stop = { ...TRAILING, trailingDelta: undefined } as Order
  const emptied = checkedEdit({ ...editTexts(replacementOf(stop)), stopPrice: '' })
  expect(emptied.problems).toEqual({ stopPrice: { kind: 'MISSING', offers: [] } })
})

test('an invalid distance says so, and an empty field loses none', () => {
  const texts = editTexts(replacementOf(TRAILING))
  const kindOf = (trailingDelta: string) =>
    checkedEdit({ ...texts, trailingDelta }).problems.trailingDelta?.kind
  expect(['0.1', '20', '0.09', '20.01', '1.555', '1,5', ''].map(kindOf)).toEqual([
    undefined,
    undefined,
    'DISTANCE',
    'DISTANCE',
    'DECIMALS',
    'UNREADABLE',
    'MISSING',
  ])
})
