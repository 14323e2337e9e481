import { describe, expect, test } from 'bun:test'
import { Decimal } from '../../../../client/decimal.ts'
import { nearestTo, quantityFor } from '../../exact-sums.ts'
import { checkedDraft, type Draft, EMPTY_DRAFT, fieldsOf, withField, withShare } from './draft.ts'

const MARKET = { name: 'BTC/USDT', baseCode: 'BTC', quoteCode: 'USDT', baseFraction: 8, quoteFraction: 2 }

function draft(fields: Partial<Draft>): Draft {
  return { ...EMPTY_DRAFT, ...fields }
}

describe('the sums of the form', () => {
  test('compute the total exactly from price and quantity, and the quantity from price and total, rounded down', () => {
    const priced = withField(EMPTY_DRAFT, 'price', '60000.10', MARKET)
    expect(withField(priced, 'quantity', '0.00000003', MARKET).total).toBe('0.001800003')
    expect(withField(priced, 'total', '100', MARKET).quantity).toBe('0.00166666')
    expect(quantityFor(Decimal.from('1'), Decimal.from('3'), 0).toString()).toBe('0')
  })

  test('take a share of the quote asset to buy and of the base asset to sell, never above the free balance', () => {
    const buy = withShare(draft({ price: '3' }), 50, Decimal.from('100.01'), MARKET)
    expect([buy.total, buy.quantity]).toEqual(['50', '16.66666666'])
    const sell = withShare(draft({ side: 'SELL', price: '3' }), 100, Decimal.from('0.123456789'), MARKET)
    expect(sell.quantity).toBe('0.12345678')
  })

  test('suggest as the nearest value a whole number of steps, and never zero', () => {
    const near = (value: string) => nearestTo(Decimal.from(value), Decimal.from('0.01')).toString()
    expect(['1.014', '1.015', '1.016', '0.001'].map(near)).toEqual(['1.01', '1.01', '1.02', '0.01'])
  })
})

describe('a draft', () => {
  test('that is complete is an order with the fields of its type alone', () => {
    const all = { price: '10.50', stopPrice: '9', quantity: '2', total: '21', icebergQty: '', minutes: '5' }
    expect(checkedDraft(draft(all), MARKET).order).toEqual({
      symbol: 'BTC/USDT',
      side: 'BUY',
      type: 'LIMIT',
      price: '10.5',
      quantity: '2',
    })
    expect(checkedDraft(draft({ ...all, type: 'MARKET' }), MARKET).order).toEqual({
      symbol: 'BTC/USDT',
      side: 'BUY',
      type: 'MARKET',
      total: '21',
    })
    const stop = checkedDraft(draft({ ...all, side: 'SELL', type: 'STOP_LOSS' }), MARKET).order
    expect(stop).toEqual({
      symbol: 'BTC/USDT',
      side: 'SELL',
      type: 'STOP_LOSS',
      stopPrice: '9',
      quantity: '2',
    })
    const timed = checkedDraft(draft({ ...all, timeInForce: 'GTD' }), MARKET)
    expect([timed.order?.timeInForce, timed.lastsMinutes]).toEqual(['GTD', 5])
  })

  test('is sent with the chosen self-trade prevention, and with none where the market’s applies', () => {
    const complete = { price: '10', quantity: '2' }
    const modeOf = (fields: Partial<Draft>) =>
      checkedDraft(draft({ ...complete, ...fields }), MARKET).order?.selfTradePreventionMode
    expect([modeOf({}), modeOf({ selfTradeMode: 'EXPIRE_BOTH' })]).toEqual([undefined, 'EXPIRE_BOTH'])
  })

  test('with missing or superfluous values marks the field, with the nearest value, and is not an order', () => {
    const { order, problems } = checkedDraft(draft({ price: '10.126', quantity: '1,5' }), MARKET)
    expect(order).toBeUndefined()
    expect(problems).toEqual({
      price: { kind: 'DECIMALS', places: 2, offers: ['10.13'] },
      quantity: { kind: 'UNREADABLE', offers: ['15', '1.5'] },
    })
    expect(checkedDraft(draft({ price: '0' }), MARKET).problems).toEqual({
      price: { kind: 'ZERO', offers: [] },
      quantity: { kind: 'MISSING', offers: [] },
    })
  })

  test('that follows the price is sent with the distance in basis points, and needs no stop price', () => {
    const stop = { side: 'SELL', type: 'STOP_LOSS', quantity: '2' } as const
    const sent = (fields: Partial<Draft>) => checkedDraft(draft({ ...stop, ...fields }), MARKET)
    expect(sent({ trailingDelta: '1.5' }).order).toEqual({
      symbol: 'BTC/USDT',
      side: 'SELL',
      type: 'STOP_LOSS',
      quantity: '2',
      trailingDelta: 150,
    })
    expect(sent({ trailingDelta: '0.29', stopPrice: '390' }).order).toMatchObject({
      stopPrice: '390',
      trailingDelta: 29,
    })
    expect(sent({}).problems).toEqual({ stopPrice: { kind: 'MISSING', offers: [] } })
    expect(sent({ trailingDelta: '5', type: 'MARKET' }).order).not.toHaveProperty('trailingDelta')
  })

  test('takes distances from 0.1 to 20 percent with two decimals', () => {
    const kindOf = (trailingDelta: string) =>
      checkedDraft(draft({ side: 'SELL', type: 'TAKE_PROFIT', quantity: '2', trailingDelta }), MARKET)
        .problems.trailingDelta?.kind
    expect(['0.1', '20', '0.09', '20.01', '1.555', '0'].map(kindOf)).toEqual([
      undefined,
      undefined,
      'DISTANCE',
      'DISTANCE',
      'DECIMALS',
      'ZERO',
    ])
  })

  test('shows the iceberg part only for a resting LIMIT order', () => {
    expect(fieldsOf(draft({}))).toContain('icebergQty')
    expect(fieldsOf(draft({ timeInForce: 'IOC' }))).not.toContain('icebergQty')
    expect(fieldsOf(draft({ type: 'LIMIT_MAKER' }))).not.toContain('icebergQty')
  })
})
