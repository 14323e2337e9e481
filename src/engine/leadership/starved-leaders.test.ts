/**
 * Engines whose heartbeats are late, as on an overloaded machine or database: they do not keep deposing each
 * other.
 */
import { afterEach, expect, test } from 'bun:test'
import { MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { Cluster } from './cluster.fixture.ts'
import type { LeadershipTable } from './leadership-table.ts'
import { VirtualTime } from './virtual-time.fixture.ts'

const SILENCE_MS = 150
/** Longer than one leader timeout, shorter than two. */
const LATE_MS = 200
const LED_MS_MAX = 20 * SILENCE_MS

let time: VirtualTime
let cluster: Cluster
afterEach(async () => {
  let hasStopped = false
  void cluster.stop().then(() => {
    hasStopped = true
  })
  await time.until('all have stopped', () => hasStopped, LED_MS_MAX)
})

async function withLateHeartbeats(place: MemoryTablePlace): Promise<LeadershipTable> {
  const table = await place.open()
  const heartbeat = table.heartbeat.bind(table)
  table.heartbeat = async (epoch) => {
    await time.sleep(LATE_MS)
    return heartbeat(epoch)
  }
  return table
}

const changes = (): number =>
  cluster.members.flatMap(({ notes }) => notes.filter(({ kind }) => kind === 'Leading')).length

test('engines whose heartbeats always come late change the leader a few times and then no more, since none of their links has ended', async () => {
  time = new VirtualTime()
  const place = new MemoryTablePlace(() => time.nowMs)
  cluster = new Cluster(() => withLateHeartbeats(place), { silenceMs: SILENCE_MS, heartbeatMs: 20, time })
  const first = await cluster.start('first')
  await time.until('the first leads', () => first.lead !== undefined, LED_MS_MAX)
  const second = await cluster.start('second')
  await time.until('the second leads', () => second.lead !== undefined, LED_MS_MAX)
  await time.pass(10 * SILENCE_MS)
  const settled = changes()
  await time.pass(10 * SILENCE_MS)
  expect(changes()).toBe(settled)
})
