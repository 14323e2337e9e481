import { describe, expect, test } from 'bun:test'
import { signal } from '@preact/signals'
import type { Trader } from '../trader.ts'
import { tradingState } from '../trading-state.fixture.ts'
import type { Placement } from './outcomes.ts'
import type { Outgoing } from './outgoing.ts'
import type { Question } from './questions.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '59389.75' } as const
const ALONE: Question = { kind: 'PRICE_ALONE', price: '1' }
const ETH = { name: 'ETH/BTC', baseCode: 'ETH', quoteCode: 'BTC', baseFraction: 6, quoteFraction: 5 }

function outgoing(fields: Partial<Outgoing> = {}) {
  let sent = 0
  const { promise: answer, resolve } = Promise.withResolvers<Placement>()
  const send = () => {
    sent++
    return answer
  }
  const subject = { kind: 'ORDER', order: ORDER } as const
  const order: Outgoing = {
    ...{ subject, title: 'order', yes: 'yes', symbol: 'BTC/USDT', parts: [], questions: () => [], send },
    ...fields,
  }
  return { order, sent: () => sent, answer: () => resolve({ kind: 'PLACED', id: 'order-1' }) }
}

describe('an outgoing order', () => {
  test('is sent once after a yes, and never after a no', async () => {
    const { dispatch } = tradingState()
    const { order, sent, answer } = outgoing()
    await dispatch.offer(order)
    dispatch.decline()
    await dispatch.confirm()
    expect(sent()).toBe(0)
    await dispatch.offer(order)
    const sending = dispatch.confirm()
    await dispatch.confirm()
    await dispatch.offer(order)
    expect([sent(), dispatch.waitsFor.value]).toEqual([1, 'SENDING'])
    answer()
    await sending
    expect([sent(), dispatch.waitsFor.value, dispatch.asked.value]).toEqual([1, undefined, undefined])
  })

  test('needs no confirmation from a person who has consented, except where there is a question', async () => {
    const { trading, dispatch } = tradingState()
    const agreed = outgoing({ isAgreed: true })
    agreed.answer()
    await dispatch.offer(agreed.order)
    const far = outgoing({ isAgreed: true, questions: () => [ALONE] })
    await dispatch.offer(far.order)
    expect([agreed.sent(), far.sent(), dispatch.asked.value]).toEqual([1, 0, far.order])
    dispatch.decline()
    trading.consent.setAsksAlways(false)
    const plain = outgoing()
    plain.answer()
    await dispatch.offer(plain.order)
    expect(plain.sent()).toBe(1)
  })

  test('stays in the page while market or account is not live, the market accepts nothing, or an outcome is open', async () => {
    const { trading, dispatch, account, unknown } = tradingState()
    trading.consent.setAsksAlways(false)
    const { order, sent } = outgoing()
    for (const [signal, kept, live, wait] of [
      [trading.isMarketLive, false, true, 'MARKET'],
      [trading.isTrading, false, true, 'HALTED'],
      [account.isLive, false, true, 'ACCOUNT'],
    ] as const) {
      signal.value = kept
      await dispatch.offer(order)
      expect([dispatch.waitsFor.value, sent()]).toEqual([wait, 0])
      signal.value = live
    }
    unknown.value = 'b-1'
    await dispatch.offer(order)
    expect([dispatch.waitsFor.value, sent()]).toEqual(['OUTCOME', 0])
  })

  test('whose question is open is dropped once its key is removed or replaced', async () => {
    const { trading, dispatch } = tradingState()
    const { order, sent } = outgoing()
    const [alice, bob] = [trading.trader.value, { ...trading.trader.value } as Trader]
    for (const next of [undefined, bob]) {
      trading.trader.value = alice
      await dispatch.offer(order)
      expect(dispatch.asked.value).toBe(order)
      trading.trader.value = next
      expect(dispatch.asked.value).toBe(undefined)
      trading.trader.value = bob
      await dispatch.confirm()
    }
    expect(sent()).toBe(0)
  })

  test('needs confirmation again where the answer to its question has become worse since it was read, and is sent by the yes after that', async () => {
    const { dispatch } = tradingState()
    const questions = signal<readonly Question[]>([])
    const { order, sent, answer } = outgoing({ questions: () => questions.value })
    answer()
    await dispatch.offer(order)
    questions.value = [ALONE]
    expect([dispatch.questions.value, dispatch.again.value]).toEqual([[ALONE], undefined])
    await dispatch.confirm()
    expect([sent(), dispatch.asked.value, dispatch.again.value]).toEqual([0, order, 'CHANGED'])
    await dispatch.confirm()
    expect([sent(), dispatch.asked.value]).toEqual([1, undefined])
  })

  test('needs confirmation again where the question was open for more than a minute, or the clock was set back', async () => {
    const { dispatch, clock } = tradingState()
    const { order, sent, answer } = outgoing()
    answer()
    await dispatch.offer(order)
    for (const passed of [60_001, -1]) {
      clock.now += passed
      await dispatch.confirm()
      expect([sent(), dispatch.again.value]).toEqual([0, 'OLD'])
    }
    clock.now += 60_000
    await dispatch.confirm()
    expect(sent()).toBe(1)
    await dispatch.offer(order)
    expect([dispatch.asked.value, dispatch.again.value]).toEqual([order, undefined])
  })

  test('whose question is open is dropped once another market is opened', async () => {
    const { trading, dispatch } = tradingState()
    const [here, other] = [outgoing(), outgoing({ symbol: 'XRP/USDT' })]
    await dispatch.offer(here.order)
    trading.show(ETH)
    await dispatch.confirm()
    expect([here.sent(), dispatch.asked.value, trading.notices.shown.value.length]).toEqual([0, undefined, 1])
    // It never belonged to the displayed market.
    await dispatch.offer(other.order)
    trading.show({ ...ETH, name: 'LTC/BTC' })
    expect(dispatch.asked.value).toBe(other.order)
  })

  test('of another market waits for its account, and not for the open market', async () => {
    const { trading, dispatch, account } = tradingState()
    trading.isMarketLive.value = false
    trading.isTrading.value = false
    expect([dispatch.waitOf('BTC/USDT'), dispatch.waitOf('ETH/BTC')]).toEqual(['MARKET', undefined])
    const { order, sent, answer } = outgoing({ symbol: 'ETH/BTC', isAgreed: true })
    answer()
    await dispatch.offer(order)
    expect(sent()).toBe(1)
    account.isLive.value = false
    expect(dispatch.waitOf('ETH/BTC')).toBe('ACCOUNT')
  })

  test('whose question was open before the connection was lost is not sent by the yes after it', async () => {
    const { trading, dispatch } = tradingState()
    const { order, sent } = outgoing()
    await dispatch.offer(order)
    trading.isMarketLive.value = false
    await dispatch.confirm()
    expect([sent(), trading.notices.shown.value.length]).toEqual([0, 1])
  })
})
