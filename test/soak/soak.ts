/**
 * The real node at half of its capacity, for a given time: orders are sent on schedule whatever the delay of
 * the answers, with subscribers and readers, while memory, latency and disk are measured.
 */
import type { Trader } from '../../bench/support/load.ts'
import { LoadClient } from '../../bench/support/load-client.ts'
import { askAdmin, readAdminAddress } from '../../src/cli/admin/client.ts'
import { dataDirectory, readSandbox, sandbox } from '../support/bourse-process.ts'
import { median } from '../support/median.ts'
import { Audience } from './audience.ts'
import { unevenness, type Window } from './flatness.ts'
import { diskBytes, rssBytes } from './node-usage.ts'

const CONNECTIONS = 64
/** Orders are signed before they are sent, and a signature is valid for five seconds. */
const SLICE_SECONDS = 2
/** Number of rounds of the closed loop that measures the node's capacity: the first one is the warm-up. */
const SATURATION_ROUNDS = 4
const SATURATION_ORDERS = 10_000
const SHARE = 0.5
const SAMPLE_MS = 250
/** Commissions use up one account's initial balance in some hours. */
const FUNDING = [
  { asset: 'BTC', amount: '1000000' },
  { asset: 'USDT', amount: '100000000000' },
]

export type SoakPlan = {
  readonly seconds: number
  readonly windows: number
  /**
   * Further halves that are run, at most, while the judged half is not flat: on a busy machine the warm-up
   * takes longer, by the clock, than its half. A leak grows in each half and is found after the last.
   */
  readonly furtherHalves?: number
  /** Called before each further half, with the measurements that were not flat. */
  readonly onFurther?: (problems: readonly string[]) => void
  /** Called after each window. */
  readonly onWindow?: (window: Window) => void
}

export type SoakReport = {
  readonly saturation: number
  readonly rate: number
  /** The last half, which is judged, and the same number of windows before it. */
  readonly windows: readonly Window[]
  readonly messages: number
  readonly answers: number
}

/** Rejects if the node exits, or if a subscriber or reader is not served. */
export async function soak(plan: SoakPlan): Promise<SoakReport> {
  const { seconds, windows: count, furtherHalves = 0, onFurther, onWindow } = plan
  const { path: data, remove } = dataDirectory()
  const load = new LoadClient()
  const node = await sandbox(data, '--limits', 'off')
  let audience: Audience | undefined
  try {
    const trader = await fundedTrader(data)
    const saturation = await saturationOf(load, trader)
    const rate = Math.max(1, Math.floor(saturation * SHARE))
    audience = new Audience(readSandbox(data))
    const windows: Window[] = []
    const startedMs = performance.now()
    const half = Math.ceil(count / 2)
    const judged = (): Window[] => windows.slice(-count)
    const isOver = (): boolean => {
      if (windows.length >= count + furtherHalves * half) return true
      if (windows.length < count || (windows.length - count) % half !== 0) return false
      const problems = unevenness(judged())
      if (problems.length > 0) onFurther?.(problems)
      return problems.length === 0
    }
    while (!isOver()) {
      const endMs = startedMs + ((windows.length + 1) / count) * seconds * 1_000
      const window = await measure({ load, trader, rate, endMs, data, pid: node.child.pid })
      windows.push(window)
      onWindow?.(window)
    }
    const { messages, answers } = await audience.leave()
    audience = undefined
    if ((await node.end('SIGTERM')) !== 0) throw new Error(`the node did not stop cleanly: ${node.err}`)
    return { saturation, rate, windows: judged(), messages, answers }
  } finally {
    load.stop()
    audience?.drop()
    await node.end('SIGKILL')
    remove()
  }
}

async function fundedTrader(data: string): Promise<Trader> {
  const { baseUrl, accounts } = readSandbox(data)
  const [account] = accounts
  if (account === undefined) throw new Error('expected an account')
  for (const { asset, amount } of FUNDING) {
    const audit = { actor: 'soak', note: 'for a long run', reference: `soak:${asset}` }
    await askAdmin(readAdminAddress(data), 'money/credit', { ...audit, account: account.name, asset, amount })
  }
  return { port: Number(new URL(baseUrl).port), apiKey: account.apiKey, secret: account.secret }
}

/** Orders per second when each connection sends as soon as it has an answer. */
async function saturationOf(load: LoadClient, trader: Trader): Promise<number> {
  const rates: number[] = []
  const plan = { ...trader, connections: CONNECTIONS, orders: SATURATION_ORDERS, ratePerSecond: undefined }
  for (let round = 0; round < SATURATION_ROUNDS; round++) rates.push((await load.run(plan)).perSecond)
  return median(rates.slice(1))
}

type Measuring = {
  readonly load: LoadClient
  readonly trader: Trader
  readonly rate: number
  readonly endMs: number
  readonly data: string
  readonly pid: number
}

/** Measures slices until the window's end, at least one. */
async function measure({ load, trader, rate, endMs, data, pid }: Measuring): Promise<Window> {
  const rss: number[] = []
  const sampler = setInterval(() => rss.push(rssBytes(pid)), SAMPLE_MS)
  const orders = Math.ceil(rate * SLICE_SECONDS)
  const plan = { ...trader, connections: CONNECTIONS, orders, ratePerSecond: rate }
  const p50s: number[] = []
  const p99s: number[] = []
  let [accepted, refused] = [0, 0]
  try {
    do {
      const slice = await load.run(plan)
      p50s.push(slice.p50Ms)
      p99s.push(slice.p99Ms)
      accepted += slice.accepted
      refused += slice.refused
    } while (performance.now() < endMs)
  } finally {
    clearInterval(sampler)
  }
  const latency = { p50Ms: median(p50s), p99Ms: median(p99s) }
  return { ...latency, rssBytes: median(rss), accepted, refused, diskBytes: diskBytes(data) }
}
