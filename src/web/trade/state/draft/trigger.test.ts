import { expect, test } from 'bun:test'
import { triggerOf } from './trigger.ts'

test('a stop waits for a worse price and a profit for a better one, and a price that is already reached says so', () => {
  const trigger = (type: 'STOP_LOSS' | 'TAKE_PROFIT_LIMIT', side: 'BUY' | 'SELL', stopPrice: string) =>
    triggerOf({ type, side, stopPrice }, '1000')
  expect(trigger('STOP_LOSS', 'SELL', '990')).toEqual({
    direction: 'DOWN',
    last: '1000',
    away: { isReached: false, percent: '1' },
  })
  expect(trigger('STOP_LOSS', 'BUY', '1003.339')?.away).toEqual({ isReached: false, percent: '0.33' })
  expect(trigger('TAKE_PROFIT_LIMIT', 'SELL', '1000')).toMatchObject({
    direction: 'UP',
    away: { isReached: true },
  })
  expect(trigger('TAKE_PROFIT_LIMIT', 'BUY', '1010')).toMatchObject({
    direction: 'DOWN',
    away: { isReached: true },
  })
  expect(trigger('STOP_LOSS', 'BUY', '')).toEqual({ direction: 'UP', last: '1000', away: undefined })
  expect(triggerOf({ type: 'LIMIT', side: 'BUY', stopPrice: '1' }, '1000')).toBeUndefined()
})
