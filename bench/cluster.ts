/**
 * What does a cluster on PostgreSQL cost, and how long is it unavailable? Two engines and gateways run as
 * processes on three database servers, where one of two standbys confirms each commit. They are compared with
 * a node with its own journal. Everything, including the client, shares the machine.
 */
import { discardServers } from '../test/postgres/support/server.ts'
// @ts-expect-error The tools are plain JavaScript without types.
import { ensurePostgres } from '../tools/lib/postgres.mjs'
import { type Program, parseProgram, type Values } from '../tools/lib/program.mjs'
import { clusterFanOut } from './cluster-fan-out.ts'
import { clusterOrders } from './cluster-orders.ts'
import { clusterOutages } from './cluster-outages.ts'
import { machine } from './support/conditions.ts'

export const PROGRAM = {
  command: 'npm run bench -- cluster',
  about:
    'A cluster on PostgreSQL beside one node: orders, time without service, fan-out through two gateways.',
  options: {
    orders: { kind: 'whole', default: 20_000, help: 'orders of each round; 0: none' },
    connections: { kind: 'whole', default: 64, help: 'WebSockets' },
    'under-way': { kind: 'whole', default: 16, help: 'orders under way on each' },
    'http-connections': { kind: 'whole', default: 256, help: 'connections over HTTP' },
    rate: { kind: 'whole', default: 1_000, help: 'orders a second of the open loop' },
    rounds: { kind: 'whole', default: 3, help: 'rounds, after one to warm up; 0: none of these' },
    subscribers: {
      kind: 'whole',
      default: 1_000,
      help: 'who follow one market through two gateways, and through one',
    },
    'fan-out-rate': {
      kind: 'whole',
      default: 200,
      help: 'orders a second meanwhile, by way of a third gateway',
    },
    seconds: { kind: 'whole', default: 5, help: 'length of a round of these' },
    kills: { kind: 'whole', default: 20, help: 'how often the engine that leads is killed' },
    promotions: {
      kind: 'whole',
      default: 5,
      help: "how often the database's primary is killed and a standby promoted",
    },
    'outage-rate': { kind: 'whole', default: 500, help: 'orders a second meanwhile' },
    'leader-timeout': {
      kind: 'whole',
      help: 'milliseconds after which a leader that is not heard of is followed; default: as usual',
    },
  },
} as const satisfies Program

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseProgram(PROGRAM, args)
  const { reason } = ensurePostgres() as { readonly reason?: string }
  if (reason !== undefined) {
    console.log(`NOT MEASURED: ${reason}`)
    return
  }
  try {
    await measure(values)
  } finally {
    await discardServers()
  }
}

async function measure(values: Values<typeof PROGRAM>): Promise<void> {
  console.log(machine())
  const { orders, connections, rate, rounds, kills, promotions } = values
  const leaderTimeoutMs = values['leader-timeout']
  const over = { connections, underWay: values['under-way'], httpConnections: values['http-connections'] }
  if (rounds > 0 && orders > 0) await clusterOrders({ orders, ...over, rate, rounds, leaderTimeoutMs })
  const { subscribers } = values
  if (rounds > 0 && subscribers > 0) {
    const size = { subscribers, rounds, rate: values['fan-out-rate'], seconds: values.seconds }
    await clusterFanOut({ ...size, leaderTimeoutMs })
  }
  await clusterOutages({ kills, promotions, rate: values['outage-rate'], leaderTimeoutMs })
}
