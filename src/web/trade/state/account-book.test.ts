import { describe, expect, test } from 'bun:test'
import type { Order } from '../../../client/interface/orders.ts'
import { AccountBook } from './account-book.ts'

function order(id: string, fields: Partial<Order> = {}): Order {
  return {
    id,
    symbol: 'BTC/USDT',
    side: 'BUY',
    type: 'LIMIT',
    executedQuantity: '0',
    executedTotal: '0',
    commission: '0',
    commissionAsset: 'BTC',
    status: 'NEW',
    createdAt: Number(id),
    updatedAt: Number(id),
    ...fields,
  }
}

function canceled(id: string, endReason: string): Order {
  return order(id, { status: 'CANCELED', endReason, updatedAt: 100 })
}

function book() {
  const account = new AccountBook()
  let seq = 0
  const take = (kind: 'state' | 'change', rows: readonly Order[]) => {
    const place = { journal: 'j', seq: ++seq, rows }
    const update = kind === 'state' ? ({ kind, ...place } as const) : ({ kind, time: seq, ...place } as const)
    return account.takeOrders(update).map(({ kind: happened, order: { id } }) => [happened, id])
  }
  const ids = () => account.orders.value.map(({ id }) => id)
  return { account, take, ids }
}

describe('the account as seen by the page', () => {
  test('has the open orders newest first, whatever changes and ends', () => {
    const { account, take, ids } = book()
    take('state', [order('2'), order('1')])
    take('change', [order('3')])
    take('change', [order('1', { status: 'PARTIALLY_FILLED', updatedAt: 50 }), canceled('2', 'USER')])
    expect(ids()).toEqual(['3', '1'])
    expect(account.newest(order('1')).status).toBe('PARTIALLY_FILLED')
    expect(account.newest(order('2')).status).toBe('CANCELED')
    take('state', [order('7')])
    expect(ids()).toEqual(['7'])
  })

  test('knows since when an order follows the price once it was read, and loses nothing newer by that', () => {
    const { account, take, ids } = book()
    take('state', [order('2', { trailingDelta: 150 }), order('1')])
    account.learnBegin(order('2', { trailingDelta: 150, quantity: 'old', trailingTime: 9 }))
    account.learnBegin(order('3', { trailingTime: 9 }))
    account.learnBegin(order('1'))
    expect(ids()).toEqual(['2', '1'])
    expect(account.orders.value.map(({ trailingTime, quantity }) => [trailingTime, quantity])).toEqual([
      [9, undefined],
      [undefined, undefined],
    ])
    expect(account.newest(order('2')).trailingTime).toBe(9)
  })

  test('has each price with own orders in a side of a book once', () => {
    const { account, take } = book()
    const resting = { isWorking: true, price: '5' } as const
    take('state', [
      order('1', resting),
      order('2', resting),
      order('3', { ...resting, price: '6' }),
      order('4', { ...resting, side: 'SELL' }),
      order('5', { ...resting, price: '7', isWorking: false }),
    ])
    expect([...account.ownPrices('BTC/USDT', 'BUY')].toSorted()).toEqual(['5', '6'])
    take('change', [canceled('3', 'USER')])
    expect([...account.ownPrices('BTC/USDT', 'BUY')]).toEqual(['5'])
    expect([...account.ownPrices('ETH/USDT', 'BUY')]).toEqual([])
  })

  test('reports changes of orders, and none that this page has requested', () => {
    const { account, take } = book()
    expect(take('state', [order('1'), order('2'), order('3'), canceled('9', 'OPERATOR')])).toEqual([])
    account.expectEnds(({ id }) => id === '1')
    expect(take('change', [canceled('1', 'USER'), canceled('2', 'USER')])).toEqual([
      ['CANCELED_ELSEWHERE', '2'],
    ])
    expect(take('change', [order('3', { triggeredAt: 5 })])).toEqual([['TRIGGERED', '3']])
    expect(take('change', [order('3', { triggeredAt: 5, updatedAt: 60 })])).toEqual([])
    expect(take('change', [canceled('3', 'EXPIRED'), order('4', { status: 'FILLED' })])).toEqual([
      ['ENDED', '3'],
    ])
  })

  test('reports an end whose cancel was refused, and not one that was requested twice and refused once', () => {
    const { account, take } = book()
    take('state', [order('1'), order('2')])
    const takeBack = account.expectEnds(({ id }) => id === '1')
    takeBack()
    account.expectEnds(({ id }) => id === '2')
    const takeSecondBack = account.expectEnds(({ id }) => id === '2')
    takeSecondBack()
    expect(take('change', [canceled('1', 'USER'), canceled('2', 'USER')])).toEqual([
      ['CANCELED_ELSEWHERE', '1'],
    ])
  })
})

describe('an order after a command', () => {
  test('is known once the orders of that command have arrived, and not in its earlier state', () => {
    const { account, take } = book()
    take('state', [order('1')])
    expect([account.knownSince('1', 1)?.id, account.knownSince('1', 2)]).toEqual(['1', undefined])
    take('change', [order('1', { executedQuantity: '1' })])
    expect(account.knownSince('1', 2)?.executedQuantity).toBe('1')
  })
})

test('a channel that the exchange closes keeps the account from being live, and says why', () => {
  const { account } = book()
  for (const channel of ['orders', 'fills', 'balances'] as const) account.stateChanged(channel, 'live')
  expect(account.isLive.value).toBe(true)
  const error = { status: false, code: '4001', msg: ['no'], reason: 'PERMISSION_DENIED' } as const
  account.stateChanged('balances', 'closed', error)
  expect([account.isLive.value, account.refusals.value]).toEqual([false, [{ channel: 'balances', error }]])
})
