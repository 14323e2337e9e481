/**
 * A complete exchange with both client listeners, for tests: the engine runs in this thread and in memory.
 */
import type { EventBatch } from '../../core/events/event.ts'
import {
  type Fields,
  type Fixture,
  type FixtureOptions,
  formOf,
  openFixture,
  type Seen,
  see,
  sign,
  type Trader,
} from '../public/gateway.fixture.ts'
import { SERVER_DEFAULTS } from '../public/public-server.ts'
import { openBinanceServer } from './binance-server.ts'

export type BinanceFixture = Fixture & {
  /** `http://host:port` of the listener for clients of Binance. */
  readonly wireUrl: string
  /** Sends a request without a key. */
  ask(path: string, method?: string, headers?: Readonly<Record<string, string>>): Promise<Seen>
  /** Sends exactly these parameters in the query, signed; adds `timestamp` when it is absent. */
  signed(method: string, path: string, fields?: Fields, trader?: Trader): Promise<Seen>
}

export type BinanceOptions = FixtureOptions & {
  /** Which keys belong to the wire; if undefined, as in production. */
  readonly isOfWire?: () => boolean
}

export async function openBinance(options: BinanceOptions = {}): Promise<BinanceFixture> {
  let publish = (_: EventBatch): void => {}
  const stream: BinanceOptions['stream'] = (gateway) => ({
    handles: () => false,
    handle: () => undefined,
    websocket: { message: () => {} },
    stop: () => {},
    publish(batch: EventBatch) {
      for (const event of batch.events) gateway.entry.apply(event)
      gateway.entry.publish(batch)
      publish(batch)
    },
  })
  const fixture = await openFixture({ ...options, stream })
  const server = openBinanceServer(
    { ...SERVER_DEFAULTS, port: 0 },
    fixture.gateway.shared,
    undefined,
    undefined,
    options.isOfWire,
  )
  // Requests in the second of the start are refused.
  publish = (batch) => server.publish(batch)
  fixture.clock.time += 2_000
  return {
    ...fixture,
    wireUrl: server.url,
    signed: async (method, path, fields = {}, trader = fixture.alice) => {
      const form = formOf({ ...fields, timestamp: fields.timestamp ?? fixture.clock.time })
      const url = `${server.url}${path}?${form}&signature=${sign(trader.secret, form)}`
      return see(await fetch(url, { method, headers: { 'X-MBX-APIKEY': trader.apiKey } }))
    },
    ask: async (path, method = 'GET', headers = {}) =>
      see(await fetch(server.url + path, { method, headers: { ...headers } })),
    stop: async () => {
      await server.stop()
      await fixture.stop()
    },
  }
}
