import { describe, expect, test } from 'bun:test'
import type { MarketStream } from '../../../client/stream/market-stream.ts'
import { FOLLOWED_MAX, TickerWatch } from './ticker-watch.ts'

/** Accepts subscriptions, and refuses a second one to the same channel, as the stream does. */
function fakeStream() {
  const open = new Map<string, (state: 'live' | 'closed') => void>()
  const stream = {
    subscribe: (
      topic: { readonly symbol: string },
      handlers: { onState(state: 'live' | 'closed'): void },
    ) => {
      if (open.has(topic.symbol)) throw new RangeError(`${topic.symbol} is subscribed to`)
      open.set(topic.symbol, handlers.onState)
      return {
        close: () => {
          open.delete(topic.symbol)
          handlers.onState('closed')
        },
      }
    },
  } as unknown as MarketStream
  return { stream, open }
}

describe('the watch of day tickers', () => {
  test('follows the markets in view, and drops those no longer in view', () => {
    const { stream, open } = fakeStream()
    const states: [string, boolean][] = []
    const watch = new TickerWatch(stream, {
      onFigures: () => {},
      onLive: (symbol, isLive) => states.push([symbol, isLive]),
    })
    watch.follow(['A/B', 'C/D'])
    watch.follow(['C/D', 'E/F'])
    expect([...open.keys()]).toEqual(['C/D', 'E/F'])
    expect(states).toEqual([['A/B', false]])
    watch.follow(['A/B', 'C/D'])
    expect([...open.keys()]).toEqual(['C/D', 'A/B'])
  })

  test('follows no more markets than its limit', () => {
    const { stream, open } = fakeStream()
    const watch = new TickerWatch(stream, { onFigures: () => {}, onLive: () => {} })
    watch.follow(Array.from({ length: FOLLOWED_MAX + 5 }, (_, index) => `M${index}/Q`))
    expect(open.size).toBe(FOLLOWED_MAX)
  })

  test('asks again for a market that was refused once it is in view again', () => {
    const { stream, open } = fakeStream()
    const watch = new TickerWatch(stream, { onFigures: () => {}, onLive: () => {} })
    watch.follow(['A/B'])
    const refuse = open.get('A/B')
    open.delete('A/B')
    refuse?.('closed')
    watch.follow(['A/B'])
    expect([...open.keys()]).toEqual(['A/B'])
  })
})
