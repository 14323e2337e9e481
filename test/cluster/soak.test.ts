/**
 * A few rounds of `npm run cluster:soak`, of two faults each: gateways, engines and a historian as processes
 * with a primary and its synchronous standby. Machines are connected by TCP proxies, which run everywhere;
 * the long run uses kernel namespaces where available.
 */
import { afterAll, expect, test } from 'bun:test'
import { discardServers } from '../postgres/support/server.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { ProxyNetwork } from './support/proxy-network.ts'
import { Soak } from './support/soak.ts'
import type { Fault } from './support/soak-faults.ts'

const network = new ProxyNetwork()
let soak: Soak | undefined
afterAll(async () => {
  await soak?.discard()
  await discardServers()
  await network.discard()
}, 300_000)

const ROUNDS: readonly (readonly Fault[])[] = [
  [
    { kind: 'PROMOTE', primary: 'KILLED' },
    { kind: 'PAUSE', role: 'EAST' },
  ],
  [
    { kind: 'KILL', role: 'LEADER' },
    { kind: 'HALF_OPEN', one: 'WEST', other: 'STANDBY' },
  ],
  [
    { kind: 'PARTITION', one: 'LEADER', other: 'PRIMARY' },
    { kind: 'KILL', role: 'HISTORIAN' },
  ],
]

/**
 * As in the other tests of processes: on a busy machine a process may get no CPU time for longer than a usual
 * leader timeout.
 */
const SILENCE_MS = 1_500

test('nothing acknowledged by gateways is lost or repeated, and no final answer was wrong, while processes, connections and the database fail two at a time', async () => {
  soak = await Soak.begin(network, ['alpha', 'beta'], {
    silenceMs: SILENCE_MS,
    random: randomNumbers(20_261_123),
  })
  for (const faults of ROUNDS) await soak.round(faults)
  expect(await soak.findProblems()).toEqual([])
  expect(soak.client.acknowledged).toBeGreaterThan(100)
}, 300_000)
