import { describe, expect, test } from 'bun:test'
import type { Desk } from './desk.ts'
import type { Trader } from './trader.ts'
import { MARKET, tradingDesk } from './trading-desk.fixture.ts'

describe('what is done to open orders', () => {
  test('is not done while the account is not live or there is no key, and a notice says why', async () => {
    const { desk, account } = tradingDesk()
    let done = 0
    const act = async () => {
      done++
    }
    account.isLive.value = false
    await desk.attempt(act)
    expect([done, desk.notices.shown.value.length]).toEqual([0, 1])
    account.isLive.value = true
    await desk.attempt(act)
    expect([done, desk.notices.shown.value.length]).toEqual([1, 1])
    desk.trader.value = undefined
    await desk.attempt(act)
    expect([done, desk.notices.shown.value.length]).toEqual([1, 2])
  })

  test('is done while the account is not live where it cancels, since that takes no more than a key', async () => {
    const { desk, account } = tradingDesk()
    let done = 0
    const act = async () => {
      done++
    }
    account.isLive.value = false
    await desk.cancel(act)
    expect([done, desk.notices.shown.value.length]).toEqual([1, 0])
    await desk.cancel(() => Promise.reject(new Error('there is no such order')))
    desk.trader.value = undefined
    await desk.cancel(act)
    expect([done, desk.notices.shown.value.length]).toEqual([1, 2])
  })

  test('says what has gone wrong', async () => {
    const { desk } = tradingDesk()
    await desk.attempt(() => Promise.reject(new Error('there is no such order')))
    expect(desk.notices.shown.value.map(({ say, isProblem }) => [say(), isProblem])).toEqual([
      ['there is no such order', true],
    ])
  })
})

/** Another key is at hand; the desk connects with it to nobody. */
function hold(desk: Desk, apiKey: string): void {
  desk.holder.state.value = { kind: 'held', key: { apiKey, secret: {} as CryptoKey }, isKept: true }
}

describe('another key', () => {
  test('has nothing of what was said to the one before, nor of what is heard of it later', async () => {
    const { desk } = tradingDesk()
    hold(desk, 'alice')
    const alice = desk.trader.value as Trader
    desk.notifyOf(alice, () => 'placed')
    expect(desk.notices.shown.value).toHaveLength(1)
    hold(desk, 'bob')
    desk.notifyOf(alice, () => 'canceled')
    expect([desk.notices.shown.value, desk.notices.log.value]).toEqual([[], []])
    desk.trader.value?.close()
  })
})

test('an order that ends by itself is for its market and key alone: the next one lasts until it is canceled', () => {
  const ETH = { ...MARKET, name: 'ETH/USDT', baseCode: 'ETH' }
  const changes: readonly ((desk: Desk) => void)[] = [(desk) => desk.show(ETH), (desk) => hold(desk, 'bob')]
  for (const change of changes) {
    const { desk } = tradingDesk()
    hold(desk, 'alice')
    desk.draft.value = { ...desk.draft.value, timeInForce: 'GTD', minutes: '5' }
    change(desk)
    expect(desk.draft.value).toMatchObject({ timeInForce: 'GTC', minutes: '' })
    desk.draft.value = { ...desk.draft.value, timeInForce: 'IOC' }
    desk.show({ ...ETH, name: 'ETH/BTC' })
    expect(desk.draft.value.timeInForce).toBe('IOC')
    desk.trader.value?.close()
  }
})
