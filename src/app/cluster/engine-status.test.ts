import { expect, test } from 'bun:test'
import { askEngine, readMetrics } from './engine-status.ts'

const METRICS = `# HELP bourse_leader 1 when this engine leads its cluster, else 0
# TYPE bourse_leader gauge
bourse_leader 1
bourse_epoch 7
bourse_leader_since_seconds 1795392203.5
bourse_replica_behind_commands{replica="engine-2"} 12
bourse_replica_behind_commands{replica="historian-1"} 0
`

test('leading and following are read from an engine’s metrics, and what they do not say is unknown', () => {
  expect(readMetrics(METRICS)).toEqual({
    isLeader: true,
    epoch: 7,
    leaderSince: 1_795_392_203.5,
    behindByName: new Map([
      ['engine-2', 12],
      ['historian-1', 0],
    ]),
  })
  expect(readMetrics('bourse_leader 0\nbourse_leader_since_seconds 5\nother 3')).toEqual({
    isLeader: false,
    epoch: undefined,
    leaderSince: undefined,
    behindByName: new Map(),
  })
})

test('an engine without a monitoring address is not asked, and one that does not answer is unreachable', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(METRICS) })
  const monitoring = { host: '127.0.0.1', port: server.port as number }
  expect(await askEngine({ name: 'a', monitoring })).toMatchObject({ isReachable: true, isLeader: true })
  await server.stop(true)
  expect(await askEngine({ name: 'a', monitoring })).toMatchObject({
    isReachable: false,
    isLeader: undefined,
  })
  expect(await askEngine({ name: 'a' })).toMatchObject({ isReachable: undefined })
})
