/**
 * What do subscribers of a channel cost compared with members of the contract's room, for the same market?
 * Measures the CPU time of the server process per delivered message, and per batch of the market: a channel
 * needs fewer messages than a room for the same news.
 */
import type { Topic } from '../src/contract/stream/stream-channels.ts'
import { median } from '../test/support/median.ts'
import { Audience, COMMANDS, type FanOutSize } from './stream-fan-out.ts'
import { table } from './support/conditions.ts'

const TOPICS: readonly (readonly [name: string, topic: Topic | undefined])[] = [
  ['join', undefined],
  ['book', { channel: 'book', levels: undefined, intervalMs: undefined }],
  ['book of 10 levels', { channel: 'book', levels: 10, intervalMs: undefined }],
  ['trades', { channel: 'trades' }],
  ['bookTicker', { channel: 'bookTicker' }],
  ['ticker', { channel: 'ticker', intervalMs: undefined }],
  ['kline_1m', { channel: 'kline_1m', intervalMs: undefined }],
]

/** Prints the table; returns a digest of what each kind of subscriber received. */
export async function channels({ subscribers, rounds, batches }: FanOutSize): Promise<string[]> {
  const digests: string[] = []
  for (const count of subscribers) {
    console.log(
      `channels: ${count} subscribers on plain WebSockets, ${batches} batches of ${COMMANDS} random orders a round;`,
    )
    console.log(`CPU of the server, medians of ${rounds} alternating rounds, after one to warm up`)
    const audiences: { readonly name: string; readonly audience: Audience }[] = []
    try {
      for (const [name, topic] of TOPICS) {
        audiences.push({ name, audience: await Audience.gather('bourse', 'plain', count, topic) })
      }
      for (let round = 0; round <= rounds; round++) {
        for (const { audience } of audiences) await audience.play(batches, round === 0)
      }
    } finally {
      for (const { audience } of audiences) audience.stop()
    }
    const rows = [['subscribed to', 'messages a batch', 'us a message', 'us a batch and subscriber']]
    for (const { name, audience } of audiences) {
      const each = audience.messagesEach / (batches * (rounds + 1))
      const figures = [each, median(audience.cpuUs), median(audience.batchCpuUs)]
      rows.push([name, ...figures.map((figure) => figure.toFixed(2))])
      digests.push(`${name}: ${audience.digest}`)
    }
    console.log(table(rows))
  }
  return digests
}
