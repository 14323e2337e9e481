/**
 * What do orders with very many fills cost other clients? A complete node has a book of small orders and
 * watchers on both transports, some of which read nothing and some slowly; another client sends a request
 * every 10 ms, whether or not the last one was answered. Then the complete book is taken at once, by as few
 * orders as possible.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MATCH_STEPS_MAX } from '../src/units/limits.ts'
import { signed } from '../test/support/bourse-process.ts'
import { bourseTarget } from './support/ack-targets.ts'
import { table } from './support/conditions.ts'
import type { Trader } from './support/load.ts'
import type { Probed } from './support/probe.ts'
import { ProbeClient } from './support/probe-client.ts'
import { Subscribers } from './support/subscribers.ts'

export type SweepSize = { readonly fills: number; readonly watchers: number; readonly calmMs: number }

const PRICES = 10
/** Quantity of a resting order. */
const QUANTITY_EACH = 0.0001
const PLACED_AT_ONCE = 64
/** If nothing arrives for this long, everything has been delivered. */
const QUIET_MS = 500
const POLL_MS = 100
const MIB = 1024 * 1024

type Swept = {
  readonly calm: Probed
  readonly during: Probed
  readonly orderMs: number
  readonly deliveredMs: number
  readonly messages: number
  readonly before: number
  readonly peak: number
}

export async function sweep(size: SweepSize): Promise<void> {
  const { fills, watchers } = size
  if (fills === 0 || watchers === 0) return
  const { calm, during, orderMs, deliveredMs, messages, before, peak } = await measure(size)
  console.log(`${fills} fills at once before ${watchers} watchers; a tenth reads nothing, a tenth slowly`)
  const row = (name: string, { questions, p50Ms, p99Ms, maxMs }: Probed): string[] => [
    name,
    String(questions),
    ...[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1)),
  ]
  const head = ['another client', 'questions', 'p50 ms', 'p99 ms', 'max ms']
  console.log(table([head, row('before', calm), row('until all is delivered', during)]))
  console.log(
    `the orders' answers after ${orderMs.toFixed(0)} ms, ${messages} messages delivered after ${deliveredMs.toFixed(0)} ms; ` +
      `the node's memory ${(before / MIB).toFixed(0)} MiB before, ${(peak / MIB).toFixed(0)} MiB at its peak`,
  )
}

async function measure({ fills, watchers, calmMs }: SweepSize): Promise<Swept> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const audiences = [new Subscribers(), new Subscribers()] as const
  const other = new ProbeClient()
  const { server, trader } = await bourseTarget(directory)
  try {
    await fillBook(trader, fills)
    const tenth = Math.ceil(watchers / 20)
    const shared = {
      port: trader.port,
      symbol: 'BTC/USDT',
      count: Math.ceil(watchers / 2),
      slow: tenth,
      lagging: tenth,
    }
    await audiences[0].join({ ...shared, transport: 'plain' })
    await audiences[1].join({ ...shared, transport: 'socket.io' })
    other.begin(trader)
    await Bun.sleep(calmMs)
    const calm = await other.report()
    const before = memoryOf(server.pid, 'VmRSS')
    other.begin(trader)
    const startedAt = performance.now()
    await takeAll(trader, fills)
    const orderMs = performance.now() - startedAt
    const { messages, at } = await allDelivered(audiences)
    const during = await other.report()
    const peak = memoryOf(server.pid, 'VmHWM')
    return { calm, during, orderMs, deliveredMs: at - startedAt, messages, before, peak }
  } finally {
    other.stop()
    for (const audience of audiences) audience.stop()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function fillBook(trader: Trader, orders: number): Promise<void> {
  let placed = 0
  const placing = async (): Promise<void> => {
    while (placed < orders) await place(trader, 'SELL', String(QUANTITY_EACH), 60_000 + (placed++ % PRICES))
  }
  await Promise.all(Array.from({ length: PLACED_AT_ONCE }, placing))
}

/**
 * Sends as many orders as necessary, all at once, since each may be matched against only a limited number of
 * resting orders.
 */
async function takeAll(trader: Trader, fills: number): Promise<void> {
  const orders: Promise<void>[] = []
  for (let left = fills; left > 0; left -= MATCH_STEPS_MAX) {
    const quantity = (Math.min(left, MATCH_STEPS_MAX) * QUANTITY_EACH).toFixed(4)
    orders.push(place(trader, 'BUY', quantity, 60_000 + PRICES - 1))
  }
  await Promise.all(orders)
}

async function place(trader: Trader, side: string, quantity: string, price: number): Promise<void> {
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', side, quantity, price: String(price) }
  const answer = await signed(`http://127.0.0.1:${trader.port}`, trader, 'POST', 'order', order)
  if (answer.status !== 200) throw new Error(`the order answered ${answer.status}: ${await answer.text()}`)
  await answer.text()
}

/** A slow reader gets a fresh book instead, so the number of messages is not known in advance. */
async function allDelivered(audiences: readonly Subscribers[]): Promise<{ messages: number; at: number }> {
  let found = { messages: 0, at: performance.now() }
  while (performance.now() - found.at < QUIET_MS || found.messages === 0) {
    await Bun.sleep(POLL_MS)
    const arrivals = await Promise.all(audiences.map((audience) => audience.arrivals()))
    const messages = arrivals.reduce((sum, one) => sum + one.messages, 0)
    if (messages > found.messages) found = { messages, at: performance.now() }
  }
  return found
}

/** Bytes, from Linux's /proc; NaN if there is none. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
