/**
 * Orders through a gateway of a cluster, each acknowledged only when its batch is committed and on the disk
 * of one of two standbys, compared with the same orders on a node with its own journal: alternately in one
 * run, over WebSockets and HTTP, in a closed loop and at one fixed rate.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { digest } from './support/ack-tables.ts'
import { AckRow, type AckTarget, bourseTarget, untilHistoryShows } from './support/ack-targets.ts'
import { Cluster } from './support/cluster.ts'
import { table } from './support/conditions.ts'
import { LoadClient } from './support/load-client.ts'
import { placedInTable, placedOrders } from './support/placed-orders.ts'

export type OrdersSize = {
  readonly orders: number
  /** WebSockets, each with several orders in flight. */
  readonly connections: number
  readonly underWay: number
  readonly httpConnections: number
  readonly rounds: number
  /** Orders per second in the open loop. */
  readonly rate: number
  readonly leaderTimeoutMs: number | undefined
}

/** Longest duration of an open loop. */
const OPEN_LOOP_SECONDS = 4
const ROLES = ['gateways', 'leader', 'standby', 'database'] as const

type Row = { readonly row: AckRow; readonly orders: number }

export async function clusterOrders(size: OrdersSize): Promise<void> {
  console.log(
    `orders: a quorum commit each, one of two standbys; medians of ${size.rounds} alternating rounds, after one to warm up`,
  )
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const load = new LoadClient()
  let cluster: Cluster | undefined
  let node: AckTarget | undefined
  try {
    cluster = await Cluster.start({ gateways: 1, leaderTimeoutMs: size.leaderTimeoutMs })
    node = { ...(await bourseTarget(directory)), name: 'node' }
    const targets = [node, targetOf(cluster)]
    const closed = targets.flatMap((target) => closedRows(target, size))
    const open = targets.flatMap((target) => openRows(target, size))
    const placed = new Map<AckTarget, number>()
    for (const rows of [closed, open]) await byTurns(rows, size.rounds, load, placed)
    console.log(ordersTable('closed loop', closed))
    console.log(ordersTable('open loop; latency from the moment an order was to be sent', open))
    await node.server.stop()
    const [ofNode, ofCluster] = targets.map((target) => placed.get(target) ?? 0)
    console.log(`node: ${digest(ofNode ?? 0, await placedOrders(directory))}`)
    console.log(`cluster: ${digest(ofCluster ?? 0, await placedInTable(await cluster.openTable()))}`)
    await cluster.stop()
  } finally {
    load.stop()
    await node?.server.stop()
    await cluster?.discard()
    rmSync(directory, { recursive: true, force: true })
  }
}

function targetOf(cluster: Cluster): AckTarget {
  const [trader] = cluster.traders
  if (trader === undefined) throw new Error('expected a gateway')
  const server = { cpu: () => cluster.cpu(), stop: () => cluster.stop() }
  return { name: 'cluster', server, trader, settle: () => untilHistoryShows(trader) }
}

function closedRows(
  target: AckTarget,
  { orders, connections, underWay, httpConnections }: OrdersSize,
): Row[] {
  return [
    { row: new AckRow(target, connections, { underWay }), orders },
    { row: new AckRow(target, httpConnections), orders },
  ]
}

function openRows(target: AckTarget, size: OrdersSize): Row[] {
  const { connections, underWay, httpConnections, rate: ratePerSecond } = size
  const orders = Math.min(size.orders, ratePerSecond * OPEN_LOOP_SECONDS)
  return [
    { row: new AckRow(target, connections, { underWay, ratePerSecond }), orders },
    { row: new AckRow(target, httpConnections, { ratePerSecond }), orders },
  ]
}

async function byTurns(
  rows: readonly Row[],
  rounds: number,
  load: LoadClient,
  placed: Map<AckTarget, number>,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { row, orders } of rows) {
      const accepted = await row.measure(load, orders, round === 0)
      placed.set(row.target, (placed.get(row.target) ?? 0) + accepted)
    }
  }
}

function ordersTable(title: string, rows: readonly Row[]): string {
  const head = ['of', 'over', 'orders/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'late p99 ms', 'CPU us', ...ROLES]
  const lines = rows.map(({ row }) => [
    row.target.name,
    row.underWay === undefined
      ? `HTTP, ${row.connections}`
      : `WebSocket, ${row.connections} x ${row.underWay}`,
    row.of('perSecond').toFixed(0),
    ...(['p50Ms', 'p99Ms', 'p999Ms', 'lateP99Ms'] as const).map((figure) => row.of(figure).toFixed(2)),
    row.serverCpuUs()?.toFixed(1) ?? '-',
    ...ROLES.map((role) => row.cpuUs(role)?.toFixed(1) ?? '-'),
  ])
  return `-- ${title}; CPU in microseconds per order, of all processes but the client\n${table([head, ...lines])}`
}
