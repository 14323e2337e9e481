import { describe, expect, test } from 'bun:test'
import type { Trader } from './trader.ts'
import { MARKET, tradingState } from './trading-state.fixture.ts'
import type { TradingState } from './trading-state.ts'

describe('an action on open orders', () => {
  test('is not carried out while the account is not live or there is no key, and a notice gives the reason', async () => {
    const { trading, account } = tradingState()
    let done = 0
    const act = async () => {
      done++
    }
    account.isLive.value = false
    await trading.attempt(act)
    expect([done, trading.notices.shown.value.length]).toEqual([0, 1])
    account.isLive.value = true
    await trading.attempt(act)
    expect([done, trading.notices.shown.value.length]).toEqual([1, 1])
    trading.trader.value = undefined
    await trading.attempt(act)
    expect([done, trading.notices.shown.value.length]).toEqual([1, 2])
  })

  test('is carried out while the account is not live where it cancels, since that needs only a key', async () => {
    const { trading, account } = tradingState()
    let done = 0
    const act = async () => {
      done++
    }
    account.isLive.value = false
    await trading.cancel(act)
    expect([done, trading.notices.shown.value.length]).toEqual([1, 0])
    await trading.cancel(() => Promise.reject(new Error('there is no such order')))
    trading.trader.value = undefined
    await trading.cancel(act)
    expect([done, trading.notices.shown.value.length]).toEqual([1, 2])
  })

  test('reports what has gone wrong', async () => {
    const { trading } = tradingState()
    await trading.attempt(() => Promise.reject(new Error('there is no such order')))
    expect(trading.notices.shown.value.map(({ say, isProblem }) => [say(), isProblem])).toEqual([
      ['there is no such order', true],
    ])
  })
})

/** Gives the state another key, without opening a connection with it. */
function hold(trading: TradingState, apiKey: string): void {
  trading.holder.state.value = {
    kind: 'held',
    key: { apiKey, secret: { algorithm: { name: 'HMAC' } } as CryptoKey },
    isKept: true,
  }
}

describe('another key', () => {
  test('has no messages of the one before, nor later news of it', async () => {
    const { trading } = tradingState()
    hold(trading, 'alice')
    const alice = trading.trader.value as Trader
    trading.notifyOf(alice, () => 'placed')
    expect(trading.notices.shown.value).toHaveLength(1)
    hold(trading, 'bob')
    trading.notifyOf(alice, () => 'canceled')
    expect([trading.notices.shown.value, trading.notices.log.value]).toEqual([[], []])
    trading.trader.value?.close()
  })
})

test('an order’s own end setting is for its market and key alone: the next one lasts until it is canceled', () => {
  const ETH = { ...MARKET, name: 'ETH/USDT', baseCode: 'ETH' }
  const changes: readonly ((trading: TradingState) => void)[] = [
    (trading) => trading.show(ETH),
    (trading) => hold(trading, 'bob'),
  ]
  for (const change of changes) {
    const { trading } = tradingState()
    hold(trading, 'alice')
    trading.draft.value = { ...trading.draft.value, timeInForce: 'GTD', minutes: '5' }
    change(trading)
    expect(trading.draft.value).toMatchObject({ timeInForce: 'GTC', minutes: '' })
    trading.draft.value = { ...trading.draft.value, timeInForce: 'IOC' }
    trading.show({ ...ETH, name: 'ETH/BTC' })
    expect(trading.draft.value.timeInForce).toBe('IOC')
    trading.trader.value?.close()
  }
})
