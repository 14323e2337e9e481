/** Channels with `intervalMs`: how often they publish, and what. */
import { describe, expect, test } from 'bun:test'
import { BTC } from '../../../test/support/stream-server.ts'
import { fixedDecimal } from '../../units/decimal.ts'
import { decimals, lots, price } from '../../units/quantities.ts'
import { broadcast } from './broadcast.fixture.ts'
import { bookTopic, type ChannelPayload, Subscriber } from './channels/subscriber.fixture.ts'

const INTERVAL_MS = 250
/** Time from one change to the next. */
const CHANGE_MS = 10

/**
 * A subscriber, the times at which it received messages, and a market that changes at a constant interval
 * until a given time.
 */
function throttled(options: Parameters<typeof bookTopic>[0]) {
  const it = broadcast()
  const topic = bookTopic({ intervalMs: INTERVAL_MS, ...options })
  const subscriber = () => {
    const client = it.connect(new Subscriber(it))
    const heard: { readonly at: number; readonly payload: ChannelPayload }[] = []
    client.onMessage = (_channel, payload) => heard.push({ at: it.clock.now, payload })
    client.subscribe(topic)
    return { client, heard }
  }
  const change = () => {
    it.source.place(BTC.id, 'BUY', price(100), lots(1))
    it.publish()
  }
  /** Runs the turns that are due by `until`. */
  const pass = (until: number) => {
    while ((it.nextTurnAt() ?? Number.POSITIVE_INFINITY) <= until) it.turn()
    it.clock.now = until
  }
  const changeUntil = (until: number) => {
    while (it.clock.now < until) {
      change()
      pass(it.clock.now + CHANGE_MS)
    }
  }
  return { ...it, topic, subscriber, change, changeUntil, pass }
}

describe.each([['all levels', {}] as const, ['the best levels', { levels: 5 } as const] as const])(
  'a book of %s with an interval',
  (_name, options) => {
    test('is published at most once per interval, with the market as it is then', () => {
      const { market, subscriber, changeUntil, pass, clock } = throttled(options)
      const { heard } = subscriber()
      expect(heard).toHaveLength(1)
      changeUntil(2_000)
      const changes = heard.slice(1)
      for (const [i, { at }] of changes.entries()) {
        expect(at - (changes[i - 1]?.at ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(INTERVAL_MS)
      }
      expect(changes.length).toBeGreaterThan(2_000 / (INTERVAL_MS + CHANGE_MS))
      pass(clock.now + INTERVAL_MS)
      const resting = market.depth(BTC.id).quantity('BUY', price(100))
      const bids = [['1.00', fixedDecimal(resting, decimals(8))]]
      expect(heard.at(-1)?.payload).toMatchObject({ seq: market.seq, bids })
    })

    test('comes at once when the last was long ago', () => {
      const { subscriber, change, pass } = throttled(options)
      const { heard } = subscriber()
      pass(1_000)
      change()
      expect(heard.at(-1)?.at).toBe(1_000)
      pass(5_000)
      change()
      expect(heard.at(-1)?.at).toBe(5_000)
      expect(heard).toHaveLength(3)
    })

    test('begins for a newcomer with the next message of the others at the latest', () => {
      const { subscriber, change, pass } = throttled(options)
      const { heard } = subscriber()
      change()
      pass(50)
      change()
      const late = subscriber()
      expect(late.heard).toEqual([])
      pass(INTERVAL_MS + CHANGE_MS)
      expect(late.heard.map(({ payload }) => payload.seq)).toEqual([2])
      expect(heard.map(({ payload }) => payload.seq)).toEqual([0, 1, 2])
      change()
      pass(3 * INTERVAL_MS)
      expect(late.heard.at(-1)?.payload).toMatchObject({ seq: 3, prevSeq: 2 })
      expect(heard.at(-1)?.payload).toMatchObject({ seq: 3, prevSeq: 2 })
    })

    test('does not wait for its time when the server stops', async () => {
      const { rooms, subscriber, change, pass, clock, turn } = throttled(options)
      const { heard } = subscriber()
      change()
      pass(CHANGE_MS)
      change()
      const finished = rooms.finish()
      while (!rooms.isIdle) turn()
      await finished
      expect(clock.now).toBeLessThan(INTERVAL_MS)
      expect(heard.map(({ payload }) => payload.seq)).toEqual([0, 1, 2])
    })

    test('leaves no task when its last subscriber leaves', () => {
      const { rooms, subscriber, change, nextTurnAt, topic, pass } = throttled(options)
      const { client } = subscriber()
      change()
      pass(CHANGE_MS)
      change()
      expect(nextTurnAt()).toBe(INTERVAL_MS)
      client.unsubscribe(topic)
      expect([nextTurnAt(), rooms.count]).toEqual([undefined, 0])
    })
  },
)
