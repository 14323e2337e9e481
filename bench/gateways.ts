/**
 * What do several gateways cost? Measures the CPU time of each signed order over HTTP, by the role of threads
 * and processes, with 1, 2 and 4 gateways, alternately in one run. Only a machine with more cores than busy
 * threads can show whether several gateways are faster; the limit is the time that each order takes in the
 * main process.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { digest } from './support/ack-tables.ts'
import { AckRow, type AckTarget, bourseTarget, type LoadedServer } from './support/ack-targets.ts'
import { machine, table } from './support/conditions.ts'
import { LoadClient } from './support/load-client.ts'
import { placedOrders } from './support/placed-orders.ts'

export const PROGRAM = {
  command: 'npm run bench -- gateways',
  about: 'What several gateways before one engine cost, in CPU for each order.',
  options: {
    orders: { kind: 'whole', default: 40_000, help: 'orders of each round' },
    connections: { kind: 'whole', default: 64, help: 'connections' },
    gateways: { kind: 'numbers', default: [1, 2, 4], help: 'how many gateways' },
    rounds: { kind: 'whole', default: 3, help: 'rounds, after those that warm up' },
    'warm-up': {
      kind: 'whole',
      default: 3,
      help: 'rounds for each gateway before those that count: each compiles for itself',
    },
    rate: { kind: 'whole', default: 1_000, help: 'orders a second of the open loop' },
    seconds: { kind: 'whole', default: 5, help: 'length of a round of the open loop' },
  },
} as const satisfies Program

/**
 * `gateway`: the main thread of a node with one gateway, which serves clients; with several gateways it
 * serves their links.
 */
const ROLES = ['gateway', 'gateways', 'gatewaysRuntime', 'engine', 'follower', 'runtime'] as const
const TITLES: Readonly<Partial<Record<(typeof ROLES)[number], string>>> = {
  gateway: 'main',
  gatewaysRuntime: 'their runtime',
}
type Served = {
  readonly gateways: number
  readonly directory: string
  readonly server: LoadedServer
  readonly closed: AckRow
  readonly open: AckRow
  placed: number
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseProgram(PROGRAM, args)
  const root = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const load = new LoadClient()
  const targets: AckTarget[] = []
  try {
    const served: Served[] = []
    for (const gateways of values.gateways) {
      const directory = path.join(root, String(gateways))
      const target = await bourseTarget(directory, { gateways })
      targets.push(target)
      const closed = new AckRow(target, values.connections)
      const open = new AckRow(target, values.connections, { ratePerSecond: values.rate })
      served.push({ gateways, directory, server: target.server, closed, open, placed: 0 })
    }
    const { orders, rounds, rate, seconds } = values
    console.log(
      `${machine()}; medians of ${rounds} alternating rounds, after ${values['warm-up']} for each gateway to warm up`,
    )
    for (const each of served) {
      for (let round = 0; round < values['warm-up'] * each.gateways; round++)
        each.placed += await each.closed.measure(load, orders, true)
    }
    for (let round = 0; round < rounds; round++) {
      for (const each of served) each.placed += await each.closed.measure(load, orders)
    }
    for (let round = 0; round < rounds; round++) {
      for (const each of served) each.placed += await each.open.measure(load, rate * seconds)
    }
    console.log(
      tableOf('closed loop, one order under way on each connection', served, ({ closed }) => closed),
    )
    console.log(tableOf('open loop', served, ({ open }) => open))
    console.log(await idleTable(served, seconds))
    for (const { server } of targets) await server.stop()
    for (const { directory, placed } of served) console.log(digest(placed, await placedOrders(directory)))
  } finally {
    load.stop()
    for (const { server } of targets) await server.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

function tableOf(title: string, served: readonly Served[], rowOf: (served: Served) => AckRow): string {
  const head = [
    'gateways',
    'orders/s',
    'p50 ms',
    'p99 ms',
    ...ROLES.map((role) => TITLES[role] ?? role),
    'all',
  ]
  const rows = served.map((each) => {
    const row = rowOf(each)
    return [
      String(each.gateways),
      row.of('perSecond').toFixed(0),
      row.of('p50Ms').toFixed(2),
      row.of('p99Ms').toFixed(2),
      ...ROLES.map((role) => row.cpuUs(role)?.toFixed(1) ?? '-'),
      row.serverCpuUs()?.toFixed(1) ?? '-',
    ]
  })
  return `\n${title}; CPU in microseconds per order\n${table([head, ...rows])}`
}

/** The CPU time of the processes without load. */
async function idleTable(served: readonly Served[], seconds: number): Promise<string> {
  const rows: string[][] = []
  for (const { gateways, server } of served) {
    const before = server.cpu() ?? {}
    await Bun.sleep(seconds * 1_000)
    const after = server.cpu() ?? {}
    const perSecond = (role: string): string =>
      after[role] === undefined
        ? '-'
        : (((after[role] ?? 0) - (before[role] ?? 0)) / 1_000 / seconds).toFixed(1)
    rows.push([String(gateways), ...ROLES.map(perSecond)])
  }
  const head = ['gateways', ...ROLES.map((role) => TITLES[role] ?? role)]
  return `\nidle; CPU in milliseconds per second\n${table([head, ...rows])}`
}
