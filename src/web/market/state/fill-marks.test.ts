import { expect, test } from 'bun:test'
import type { Candle } from '../../../client/interface/answers.ts'
import type { Fill } from '../../../client/interface/orders.ts'
import { fillMarks } from './fill-marks.ts'

const fill = (id: string, side: 'BUY' | 'SELL', quantity: string, time: number, orderId = 'o'): Fill => ({
  ...{ id, orderId, side, quantity, time, symbol: 'A/B', price: '1', total: '1' },
  ...{ commission: '0', commissionAsset: 'A', isMaker: true },
})
const candleAt = (time: number): Candle | undefined => {
  const openTime = Math.floor(time / 60_000) * 60_000
  if (time < 60_000) return undefined
  return [openTime, '1', '1', '1', '1', '1', openTime + 59_999, '1', 1, '1', '1', '0']
}

test('fills have one mark for each candle and side, with their exact sum', () => {
  const fills = [
    fill('4', 'SELL', '1', 125_000),
    fill('3', 'BUY', '0.2', 119_999),
    fill('2', 'BUY', '0.1', 60_000),
    fill('1', 'BUY', '9', 59_999),
  ]
  expect(fillMarks(fills, candleAt)).toEqual([
    { openTime: 60_000, side: 'BUY', count: 2, quantity: '0.3' },
    { openTime: 120_000, side: 'SELL', count: 1, quantity: '1' },
  ])
})

test('a fill that is received twice counts once, and both fills of a self-trade count', () => {
  const fills = [fill('1', 'BUY', '1', 60_000), fill('1', 'BUY', '1', 60_000)]
  expect(fillMarks(fills, candleAt)[0]).toMatchObject({ count: 1, quantity: '1' })
  const both = [fill('1', 'BUY', '1', 60_000, 'a'), fill('1', 'SELL', '1', 60_000, 'b')]
  expect(fillMarks(both, candleAt).map(({ side }) => side)).toEqual(['BUY', 'SELL'])
})
