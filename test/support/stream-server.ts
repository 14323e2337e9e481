/** Streams on real ports, each fed by a synthetic market of its own. */

import { setDefaultTimeout } from 'bun:test'
import type { EventBatch } from '../../src/core/events/event.ts'
import { targetOf } from '../../src/server/listener/target.ts'
import { STREAM_DEFAULTS, type StreamConfig } from '../../src/server/stream/config.ts'
import { NO_PAUSE, type StreamPace } from '../../src/server/stream/pace.ts'
import { createStream, type StreamSocketData } from '../../src/server/stream/stream.ts'
import type { SymbolId } from '../../src/units/ids.ts'
import { timeMs } from '../../src/units/quantities.ts'
import { MarketData } from '../../src/views/market-data.ts'
import { randomNumbers } from './random-numbers.ts'
import { SyntheticHistory } from './synthetic-history.ts'
import { emptyBootstrap, SyntheticMarket, syntheticSymbol } from './synthetic-market.ts'

export const BTC = syntheticSymbol(0, 'BTC/USDT')
export const ETH = syntheticSymbol(1, 'ETH/USDT')

/**
 * Longer than the limit of `until`, so that a failed wait reports what it waited for, even on a loaded
 * machine.
 */
const TEST_MS_MAX = 300_000

/** `serve` starts one; `cleanUp`, after each test, stops all of them and runs `cleanups`. */
export function streamServers() {
  setDefaultTimeout(TEST_MS_MAX)
  const cleanups: (() => unknown)[] = []

  async function cleanUp(): Promise<void> {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  }

  /**
   * `admits` returns the answer that the server in front of the stream has for an address. Messages must not
   * depend on the load of the machine, which is why there is a pace.
   */
  function serve(
    limits: Partial<StreamConfig> = {},
    now = () => Date.now(),
    admits: (address: string) => boolean = () => true,
    pace: StreamPace = NO_PAUSE,
  ) {
    const source = new SyntheticMarket(randomNumbers(1))
    const market = new MarketData(emptyBootstrap([BTC, ETH]))
    const history = new SyntheticHistory([BTC, ETH])
    /** Addresses of the connections that were cut off, once per connection. */
    const cutAddresses: string[] = []
    const stream = createStream({
      market,
      history,
      config: { ...STREAM_DEFAULTS, ...limits },
      clock: { now: () => timeMs(now()) },
      pace,
      addresses: {
        opening: () => undefined,
        refused: () => {},
        cut: (address) => void cutAddresses.push(address),
      },
    })
    const server = Bun.serve<StreamSocketData>({
      hostname: '127.0.0.1',
      port: 0,
      // As on the public server: no error reports by the runtime.
      development: false,
      fetch: (request, self) => {
        if (!admits(self.requestIP(request)?.address ?? '')) return new Response('banned', { status: 418 })
        return stream.handles(request, targetOf(request.url).path)
          ? (stream.handle(request, self) as Response)
          : new Response('page')
      },
      websocket: stream.websocket,
    })
    cleanups.push(async () => {
      await stream.stop()
      await server.stop(true)
    })
    /** Random orders in one batch; a wider range of prices makes more levels. */
    const apply = (batch: EventBatch) => {
      history.apply(batch)
      market.apply(batch)
      stream.publish(batch)
    }
    const trade = (symbolId: SymbolId, commands: number, span?: number) =>
      apply(source.randomBatch(symbolId, commands, span))
    /** Publishes everything that happened in the source as one batch. */
    const publish = () => apply(source.flush())
    /** Advances journal time by `ms` without a command. */
    const pass = (ms: number) => {
      const time = source.pass(ms)
      market.pass(time)
      stream.pass(time)
    }
    const ban = (address: string) => {
      const event = { kind: 'AddressBanned', ban: { address, until: timeMs(now() + 60_000) } } as const
      stream.publish({ seq: market.seq, time: timeMs(now()), events: [event] })
    }
    return {
      market,
      stream,
      source,
      publish,
      pass,
      trade,
      ban,
      cutAddresses,
      origin: `127.0.0.1:${server.port}`,
    }
  }

  return { cleanups, cleanUp, serve }
}
