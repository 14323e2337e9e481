import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ROUTES } from '../http/routes.ts'
import { type Fixture, openFixture } from '../public/gateway.fixture.ts'
import { Traffic } from './traffic.ts'

const ORDER = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '10' }

describe('what the public server counts', () => {
  let f: Fixture
  beforeAll(async () => {
    f = await openFixture({
      wrap: (services) => ({
        ...services,
        history: {
          ...services.history,
          trades: () => Promise.reject(new Error('a history with a bug')),
        },
      }),
    })
  })
  afterAll(() => f.stop())

  test('requests, refusals by reason and answers by endpoint are counted once each', async () => {
    await f.place(f.alice, ORDER)
    await f.place(f.alice, { symbol: 'ETH/BTC', side: 'BUY', type: 'MARKET', total: '1' })
    await f.send('GET', '/api/v3/nothing', {})
    const { traffic } = f.gateway
    expect([traffic.requests, traffic.underWay]).toEqual([3, 0])
    const given = [...traffic.refusals].filter(([, count]) => count > 0)
    expect(Object.fromEntries(given)).toEqual({ NO_LIQUIDITY: 1, NOT_FOUND: 1 })
    const answers = [...traffic.seconds()].map(([name, seconds]) => [name, seconds.cumulative().at(-1)])
    expect(answers).toEqual([['POST /api/v3/order', 2]])
  })

  test('every answer has a unique request id, refusals and bugs included', async () => {
    const answers = [
      await f.place(f.alice, ORDER),
      await f.send('GET', '/api/v3/nothing', {}),
      await f.send('GET', '/api/v3/order/trade/history', {}, f.alice),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('the id of a request that met a bug is in the answer, its header and the log', async () => {
    const answer = await f.send('GET', '/api/v3/order/trade/history', {}, f.alice)
    const id = answer.headers.get('x-request-id') as string
    expect([answer.status, JSON.stringify(answer.body).includes(id)]).toEqual([500, true])
    expect(f.logged.at(-1)?.fields).toMatchObject({ requestId: id })
  })

  test('every endpoint has the name that the documentation uses', () => {
    const traffic = new Traffic()
    for (const { endpoints } of ROUTES.values()) {
      for (const endpoint of Object.values(endpoints)) {
        if (endpoint === undefined) continue
        traffic.started()
        traffic.answered(endpoint.name, 1)
      }
    }
    const names = [...traffic.seconds()].map(([name]) => name)
    const documented = [...ROUTES].flatMap(([path, { endpoints }]) =>
      Object.keys(endpoints)
        .filter((method) => method !== 'HEAD' && path.startsWith('/api/v3/'))
        .map((method) => `${method} ${path}`),
    )
    expect(names.toSorted()).toEqual(documented.toSorted())
  })
})
