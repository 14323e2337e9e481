/**
 * What do a thousand subscribers of candles cost other clients? A complete node runs under a steady load of
 * signed orders, half of which trade. Measures the latency of an order without subscribers, beside members of
 * the contract's room, and beside subscribers of candles of four intervals, one of which is one second; and
 * the time until all of the subscribers have their first 500 candles.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { KlineTopic } from '../src/contract/stream/stream-channels.ts'
import { bourseTarget } from './support/ack-targets.ts'
import { table } from './support/conditions.ts'
import type { LoadPlan, Trader } from './support/load.ts'
import { LoadGenerator } from './support/load-generator.ts'
import { Subscribers } from './support/subscribers.ts'
import { moment, type SubscriptionPlan } from './support/subscription.ts'

export type CandlesSize = {
  readonly subscribers: number
  readonly ratePerSecond: number
  readonly seconds: number
}

const ORDER_CONNECTIONS = 64
const CHANNELS: readonly KlineTopic['channel'][] = ['kline_1s', 'kline_1m', 'kline_1h', 'kline_1M']

type Audience = 'nobody' | 'members' | 'candles'

export async function candles(size: CandlesSize): Promise<void> {
  const { subscribers, ratePerSecond, seconds } = size
  if (subscribers === 0) return
  console.log(
    `candles: ${subscribers} subscribers, open loop of ${ratePerSecond} orders/s for ${seconds} s, half of them trade`,
  )
  const rows = [
    ['beside', 'answer p50 ms', 'p99 ms', 'all have their state after ms', 'messages each a second'],
  ]
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const { server, trader } = await bourseTarget(directory)
  try {
    // Trades exist before the first subscriber joins.
    await new LoadGenerator({ ...loadOf(trader, size), orders: ratePerSecond }).run()
    for (const audience of ['nobody', 'members', 'candles'] as const) {
      const { answers, joinedMs, messages } = await measure(trader, audience, size)
      const each = audience === 'nobody' ? 0 : messages / subscribers / seconds
      const figures = [answers.p50Ms, answers.p99Ms, joinedMs, each]
      rows.push([audience, ...figures.map((figure) => figure.toFixed(2))])
    }
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  console.log(table(rows))
}

type Measured = {
  readonly answers: { readonly p50Ms: number; readonly p99Ms: number }
  readonly joinedMs: number
  readonly messages: number
}

function loadOf(trader: Trader, { ratePerSecond }: CandlesSize): Omit<LoadPlan, 'orders'> {
  return { ...trader, connections: ORDER_CONNECTIONS, ratePerSecond }
}

async function measure(trader: Trader, audience: Audience, size: CandlesSize): Promise<Measured> {
  const { subscribers: count, ratePerSecond, seconds } = size
  const subscribers = new Subscribers()
  try {
    const plan = { port: trader.port, transport: 'plain', symbol: 'BTC/USDT', slow: 0, lagging: 0 } as const
    const from = moment()
    for (const some of plansOf(audience, count)) await subscribers.join({ ...plan, ...some })
    const joinedMs = moment() - from
    const { messages: before } = await subscribers.arrivals()
    const answers = await new LoadGenerator({
      ...loadOf(trader, size),
      orders: ratePerSecond * seconds,
    }).run()
    const { messages } = await subscribers.arrivals()
    return { answers, joinedMs, messages: messages - before }
  } finally {
    subscribers.stop()
  }
}

function plansOf(audience: Audience, count: number): Pick<SubscriptionPlan, 'count' | 'topic'>[] {
  if (audience === 'nobody') return []
  if (audience === 'members') return [{ count }]
  const each = Math.ceil(count / CHANNELS.length)
  return CHANNELS.map((channel) => ({ count: each, topic: { channel, intervalMs: undefined } }))
}
