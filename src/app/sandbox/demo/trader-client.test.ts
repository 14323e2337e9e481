import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { NoAnswerFault, RetryLaterFault, TraderClient } from './trader-client.ts'

const credentials = { name: 'maker', apiKey: 'key', secret: 'secret' }

function clientOf(answers: ((url: string, init: RequestInit) => Response | Error)[]) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = []
  const client = new TraderClient({
    baseUrl: 'http://127.0.0.1:1',
    credentials,
    now: () => 1_000_000,
    async fetch(url, init) {
      sent.push({ url, init })
      const answer = answers.shift()?.(url, init)
      if (answer === undefined) throw new Error('nothing more is answered')
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { client, sent }
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers })

describe('a client of the demo market', () => {
  test('signs the query of a GET and the body of all else', async () => {
    const { client, sent } = clientOf([json({ data: [] }), json({ data: {} })])
    await client.ask('GET', 'openOrders', { symbol: 'BTC/USDT' })
    await client.ask('POST', 'order', { symbol: 'BTC/USDT' })
    const [read, placed] = sent
    const text = 'symbol=BTC%2FUSDT&timestamp=1000000'
    expect(read?.url).toBe(`http://127.0.0.1:1/api/v3/openOrders?${text}`)
    expect(placed?.url).toBe('http://127.0.0.1:1/api/v3/order')
    expect(placed?.init.body).toBe(text)
    const signature = createHmac('sha256', 'secret').update(text).digest('hex')
    expect(read?.init.headers).toMatchObject({ 'X-Apikey': 'key', 'X-Signature': signature })
    expect(placed?.init.headers).toMatchObject({ 'X-Signature': signature })
  })

  test.each(['TIMESTAMP_EXPIRED', 'TIMESTAMP_AHEAD'])(
    'after %s it asks for the server’s time and sends the request again by that clock, and later ones too',
    async (reason) => {
      const time = json({ data: { serverTime: 1_500_000 } })
      const { client, sent } = clientOf([json({ reason }, 401), time, json({ data: 1 }), json({ data: 2 })])
      expect(await client.ask('GET', 'openOrders')).toMatchObject({ status: 200, data: 1 })
      expect(await client.ask('GET', 'openOrders')).toMatchObject({ data: 2 })
      expect(sent.map(({ url }) => url.replace(/^.*v3\//, ''))).toEqual([
        'openOrders?timestamp=1000000',
        'time',
        'openOrders?timestamp=1500000',
        'openOrders?timestamp=1500000',
      ])
    },
  )

  test('a refusal is an answer, one that asks for patience says for how long', async () => {
    const { client } = clientOf([
      json({ reason: 'INSUFFICIENT_FUNDS' }, 400),
      json({ reason: 'RATE_LIMITED' }, 429, { 'Retry-After': '9' }),
      json({ reason: 'OVERLOADED' }, 503),
    ])
    expect(await client.ask('POST', 'order')).toMatchObject({ status: 400, reason: 'INSUFFICIENT_FUNDS' })
    const limited = await client.ask('POST', 'order').catch((cause: unknown) => cause)
    expect(limited).toBeInstanceOf(RetryLaterFault)
    expect(limited).toMatchObject({ afterMs: 9_000 })
    expect(await client.ask('POST', 'order').catch((cause: unknown) => cause)).toMatchObject({
      afterMs: 1_000,
    })
  })

  test('an answer that does not come, or is none, is a fault that names the request', async () => {
    const { client } = clientOf([() => new Error('reset'), () => new Response('<html>')])
    for (let i = 0; i < 2; i++) {
      const fault = await client.ask('POST', 'order').catch((cause: unknown) => cause)
      expect(fault).toBeInstanceOf(NoAnswerFault)
      expect(String(fault)).toContain('POST /api/v3/order has no answer')
    }
  })
})
