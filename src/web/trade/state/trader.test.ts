import { expect, test } from 'bun:test'
import type { Order } from '../../../client/interface/orders.ts'
import { keptStorage } from '../../shared/browser-storage.fixture.ts'
import { browserAttempts } from './sending/attempt-store.ts'
import { replacementOf } from './sending/replacement.ts'
import { Trader } from './trader.ts'

const ORDER: Order = {
  id: 'order-1',
  symbol: 'BTC/USDT',
  side: 'SELL',
  type: 'LIMIT',
  timeInForce: 'GTD',
  price: '60000',
  quantity: '1',
  visibleQuantity: '0.4',
  executedQuantity: '0.7',
  executedTotal: '42000',
  commission: '1',
  commissionAsset: 'USDT',
  status: 'PARTIALLY_FILLED',
  expireTime: 9_000,
  createdAt: 1,
  updatedAt: 2,
}

test('an order is replaced by what is left of it, with all its original parameters', () => {
  expect(replacementOf(ORDER)).toEqual({
    symbol: 'BTC/USDT',
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTD',
    price: '60000',
    quantity: '0.3',
    icebergQty: '0.3',
    expireTime: 9_000,
  })
  const { price: _, timeInForce: __, visibleQuantity: ___, quantity: ____, ...spending } = ORDER
  const stop = { ...spending, type: 'STOP_LOSS', side: 'BUY', stopPrice: '61000', total: '50000' } as const
  expect(replacementOf(stop)).toMatchObject({ type: 'STOP_LOSS', stopPrice: '61000', total: '8000' })
})

test('what self-trade prevention took off an order is not in its replacement', () => {
  expect(replacementOf({ ...ORDER, preventedQuantity: '0.1' }).quantity).toBe('0.2')
})

test('an order that has reached its stop price is replaced by one with a limit alone', () => {
  const stop = { ...ORDER, type: 'STOP_LOSS_LIMIT', stopPrice: '61000' } as const
  expect(replacementOf(stop)).toMatchObject({ type: 'STOP_LOSS_LIMIT', stopPrice: '61000' })
  const triggered = replacementOf({ ...stop, triggeredAt: 5 })
  expect([triggered.type, triggered.price, triggered.stopPrice]).toEqual(['LIMIT', '60000', undefined])
})

test('an order that follows the price is replaced by one at the same distance, without a price at which it has begun', () => {
  const stop = { ...ORDER, type: 'STOP_LOSS_LIMIT', stopPrice: '61000', trailingDelta: 150 } as const
  expect(replacementOf(stop)).toMatchObject({ stopPrice: '61000', trailingDelta: 150 })
  const begun = replacementOf({ ...stop, trailingTime: 4 })
  expect([begun.type, begun.stopPrice, begun.trailingDelta]).toEqual(['STOP_LOSS_LIMIT', undefined, 150])
  const triggered = replacementOf({ ...stop, trailingTime: 4, triggeredAt: 5 })
  expect([triggered.type, triggered.trailingDelta]).toEqual(['LIMIT', undefined])
})

test('a replacement has the changed fields, and shows no more of an iceberg than it has', () => {
  const moved = replacementOf(ORDER, { price: '61000', quantity: '0.2' })
  expect([moved.price, moved.quantity, moved.icebergQty]).toEqual(['61000', '0.2', '0.2'])
  const stop = { ...ORDER, type: 'STOP_LOSS_LIMIT', stopPrice: '61000', trailingDelta: 150 } as const
  expect(replacementOf(stop, { stopPrice: '60500', trailingDelta: 200 })).toMatchObject({
    stopPrice: '60500',
    trailingDelta: 200,
  })
})

test('an order that has started to follow the price unnoticed is not replaced by one that waits for its price again', async () => {
  const stop = { ...ORDER, type: 'STOP_LOSS_LIMIT', stopPrice: '61000', trailingDelta: 150 } as const
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url)
      asked.push(`${request.method} ${pathname} ${searchParams.get('orderId')}`)
      const data = pathname.endsWith('/time') ? { serverTime: Date.now() } : { ...stop, trailingTime: 4 }
      return Response.json({ status: true, code: '0000', msg: [], data })
    },
  })
  const secret = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode('a secret'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const trader = new Trader({
    url: server.url.origin,
    key: { apiKey: 'alice', secret },
    attempts: browserAttempts(keptStorage().tab()),
    news: { fills: () => {}, orders: () => {}, order: () => {}, transfer: () => {} },
    onFound: () => {},
    onNotKept: () => {},
  })
  try {
    trader.account.takeOrders({ kind: 'state', journal: 'j', seq: 1, rows: [stop] })
    const placement = await trader.replace(stop, replacementOf(stop, { trailingDelta: 200 }))
    expect(placement.kind === 'REFUSED' && (placement.error as Error).message).toMatch(/has changed/)
    expect(asked.filter((each) => each.includes('/order'))).toEqual(['GET /api/v3/order order-1'])
    expect(trader.account.orders.value.map(({ trailingTime }) => trailingTime)).toEqual([4])
  } finally {
    trader.close()
    await server.stop(true)
  }
})

test('an order that has changed since it was last shown is not replaced', async () => {
  const trader = new Trader({
    url: 'http://127.0.0.1:9',
    key: { apiKey: 'alice', secret: { algorithm: { name: 'HMAC' } } as CryptoKey },
    attempts: browserAttempts(keptStorage().tab()),
    news: { fills: () => {}, orders: () => {}, order: () => {}, transfer: () => {} },
    onFound: () => {},
    onNotKept: () => {},
  })
  trader.close()
  for (const changed of [
    { executedQuantity: '0.8' },
    { quantity: '0.9' },
    { preventedQuantity: '0.1' },
    { triggeredAt: 3 },
    { trailingTime: 3 },
  ]) {
    const now = { ...ORDER, ...changed, updatedAt: 3 }
    trader.account.takeOrders({ kind: 'state', journal: 'j', seq: 1, rows: [now] })
    const placement = await trader.replace(ORDER, replacementOf(ORDER, { price: '61000' }))
    expect(placement.kind === 'REFUSED' && (placement.error as Error).message).toMatch(/has changed/)
  }
})
