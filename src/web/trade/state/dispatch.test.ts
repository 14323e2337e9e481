import { describe, expect, test } from 'bun:test'
import type { Placement } from './outcomes.ts'
import type { Outgoing } from './outgoing.ts'
import type { Trader } from './trader.ts'
import { tradingDesk } from './trading-desk.fixture.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '59389.75' } as const

function outgoing(fields: Partial<Outgoing> = {}) {
  let sent = 0
  const { promise: answer, resolve } = Promise.withResolvers<Placement>()
  const send = () => {
    sent++
    return answer
  }
  const subject = { kind: 'ORDER', order: ORDER } as const
  const order: Outgoing = { subject, title: 'order', parts: [], questions: [], send, ...fields }
  return { order, sent: () => sent, answer: () => resolve({ kind: 'PLACED', id: 'order-1' }) }
}

describe('an order on its way out', () => {
  test('is sent once when somebody says yes, and never when somebody says no', async () => {
    const { dispatch } = tradingDesk()
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

  test('is not asked about by whoever has agreed, but where there is a question', async () => {
    const { desk, dispatch } = tradingDesk()
    const agreed = outgoing({ isAgreed: true })
    agreed.answer()
    await dispatch.offer(agreed.order)
    const far = outgoing({ isAgreed: true, questions: ['PRICE_FAR'] })
    await dispatch.offer(far.order)
    expect([agreed.sent(), far.sent(), dispatch.asked.value]).toEqual([1, 0, far.order])
    dispatch.decline()
    desk.consent.setAsksAlways(false)
    const plain = outgoing()
    plain.answer()
    await dispatch.offer(plain.order)
    expect(plain.sent()).toBe(1)
  })

  test('stays in the page while market or account is not live, the market takes nothing, or an outcome is open', async () => {
    const { desk, dispatch, account, unknown } = tradingDesk()
    desk.consent.setAsksAlways(false)
    const { order, sent } = outgoing()
    for (const [signal, kept, live, wait] of [
      [desk.isMarketLive, false, true, 'MARKET'],
      [desk.isTrading, false, true, 'HALTED'],
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

  test('that was asked about is not asked about any more, nor sent, once its key is forgotten or another', async () => {
    const { desk, dispatch } = tradingDesk()
    const { order, sent } = outgoing()
    const [alice, bob] = [desk.trader.value, { ...desk.trader.value } as Trader]
    for (const next of [undefined, bob]) {
      desk.trader.value = alice
      await dispatch.offer(order)
      expect(dispatch.asked.value).toBe(order)
      desk.trader.value = next
      expect(dispatch.asked.value).toBe(undefined)
      desk.trader.value = bob
      await dispatch.confirm()
    }
    expect(sent()).toBe(0)
  })

  test('that was asked about before the connection was lost is not sent by the yes after it', async () => {
    const { desk, dispatch } = tradingDesk()
    const { order, sent } = outgoing()
    await dispatch.offer(order)
    desk.isMarketLive.value = false
    await dispatch.confirm()
    expect([sent(), desk.notices.shown.value.length]).toEqual([0, 1])
  })
})
