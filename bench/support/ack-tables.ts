/** The tables of `order-to-ack`. */
import type { AckRow } from './ack-targets.ts'
import { table } from './conditions.ts'
import type { PlacedOrders } from './placed-orders.ts'
import type { Probed } from './probe.ts'

/** The two ceilings and Bourse under the same load. */
export type Trio = readonly [bare: AckRow, contract: AckRow, bourse: AckRow]

/** For the open loop; the last two are the load generator's own. */
const LATENCIES = ['p50Ms', 'p99Ms', 'p999Ms', 'maxMs'] as const
const FIGURES = [...LATENCIES, 'lateP99Ms', 'lateMaxMs'] as const
const ROLES = ['gateway', 'engine', 'follower', 'runtime'] as const

export function closedLoopTable(trios: readonly Trio[]): string {
  const head = [
    'connections',
    'bare/s',
    'contract/s',
    'Bourse/s',
    'to bare',
    'to contract',
    'p50 ms',
    'p99 ms',
    'refused',
    'settled ms',
    'bytes',
  ]
  const rows = trios.map(([bare, contract, bourse]) => [
    String(bourse.connections),
    ...[bare, contract, bourse].map((row) => row.of('perSecond').toFixed(0)),
    ...[bare, contract].map((row) => (bourse.of('perSecond') / row.of('perSecond')).toFixed(2)),
    bourse.of('p50Ms').toFixed(2),
    bourse.of('p99Ms').toFixed(2),
    String(bourse.loads.reduce((sum, { refused }) => sum + refused, 0)),
    bourse.settledMs.toFixed(0),
    [bare, contract, bourse].map((row) => row.of('answerBytes').toFixed(0)).join(' / '),
  ])
  return titled('closed loop, one order under way on each connection', head, rows)
}

/** The first row is the bare server, the second HTTP, the others the stream. */
export function entryTable(rows: readonly AckRow[]): string {
  const [bare, http] = rows
  const to = (row: AckRow, other: AckRow | undefined): string =>
    other === undefined ? '-' : (row.of('perSecond') / other.of('perSecond')).toFixed(2)
  const head = [
    ...ENTRY_HEAD,
    'orders/s',
    'to bare',
    'to HTTP',
    'p50 ms',
    'p99 ms',
    ...ROLES,
    'server',
    'client',
    'refused',
  ]
  const lines = rows.map((row) => [
    ...loadCells(row),
    row.of('perSecond').toFixed(0),
    to(row, bare),
    to(row, http),
    row.of('p50Ms').toFixed(2),
    row.of('p99Ms').toFixed(2),
    ...ROLES.map((role) => row.cpuUs(role)?.toFixed(1) ?? '-'),
    row.serverCpuUs()?.toFixed(1) ?? '-',
    row.of('cpuUs').toFixed(1),
    String(row.loads.reduce((sum, { refused }) => sum + refused, 0)),
  ])
  return titled('closed loop; CPU in microseconds per order by thread', head, lines)
}

export function entryOpenLoopTable(rows: readonly AckRow[]): string {
  const head = [
    ...ENTRY_HEAD,
    'orders/s',
    'reached/s',
    'p50 ms',
    'p99 ms',
    'p99.9 ms',
    'max ms',
    'late p99 ms',
    'late max ms',
  ]
  const lines = rows.flatMap((row) => {
    const answers = [
      ...loadCells(row),
      String(row.ratePerSecond),
      row.of('perSecond').toFixed(0),
      ...FIGURES.map((figure) => row.of(figure).toFixed(2)),
    ]
    return row.hasFeed ? [answers, fillCells(row)] : [answers]
  })
  return titled(
    "open loop, latency from the moment an order was to be sent; late: what of it is the client's",
    head,
    lines,
  )
}

/** The cells of the row's fills in the private feed. */
function fillCells(row: AckRow): string[] {
  const [name = ''] = loadCells(row)
  const figures = LATENCIES.map((figure) => row.ofFills(figure)?.toFixed(2) ?? '-')
  return [name, 'its fills, in the feed', '1', '-', '-', '-', ...figures, '-', '-']
}

/** The measurements of another client, and the load beside which it ran. */
export type ProbeRow = Probed & { readonly beside: string }

export function probeTable(rows: readonly ProbeRow[]): string {
  const head = ['beside', 'questions', 'p50 ms', 'p99 ms', 'max ms']
  const lines = rows.map(({ beside, questions, p50Ms, p99Ms, maxMs }) => [
    beside,
    String(questions),
    ...[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(2)),
  ])
  return titled('another client that asks for the best prices over HTTP', head, lines)
}

const ENTRY_HEAD = ['of', 'over', 'connections', 'under way']

function loadCells({ target, connections, underWay, batch, hasFeed }: AckRow): string[] {
  const http = batch === undefined ? 'HTTP' : `HTTP, batches of ${batch}`
  const socket = hasFeed ? 'WebSocket, with a feed' : 'WebSocket'
  const over = underWay === undefined ? http : socket
  return [target.name, over, String(connections), String(underWay ?? batch ?? 1)]
}

/** CPU time by role: microseconds per order. */
export function cpuTable(trios: readonly Trio[]): string {
  const head = ['connections', 'of', ...ROLES, 'server', 'client']
  const rows = trios.flatMap((trio) =>
    trio.map((row) => {
      const us = ROLES.map((role) => row.cpuUs(role))
      const server = us.reduce<number>((sum, each) => sum + (each ?? 0), 0)
      const figures = [...us, us[0] === undefined ? undefined : server, row.of('cpuUs')]
      return [String(row.connections), row.target.name, ...figures.map((each) => each?.toFixed(1) ?? '-')]
    }),
  )
  return titled('CPU per order, in microseconds by thread, until the history shows it', head, rows)
}

export function openLoopTable(rows: readonly AckRow[]): string {
  const head = [
    'orders/s',
    'reached/s',
    'p50 ms',
    'p99 ms',
    'p99.9 ms',
    'max ms',
    'late p99 ms',
    'late max ms',
    'refused',
  ]
  const lines = rows.map((row) => [
    String(row.ratePerSecond),
    row.of('perSecond').toFixed(0),
    ...FIGURES.map((figure) => row.of(figure).toFixed(2)),
    String(row.loads.reduce((sum, { refused }) => sum + refused, 0)),
  ])
  return titled(
    "open loop, latency from the moment an order was to be sent; late: what of it is the client's",
    head,
    lines,
  )
}

/**
 * Checks that the acknowledged orders are those in the journal; throws if they are not. `unknown` orders are
 * those whose answer did not say whether they were placed, as on a machine that is paused for a short time.
 */
export function digest(
  acknowledged: number,
  { count, notional, batches }: PlacedOrders,
  unknown = 0,
): string {
  if (count < acknowledged || count > acknowledged + unknown)
    throw new Error(`${acknowledged} orders acknowledged, ${unknown} unknown, ${count} in the journal`)
  const sum = `sum of price x quantity ${notional}`
  return `acknowledged ${acknowledged}, in the journal ${count}; ${sum}; ${(count / batches).toFixed(1)} a batch`
}

function titled(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `-- ${title}\n${table([head, ...rows])}`
}
