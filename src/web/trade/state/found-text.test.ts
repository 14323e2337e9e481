import { expect, test } from 'bun:test'
import { foundText } from './found-text.ts'

const ATTEMPT = { clientOrderId: 'b-1', deadline: 6_000, firstAttempt: 1_000, apiKey: 'alice' } as const
const LIMIT = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '700' } as const

test('an order of an earlier page is named by its figures, a list by those of each order, and one that was not placed by its id', () => {
  const [order, list] = [
    { ...ATTEMPT, what: 'ORDER' },
    { ...ATTEMPT, what: 'LIST' },
  ] as const
  const placed = (orders: readonly (typeof LIMIT)[]) => ({ id: '7', orders })
  expect([
    foundText({ attempt: order, kind: 'PLACED', placed: placed([LIMIT]) }),
    foundText({ attempt: list, kind: 'PLACED', placed: placed([LIMIT, LIMIT]) }),
    foundText({ attempt: order, kind: 'NEVER' }),
  ]).toEqual([
    'Your earlier order was placed: buy 1 BTC at 700 USDT',
    'Your earlier order was placed: buy 1 BTC at 700 USDT · buy 1 BTC at 700 USDT',
    'Your earlier order b-1 was not placed, and never will be.',
  ])
})
