/** Deposits and withdrawals as Binance's clients read them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

let f: BinanceFixture
beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
})
afterAll(() => f.stop())

const HISTORY = '/sapi/v1/capital/deposit/hisrec'

test('deposits have the members of Binance, newest first, by coin, time and offset', async () => {
  const all = (await f.signed('GET', HISTORY)).body
  expect(all.length).toBeGreaterThan(1)
  const [{ id, amount, insertTime, ...rest }] = (await f.signed('GET', HISTORY, { coin: 'BTC' })).body
  expect(rest).toEqual({
    ...{ coin: 'BTC', network: '', status: 1, address: '', addressTag: '', txId: id },
    ...{ completeTime: insertTime, transferType: 0, confirmTimes: '1/1', unlockConfirm: 1, walletType: 0 },
  })
  expect([Number(amount) > 0, Number.isSafeInteger(insertTime)]).toEqual([true, true])
  expect((await f.signed('GET', HISTORY, { offset: '1', limit: '1' })).body).toEqual([all[1]])
  expect((await f.signed('GET', HISTORY, { startTime: String(insertTime + 1_000_000) })).body).toEqual([])
  expect((await f.signed('GET', HISTORY, { status: '0' })).body).toEqual([])
  expect((await f.signed('GET', HISTORY, { txId: id })).body).toHaveLength(1)
})

test('withdrawals are listed, none where there were none, and an unknown coin is refused', async () => {
  const path = '/sapi/v1/capital/withdraw/history'
  expect((await f.signed('GET', path)).body).toEqual([])
  expect((await f.signed('GET', path, { coin: 'DOGE' })).status).toBe(400)
})
