/**
 * How soon after the acknowledgement of an order do readers of the stream receive its match? A complete node
 * (one for all cases) runs under a steady load of signed orders, half of which trade. Measures the delay from
 * the time at which the client has the answer to the time at which a reader has the match, over every
 * twentieth reader and every match. A match that arrives before the answer counts as 0. Then the same with a
 * tenth more clients, which joined but do not read.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bourseTarget } from './support/ack-targets.ts'
import { table } from './support/conditions.ts'
import type { Trader } from './support/load.ts'
import { LoadGenerator } from './support/load-generator.ts'
import { Subscribers } from './support/subscribers.ts'
import { type Delays, moment, type Transport } from './support/subscription.ts'

export type NewsSize = { readonly readers: number; readonly ratePerSecond: number; readonly seconds: number }

const ORDER_CONNECTIONS = 64
const ORDER_ID = Buffer.from('"id":"')
const UUID_LENGTH = 36
/** Time for the last messages to arrive. */
const QUIET_MS = 500

export async function news(size: NewsSize): Promise<void> {
  const { readers, ratePerSecond, seconds } = size
  console.log(
    `news: ${readers} readers, open loop of ${ratePerSecond} orders/s for ${seconds} s, half of them trade`,
  )
  const rows = [
    ['transport', 'not reading', 'answer p99 ms', 'news p50 ms', 'p99 ms', 'max ms', 'matches x readers'],
  ]
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const { server, trader } = await bourseTarget(directory)
  try {
    for (const transport of ['plain', 'socket.io'] as const) {
      for (const slow of [0, Math.ceil(readers / 10)]) {
        const { delays, answerP99Ms } = await measure(trader, transport, slow, size)
        const figures = [answerP99Ms, delays.p50Ms, delays.p99Ms, delays.maxMs].map((ms) => ms.toFixed(2))
        rows.push([transport, String(slow), ...figures, String(delays.count)])
      }
    }
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  console.log(table(rows))
}

async function measure(
  trader: Trader,
  transport: Transport,
  slow: number,
  { readers, ratePerSecond, seconds }: NewsSize,
): Promise<{ delays: Delays; answerP99Ms: number }> {
  const subscribers = new Subscribers()
  try {
    await subscribers.join({
      port: trader.port,
      transport,
      symbol: 'BTC/USDT',
      count: readers + slow,
      slow,
      lagging: 0,
    })
    const load = { ...trader, connections: ORDER_CONNECTIONS, ratePerSecond }
    await new LoadGenerator({ ...load, orders: ratePerSecond }).run()
    await Bun.sleep(QUIET_MS)
    await subscribers.delays([])
    const acknowledged: [string, number][] = []
    const generator = new LoadGenerator({ ...load, orders: ratePerSecond * seconds }, (answer) => {
      const at = answer.indexOf(ORDER_ID) + ORDER_ID.length
      acknowledged.push([answer.toString('latin1', at, at + UUID_LENGTH), moment()])
    })
    const { p99Ms } = await generator.run()
    await Bun.sleep(QUIET_MS)
    return { delays: await subscribers.delays(acknowledged), answerP99Ms: p99Ms }
  } finally {
    subscribers.stop()
  }
}
