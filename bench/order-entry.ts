/**
 * How many orders are acknowledged per second over plain, logged-in WebSockets, each only when durable? They
 * are compared with the same orders over HTTP and with a bare HTTP server that only checks the HMAC, all
 * alternately in one run. Closed loop: a fixed number of orders in flight on each connection. Open loop:
 * orders are sent at a fixed rate, and latency counts from the time at which each was due. Client and servers
 * share the machine. Every acknowledgement is checked against the journal.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { digest, entryOpenLoopTable, entryTable, type ProbeRow, probeTable } from './support/ack-tables.ts'
import { AckRow, type AckTarget, bourseTarget, ceilingTarget } from './support/ack-targets.ts'
import { machine } from './support/conditions.ts'
import { LoadClient } from './support/load-client.ts'
import { TraceFiles } from './support/order-trace.ts'
import { waitsTable, waysOf } from './support/order-waits.ts'
import { placedOrders } from './support/placed-orders.ts'
import { ProbeClient } from './support/probe-client.ts'

/** For a few connections that wait for one sync after another: more orders would take too long. */
const FEW = { connections: 8, underWay: 1, orders: 8_000 }
/**
 * Over HTTP: the number of orders in each request, with as many connections as give the same number of orders
 * in flight as for single orders.
 */
const BATCHES = { connections: 16, orders: 16 }
/**
 * The connections that send orders beside the other client: one with the maximum that a connection may send
 * per second, then as many connections as possible.
 */
const FLOODS = [
  { beside: 'nobody', connections: 0, underWay: 0, ratePerSecond: undefined },
  { beside: 'one connection, 8,000 orders/s', connections: 1, underWay: 256, ratePerSecond: 8_000 },
  { beside: '64 connections, 16 under way on each', connections: 64, underWay: 16, ratePerSecond: undefined },
]
/** Duration of the measurement with the other client alone. */
const ALONE_MS = 1_000
/** Number of rounds of the closed loop before waits are traced, so that compilation is complete. */
const WARM_UP_ROUNDS = 4
/** Longest duration of an open loop. */
const OPEN_LOOP_SECONDS = 4

export const PROGRAM = {
  command: 'npm run bench -- order-entry',
  about: 'Orders over the stream: how many a second, how long each takes, beside HTTP and a bare server.',
  options: {
    orders: { kind: 'whole', default: 50_000, help: 'orders of each round' },
    connections: { kind: 'whole', default: 64, help: 'WebSockets' },
    'under-way': { kind: 'whole', default: 16, help: 'orders under way on each' },
    'http-connections': { kind: 'whole', default: 256, help: 'connections over HTTP' },
    rounds: { kind: 'whole', default: 5, help: 'rounds, after one to warm up' },
    rate: { kind: 'whole', default: 8_000, help: 'orders a second of the open loop' },
    waits: { kind: 'flag', help: 'only what an order over the stream waits for in the open loop' },
  },
} as const satisfies Program

type Size = {
  readonly orders: number
  readonly connections: number
  readonly underWay: number
  readonly httpConnections: number
  readonly rounds: number
  readonly rate: number
  readonly waits: boolean
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseProgram(PROGRAM, args)
  const size = { ...values, underWay: values['under-way'], httpConnections: values['http-connections'] }
  if (values.waits) await traceWaits(size)
  else await measure(size)
}

async function measure(size: Size): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const load = new LoadClient()
  const targets: AckTarget[] = []
  try {
    const bare = await ceilingTarget('bare')
    targets.push(bare)
    const bourse = await bourseTarget(directory)
    targets.push(bourse)
    console.log(`${machine()}; medians of ${size.rounds} alternating rounds, after one to warm up`)
    const closed = await closedLoop(size, bare, bourse, load)
    console.log(entryTable(closed.rows))
    const open = await openLoop(size, bare, bourse, load)
    console.log(entryOpenLoopTable(open.rows))
    const beside = await besideFlood(size, bourse, load)
    console.log(probeTable(beside.rows))
    await bourse.server.stop()
    const acknowledged = closed.acknowledged + open.acknowledged + beside.acknowledged
    console.log(digest(acknowledged, await placedOrders(directory)))
  } finally {
    load.stop()
    for (const { server } of targets) await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function closedLoop(size: Size, bare: AckTarget, bourse: AckTarget, load: LoadClient) {
  const { connections, underWay, httpConnections, orders, rounds } = size
  const few = Math.min(orders, FEW.orders)
  const rows = [
    { row: new AckRow(bare, httpConnections), orders },
    { row: new AckRow(bourse, httpConnections), orders },
    { row: new AckRow(bourse, connections, { underWay }), orders },
    { row: new AckRow(bourse, FEW.connections, { underWay: FEW.underWay }), orders: few },
    {
      row: new AckRow(bourse, BATCHES.connections, { batch: BATCHES.orders }),
      orders: orders - (orders % BATCHES.orders),
    },
  ]
  return { rows: rows.map(({ row }) => row), acknowledged: await byTurns(rows, rounds, bourse, load) }
}

async function openLoop(
  { rate, rounds, ...size }: Size,
  bare: AckTarget,
  bourse: AckTarget,
  load: LoadClient,
) {
  const orders = Math.min(size.orders, rate * OPEN_LOOP_SECONDS)
  const rows = [
    { row: new AckRow(bare, size.httpConnections, { ratePerSecond: rate }), orders },
    { row: new AckRow(bourse, size.httpConnections, { ratePerSecond: rate }), orders },
    { row: new AckRow(bourse, size.connections, { ratePerSecond: rate, underWay: size.underWay }), orders },
    {
      row: new AckRow(bourse, size.connections, {
        ratePerSecond: rate,
        underWay: size.underWay,
        hasFeed: true,
      }),
      orders: orders - (orders % 2),
    },
  ]
  return { rows: rows.map(({ row }) => row), acknowledged: await byTurns(rows, rounds, bourse, load) }
}

/**
 * Another client continuously requests the best prices over HTTP: alone, then beside connections that send as
 * many orders as they may.
 */
async function besideFlood({ orders, rounds }: Size, bourse: AckTarget, load: LoadClient) {
  const probe = new ProbeClient()
  const rows: ProbeRow[] = []
  let acknowledged = 0
  try {
    for (const { beside, connections, underWay, ratePerSecond } of FLOODS) {
      probe.begin(bourse.trader)
      if (connections === 0) await Bun.sleep(ALONE_MS)
      for (let round = 0; connections > 0 && round < rounds; round++) {
        const plan = { ...bourse.trader, connections, orders, ratePerSecond, underWay }
        acknowledged += (await load.run(plan)).accepted
      }
      rows.push({ beside, ...(await probe.report()) })
    }
  } finally {
    probe.stop()
  }
  return { rows, acknowledged }
}

/** Runs the same open loop on a separate server, which records when each order passes each stage. */
async function traceWaits({ connections, underWay, orders, rounds, rate }: Size): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const each = Math.min(orders, rate * OPEN_LOOP_SECONDS)
  const files = new TraceFiles(orders * WARM_UP_ROUNDS + each * rounds)
  const load = new LoadClient()
  let bourse: AckTarget | undefined
  try {
    bourse = await bourseTarget(directory, { traceDirectory: files.directory })
    const plan = { ...bourse.trader, connections, underWay, ratePerSecond: undefined }
    let before = 0
    for (; before < orders * WARM_UP_ROUNDS; before += orders) await load.run({ ...plan, orders })
    console.log(
      `${machine()}; ${rounds} rounds of ${each} orders, ${rate} a second, after ${before} to warm up`,
    )
    const open = { ...plan, orders: each, ratePerSecond: rate, traceDirectory: files.directory }
    for (let round = 0; round < rounds; round++, before += each) {
      const { accepted } = await load.run(open)
      if (accepted !== each) throw new Error(`${accepted} of ${each} orders were accepted`)
      console.log(waitsTable(waysOf(files, before, each)))
    }
    await bourse.server.stop()
    console.log(digest(before, await placedOrders(directory)))
  } finally {
    load.stop()
    await bourse?.server.stop()
    files.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs every row once in every round; returns the number of orders acknowledged for `counted`. */
async function byTurns(
  rows: readonly { readonly row: AckRow; readonly orders: number }[],
  rounds: number,
  counted: AckTarget,
  load: LoadClient,
): Promise<number> {
  let acknowledged = 0
  for (let round = 0; round <= rounds; round++) {
    for (const { row, orders } of rows) {
      const accepted = await row.measure(load, orders, round === 0)
      if (row.target === counted) acknowledged += accepted
    }
  }
  return acknowledged
}
