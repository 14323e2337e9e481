import { expect, test } from 'bun:test'
import { openFixture } from '../public/gateway.fixture.ts'

test('every answer, refusals included, is never cached and never read as anything but JSON', async () => {
  const f = await openFixture()
  try {
    const order = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '10' }
    const answers = [
      await f.send('GET', '/api/v3/exchangeInfo', {}),
      await f.send('GET', '/api/v3/nothing', {}),
      await f.place(f.alice, order),
      await f.place(f.alice, { ...order, side: 'BY' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 400])
    for (const { headers } of answers) {
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-type')).toBe('application/json;charset=utf-8')
    }
  } finally {
    await f.stop()
  }
})
