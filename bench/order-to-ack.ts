/**
 * How many signed orders are acknowledged per second, each only when durable, over real HTTP connections, and
 * how long does one take? They are compared in the same run, alternately, with two servers on the same
 * runtime that store nothing: `bare` reads the body, checks the HMAC and answers with the same number of
 * bytes; `contract` also does everything that the interface requires of HTTP. Closed loop: every connection
 * has one order in flight. Open loop: orders are sent at a fixed rate, and latency counts from the time at
 * which each was due. Client and servers share the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { closedLoopTable, cpuTable, digest, openLoopTable, type Trio } from './support/ack-tables.ts'
import { AckRow, type AckTarget, bourseTarget, ceilingTarget } from './support/ack-targets.ts'
import { machine } from './support/conditions.ts'
import { LoadClient } from './support/load-client.ts'
import { placedOrders } from './support/placed-orders.ts'

type Size = {
  readonly orders: number
  readonly connections: readonly number[]
  readonly rounds: number
  /** Rates of the open loop, as shares of the closed loop's highest. */
  readonly shares: readonly number[]
}

type Targets = readonly [bare: AckTarget, contract: AckTarget, bourse: AckTarget]

/** Number of connections of the open loop. */
const OPEN_LOOP_CONNECTIONS = 256
/**
 * Limit for rounds with few connections, in which each order waits for its own sync: more orders would take
 * too long.
 */
const ORDERS_PER_CONNECTION_MAX = 2_000
/** Longest duration of an open loop: its orders are signed before it starts. */
const OPEN_LOOP_SECONDS = 3

export const PROGRAM = {
  command: 'npm run bench -- order-to-ack',
  about:
    'How long from an order to its acknowledgement, in a closed and an open loop, beside two bare servers.',
  options: {
    orders: { kind: 'whole', default: 50_000, help: 'orders of each round' },
    connections: {
      kind: 'numbers',
      default: [1, 16, 64, 256, 1_024],
      help: 'connections of the closed loop',
    },
    rounds: { kind: 'whole', default: 5, help: 'rounds, after one to warm up' },
    shares: {
      kind: 'numbers',
      default: [0.1, 0.25, 0.5],
      help: 'rates of the open loop, as shares of the highest of the closed loop',
    },
  },
} as const satisfies Program

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseProgram(PROGRAM, args)
  await measure({
    orders: values.orders,
    connections: values.connections,
    rounds: values.rounds,
    shares: values.shares,
  })
}

async function measure(size: Size): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const load = new LoadClient()
  const targets: AckTarget[] = []
  try {
    const bare = await ceilingTarget('bare')
    targets.push(bare)
    const contract = await ceilingTarget('contract')
    targets.push(contract)
    const bourse = await bourseTarget(directory)
    targets.push(bourse)
    console.log(`${machine()}; medians of ${size.rounds} alternating rounds, after one to warm up`)
    const closed = await closedLoop(size, [bare, contract, bourse], load)
    console.log(closedLoopTable(closed.trios))
    console.log(cpuTable(closed.trios))
    const saturation = Math.max(...closed.trios.map(([, , row]) => row.of('perSecond')))
    const open = await openLoop(size, bourse, saturation, load)
    console.log(openLoopTable(open.rows))
    await bourse.server.stop()
    console.log(digest(closed.acknowledged + open.acknowledged, await placedOrders(directory)))
  } finally {
    load.stop()
    for (const { server } of targets) await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function closedLoop(size: Size, [bare, contract, bourse]: Targets, load: LoadClient) {
  const trios: Trio[] = []
  let acknowledged = 0
  for (const connections of size.connections) {
    const orders = Math.min(size.orders, connections * ORDERS_PER_CONNECTION_MAX)
    const trio: Trio = [
      new AckRow(bare, connections),
      new AckRow(contract, connections),
      new AckRow(bourse, connections),
    ]
    for (let round = 0; round <= size.rounds; round++) {
      await trio[0].measure(load, orders, round === 0)
      await trio[1].measure(load, orders, round === 0)
      acknowledged += await trio[2].measure(load, orders, round === 0)
    }
    trios.push(trio)
  }
  return { trios, acknowledged }
}

async function openLoop(size: Size, bourse: AckTarget, saturation: number, load: LoadClient) {
  const rows: AckRow[] = []
  let acknowledged = 0
  for (const share of size.shares) {
    const rate = Math.max(1, Math.floor(saturation * share))
    const orders = Math.min(size.orders, rate * OPEN_LOOP_SECONDS)
    const row = new AckRow(bourse, OPEN_LOOP_CONNECTIONS, { ratePerSecond: rate })
    for (let round = 0; round < size.rounds; round++) acknowledged += await row.measure(load, orders)
    rows.push(row)
  }
  return { rows, acknowledged }
}
