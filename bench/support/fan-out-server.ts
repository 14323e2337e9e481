/**
 * A server that publishes an invented market to its subscribers, in a separate process. As `bourse` it is the
 * stream with its rooms and transports; as `bare` it is the runtime's publishing of the same bytes, created
 * before the measurement.
 */

import type { EventBatch } from '../../src/core/events/event.ts'
import { targetOf } from '../../src/server/listener/target.ts'
import { STREAM_DEFAULTS } from '../../src/server/stream/config.ts'
import { NO_PAUSE, type StreamPace } from '../../src/server/stream/pace.ts'
import type { Member } from '../../src/server/stream/room.ts'
import { Rooms } from '../../src/server/stream/rooms.ts'
import { createStream, type StreamSocketData } from '../../src/server/stream/stream.ts'
import { timeMs } from '../../src/units/quantities.ts'
import { MarketData } from '../../src/views/market-data.ts'
import { NO_HISTORY } from '../../test/support/no-history.ts'
import { randomNumbers } from '../../test/support/random-numbers.ts'
import { emptyBootstrap, SyntheticMarket, syntheticSymbol } from '../../test/support/synthetic-market.ts'
import type { FanOutOrder, FanOutReport } from './fan-out.ts'

const SYMBOL = syntheticSymbol(0, 'BTC/USDT')
/**
 * A batch is published at once, without passing time: a checksum of the book also depends on time, so on a
 * slow machine the same market would have other bytes.
 */
const PACE: StreamPace = { ...NO_PAUSE, now: () => 0 }

const TOPIC = 'market'
const CONNECTIONS_MAX = 15_000

const source = new SyntheticMarket(randomNumbers(1))
const market = new MarketData(emptyBootstrap([SYMBOL]))
const [mode, prefix = '', topic] = Bun.argv.slice(2)
/** The messages of the last batch: created outside the measurement, and published by the bare server. */
let texts: string[] = []
const rooms = roomsOfOneMember()
const publish = mode === 'bourse' ? serveBourse() : serveBare(prefix)
let cpu = process.cpuUsage()

process.on('message', async (order: FanOutOrder) => {
  if (order.kind === 'cpu') {
    const { user, system } = process.cpuUsage(cpu)
    report({ kind: 'cpu', cpuUs: user + system })
    return
  }
  const batches = Array.from({ length: order.batches }, () => publishedBatch(order.commands))
  Bun.gc(true)
  cpu = process.cpuUsage()
  for (const batch of batches) {
    publish(batch)
    await Bun.sleep(order.everyMs)
  }
  report({ kind: 'published', messages: batches.reduce((sum, batch) => sum + batch.texts.length, 0) })
})

type PublishedBatch = { readonly batch: EventBatch; readonly texts: readonly string[] }

function report(message: FanOutReport): void {
  process.send?.(message)
}

/** A separate market whose only listener records what is published. */
function roomsOfOneMember(): { readonly market: MarketData; readonly rooms: Rooms } {
  const listened = new MarketData(emptyBootstrap([SYMBOL]))
  const made = new Rooms({ market: listened, history: NO_HISTORY, tradesOnJoin: 1, pace: PACE })
  const member: Member = {
    update: (_room, { frames }) => texts.push(...frames.map(({ text }) => text)),
    giveBooks: () => {},
    lost: () => {},
  }
  made.enter(SYMBOL, member, topic === undefined ? undefined : JSON.parse(topic)).follow(member)
  return { market: listened, rooms: made }
}

function publishedBatch(commands: number): PublishedBatch {
  const batch = source.randomBatch(SYMBOL.id, commands)
  texts = []
  rooms.market.apply(batch)
  rooms.rooms.publish(batch)
  return { batch, texts }
}

function serveBourse(): (published: PublishedBatch) => void {
  const config = {
    ...STREAM_DEFAULTS,
    connectionsMax: CONNECTIONS_MAX,
    connectionsPerAddressMax: CONNECTIONS_MAX,
  }
  const stream = createStream({
    market,
    history: NO_HISTORY,
    config,
    clock: { now: () => timeMs(Date.now()) },
    pace: PACE,
  })
  const server = Bun.serve<StreamSocketData>({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, self) =>
      stream.handles(request, targetOf(request.url).path)
        ? (stream.handle(request, self) as Response)
        : new Response('', { status: 404 }),
    websocket: stream.websocket,
  })
  report({ kind: 'ready', port: server.port ?? 0 })
  return ({ batch }) => {
    market.apply(batch)
    stream.publish(batch)
  }
}

/** Every connection is subscribed; `prefix` is what a transport adds before each message. */
function serveBare(prefix: string): (published: PublishedBatch) => void {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('', { status: 404 })),
    websocket: {
      perMessageDeflate: false,
      open: (socket) => {
        socket.send(`${prefix}["trades",[]]`)
        socket.subscribe(TOPIC)
      },
      message: () => {},
    },
  })
  report({ kind: 'ready', port: server.port ?? 0 })
  return (published) => {
    for (const text of published.texts) server.publish(TOPIC, prefix + text)
  }
}
