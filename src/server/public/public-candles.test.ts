/**
 * The cost of a stranger's hundreds of candle requests for others: tested by the reads and their order, not
 * by a clock.
 */
import { expect, test } from 'bun:test'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { CandleQuery } from '../../engine/port/ports.ts'
import { READING_TURNS } from '../access/limits/reading-turns.ts'
import { openFixture } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const ASKED = 100

/** A history that answers questions for candles when the test lets it answer. */
class HeldCandles {
  readonly asked: CandleQuery['width'][] = []
  heldMax = 0
  readonly #held: (() => void)[] = []

  over(history: HistoryPort): HistoryPort {
    const candles: HistoryPort['candles'] = async (query) => {
      this.asked.push(query.width)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#held.push(resolve)
      this.heldMax = Math.max(this.heldMax, this.#held.length)
      await promise
      return history.candles(query)
    }
    return { ...history, candles }
  }

  /** Answers the held requests, until there is nothing to wait for. */
  async release(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#held.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

test('an unauthenticated client with a hundred requests for candles delays only itself: another waits for one of them, orders and histories for none', async () => {
  const held = new HeldCandles()
  const f = await openFixture({
    config: { ...SANDBOX_GATEWAY, trustedProxies: ['127.0.0.1'] },
    wrap: (services) => ({ ...services, history: held.over(services.history) }),
  })
  const ask = (address: string, interval: string) =>
    f.send('GET', '/api/v3/klines', { symbol: 'BTC/USDT', interval }, undefined, {
      'X-Forwarded-For': address,
    })
  let answered = 0
  const strangers = Array.from({ length: ASKED }, async () => {
    const { status, body, headers } = await ask('203.0.113.1', '1m')
    answered++
    return { status, reason: body.reason, wait: headers.get('retry-after') }
  })
  const refused = ASKED - READING_TURNS.waitingPerAddressMax - 1
  while (answered < refused) await new Promise((resolve) => setImmediate(resolve))
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', side: 'SELL', price: '60000', quantity: '1' }
  expect((await f.place(f.alice, order)).status).toBe(200)
  expect((await f.send('GET', '/api/v3/myTrades', {}, f.alice)).status).toBe(200)
  expect(held.asked).toEqual(['1m'])
  const other = ask('203.0.113.2', '1d')
  let isAnswered = false
  void other.then(() => {
    isAnswered = true
  })
  await held.release(() => isAnswered)
  expect((await other).status).toBe(200)
  expect(held.asked.indexOf('1d')).toBeLessThanOrEqual(2)
  await held.release(() => answered === ASKED)
  expect(held.heldMax).toBe(1)
  const seen = await Promise.all(strangers)
  expect(seen.filter(({ status }) => status === 200)).toHaveLength(ASKED - refused)
  const [first] = seen.filter(({ status }) => status !== 200)
  expect(first).toEqual({ status: 503, reason: 'ANSWERS_UNDER_WAY', wait: '1' })
  await f.stop()
})
