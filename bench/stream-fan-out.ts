/**
 * What does it cost to publish one busy symbol to many subscribers? Measures the CPU time of the server
 * process per delivered message, compared alternately with the runtime's own publishing of the same bytes on
 * a bare server.
 */

import type { Topic } from '../src/contract/stream/stream-channels.ts'
import { median } from '../test/support/median.ts'
import { table } from './support/conditions.ts'
import { FanOutServer } from './support/fan-out.ts'
import { Subscribers } from './support/subscribers.ts'
import type { Transport } from './support/subscription.ts'

export type FanOutSize = {
  readonly subscribers: readonly number[]
  readonly rounds: number
  readonly batches: number
}

/** Random orders per batch: some match, some rest, some are canceled. */
export const COMMANDS = 3
/** The time per subscriber in which a batch is sent, before the next one follows. */
const PER_SUBSCRIBER_US = 20
const PREFIXES = { plain: '', 'socket.io': '42' } as const satisfies Record<Transport, string>

/** One server with its subscribers. */
export class Audience {
  readonly server: FanOutServer
  /**
   * For each round except the first: CPU time per delivered message, and per batch of the market for each
   * subscriber.
   */
  readonly cpuUs: number[] = []
  readonly batchCpuUs: number[] = []
  digest = ''
  readonly #subscribers: Subscribers
  readonly #count: number
  #messages = 0
  /** Messages received by each subscriber in the rounds, including the first. */
  get messagesEach(): number {
    return this.#messages / this.#count
  }

  static async gather(
    mode: 'bourse' | 'bare',
    transport: Transport,
    count: number,
    topic?: Topic,
  ): Promise<Audience> {
    const { server, port } = await FanOutServer.start(mode, PREFIXES[transport], topic)
    const subscribers = new Subscribers()
    const plan = { port, transport, symbol: 'BTC/USDT', count, slow: 0, lagging: 0 }
    await subscribers.join(topic === undefined ? plan : { ...plan, topic })
    return new Audience(server, subscribers, count)
  }

  private constructor(server: FanOutServer, subscribers: Subscribers, count: number) {
    this.server = server
    this.#subscribers = subscribers
    this.#count = count
  }

  /** One round; the first is only a warm-up. */
  async play(batches: number, isWarmUp: boolean): Promise<void> {
    const everyMs = Math.ceil((this.#count * PER_SUBSCRIBER_US) / 1_000)
    const messages = await this.server.publish(batches, COMMANDS, everyMs)
    const arrivals = await this.#subscribers.until(this.#messages + messages * this.#count)
    const cpuUs = await this.server.cpuUs()
    this.#messages = arrivals.messages
    this.digest = arrivals.digest
    if (isWarmUp) return
    this.cpuUs.push(cpuUs / (messages * this.#count))
    this.batchCpuUs.push(cpuUs / (batches * this.#count))
  }

  stop(): void {
    this.#subscribers.stop()
    this.server.stop()
  }
}

/**
 * Prints the table; returns a digest of what was published: a single one if all subscribers received the
 * same.
 */
export async function fanOut({ subscribers, rounds, batches }: FanOutSize): Promise<string[]> {
  if (subscribers.length === 0) return []
  console.log(`fan-out: ${batches} batches of ${COMMANDS} random orders a round, one symbol, no compression;`)
  console.log(
    `CPU of the server per message delivered, medians of ${rounds} alternating rounds, after one to warm up`,
  )
  const rows = [['transport', 'subscribers', 'Bourse us', 'bare us', 'ratio']]
  const digests = new Set<string>()
  for (const transport of ['plain', 'socket.io'] as const) {
    for (const count of subscribers) {
      const bourse = await Audience.gather('bourse', transport, count)
      const bare = await Audience.gather('bare', transport, count)
      try {
        for (let round = 0; round <= rounds; round++) {
          await bourse.play(batches, round === 0)
          await bare.play(batches, round === 0)
        }
      } finally {
        bourse.stop()
        bare.stop()
      }
      const [ours, theirs] = [median(bourse.cpuUs), median(bare.cpuUs)]
      rows.push([
        transport,
        String(count),
        ours.toFixed(2),
        theirs.toFixed(2),
        `${(ours / theirs).toFixed(2)}x`,
      ])
      digests.add(bourse.digest).add(bare.digest)
    }
  }
  console.log(table(rows))
  return [...digests].map((digest) => `published: ${digest}`)
}
