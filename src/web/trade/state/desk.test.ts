import { describe, expect, test } from 'bun:test'
import { tradingDesk } from './trading-desk.fixture.ts'

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
