/** A complete exchange on a port, with a stream that accepts orders. */
import { type Fixture, type FixtureOptions, openFixture } from '../../../src/server/public/gateway.fixture.ts'
import { STREAM_DEFAULTS, type StreamConfig } from '../../../src/server/stream/config.ts'
import { NO_PAUSE } from '../../../src/server/stream/pace.ts'
import { createStream } from '../../../src/server/stream/stream.ts'
import { NO_HISTORY } from '../../support/no-history.ts'

export async function openExchange(
  options: Omit<FixtureOptions, 'stream'> = {},
  config: Partial<StreamConfig> = {},
): Promise<Fixture> {
  return openFixture({
    ...options,
    stream: (gateway, { market }, clock) =>
      createStream({
        market,
        history: NO_HISTORY,
        clock,
        config: { ...STREAM_DEFAULTS, ...config },
        addressOf: gateway.addressOf.bind(gateway),
        addresses: gateway.addressCounts,
        entry: gateway.entry,
        pace: NO_PAUSE,
      }),
  })
}
