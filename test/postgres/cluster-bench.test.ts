/**
 * A tiny run of the cluster's benchmark, as every benchmark has in the tests; it is in this folder because it
 * needs PostgreSQL.
 */
import { expect, test } from 'bun:test'
import { run } from '../../bench/cluster.ts'

/** The benchmark throws if the journal contradicts the client's answers. */
test('the benchmark cluster runs, and what it saw acknowledged is in each journal, after a change of leaders and of primaries too', async () => {
  const orders = ['--orders', '40', '--connections', '2', '--http-connections', '2', '--rate', '500']
  const fanOut = ['--rounds', '1', '--subscribers', '10', '--seconds', '1']
  const outages = ['--kills', '1', '--promotions', '1', '--outage-rate', '100']
  // As in the tests of clusters: on a busy machine a leader may get no CPU time for longer than usual.
  const patience = ['--leader-timeout', '2500']
  expect(await run([...orders, ...fanOut, ...outages, ...patience])).toBeUndefined()
}, 900_000)
