/**
 * What does the stream cost, what is its latency, and do these grow with the amount published? Compares
 * fan-out through both transports with bare publishing, and channels with the contract's room. Measures the
 * time from an order's acknowledgement to its arrival at a thousand readers, with and without further clients
 * that do not read; the cost of candle subscribers for clients that place orders; one order with very many
 * fills before many watchers; and a join for books of growing size. Subscribers are separate processes on the
 * same machine.
 */

import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { candles } from './stream-candles.ts'
import { channels } from './stream-channels.ts'
import { fanOut } from './stream-fan-out.ts'
import { joins } from './stream-join.ts'
import { news } from './stream-news.ts'
import { sweep } from './stream-sweep.ts'
import { machine } from './support/conditions.ts'

export const PROGRAM = {
  command: 'npm run bench -- stream',
  about: 'What the stream costs, how late it is, and whether that grows with what it publishes.',
  options: {
    subscribers: {
      kind: 'numbers',
      default: [1_000, 10_000],
      help: 'subscribers of the fan-out; empty leaves this part out',
    },
    'channel-subscribers': {
      kind: 'numbers',
      default: [1_000],
      help: 'subscribers of each channel; empty leaves this part out',
    },
    rounds: { kind: 'whole', default: 5, help: 'rounds of fan-out and channels, after one to warm up' },
    batches: { kind: 'whole', default: 60, help: 'batches of each round' },
    readers: { kind: 'numbers', default: [1_000], help: 'readers of the news; empty leaves this part out' },
    rate: { kind: 'whole', default: 2_000, help: 'orders a second of the news' },
    seconds: { kind: 'whole', default: 3, help: 'seconds of the news' },
    fills: { kind: 'whole', default: 30_000, help: 'fills of the sweep' },
    watchers: { kind: 'whole', default: 500, help: 'watchers of the sweep; 0 leaves this part out' },
    'calm-ms': { kind: 'whole', default: 3_000, help: 'milliseconds of the other client before the sweep' },
    candles: {
      kind: 'whole',
      default: 1_000,
      help: 'subscribers of candles beside orders; 0 leaves this part out',
    },
    levels: {
      kind: 'numbers',
      default: [1_000, 10_000, 100_000],
      help: 'levels of the books joined; empty leaves this part out',
    },
  },
} as const satisfies Program

/** Returns digests of what was published. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const { rounds, batches } = values
  console.log(machine())
  const digests = await fanOut({ subscribers: values.subscribers, rounds, batches })
  digests.push(...(await channels({ subscribers: values['channel-subscribers'], rounds, batches })))
  digests.push(...joins(values.levels))
  for (const readers of values.readers) {
    await news({ readers, ratePerSecond: values.rate, seconds: values.seconds })
  }
  await candles({ subscribers: values.candles, ratePerSecond: values.rate, seconds: values.seconds })
  await sweep({ fills: values.fills, watchers: values.watchers, calmMs: values['calm-ms'] })
  for (const digest of digests) console.log(digest)
  return digests
}
