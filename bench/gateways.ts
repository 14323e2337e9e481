/**
 * What several gateways cost: CPU for each signed order over HTTP, by what the threads and processes do, with 1, 2 and 4 gateways, by turns in
 * one run. Whether they are faster only a machine with more cores can say than there are threads that work; how much each order takes of the
 * main process is what bounds it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { digest } from './support/ack-tables.ts'
import { AckRow, type AckTarget, bourseTarget } from './support/ack-targets.ts'
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
    rounds: { kind: 'whole', default: 3, help: 'rounds, after one to warm up' },
  },
} as const satisfies Program

/** `gateway`: the main thread of a node with one, which serves clients; of one with several it serves links. */
const ROLES = ['gateway', 'gateways', 'engine', 'follower', 'runtime'] as const

type Served = { readonly gateways: number; readonly directory: string; readonly row: AckRow; placed: number }

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
      served.push({ gateways, directory, row: new AckRow(target, values.connections), placed: 0 })
    }
    console.log(`${machine()}; medians of ${values.rounds} rounds, by turns, after one to warm up`)
    for (let round = 0; round <= values.rounds; round++) {
      for (const each of served) each.placed += await each.row.measure(load, values.orders, round === 0)
    }
    console.log(tableOf(served))
    for (const { server } of targets) await server.stop()
    for (const { directory, placed } of served) console.log(digest(placed, await placedOrders(directory)))
  } finally {
    load.stop()
    for (const { server } of targets) await server.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

function tableOf(served: readonly Served[]): string {
  const head = ['gateways', 'orders/s', 'p50 ms', 'p99 ms', ...ROLES.map(titleOf), 'server']
  const rows = served.map(({ gateways, row }) => [
    String(gateways),
    row.of('perSecond').toFixed(0),
    row.of('p50Ms').toFixed(2),
    row.of('p99Ms').toFixed(2),
    ...ROLES.map((role) => row.cpuUs(role)?.toFixed(1) ?? '-'),
    row.serverCpuUs()?.toFixed(1) ?? '-',
  ])
  return `\nclosed loop, one order under way on each connection; CPU in microseconds per order\n${table([head, ...rows])}`
}

function titleOf(role: (typeof ROLES)[number]): string {
  return role === 'gateway' ? 'main' : role
}
