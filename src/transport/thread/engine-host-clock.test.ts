/**
 * The clock in the engine thread: it is also read when no command arrives, and published to the other end.
 */
import { expect, test } from 'bun:test'
import { MemoryJournal } from '../../../sim/memory/journal.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { MemoryWitness } from '../../../sim/memory/witness.ts'
import { ClockBoard } from '../../engine/writer/clock-board.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { ThreadEngine } from './engine-client.ts'
import { runEngineHost } from './engine-host.ts'

const NOON = 1_790_000_000_000
const openStorage = () => ({
  journal: new MemoryJournal(),
  witness: new MemoryWitness(),
  snapshots: new MemorySnapshots(),
})

function begin(wall: number) {
  const { port1, port2 } = new MessageChannel()
  const machine = { wall, elapsed: 0 }
  const due: (() => void)[] = []
  const later: Scheduler['later'] = (task) => {
    due.push(task)
    return () => {}
  }
  const scheduler: Scheduler = { soon: setImmediate, later }
  const published: boolean[] = []
  const engine = new ThreadEngine(port1, { onClock: ({ isTrusted }) => published.push(isTrusted) })
  const board = new ClockBoard()
  const ended = runEngineHost(port2, {
    openStorage,
    clock: { wall: () => machine.wall as TimeMs, monotonicMs: () => machine.elapsed },
    clockBoard: board,
    earliest: NOON as TimeMs,
    scheduler,
  })
  ended.catch(() => {})
  return { machine, due, engine, board, published, ended }
}

test('a jump is noticed and published without a request', async () => {
  const { machine, due, engine, board, published, ended } = begin(NOON)
  await engine.ready
  expect([published, board.read()?.isTrusted]).toEqual([[true], true])
  machine.elapsed += 1_000
  machine.wall += 86_400_000
  for (const task of due.splice(0)) task()
  expect(board.read()).toEqual({
    isTrusted: false,
    time: (NOON + 1_000) as TimeMs,
    wall: (NOON + 86_400_000) as TimeMs,
  })
  machine.wall = NOON + 1_000
  for (const task of due.splice(0)) task()
  await engine.stop()
  await ended
  expect(published).toEqual([true, false, true])
})

test('a new journal is not started by a clock that was never set', async () => {
  const { engine, ended } = begin(0)
  const fault = await engine.ready.catch((error: unknown) => error)
  expect(fault).toMatchObject({
    name: 'JournalFault',
    message: 'the clock shows 1970-01-01T00:00:00.000Z: set it, then start a new journal',
  })
  expect(await ended.catch(() => 'rejected')).toBe('rejected')
})
