import { expect, test } from 'bun:test'
import { measured } from './measured.ts'

const TEXT = `process_start_time_seconds 1000
bourse_books_reconciled_seq 41
bourse_asset_supply{asset="BTC"} 200
bourse_standbys 2
bourse_standby_missing_commands{standby="a"} 0
bourse_standby_missing_commands{standby="b"} 7
`

test('the page reads from a node’s metrics its uptime, up to where the books add up, and the positions of standbys', () => {
  const found = measured(TEXT, 1_060_000)
  expect(found.now.node.uptimeSeconds).toBe(60)
  expect(found.now.books).toEqual({ reconciledSeq: 41, timesOff: 0 })
  expect(found.now.money).toMatchObject([{ asset: 'BTC', supply: 200 }])
  expect(found.standbys).toEqual([
    { name: 'a', behind: 0 },
    { name: 'b', behind: 7 },
  ])
})

test('figures that a node does not report are not made up', () => {
  const found = measured('', 1_000)
  expect([found.standbys, found.leadsSinceMs, found.gateways, found.now.node.uptimeSeconds]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(found.replicas).toEqual([])
})

test('the page reads from a leader’s metrics since when it has led, who follows, and how far each is behind', () => {
  const text = `bourse_leader_since_seconds 1000
bourse_linked_gateways 3
bourse_replica_behind_commands{replica="engine-2"} 0
bourse_replica_behind_commands{replica="historian-1"} 12
`
  const found = measured(text, 1_060_000)
  expect([found.leadsSinceMs, found.gateways]).toEqual([1_000_000, 3])
  expect(found.replicas).toEqual([
    { name: 'engine-2', behind: 0 },
    { name: 'historian-1', behind: 12 },
  ])
})
