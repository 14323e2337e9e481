/**
 * One market to many subscribers, alternately through two gateways of a cluster with half of the subscribers
 * each, and through one gateway with all of them. Orders are sent through a third gateway, so that the others
 * only serve the stream. Without subscribers, the figure is the cost of following the engine.
 */
import { median } from '../test/support/median.ts'
import { digest } from './support/ack-tables.ts'
import { Cluster } from './support/cluster.ts'
import { table } from './support/conditions.ts'
import type { Trader } from './support/load.ts'
import { LoadClient } from './support/load-client.ts'
import { placedInTable } from './support/placed-orders.ts'
import { Subscribers } from './support/subscribers.ts'

export type FanOutSize = {
  readonly subscribers: number
  readonly rounds: number
  /** Orders per second, half of which trade. */
  readonly rate: number
  /** Length of a round. */
  readonly seconds: number
  readonly leaderTimeoutMs: number | undefined
}

/** The gateways that publish: only the first one, or the first two. */
const AUDIENCES = [
  { name: 'nobody follows: each of two', gateways: 2, share: 0 },
  { name: 'one gateway', gateways: 1, share: 1 },
  { name: 'two gateways, half each', gateways: 2, share: 1 },
] as const
type Audience = (typeof AUDIENCES)[number]

const ORDER_CONNECTIONS = 8
/** If nothing arrives for this long, everything has arrived. */
const QUIET_MS = 300
/** Orders before a round, as a share of the round's. */
const WARM_UP_SHARE = 0.5

type Round = { readonly messages: number; readonly perSecond: number; readonly cpuUs: number }

export async function clusterFanOut(size: FanOutSize): Promise<void> {
  const { subscribers, rounds, rate, seconds } = size
  console.log(
    `fan-out: ${subscribers} plain WebSockets on one market, ${rate} orders/s for ${seconds} s, half of them trade; medians of ${rounds} alternating rounds, after one to warm up`,
  )
  const cluster = await Cluster.start({ gateways: 3, leaderTimeoutMs: size.leaderTimeoutMs })
  const load = new LoadClient()
  try {
    const roundsOf = new Map<Audience, Round[]>(AUDIENCES.map((audience) => [audience, []]))
    let [placed, unknown] = [0, 0]
    for (let round = 0; round <= rounds; round++) {
      for (const audience of AUDIENCES) {
        const { accepted, unknown: open, ...measured } = await play(cluster, load, audience, size)
        placed += accepted
        unknown += open
        if (round > 0) roundsOf.get(audience)?.push(measured)
      }
    }
    console.log(fanOutTable(roundsOf, seconds))
    console.log(digest(placed, await placedInTable(await cluster.openTable()), unknown))
    await cluster.stop()
  } finally {
    load.stop()
    await cluster.discard()
  }
}

async function play(
  cluster: Cluster,
  load: LoadClient,
  { gateways, share }: Audience,
  { subscribers, rate, seconds }: FanOutSize,
): Promise<Round & { readonly accepted: number; readonly unknown: number }> {
  const publishing = cluster.traders.slice(0, gateways)
  const following = publishing.map(() => new Subscribers())
  try {
    const count = Math.floor((subscribers * share) / gateways)
    for (const [i, { port }] of publishing.entries())
      if (count > 0) await following[i]?.join(planOf(port, count))
    const orders = cluster.traders.at(-1) as Trader
    const plan = { ...orders, connections: ORDER_CONNECTIONS, ratePerSecond: rate }
    const warmUp = await load.run({ ...plan, orders: evenly(rate * WARM_UP_SHARE) })
    const begun = await arrived(following)
    const cpuBefore = cluster.gatewayCpuUs()
    const at = performance.now()
    const measured = await load.run({ ...plan, orders: evenly(rate * seconds) })
    const messages = (await arrived(following)) - begun
    const cpu = cluster.gatewayCpuUs().map((us, i) => us - (cpuBefore[i] ?? 0))
    const perSecond = (messages / (performance.now() - at - QUIET_MS)) * 1_000
    const cpuUs = cpu.slice(0, gateways).reduce((sum, us) => sum + us, 0)
    const accepted = warmUp.accepted + measured.accepted
    return { accepted, unknown: warmUp.unknown + measured.unknown, messages, perSecond, cpuUs }
  } finally {
    for (const each of following) each.stop()
  }
}

function planOf(port: number, count: number) {
  return { port, transport: 'plain', symbol: 'BTC/USDT', count, slow: 0, lagging: 0 } as const
}

/** Every second order takes the previous one. */
function evenly(orders: number): number {
  return Math.max(2, Math.floor(orders / 2) * 2)
}

/** The number of messages that all subscribers received since they joined, once no more arrive. */
async function arrived(following: readonly Subscribers[]): Promise<number> {
  let messages = -1
  for (;;) {
    const each = await Promise.all(following.map((one) => one.arrivals()))
    const sum = each.reduce((all, one) => all + one.messages, 0)
    if (sum === messages) return sum
    messages = sum
    await Bun.sleep(QUIET_MS)
  }
}

function fanOutTable(roundsOf: ReadonlyMap<Audience, readonly Round[]>, seconds: number): string {
  const head = ['through', 'messages/s', 'CPU us a message', 'CPU ms a second, all together']
  const lines = [...roundsOf].map(([{ name, share }, all]) => [
    name,
    share === 0 ? '-' : median(all.map(({ perSecond }) => perSecond)).toFixed(0),
    share === 0 ? '-' : median(all.map(({ cpuUs, messages }) => cpuUs / messages)).toFixed(2),
    median(all.map(({ cpuUs }) => cpuUs / 1_000 / seconds)).toFixed(0),
  ])
  return table([head, ...lines])
}
