/** The servers that `order-to-ack` loads, and the measurements of each. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { median } from '../../test/support/median.ts'
import type { Latencies, Load, LoadPlan, Trader } from './load.ts'
import type { LoadClient } from './load-client.ts'
import { TRACE_DIRECTORY_VARIABLE } from './order-trace.ts'
import { ServerProcess } from './server-process.ts'
import type { CpuByRole } from './thread-cpu.ts'

/** The properties of a server that its load needs. */
export type LoadedServer = {
  /** Microseconds so far, by role; undefined if the system does not report them. */
  readonly cpu: () => CpuByRole | undefined
  readonly stop: () => Promise<void>
}

export type AckTarget<Server extends LoadedServer = LoadedServer> = {
  readonly name: string
  readonly server: Server
  readonly trader: Trader
  /** Resolves when all consequences of the orders are complete: the trade history shows them. */
  readonly settle: () => Promise<void>
}

/** One of the two ceilings, see `bare-server.ts`. */
export async function ceilingTarget(name: 'bare' | 'contract'): Promise<AckTarget> {
  const args = name === 'contract' ? ['--contract'] : []
  const server = await ServerProcess.start('bench/support/bare-server.ts', args, ['gateway'])
  const trader = { port: server.port, apiKey: 'bench', secret: 'bench-secret' }
  return { name, server, trader, settle: async () => {} }
}

export type BourseTargetOptions = {
  /** The directory in which the times of its orders are recorded (`order-trace.ts`). */
  readonly traceDirectory?: string
  /** Number of gateways that serve clients; one by default. */
  readonly gateways?: number
}

/** A sandbox in `directory`, without limits. */
export async function bourseTarget(
  directory: string,
  { traceDirectory, gateways = 1 }: BourseTargetOptions = {},
): Promise<AckTarget<ServerProcess>> {
  const args = ['sandbox', '--port', '0', '--data', directory, '--limits', 'off', '--self-trade', 'NONE']
  if (gateways > 1) args.push('--gateways', String(gateways))
  const isTraced = traceDirectory !== undefined
  const program = isTraced ? 'bench/support/traced-server.ts' : 'src/app/main.ts'
  const variables = isTraced ? { [TRACE_DIRECTORY_VARIABLE]: traceDirectory } : undefined
  const server = await ServerProcess.start(program, args, ['gateway', 'engine', 'follower'], variables)
  const { accounts } = JSON.parse(readFileSync(path.join(directory, 'sandbox.json'), 'utf8')) as {
    accounts: [{ readonly apiKey: string; readonly secret: string }]
  }
  const [{ apiKey, secret }] = accounts
  const trader = { port: server.port, apiKey, secret }
  return { name: 'Bourse', server, trader, settle: () => untilHistoryShows(trader) }
}

/**
 * Longest time that a server may be unavailable, such as a cluster that elects its leader, and the interval
 * of requests.
 */
const HISTORY_MS_MAX = 60_000
const HISTORY_LOOK_MS = 50

/**
 * Waits until the history contains every order acknowledged before. If the server is unavailable (503), the
 * request is repeated for at most `limitMs`; rejects with the last answer, and at once with any other
 * refusal.
 */
export async function untilHistoryShows(
  { port, apiKey, secret }: Trader,
  limitMs = HISTORY_MS_MAX,
): Promise<void> {
  const endMs = performance.now() + limitMs
  for (;;) {
    const query = `size=1&timestamp=${Date.now()}`
    const signature = createHmac('sha256', secret).update(query).digest('hex')
    const url = `http://127.0.0.1:${port}/api/v3/order/trade/history?${query}`
    const answer = await fetch(url, { headers: { 'X-Apikey': apiKey, 'X-Signature': signature } })
    const text = await answer.text()
    if (answer.ok) return
    if (answer.status !== 503 || performance.now() >= endMs)
      throw new Error(`the trade history answered ${answer.status}: ${text}`)
    await Bun.sleep(HISTORY_LOOK_MS)
  }
}

export type AckTerms = Partial<Pick<LoadPlan, 'ratePerSecond' | 'underWay' | 'batch'>> & {
  readonly hasFeed?: boolean
}

/** One line of a table: a target under one load, in several rounds. */
export class AckRow {
  readonly target: AckTarget
  readonly connections: number
  /** Undefined for a closed loop. */
  readonly ratePerSecond: number | undefined
  /** Number of orders in flight on each connection of the stream; undefined over HTTP. */
  readonly underWay: number | undefined
  /** Number of orders in each request over HTTP; undefined for one order, at its own endpoint. */
  readonly batch: number | undefined
  /** Whether another connection follows the account's fills. */
  readonly hasFeed: boolean
  readonly loads: Load[] = []
  readonly #settledMs: number[] = []
  /** Microseconds from the first order until all was settled, over all rounds. */
  readonly #cpuUs = new Map<string, number>()
  #orders = 0

  constructor(
    target: AckTarget,
    connections: number,
    { ratePerSecond, underWay, batch, hasFeed = false }: AckTerms = {},
  ) {
    this.target = target
    this.connections = connections
    this.ratePerSecond = ratePerSecond
    this.underWay = underWay
    this.batch = batch
    this.hasFeed = hasFeed
  }

  /** Runs one round and returns the number of acknowledged orders. A warm-up round is not recorded. */
  async measure(load: LoadClient, orders: number, isWarmUp = false): Promise<number> {
    const { server, trader, settle } = this.target
    const before = server.cpu() ?? {}
    const { connections, ratePerSecond, underWay, batch, hasFeed } = this
    const measured = await load.run({
      ...trader,
      connections,
      orders,
      ratePerSecond,
      underWay,
      batch,
      hasFeed,
    })
    const answeredAt = performance.now()
    await settle()
    if (isWarmUp) return measured.accepted
    this.loads.push(measured)
    this.#settledMs.push(performance.now() - answeredAt)
    this.#orders += orders
    for (const [role, us] of Object.entries(server.cpu() ?? {})) {
      this.#cpuUs.set(role, (this.#cpuUs.get(role) ?? 0) + us - (before[role] ?? 0))
    }
    return measured.accepted
  }

  /** The median over the rounds. */
  of(figure: Exclude<keyof Load, 'fills'>): number {
    return median(this.loads.map((load) => load[figure]))
  }

  /** The same for the fills in the private feed; undefined without a follower. */
  ofFills(figure: keyof Latencies): number | undefined {
    const fills = this.loads.flatMap((load) => load.fills ?? [])
    return fills.length === 0 ? undefined : median(fills.map((each) => each[figure]))
  }

  /** From the last answer until all was settled, median over the rounds. */
  get settledMs(): number {
    return median(this.#settledMs)
  }

  /** Microseconds per order on all of the server's threads; undefined if the system does not report them. */
  serverCpuUs(): number | undefined {
    if (this.#cpuUs.size === 0) return undefined
    return [...this.#cpuUs.values()].reduce((sum, us) => sum + us, 0) / this.#orders
  }

  /** Microseconds per order on threads with this role; undefined if the system does not report them. */
  cpuUs(role: string): number | undefined {
    const us = this.#cpuUs.get(role)
    return us === undefined ? undefined : us / this.#orders
  }
}
