import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'

let f: BinanceFixture

beforeAll(async () => {
  f = await openBinance()
})
afterAll(() => f.stop())

const UPGRADE = { upgrade: 'websocket' }

test.each(['/ws-api/v3?', '/ws?', '/ws/btcusdt@trade?', '/stream?streams=btcusdt@trade&'])(
  'a WebSocket at %s is not opened for a form of messages other than the one that is sent',
  async (address) => {
    for (const [query, parameter] of [
      ['timeUnit=MICROSECOND', 'timeUnit'],
      ['responseFormat=sbe', 'responseFormat'],
    ] as const) {
      const { status, body } = await f.ask(address + query, 'GET', UPGRADE)
      expect([query, status, body.code, body.parameter]).toEqual([query, 400, -1020, parameter])
    }
    const same = new WebSocket(`${f.wireUrl.replace('http', 'ws')}${address}timeUnit=millisecond`)
    const opened = Promise.withResolvers<void>()
    same.onopen = () => opened.resolve()
    same.onerror = () => opened.reject(new Error('not opened'))
    await opened.promise
    same.close()
  },
)

test('a request whose headers ask for another form of its answer is refused, and changes nothing', async () => {
  const asked = (headers: Readonly<Record<string, string>>) => f.ask('/api/v3/time', 'GET', headers)
  for (const [headers, parameter] of [
    [{ 'X-MBX-TIME-UNIT': 'MICROSECOND' }, 'timeUnit'],
    [{ 'X-MBX-SBE': '1:0' }, 'responseFormat'],
  ] as const) {
    const { status, body } = await asked(headers)
    expect([status, body.code, body.parameter]).toEqual([400, -1020, parameter])
  }
  expect((await asked({ 'X-MBX-TIME-UNIT': 'millisecond' })).status).toBe(200)
})
