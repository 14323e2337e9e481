import { describe, expect, test } from 'bun:test'
import { ENDPOINTS } from '../endpoints.ts'
import { type BourseError, RefusedError } from '../errors.ts'
import type { Endpoint } from '../values.ts'
import { AccountScript, refusal } from './account-script.fixture.ts'

const FIELDS = { symbol: 'BTC/USDT', newClientOrderId: 'one' }
const done = (data: object) => ({ status: true, code: '0000', msg: [''], data })

async function loggedIn(options = {}) {
  const script = new AccountScript(options)
  await script.open()
  script.accept()
  const send = (endpoint: Endpoint = ENDPOINTS.newOrder, signal?: AbortSignal) => {
    const sent = script.account.orders.send({ endpoint, fields: FIELDS, timeoutMs: 1_000, signal })
    // The test checks the error later.
    sent.catch(() => {})
    return sent
  }
  return { script, orders: script.account.orders, send }
}

const errorOf = (sent: Promise<unknown>) =>
  sent.then(
    () => undefined,
    (error: unknown) => error as BourseError,
  )

describe('requests over the stream', () => {
  test('are answered by their ids, in whatever order answers come', async () => {
    const { script, send } = await loggedIn()
    const [first, second] = [send(), send(ENDPOINTS.cancelOrder)]
    expect(script.socket.sent).toEqual([
      ['order.place', 1, FIELDS],
      ['order.cancel', 2, FIELDS],
    ])
    script.socket.say('answer', 2, 200, done({}))
    script.socket.say('answer', 1, 200, done({ id: 'a' }), { repeated: true })
    expect(await first).toEqual({ data: { id: 'a' }, isRepeated: true })
    expect(await second).toEqual({ data: {}, isRepeated: false })
  })

  test('that are refused say why, whether they were carried out, and when to come back', async () => {
    const { script, send } = await loggedIn()
    const [limited, wrong, unknown] = [send(), send(), send()]
    script.socket.say('answer', 1, 429, refusal('ORDER_RATE_LIMITED', '0014'), { retryAfter: 12 })
    script.socket.say('answer', 2, 400, refusal('INSUFFICIENT_FUNDS'))
    script.socket.say('answer', 3, 503, refusal('OUTCOME_UNKNOWN', '0014'))
    const error = await errorOf(limited)
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({ reason: 'ORDER_RATE_LIMITED', outcome: 'NOT_DONE', retryAfterMs: 12_000 })
    expect(await errorOf(wrong)).toMatchObject({ reason: 'INSUFFICIENT_FUNDS', outcome: 'NOT_DONE' })
    expect(await errorOf(unknown)).toMatchObject({ reason: 'OUTCOME_UNKNOWN', outcome: 'UNKNOWN' })
  })

  test('may have been carried out when the connection is cut, when no answer comes in time, and when they are given up', async () => {
    const { script, send } = await loggedIn()
    const controller = new AbortController()
    const [late, given] = [send(), send(ENDPOINTS.newOrder, controller.signal)]
    controller.abort()
    expect(await errorOf(given)).toMatchObject({ kind: 'ABORTED', outcome: 'UNKNOWN' })
    script.ports.pass(1_000)
    expect(await errorOf(late)).toMatchObject({ kind: 'NO_ANSWER', outcome: 'UNKNOWN' })
    const lost = send()
    script.socket.cut()
    expect(await errorOf(lost)).toMatchObject({ kind: 'NO_ANSWER', outcome: 'UNKNOWN' })
  })

  test('whose answer comes too late leave no trace', async () => {
    const { script, send } = await loggedIn()
    const late = send()
    script.ports.pass(1_000)
    await errorOf(late)
    script.socket.say('answer', 1, 200, done({ id: 'a' }))
    const next = send()
    script.socket.say('answer', 2, 200, done({ id: 'b' }))
    expect(await next).toMatchObject({ data: { id: 'b' } })
    expect(script.ports.timerCount).toBe(1)
  })

  test('are not sent without a login, and certainly not carried out', async () => {
    const { script, orders, send } = await loggedIn()
    script.socket.say('loggedOut', refusal('KEY_DISABLED'))
    expect(orders.takes(ENDPOINTS.newOrder)).toBe(false)
    expect(await errorOf(send())).toMatchObject({ kind: 'NO_ANSWER', outcome: 'NOT_DONE' })
    expect(script.socket.sent).toEqual([])
  })

  test('without an answer are bounded in number, and only of kinds that the stream offers', async () => {
    const { script, orders, send } = await loggedIn({ underWayMax: 2 })
    expect(orders.takes(ENDPOINTS.openOrders)).toBe(false)
    send()
    expect(orders.takes(ENDPOINTS.newOrder)).toBe(true)
    send()
    expect(orders.takes(ENDPOINTS.newOrder)).toBe(false)
    script.socket.say('answer', 1, 200, done({}))
    expect(orders.takes(ENDPOINTS.newOrder)).toBe(true)
    expect(await errorOf(send(ENDPOINTS.openOrders))).toMatchObject({ kind: 'USAGE' })
  })
})
