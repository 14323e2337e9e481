/** `bourse top` as lines of text. Lines that need an operator's attention begin with an exclamation mark. */
import { table } from '../table.ts'
import type { Latency, TopView } from './view.ts'

/** Maximum number of rows in a list; the rest is only counted. */
const ROWS_MAX = 8
const UNKNOWN = '-'
const FREE_BYTES_LOW = 2 ** 30

export function render(view: TopView, where: string): string {
  const { node, books } = view
  const alarms = [
    ...(node.isReady ? [] : ['! the node is not ready for clients']),
    ...clockAlarms(node),
    ...(books.timesOff > 0
      ? ['! the balances of an asset do not add up: see the log, and bourse verify']
      : []),
    ...((view.storage.freeBytes ?? FREE_BYTES_LOW) < FREE_BYTES_LOW
      ? ['! less than 1 GiB of storage is free']
      : []),
  ]
  return [
    `bourse ${node.version} at ${where}   up ${duration(node.uptimeSeconds)}   ${node.isReady ? 'ready' : 'NOT READY'}`,
    ...alarms,
    '',
    ...summary(view),
    '',
    ...endpoints(view),
    '',
    ...refusals(view),
    '',
    ...market(view),
    '',
    ...money(view),
  ].join('\n')
}

/** A clock that is this far behind stops journal time. */
const BEHIND_SECONDS = 10

function clockAlarms({ isClockTrusted, clockAheadSeconds = 0 }: TopView['node']): string[] {
  if (isClockTrusted === false) {
    return [`! the clock is ${duration(clockAheadSeconds)} ahead and not trusted: new orders are refused`]
  }
  if (clockAheadSeconds > -BEHIND_SECONDS) return []
  return [
    `! the clock is ${duration(-clockAheadSeconds)} behind: server time does not advance until it catches up`,
  ]
}

function summary({ node, requests, engine, stream, storage, books }: TopView): string[] {
  const lag = Object.entries(engine.lagP99Ms).map(([thread, ms]) => `${thread} ${milliseconds(ms)}`)
  const { fallenBehindPerSecond: behind, closedBehindPerSecond: closed } = stream
  const { snapshotAgeSeconds: age, snapshotsBytes } = storage
  // Each line fits into 80 columns.
  return [
    `requests  ${rate(requests.requestsPerSecond)}, ${count(requests.underWay)} under way`,
    `engine    ${rate(engine.commandsPerSecond, 'commands')} in ${rate(engine.commitsPerSecond, 'commits')}, ${count(engine.waiting)} waiting`,
    `commit    ${latency(engine.commit)}`,
    `threads   late by (p99) ${lag.length === 0 ? UNKNOWN : lag.join(', ')}`,
    `stream    ${count(stream.connections)} connections, ${bytes(stream.pendingBytes)} waiting, behind ${rate(behind)}, closed ${rate(closed)}`,
    `history   ${count(storage.historyLagCommands)} commands behind; books checked up to ${count(books.reconciledSeq)} of ${count(node.seq)}`,
    `storage   journal ${bytes(storage.journalBytes)}, history ${bytes(storage.historyBytes)}, free ${bytes(storage.freeBytes)}`,
    `snapshot  ${age === undefined ? 'none yet' : `${duration(age)} old, ${bytes(snapshotsBytes)} in all`}`,
    `process   ${Math.round(node.cpu * 100)} % of a processor, ${bytes(node.residentBytes)}`,
  ]
}

function endpoints({ requests }: TopView): string[] {
  return list(
    ['ENDPOINT', 'PER SECOND', 'P50', 'P99'],
    requests.endpoints,
    'no request to an endpoint yet',
    (each) => [each.name, figure(each.perSecond), milliseconds(each.p50Ms), milliseconds(each.p99Ms)],
  )
}

function refusals({ requests }: TopView): string[] {
  return list(['REFUSED', 'PER SECOND'], requests.refusals, 'nothing is refused', (each) => [
    each.name,
    figure(each.perSecond),
  ])
}

function market(view: TopView): string[] {
  const busiest = view.market.toSorted((a, b) => b.ordersPerSecond - a.ordersPerSecond)
  return list(['SYMBOL', 'STATE', 'ORDERS/S', 'TRADES/S'], busiest, 'no symbol is listed', (each) => [
    each.symbol,
    each.isTrading ? 'trading' : '! not trading',
    figure(each.ordersPerSecond),
    figure(each.tradesPerSecond),
  ])
}

function money(view: TopView): string[] {
  const headings = ['ASSET', 'IN THE EXCHANGE', 'FEES', 'CAME IN', 'WENT OUT']
  return list(headings, view.money, 'no asset is listed', (each) =>
    [each.asset, each.supply, each.fees, each.cameIn, each.wentOut].map(String),
  )
}

function list<Item>(
  headings: readonly string[],
  items: readonly Item[],
  none: string,
  cells: (item: Item) => readonly string[],
): string[] {
  const shown = table(headings, items.slice(0, ROWS_MAX).map(cells), none).split('\n')
  const left = items.length - ROWS_MAX
  return left > 0 ? [...shown, `and ${left} more`] : shown
}

function latency({ p50Ms, p99Ms }: Latency): string {
  return `p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`
}

function rate(perSecond: number, what = ''): string {
  return what === '' ? `${figure(perSecond)}/s` : `${figure(perSecond)} ${what}/s`
}

function figure(value: number): string {
  return value >= 100 || Number.isInteger(value) ? count(Math.round(value)) : value.toFixed(1)
}

function count(value: number | undefined): string {
  return value === undefined ? UNKNOWN : String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? UNKNOWN : `${ms < 10 ? ms.toFixed(2) : Math.round(ms)} ms`
}

function bytes(value: number | undefined): string {
  if (value === undefined) return UNKNOWN
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let [left, unit] = [value, 0]
  while (left >= 1024 && unit < units.length - 1) {
    left /= 1024
    unit++
  }
  return `${left >= 10 || unit === 0 ? Math.round(left) : left.toFixed(1)} ${units[unit]}`
}

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return UNKNOWN
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const
  const first = parts.findIndex(([value]) => value > 0)
  const from = first < 0 ? parts.length - 1 : first
  return parts
    .slice(from, from + 2)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ')
}
