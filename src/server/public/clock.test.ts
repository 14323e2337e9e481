/** Behavior for traders while the clock of the node is wrong. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { TimeMs } from '../../units/quantities.ts'
import { type Fixture, openFixture } from './gateway.fixture.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const TEN_YEARS = 3_652 * 24 * HOUR
const OPERATOR = { actor: 'ann', note: '' }
const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '50000' }

let open: Fixture | undefined
afterEach(() => open?.stop())

/** A trader with an open order; since the order, the clock has moved by `byMs` more than the elapsed time. */
async function moved(byMs: number) {
  const f = await openFixture({ isClockGuarded: true })
  open = f
  const placed = await f.place(f.alice, ORDER)
  const noon = f.clock.time
  f.clock.elapsedMs += SECOND
  f.clock.time += SECOND + byMs
  /** Status and reason of a request that was signed at `timestamp`, in milliseconds after noon. */
  const ask = async (method: string, path: string, fields: object, timestamp = SECOND) => {
    const signed = { ...fields, timestamp: noon + timestamp } as Record<string, string | number>
    const { status, body, headers } = await f.send(method, path, signed, f.alice)
    return { answer: `${status} ${body.reason ?? 'done'}`, retryAfter: headers.get('Retry-After') }
  }
  const balance = (timestamp: number) => ask('GET', '/api/v3/wallet/balance', {}, timestamp)
  const place = () => ask('POST', '/api/v3/order', ORDER)
  return { f, noon, ask, balance, place, orderId: placed.body.data.id as string }
}

describe('a clock ten years ahead', () => {
  test('refuses new orders with a reason and a time to retry, and accepts cancels', async () => {
    const { f, ask, place, orderId } = await moved(TEN_YEARS)
    expect(await place()).toEqual({ answer: '503 CLOCK_NOT_TRUSTED', retryAfter: '30' })
    expect(await ask('DELETE', '/api/v3/order', { id: orderId })).toMatchObject({
      answer: '200 done',
    })
    f.clock.time -= TEN_YEARS
    expect(await place()).toMatchObject({ answer: '200 done' })
  })

  test('closes no window of signed requests; once it is doubted a window by it is open too, and none beside them', async () => {
    const { balance, place } = await moved(TEN_YEARS)
    await place()
    expect((await balance(SECOND)).answer).toBe('200 done')
    expect((await balance(TEN_YEARS)).answer).toBe('200 done')
    expect((await balance(TEN_YEARS - 5 * SECOND)).answer).toBe('401 TIMESTAMP_AHEAD')
    expect((await balance(-5 * SECOND)).answer).toBe('401 TIMESTAMP_EXPIRED')
  })

  test('ends no ban', async () => {
    const { f, noon, balance, place } = await moved(TEN_YEARS)
    const until = (noon + HOUR) as TimeMs
    await f.submit({ kind: 'BanAddress', operator: OPERATOR, address: '127.0.0.1', until })
    await place()
    expect((await balance(SECOND)).answer).toBe('418 BANNED')
    f.clock.time += HOUR
    f.clock.elapsedMs += HOUR
    expect((await balance(HOUR + SECOND)).answer).toBe('200 done')
  })
})

describe('a clock set back', () => {
  test('authorizes no expired request', async () => {
    const { f, balance } = await moved(0)
    f.clock.time += 10 * SECOND
    f.clock.elapsedMs += 10 * SECOND
    await f.submit({ kind: 'CreateAccount', operator: OPERATOR, name: 'carol' })
    expect((await balance(SECOND)).answer).toBe('401 TIMESTAMP_EXPIRED')
    f.clock.time -= HOUR
    expect((await balance(SECOND)).answer).toBe('401 TIMESTAMP_EXPIRED')
    await f.submit({ kind: 'CreateAccount', operator: OPERATOR, name: 'dora' })
    expect((await balance(SECOND)).answer).toBe('401 TIMESTAMP_EXPIRED')
    expect((await balance(10 * SECOND)).answer).toBe('200 done')
  })

  test('makes no ban longer', async () => {
    const { f, noon, balance } = await moved(0)
    const until = (noon + 60 * SECOND) as TimeMs
    await f.submit({ kind: 'BanAddress', operator: OPERATOR, address: '127.0.0.1', until })
    f.clock.time -= TEN_YEARS
    expect((await balance(SECOND)).answer).toBe('418 BANNED')
    f.clock.time += 60 * SECOND
    f.clock.elapsedMs += 60 * SECOND
    expect((await balance(SECOND)).answer).not.toBe('418 BANNED')
  })
})
