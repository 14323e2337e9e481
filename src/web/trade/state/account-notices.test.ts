import { afterEach, describe, expect, test } from 'bun:test'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import { showLanguage } from '../../shared/texts/texts.ts'
import { AccountNotices } from './account-notices.ts'
import { GROUP_MS, NoticeLog } from './notice-log.ts'

const ORDER: Order = {
  id: 'order-1',
  symbol: 'BTC/USDT',
  side: 'BUY',
  type: 'LIMIT',
  price: '1000',
  quantity: '20',
  executedQuantity: '0',
  executedTotal: '0',
  commission: '0',
  commissionAsset: 'BTC',
  status: 'NEW',
  createdAt: 1,
  updatedAt: 1,
}

const FILL: Fill = {
  id: 'trade-1',
  orderId: 'order-1',
  symbol: 'BTC/USDT',
  side: 'BUY',
  price: '1000',
  quantity: '0.1',
  total: '100',
  commission: '0',
  commissionAsset: 'BTC',
  isMaker: true,
  time: 1,
}

function notices() {
  let now = 0
  const log = new NoticeLog({ now: () => now, schedule: () => {} })
  const news = new AccountNotices({ log, now: () => now, onFill: () => {} })
  const pass = (ms: number) => {
    now += ms
  }
  const said = () => log.log.value.map(({ say }) => say().replaceAll('\u202f', ' '))
  return { news, log, pass, said }
}

afterEach(() => showLanguage('en'))

describe('a notice of fills', () => {
  test('counts the trades of a burst: 200 fills of one order are one notice, with the average of the exchange', () => {
    const { news, log, pass, said } = notices()
    for (let count = 1; count <= 200; count++) {
      const price = count % 2 === 0 ? '999.5' : '1000'
      news.fills([{ ...FILL, price }], () => undefined)
      pass(5)
    }
    expect(said()).toEqual(['Filled in 200 trades: bought 20 BTC at 999.5 to 1 000 USDT'])
    const filled = { executedQuantity: '20', averagePrice: '999.75', status: 'FILLED' } as const
    news.orders([{ ...ORDER, ...filled }])
    expect(said()).toEqual(['Filled in 200 trades: bought 20 BTC at 999.75 USDT on average'])
    expect(log.log.value[0]?.orderId).toBe('order-1')
  })

  test('says what is left of the order, whether the order or its fill arrives first', () => {
    const partly = { ...ORDER, executedQuantity: '0.1', status: 'PARTIALLY_FILLED' } as const
    const words = ['Partly filled: bought 0.1 BTC at 1 000 USDT (19.9 BTC left)']
    const first = notices()
    first.news.fills([FILL], () => partly)
    first.news.orders([partly])
    expect(first.said()).toEqual(words)
    const last = notices()
    last.news.fills([FILL], () => ORDER)
    last.news.orders([partly])
    expect(last.said()).toEqual(words)
  })

  test('has no average where its fills are not all of the order, and no remainder where they are of several orders', () => {
    const { news, log, said } = notices()
    const earlier = {
      ...ORDER,
      executedQuantity: '5.2',
      averagePrice: '900',
      status: 'PARTIALLY_FILLED',
    } as const
    news.fills([FILL, { ...FILL, price: '1001' }], () => earlier)
    expect(said()).toEqual([
      'Partly filled in 2 trades: bought 0.2 BTC at 1 000 to 1 001 USDT (14.8 BTC left)',
    ])
    news.fills([{ ...FILL, orderId: 'order-2' }], () => undefined)
    expect(said()).toEqual(['Filled in 3 trades: bought 0.3 BTC at 1 000 to 1 001 USDT'])
    expect(log.log.value[0]?.orderId).toBeUndefined()
  })

  test('is followed by a new one after a moment, and on the other side at once', () => {
    const { news, pass, said } = notices()
    news.fills([FILL], () => undefined)
    news.fills([{ ...FILL, side: 'SELL' }], () => undefined)
    pass(GROUP_MS + 1)
    news.fills([FILL], () => undefined)
    expect(said()).toEqual([
      'Filled: bought 0.1 BTC at 1 000 USDT',
      'Filled: sold 0.1 BTC at 1 000 USDT',
      'Filled: bought 0.1 BTC at 1 000 USDT',
    ])
  })
})

describe('a notice of an order', () => {
  test('names it by its figures, and counts many that end for the same reason', () => {
    const { news, said } = notices()
    const expired = { ...ORDER, status: 'CANCELED', endReason: 'EXPIRED' } as const
    news.order({ kind: 'TRIGGERED', order: { ...ORDER, type: 'STOP_LOSS', side: 'SELL', stopPrice: '900' } })
    news.order({ kind: 'CANCELED_ELSEWHERE', order: { ...ORDER, endReason: 'USER' } })
    news.order({ kind: 'ENDED', order: { ...ORDER, endReason: 'OPERATOR' } })
    news.order({ kind: 'ENDED', order: expired })
    expect(said()[0]).toBe('Expired: buy 20 BTC at 1 000 USDT')
    news.order({ kind: 'ENDED', order: { ...expired, id: 'order-2' } })
    expect(said()).toEqual([
      'Expired: 2 orders',
      'Canceled (by the operator): buy 20 BTC at 1 000 USDT',
      'Canceled elsewhere: buy 20 BTC at 1 000 USDT',
      'Stop triggered: sell 20 BTC at market, stop 900 USDT',
    ])
  })

  test('that is already shown changes with the language', async () => {
    const { news, said } = notices()
    news.fills([FILL], () => undefined)
    news.order({ kind: 'CANCELED_ELSEWHERE', order: ORDER })
    await showLanguage('tr')
    expect(said()).toEqual([
      'Başka yerden iptal edildi: 1 000 USDT fiyattan 20 BTC alış',
      'Gerçekleşti: 0.1 BTC alındı, fiyat 1 000 USDT',
    ])
  })
})
