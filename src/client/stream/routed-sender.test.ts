import { describe, expect, test } from 'bun:test'
import { ENDPOINTS } from '../endpoints.ts'
import { RefusedError } from '../errors.ts'
import type { Answer, AttemptOptions } from '../http/attempt.ts'
import type { Endpoint } from '../values.ts'
import { AccountScript, refusal } from './account-script.fixture.ts'
import { RoutedSender } from './routed-sender.ts'

async function setup(isOnlyWay = false) {
  const script = new AccountScript()
  const overHttp: string[] = []
  const sender = new RoutedSender({
    send: async ({ endpoint }: AttemptOptions): Promise<Answer> => {
      overHttp.push(`${endpoint.method} ${endpoint.path}`)
      return { data: 'over HTTP', isRepeated: false }
    },
  })
  sender.route = { orders: script.account.orders, isOnlyWay }
  const send = (endpoint: Endpoint) => {
    const sent = sender.send({ endpoint, fields: {}, timeoutMs: 1_000, signal: undefined })
    sent.catch(() => {})
    return sent
  }
  const errorOf = (sent: Promise<unknown>) =>
    sent.then(
      () => undefined,
      (error: unknown) => error,
    )
  return { script, sender, send, overHttp, errorOf }
}

describe('requests of order entry', () => {
  test('are sent over the stream while it is logged in, and over HTTP otherwise; reads always over HTTP', async () => {
    const { script, sender, send, overHttp } = await setup()
    expect(await send(ENDPOINTS.newOrder)).toMatchObject({ data: 'over HTTP' })
    await script.open()
    expect(await send(ENDPOINTS.newOrder)).toMatchObject({ data: 'over HTTP' })
    script.accept()
    const placed = send(ENDPOINTS.newOrder)
    script.socket.say('answer', 1, 200, { status: true, code: '0000', msg: [''], data: { id: 'a' } })
    expect(await placed).toMatchObject({ data: { id: 'a' } })
    await send(ENDPOINTS.openOrders)
    await send(ENDPOINTS.newOco)
    sender.route = undefined
    await send(ENDPOINTS.newOrder)
    expect(overHttp).toEqual([
      'POST /order',
      'POST /order',
      'GET /openOrders',
      'POST /orderList/oco',
      'POST /order',
    ])
  })

  test('that the stream offers are sent over it, including every one that places an order', async () => {
    const { script, send, overHttp } = await setup(true)
    await script.open()
    const offered = Object.values(ENDPOINTS).filter((endpoint) => {
      const isRequest = endpoint.method !== 'GET' && endpoint.security === 'TRADE'
      return isRequest && !endpoint.path.startsWith('/orderList') && !endpoint.path.endsWith('/test')
    })
    // Before the login, placements wait, and requests that end or reduce an order use HTTP.
    for (const endpoint of offered) await send(endpoint).catch(() => {})
    const placing = offered.filter(({ path, method }) => !overHttp.includes(`${method} ${path}`))
    expect(placing.map(({ path }) => path).sort()).toEqual(['/order', '/order/batch', '/order/cancelReplace'])
    script.accept()
    const before = overHttp.length
    for (const endpoint of offered) void send(endpoint)
    expect(overHttp.length).toBe(before)
    expect(new Set(script.socket.sent.map(([name]) => name)).size).toBe(offered.length)
  })

  test('that the stream certainly did not carry out are sent over HTTP at once', async () => {
    const { script, send, overHttp } = await setup()
    await script.open()
    script.accept()
    const [late, full] = [send(ENDPOINTS.newOrder), send(ENDPOINTS.cancelOrder)]
    script.socket.say('answer', 1, 401, refusal('LOGIN_REQUIRED'))
    script.socket.say('answer', 2, 429, refusal('REQUESTS_UNDER_WAY', '0014'))
    await Promise.all([late, full])
    expect(overHttp).toEqual(['POST /order', 'DELETE /order'])
  })

  test('whose answer the stream lost are not sent again by themselves: they may have been carried out', async () => {
    const { script, send, overHttp, errorOf } = await setup()
    await script.open()
    script.accept()
    const lost = send(ENDPOINTS.newOrder)
    script.socket.cut()
    expect(await errorOf(lost)).toMatchObject({ outcome: 'UNKNOWN' })
    expect(overHttp).toEqual([])
  })

  test('that place orders which end with the connection wait for the stream; cancels do not', async () => {
    const { script, send, overHttp, errorOf } = await setup(true)
    const error = await errorOf(send(ENDPOINTS.newOrder))
    expect(error).toMatchObject({ kind: 'NO_ANSWER', outcome: 'NOT_DONE', retryAfterMs: 250 })
    await send(ENDPOINTS.cancelOrder)
    await script.open()
    script.accept()
    const late = send(ENDPOINTS.replaceOrder)
    script.socket.say('answer', 1, 401, refusal('LOGIN_REQUIRED'))
    expect(await errorOf(late)).toBeInstanceOf(RefusedError)
    expect(await errorOf(late)).toMatchObject({ retryAfterMs: 250 })
    expect(overHttp).toEqual(['DELETE /order'])
    script.socket.say('loggedOut', refusal('KEY_DISABLED'))
    expect(await errorOf(send(ENDPOINTS.newOrder))).toMatchObject({
      outcome: 'NOT_DONE',
      retryAfterMs: undefined,
    })
  })
})
