/**
 * Answers that are made and sent in slices: complete, charged with their full weight, bounded in memory, and
 * without delay for others.
 */

import { describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { OPEN_ORDERS_PAGE_MAX, type OpenOrdersQuery } from '../../core/questions/view.ts'
import { changedEngine } from '../../engine/writer/changed-engine.fixture.ts'
import { amount, decimals, rate } from '../../units/quantities.ts'
import { SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import { type Fixture, type FixtureOptions, formOf, openFixture, sign } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

const ACTIVE = '/api/v3/order/active'
const ORDER = { side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '10' }
const MANY = 2 * OPEN_ORDERS_PAGE_MAX + 20
/** More than all buffers between a node and a client that does not read. */
const MANY_SLICES = 400

async function using(options: FixtureOptions, use: (f: Fixture) => Promise<void>): Promise<void> {
  const f = await openFixture(options)
  try {
    await use(f)
  } finally {
    await f.stop()
  }
}

async function placeMany(f: Fixture, count: number, symbol = 'BTC/USDT'): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await f.place(f.alice, { ...ORDER, symbol })).body.data.id)
  return ids.reverse()
}

const limits = (change: Partial<typeof SANDBOX_LIMITS>): FixtureOptions => ({
  config: { ...SANDBOX_GATEWAY, limits: { ...SANDBOX_LIMITS, ...change } },
})

const idsOf = (body: readonly { id: string }[]) => body.map(({ id }) => id)
const weightOf = (headers: Headers) => Number(headers.get('x-mbx-used-weight-1m'))

/** An engine whose list of open orders never ends: each page is the first one again. */
const endless: FixtureOptions = {
  wrap: (services) => {
    const { engine } = services
    const first = { before: 1 as never, at: 1 as never }
    return {
      ...services,
      engine: changedEngine(engine, {
        ask: {
          openOrders: async (query) => ({
            ...(await engine.ask('openOrders', { ...query, after: undefined })),
            next: first,
          }),
        },
      }),
    }
  },
}

/** Requests the open orders and reads nothing of the answer. */
async function askAndIgnore(f: Fixture): Promise<Socket> {
  const query = formOf({ timestamp: f.clock.time })
  const { hostname, port } = new URL(f.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.on('error', () => {})
  const headers = `X-Apikey: ${f.alice.apiKey}\r\nX-Signature: ${sign(f.alice.secret, query)}\r\n`
  socket.write(`GET ${ACTIVE}?${query} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
  return socket
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

describe('a long list of open orders', () => {
  test('has every order once, newest first, of one symbol and of all, in the same form as a short one', async () => {
    await using({}, async (f) => {
      const bitcoin = await placeMany(f, MANY)
      const ether = await placeMany(f, 3, 'ETH/USDT')
      const one = await f.send('GET', ACTIVE, { symbol: 'BTC/USDT' }, f.alice)
      expect(one.headers.get('transfer-encoding')).toBe('chunked')
      expect(one.headers.get('content-type')).toBe('application/json;charset=utf-8')
      expect(idsOf(one.body)).toEqual(bitcoin)
      expect(JSON.stringify(one.body)).toBe(one.text)
      const all = await f.send('GET', ACTIVE, {}, f.alice)
      expect(idsOf(all.body)).toEqual([...ether, ...bitcoin])
      const few = await f.send('GET', ACTIVE, { symbol: 'ETH/USDT' }, f.alice)
      expect(few.headers.get('content-length')).toBe(String(few.text.length))
      expect(idsOf(few.body)).toEqual(ether)
    })
  })

  test('costs 1 weight for every 25 orders begun where that is more than its own weight', async () => {
    await using({}, async (f) => {
      const weights: number[] = []
      const measure = async (symbol?: string) => {
        const { headers } = await f.send('GET', ACTIVE, symbol === undefined ? {} : { symbol }, f.alice)
        weights.push(weightOf(headers))
      }
      await placeMany(f, 150)
      f.clock.time += 60_000
      await measure('BTC/USDT')
      await placeMany(f, 1)
      f.clock.time += 60_000
      await measure('BTC/USDT')
      await placeMany(f, 2_100 - 151)
      f.clock.time += 60_000
      await measure()
      expect(weights).toEqual([6, 7, 84])
    })
  })

  test('may take an address over its weight, and then the next request is refused', async () => {
    await using(limits({ weightPerMinuteMax: 1_000 }), async (f) => {
      await placeMany(f, MANY)
      f.clock.time += 60_000
      for (let used = 0; used < 980; used += 20) await f.send('GET', '/api/v3/exchangeInfo', {})
      const list = await f.send('GET', ACTIVE, { symbol: 'BTC/USDT' }, f.alice)
      expect(list.status).toBe(200)
      expect(weightOf(list.headers)).toBe(980 + Math.ceil(MANY / 25))
      expect((await f.send('GET', '/api/v3/exchangeInfo', {})).body.reason).toBe('RATE_LIMITED')
    })
  })

  test('of two requested together, the later one is refused after the address has exceeded its weight', async () => {
    await using(limits({ weightPerMinuteMax: 600 }), async (f) => {
      await placeMany(f, MANY)
      f.clock.time += 60_000
      for (let used = 0; used < 580; used += 20) await f.send('GET', '/api/v3/exchangeInfo', {})
      const ask = () => f.send('GET', ACTIVE, { symbol: 'BTC/USDT' }, f.alice)
      const statuses = (await Promise.all([ask(), ask()])).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 429])
    })
  })

  test('requested with HEAD has no body, and holds no memory', async () => {
    await using({}, async (f) => {
      await placeMany(f, MANY)
      const head = await f.send('HEAD', ACTIVE, { symbol: 'BTC/USDT' }, f.alice)
      expect([head.status, head.text]).toEqual([200, ''])
      await until(() => f.gateway.answerBytesUnderWay === 0)
    })
  })

  test('that breaks off is never mistaken for a complete answer', async () => {
    let pages = 0
    const wrap: FixtureOptions['wrap'] = (services) => {
      const { engine } = services
      return {
        ...services,
        engine: changedEngine(engine, {
          ask: {
            openOrders: async (query) => {
              if (++pages > 1) throw new Error('the second page fails')
              return engine.ask('openOrders', query)
            },
          },
        }),
      }
    }
    await using({ wrap }, async (f) => {
      await placeMany(f, MANY)
      await expect(f.send('GET', ACTIVE, { symbol: 'BTC/USDT' }, f.alice)).rejects.toThrow()
      await until(() => f.gateway.answerBytesUnderWay === 0)
      expect(f.logged.map(({ message }) => message)).toEqual(['a long answer was interrupted'])
    })
  })
})

describe('a wallet of many assets', () => {
  test('is the same text as a short one, costs 1 weight for every 25 assets, rounded up, and comes in chunks', async () => {
    await using({}, async (f) => {
      const first = await f.send('GET', '/api/v3/wallet/balance', {}, f.alice)
      const flags = { isDeposit: true, isWithdraw: false, isTrade: true, isSaving: false }
      const terms = { operator: { actor: 'test', note: '' }, supplyCap: amount(0n), flags }
      const known = first.body.data.acc.Spot.assetAccs.length
      for (let i = known; i < 501; i++) {
        await f.submit({
          kind: 'ListAsset',
          ...terms,
          code: `A${i}`,
          name: `Asset ${i}`,
          fraction: decimals(2),
        })
      }
      f.clock.time += 60_000
      const all = await f.send('GET', '/api/v3/wallet/balance', {}, f.alice)
      expect(all.headers.get('transfer-encoding')).toBe('chunked')
      expect(weightOf(all.headers)).toBe(21)
      expect(JSON.stringify(all.body)).toBe(all.text)
      const { assetAccs, ...rest } = all.body.data.acc.Spot
      expect(assetAccs.slice(0, known)).toEqual(first.body.data.acc.Spot.assetAccs)
      expect(assetAccs.slice(known).map(({ asset }: { asset: string }) => asset)).toEqual(
        Array.from({ length: 501 - known }, (_, i) => `A${known + i}`),
      )
      expect(rest).toEqual({ walletCode: 'SPOT', transfer: 1 })
      const one = await f.send('GET', '/api/v3/wallet/balance', { code: 'A500' }, f.alice)
      expect(one.body.data).toEqual({ free: '0' })
    })
  })
})

describe('exchange information', () => {
  test('is kept until a symbol changes, and says how long it is', async () => {
    await using({}, async (f) => {
      const ask = () => f.send('GET', '/api/v3/exchangeInfo', {})
      const first = await ask()
      expect(first.headers.get('content-length')).toBe(String(first.text.length))
      expect(first.headers.get('content-type')).toBe('application/json;charset=utf-8')
      expect((await ask()).text).toBe(first.text)
      const symbol = 'ETH/BTC'
      const operator = { actor: 'test', note: '' }
      await f.submit({ kind: 'SetSymbolRates', operator, symbol, makerRate: rate(0), takerRate: rate(5) })
      const changed = (await ask()).body.symbols.find((each: { symbol: string }) => each.symbol === symbol)
      expect(changed.commission).toBe(0.00000005)
      await f.submit({ kind: 'SetSymbolState', operator, symbol, state: 'DELISTED' })
      expect((await ask()).text).not.toContain(symbol)
    })
  })
})

describe('a client that does not read', () => {
  test('pauses the production of its answer, and others are served', async () => {
    let pages = 0
    const wrap: FixtureOptions['wrap'] = (services) => {
      const wrapped = endless.wrap?.(services) ?? services
      const openOrders = (query: OpenOrdersQuery) => {
        pages++
        return wrapped.engine.ask('openOrders', query)
      }
      return { ...wrapped, engine: changedEngine(wrapped.engine, { ask: { openOrders } }) }
    }
    await using({ wrap }, async (f) => {
      await placeMany(f, OPEN_ORDERS_PAGE_MAX)
      const socket = await askAndIgnore(f)
      await until(() => f.gateway.answerBytesUnderWay > 0)
      const seen: number[] = []
      do {
        for (let turn = 0; turn < 50; turn++) await f.send('GET', '/api/v3/exchangeInfo', {})
        seen.push(pages)
      } while (seen.at(-1) !== seen.at(-2))
      expect(pages).toBeLessThan(MANY_SLICES)
      socket.destroy()
      await until(() => f.gateway.answerBytesUnderWay === 0)
    })
  })

  test('and disconnects while a slice is being made leaves nothing in the log', async () => {
    const held: (() => void)[] = []
    let isHolding = false
    let pages = 0
    const wrap: FixtureOptions['wrap'] = (services) => {
      const wrapped = endless.wrap?.(services) ?? services
      const openOrders = async (query: OpenOrdersQuery) => {
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
        const page = await wrapped.engine.ask('openOrders', query)
        pages++
        return page
      }
      return { ...wrapped, engine: changedEngine(wrapped.engine, { ask: { openOrders } }) }
    }
    await using({ wrap }, async (f) => {
      await placeMany(f, OPEN_ORDERS_PAGE_MAX)
      isHolding = true
      const socket = await askAndIgnore(f)
      // The first page was read to begin the answer, the second is read for a slice of its body.
      await until(() => held.length === 1)
      held[0]?.()
      socket.resume()
      await until(() => held.length === 2)
      socket.destroy()
      await until(() => f.gateway.answerBytesUnderWay === 0)
      held[1]?.()
      await until(() => pages === 2)
      await f.send('GET', '/api/v3/exchangeInfo', {})
      expect(f.logged).toEqual([])
    })
  })

  test('is disconnected when its time for a slice is over', async () => {
    const waiting = new Map<() => void, number>()
    const later = (task: () => void, delayMs: number) => {
      waiting.set(task, delayMs)
      return () => waiting.delete(task)
    }
    await using({ ...endless, later }, async (f) => {
      await placeMany(f, OPEN_ORDERS_PAGE_MAX)
      const socket = await askAndIgnore(f)
      await until(() => f.gateway.answerBytesUnderWay > 0)
      let last: unknown
      // Continues until the socket accepts no more bytes: the same timer then stays pending.
      for (let turns = 0; turns < 200; turns++) {
        await f.send('GET', '/api/v3/exchangeInfo', {})
        const [task] = waiting.keys()
        if (task !== last) turns = 0
        last = task
      }
      expect([...waiting.values()]).toEqual([30_000])
      for (const task of [...waiting.keys()]) task()
      expect(f.gateway.answerBytesUnderWay).toBe(0)
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.resume()
      await closed
      expect(f.logged).toEqual([])
    })
  })

  test('has no more answers in flight than its bytes allow, and a client that reads continues', async () => {
    const room = { answerBytesPerAddressMax: 2 * 256 * 1024 }
    await using({ ...endless, ...limits(room) }, async (f) => {
      await placeMany(f, OPEN_ORDERS_PAGE_MAX)
      const sockets = [await askAndIgnore(f), await askAndIgnore(f)]
      await until(() => f.gateway.answerBytesUnderWay === 2 * 256 * 1024)
      const third = await f.send('GET', ACTIVE, {}, f.alice)
      expect([third.status, third.body.code, third.body.reason]).toEqual([503, '0014', 'ANSWERS_UNDER_WAY'])
      expect(third.headers.get('retry-after')).toBe('1')
      expect((await f.send('GET', '/api/v3/trades', { symbol: 'BTC/USDT' }, f.alice)).status).toBe(200)
      for (const socket of sockets) socket.destroy()
      await until(() => f.gateway.answerBytesUnderWay === 0)
    })
  })
})
