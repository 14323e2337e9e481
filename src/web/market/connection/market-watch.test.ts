import { describe, expect, test } from 'bun:test'
import { MarketStream } from '../../../client/stream/market-stream.ts'
import { VirtualPorts } from '../../../client/stream/virtual-ports.fixture.ts'
import { decimals } from '../../../units/quantities.ts'
import { MarketWatch } from './market-watch.ts'

const BTC_USDT = { name: 'BTC/USDT', baseFraction: decimals(8), quoteFraction: decimals(2) }

function setup() {
  const ports = new VirtualPorts()
  const stream = new MarketStream({ url: 'ws://exchange/stream', ports })
  const log: string[] = []
  const watch = new MarketWatch({
    stream,
    symbol: BTC_USDT,
    onChange: () => log.push('change'),
    onLive: (isLive) => log.push(isLive ? 'live' : 'stale'),
    onRefused: () => log.push('refused'),
  })
  ports.socket.open()
  return { ports, stream, log, watch }
}

const BOOK = { symbol: 'BTC/USDT', seq: 1, bids: [['100.00', '2.00000000']], asks: [] }

describe('a market that the page follows', () => {
  test('is requested at once, all four channels, and live with its whole book', () => {
    const { ports, log, watch } = setup()
    const asked = ports.socket.sent.map(([, topic]) => (topic as { channel: string }).channel)
    expect(asked).toEqual(['book', 'trades', 'status', 'ticker'])
    for (const channel of asked) ports.socket.say('subscribed', { channel, symbol: 'BTC/USDT' })
    expect(watch.market.hasBook).toBe(false)
    ports.socket.say('book', BOOK)
    expect(log).toEqual(['live', 'change'])
    expect(watch.market.book.bestBid?.price).toBe('100.00')
    ports.socket.cut()
    expect(log).toEqual(['live', 'change', 'stale'])
    expect(watch.market.book.bestBid?.price).toBe('100.00')
  })

  test('that the page has left updates nothing any more', () => {
    const { ports, log, watch } = setup()
    ports.socket.say('subscribed', { channel: 'book', symbol: 'BTC/USDT' })
    ports.socket.say('book', BOOK)
    watch.close()
    ports.socket.say('book', { ...BOOK, seq: 2, prevSeq: 1 })
    ports.socket.cut()
    expect(log).toEqual(['live', 'change'])
  })

  test('of a symbol that is not listed any more is refused', () => {
    const { ports, log } = setup()
    for (let i = 0; i < 3; i++)
      ports.socket.say('error', { status: false, code: '4001', msg: [''], reason: 'UNKNOWN_SYMBOL' })
    expect(log).toEqual(['refused'])
  })
})
