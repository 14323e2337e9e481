import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Decimal } from '../../../../client/decimal.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import { followText, groupsOf, pageOf, ROWS_MAX, sortedBy, triggerSign, USUAL_SORT } from './order-table.ts'

function order(id: string, fields: Partial<Order> = {}): Order {
  return {
    id,
    symbol: 'BTC/USDT',
    side: 'BUY',
    type: 'LIMIT',
    price: '1',
    quantity: '1',
    executedQuantity: '0',
    executedTotal: '0',
    commission: '0',
    commissionAsset: 'BTC',
    status: 'NEW',
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  }
}

const ids = (groups: ReturnType<typeof groupsOf>) => groups.map(({ orders }) => orders.map(({ id }) => id))

describe('open orders', () => {
  test('are sorted by price numerically, whatever the decimals', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^\d{0,8}$/))
      .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`))
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 30 }), (prices) => {
        const orders = prices.map((price, index) => order(String(index), { price }))
        const found = groupsOf(orders, { column: 'price', isDescending: false }).flatMap((group) =>
          group.orders.map(({ price = '' }) => price),
        )
        for (const [index, price] of found.entries())
          expect(Decimal.from(price).compare(found[index + 1] ?? price)).not.toBe(1)
      }),
    )
  })

  test('of one list are grouped, where the first of them is', () => {
    const orders = [
      order('a'),
      order('b', { listId: 'l', price: '9' }),
      order('c'),
      order('d', { listId: 'l' }),
    ]
    expect(ids(groupsOf(orders, USUAL_SORT))).toEqual([['a'], ['b', 'd'], ['c']])
    expect(ids(groupsOf(orders, { column: 'price', isDescending: true }))).toEqual([['b', 'd'], ['a'], ['c']])
  })

  test('are drawn a page at a time, each on one page, and a list completely on one page', () => {
    const orders = Array.from({ length: 5_000 }, (_, index) =>
      order(
        String(index),
        index % 7 === 6 || index % 7 === 0 ? { listId: `l${Math.floor((index + 1) / 7)}` } : {},
      ),
    )
    const groups = groupsOf(orders, USUAL_SORT)
    const { pages } = pageOf(groups, 1)
    const seen: string[] = []
    for (let number = 1; number <= pages; number++) {
      const page = pageOf(groups, number)
      const rows = page.groups.flatMap((group) => group.orders.map(({ id }) => id))
      expect(rows.length).toBeLessThan(ROWS_MAX + 2)
      seen.push(...rows)
    }
    expect(seen.length).toBe(5_000)
    expect(new Set(seen).size).toBe(5_000)
    expect(pageOf(groups, pages + 5).number).toBe(pages)
    expect(pageOf([], 3)).toEqual({ groups: [], number: 1, pages: 1 })
  })

  test('are sorted in the other direction by the same column again', () => {
    const byPrice = sortedBy(USUAL_SORT, 'price')
    expect(byPrice).toEqual({ column: 'price', isDescending: false })
    expect(sortedBy(byPrice, 'price')).toEqual({ column: 'price', isDescending: true })
    expect(sortedBy(byPrice, 'time')).toEqual(USUAL_SORT)
  })

  test('are sorted by their trigger: none, the price that they wait for, then the distance at which they follow it', () => {
    const stop = { type: 'STOP_LOSS' } as const
    const orders = [
      order('follows at 2 %', { ...stop, trailingDelta: 200 }),
      order('has begun', { ...stop, stopPrice: '5', trailingDelta: 90, trailingTime: 1 }),
      order('begins at 12', { ...stop, stopPrice: '12', trailingDelta: 10 }),
      order('limit'),
      order('begins at 9', { ...stop, stopPrice: '9', trailingDelta: 1_000 }),
      order('begins at 9 closer', { ...stop, stopPrice: '9.0', trailingDelta: 900 }),
      order('stop at 9', { ...stop, stopPrice: '9' }),
      order('stop at 10.5', { ...stop, stopPrice: '10.5' }),
    ]
    const rising = [
      'limit',
      'stop at 9',
      'begins at 9 closer',
      'begins at 9',
      'stop at 10.5',
      'begins at 12',
      'has begun',
      'follows at 2 %',
    ]
    const found = (isDescending: boolean) =>
      groupsOf(orders, { column: 'trigger', isDescending }).flatMap((group) =>
        group.orders.map(({ id }) => id),
      )
    expect(found(false)).toEqual(rising)
    expect(found(true)).toEqual(rising.toReversed())
  })

  test('that follow the price say at which distance, and from which price or since when', () => {
    const now = Date.UTC(2026, 10, 28)
    const text = (fields: Partial<Order>) =>
      followText(order('a', { type: 'STOP_LOSS', trailingDelta: 150, ...fields }), now)
    const since = { stopPrice: '8', trailingTime: Date.UTC(2026, 10, 23, 14, 5, 9) }
    expect(text({})).toBe('trails by 1.5%')
    expect(text({ stopPrice: '8' })).toBe('trails by 1.5% from 8 USDT')
    expect(text(since)).toBe('trails by 1.5% since 11-23 14:05:09')
    expect(text({ ...since, triggeredAt: now })).toBe('trails by 1.5% from 8 USDT')
    expect(text({ trailingDelta: undefined })).toBe('')
  })

  test('say from which side the price must come', () => {
    const sign = (type: Order['type'], side: Order['side']) =>
      triggerSign(order('a', { type, side, stopPrice: '5' }))
    expect([sign('STOP_LOSS', 'SELL'), sign('STOP_LOSS_LIMIT', 'BUY')]).toEqual(['≤', '≥'])
    expect([sign('TAKE_PROFIT', 'SELL'), sign('TAKE_PROFIT_LIMIT', 'BUY')]).toEqual(['≥', '≤'])
    expect(triggerSign(order('a'))).toBeUndefined()
  })
})
