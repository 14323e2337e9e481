/** Engines whose heartbeats come late, as on a machine or a database that gives them no time: they do not depose each other for ever. */
import { afterEach, expect, test } from 'bun:test'
import { until } from '../../../test/support/until.ts'
import { MemoryTablePlace } from '../../drivers/memory/leadership-table.ts'
import { Cluster } from './cluster.fixture.ts'
import type { LeadershipTable } from './leadership-table.ts'

const SILENCE_MS = 150
/** Longer than one silence, shorter than two. */
const LATE_MS = 200

let cluster: Cluster
afterEach(() => cluster.stop())

async function withLateHeartbeats(place: MemoryTablePlace): Promise<LeadershipTable> {
  const table = await place.open()
  const heartbeat = table.heartbeat.bind(table)
  table.heartbeat = async (epoch) => {
    await Bun.sleep(LATE_MS)
    return heartbeat(epoch)
  }
  return table
}

const changes = (): number =>
  cluster.members.flatMap(({ notes }) => notes.filter(({ kind }) => kind === 'Leading')).length

test('engines whose heartbeats always come late change the leader a few times and then no more, since none of their links has ended', async () => {
  const place = new MemoryTablePlace(() => performance.now())
  cluster = new Cluster(() => withLateHeartbeats(place), { silenceMs: SILENCE_MS, heartbeatMs: 20 })
  const first = await cluster.start('first')
  await until('the first leads', () => first.lead !== undefined)
  const second = await cluster.start('second')
  await until('the second leads', () => second.lead !== undefined)
  await Bun.sleep(10 * SILENCE_MS)
  const settled = changes()
  await Bun.sleep(10 * SILENCE_MS)
  expect(changes()).toBe(settled)
})
