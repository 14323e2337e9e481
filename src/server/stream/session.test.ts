import { describe, expect, test } from 'bun:test'
import { NO_HISTORY } from '../../../test/support/no-history.ts'
import { randomNumbers } from '../../../test/support/random-numbers.ts'
import { BTC, ETH } from '../../../test/support/stream-server.ts'
import { emptyBootstrap, SyntheticMarket } from '../../../test/support/synthetic-market.ts'
import { MarketData } from '../../views/market-data.ts'
import { STREAM_DEFAULTS } from './config.ts'
import { ConnectionBudget } from './intake/limits.ts'
import type { StreamPace } from './pace.ts'
import { Rooms } from './rooms.ts'
import { Session } from './session.ts'

const CONFIG = { ...STREAM_DEFAULTS, stuckMsMax: 1_000 }

/** A session on a link whose pending bytes are set by hand; `putOff` holds the postponed tasks of rooms. */
function sessionOnLink(limits: Partial<typeof CONFIG> = {}) {
  const state = { pending: 0, now: 0, sent: [] as string[], pauseMs: 0 }
  const putOff: (() => void)[] = []
  const pace: StreamPace = {
    now: () => state.now,
    later: (task) => {
      putOff.push(task)
      return () => {}
    },
    pauseMs: () => state.pauseMs,
    sliceMs: Number.POSITIVE_INFINITY,
    turnBytes: Number.POSITIVE_INFINITY,
  }
  const market = new MarketData(emptyBootstrap([BTC, ETH]))
  const rooms = new Rooms({ market, history: NO_HISTORY, tradesOnJoin: 500, pace })
  const source = new SyntheticMarket(randomNumbers(1))
  const session = new Session({
    link: {
      messageBytes: 0,
      pendingBytes: () => state.pending,
      send: (frames) => void state.sent.push(...frames.map((frame) => frame.text.split(',', 1)[0] ?? '')),
      abort: () => state.sent.push('aborted'),
    },
    rooms,
    budget: new ConnectionBudget(),
    config: { ...CONFIG, ...limits },
    language: 'en',
    now: () => state.now,
  })
  const trade = () => {
    const batch = source.randomBatch(BTC.id, 50)
    market.apply(batch)
    rooms.publish(batch)
  }
  const join = (symbol: string) => session.receive({ kind: 'join', symbol })
  return { state, session, rooms, trade, join, putOff }
}

describe('session', () => {
  test('is stuck only while a book has been due for longer than allowed', () => {
    const { state, session, trade, join } = sessionOnLink()
    join('BTC/USDT')
    state.now = 5_000
    expect(session.isStuck()).toBe(false)
    state.pending = CONFIG.sendBufferBytesMax
    trade()
    state.now = 6_000
    expect(session.isStuck()).toBe(false)
    state.now = 6_001
    expect(session.isStuck()).toBe(true)
    state.pending = 0
    session.freshen()
    state.now = 60_000
    expect(session.isStuck()).toBe(false)
  })

  test('leaving the only room that is due ends being stuck', () => {
    const { state, session, join } = sessionOnLink()
    join('BTC/USDT')
    state.pending = CONFIG.sendBufferBytesMax
    join('BTC/USDT')
    state.now = 60_000
    expect(session.isStuck()).toBe(true)
    session.end()
    expect(session.isStuck()).toBe(false)
  })

  test('over its buffer sends nothing, and when drained first the books that are due', () => {
    const { state, session, trade, join } = sessionOnLink()
    join('BTC/USDT')
    join('ETH/USDT')
    state.sent.length = 0
    state.pending = CONFIG.sendBufferBytesMax
    trade()
    join('nowhere')
    expect(state.sent).toEqual(['["error"'])
    state.sent.length = 0
    state.pending = CONFIG.sendBufferBytesMax + 1
    trade()
    join('nowhere')
    join('ETH/USDT')
    expect(state.sent).toEqual([])
    state.pending = CONFIG.drainedBytesMax
    session.freshen()
    expect(state.sent).toEqual(['["orders"', '["trades"', '["orders"', '["trades"'])
    trade()
    expect(state.sent.length).toBeGreaterThan(4)
  })

  test('with a client that has nothing pending and cannot be sent a change gives it the book without a request', () => {
    const { state, trade, join, putOff } = sessionOnLink({ sendBufferBytesMax: 100, drainedBytesMax: 10 })
    join('BTC/USDT')
    state.sent.length = 0
    trade()
    for (const task of putOff.splice(0)) task()
    expect(state.sent).toEqual(['["orders"', '["trades"'])
  })

  test('that has drained accepts a batch of any size completely', () => {
    const { state, trade, join } = sessionOnLink()
    join('BTC/USDT')
    state.sent.length = 0
    state.pending = CONFIG.drainedBytesMax
    trade()
    expect(state.sent).toContain('["matched_order"')
    expect(state.sent).toContain('["buy_order_update"')
  })

  test('publishes a room again after its pause, with everything that happened meanwhile at once', () => {
    const { state, trade, join, putOff } = sessionOnLink()
    state.pauseMs = 10
    join('BTC/USDT')
    trade()
    state.sent.length = 0
    trade()
    trade()
    expect(state.sent).toEqual([])
    expect(putOff).toHaveLength(1)
    putOff[0]?.()
    const count = (name: string) => state.sent.filter((sent) => sent === name).length
    expect([count('["trades"'), count('["sell_order_update"'), count('["buy_order_update"')]).toEqual([
      1, 1, 1,
    ])
    state.now += 10
    trade()
    expect(count('["trades"')).toBe(2)
  })

  test('that joins a room that is behind gets its book when the room has published, and no change twice', () => {
    const { state, trade, join, putOff } = sessionOnLink()
    state.pauseMs = 10
    join('BTC/USDT')
    trade()
    trade()
    state.sent.length = 0
    join('BTC/USDT')
    expect(state.sent).toEqual([])
    putOff[0]?.()
    expect(state.sent).toEqual(['["orders"', '["trades"'])
  })

  test('that has left a room gets nothing more from it', () => {
    const { state, session, trade, join, putOff } = sessionOnLink()
    state.pauseMs = 10
    join('BTC/USDT')
    trade()
    trade()
    session.end()
    state.sent.length = 0
    putOff[0]?.()
    expect(state.sent).toEqual([])
  })

  test('without order entry treats a login and an order as unknown messages', () => {
    const { state, session } = sessionOnLink()
    session.receiveText('["login",{}]')
    session.receiveText('["order.place",1,{}]')
    expect(state.sent).toEqual(['["error"', '["error"'])
  })

  test('ignores what comes in a frame after the message that ended the connection', () => {
    const { rooms, ...parts } = sessionOnLink()
    const session: Session = new Session({
      link: {
        messageBytes: 0,
        pendingBytes: () => Number.MAX_SAFE_INTEGER,
        send: () => {},
        abort: () => session.end(),
      },
      rooms,
      budget: new ConnectionBudget(),
      config: CONFIG,
      language: 'en',
      now: () => parts.state.now,
      entry: {
        open: () => ({ login: () => {}, request: () => {}, end: () => {} }) as never,
        hasFrames: true,
      },
    })
    session.receiveText('[["order.place",1,{}],["join","BTC/USDT"]]')
    expect(rooms.find(BTC)).toBeUndefined()
  })

  test('after its end it is in no room', () => {
    const { session, rooms, join } = sessionOnLink()
    join('BTC/USDT')
    join('ETH/USDT')
    session.end()
    expect([rooms.find(BTC), rooms.find(ETH)]).toEqual([undefined, undefined])
  })
})
