import { expect, test } from 'bun:test'
import { MemoryHistory } from '../../../sim/memory/history.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import { EMPTY_TAIL, type Tail } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { takeSnapshot } from '../port/snapshots.ts'
import { DEFAULT_FOLLOWER_LIMITS } from './limits.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'

const seq = (n: number): Seq => n as Seq
const tailAt = (n: number): Tail => ({ ...EMPTY_TAIL, position: n, seq: seq(n) })

/**
 * A keeper that takes a snapshot after 1,000 commands or 100 bytes of them; `at`: the commands of another
 * replay's snapshots.
 */
function keeper(...at: readonly number[]): SnapshotKeeper {
  const machine = ANY_EXCHANGES.empty()
  return new SnapshotKeeper(
    {
      history: new MemoryHistory(),
      snapshots: new MemorySnapshots(),
      factory: ANY_EXCHANGES,
      digest: sha256,
      limits: { ...DEFAULT_FOLLOWER_LIMITS, snapshotCommands: 1_000, snapshotBytes: 100 },
      onNote: () => {},
    },
    { machine, tail: EMPTY_TAIL, heads: at.map((n) => takeSnapshot(machine, tailAt(n), sha256)) },
  )
}

test('a snapshot is due after so many bytes of commands, added up over all batches', () => {
  const snapshots = keeper()
  snapshots.countApplied(60)
  expect(snapshots.isDue(seq(1))).toBe(false)
  snapshots.countApplied(39)
  expect(snapshots.isDue(seq(2))).toBe(false)
  snapshots.countApplied(1)
  expect(snapshots.isDue(seq(3))).toBe(true)
})

test('after a snapshot was made, counting starts again', async () => {
  const snapshots = keeper()
  snapshots.countApplied(100)
  await snapshots.save(tailAt(3))
  snapshots.countApplied(99)
  expect(snapshots.isDue(seq(4))).toBe(false)
  snapshots.countApplied(1)
  expect(snapshots.isDue(seq(5))).toBe(true)
})

test('after meeting a snapshot of another replay, counting starts again', async () => {
  const snapshots = keeper(3)
  snapshots.countApplied(100)
  await snapshots.compare(tailAt(3))
  snapshots.countApplied(99)
  expect(snapshots.isDue(seq(4))).toBe(false)
  snapshots.countApplied(1)
  expect(snapshots.isDue(seq(5))).toBe(true)
})

test('a snapshot is due after so many commands, and never where none has been applied', () => {
  const snapshots = keeper()
  expect([snapshots.isDue(seq(999)), snapshots.isDue(seq(1_000))]).toEqual([false, true])
  snapshots.countApplied(100)
  expect(snapshots.isDue(seq(0))).toBe(false)
})
