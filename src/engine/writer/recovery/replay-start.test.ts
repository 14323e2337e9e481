import { describe, expect, test } from 'bun:test'
import { MemorySnapshots } from '../../../../sim/memory/snapshots.ts'
import { sha256 } from '../../../storage/sha256.ts'
import type { Seq } from '../../../units/quantities.ts'
import { JournaledExchange } from '../../follower/journaled-exchange.fixture.ts'
import { EMBEDDED_EPOCH, EMPTY_TAIL, endOf } from '../../port/journal.ts'
import { ANY_EXCHANGES } from '../../port/machines.fixture.ts'
import { type Snapshot, takeSnapshot } from '../../port/snapshots.ts'
import { account } from '../commands.fixture.ts'
import { replayBatch } from './replay.ts'
import { chooseStart, type ReplayStart } from './replay-start.ts'

/** Snapshots after one, two and three batches of two commands each. */
async function threeSnapshots(): Promise<readonly Snapshot[]> {
  const live = new JournaledExchange()
  const machine = ANY_EXCHANGES.empty()
  const taken: Snapshot[] = []
  for (const name of ['ann', 'ben', 'cleo']) {
    const batch = await live.write([account(name), account(`${name} too`)])
    replayBatch(machine, batch, new Set(), () => {})
    taken.push(takeSnapshot(machine, endOf(batch), sha256))
  }
  return taken
}

type Choice = { readonly start: ReplayStart; readonly damaged: readonly string[] }

async function choose(kept: readonly Snapshot[], seq: number): Promise<Choice> {
  const snapshots = new MemorySnapshots()
  for (const snapshot of kept) await snapshots.save(snapshot)
  const damaged: string[] = []
  const onDamaged = (name: string, problem: string) => void damaged.push(`${name}: ${problem}`)
  const parts = { snapshots, factory: ANY_EXCHANGES, onDamaged }
  const { heads } = await snapshots.list()
  const position = { seq: seq as Seq, hash: new Uint8Array(32) }
  return { start: await chooseStart(parts, heads, position), damaged }
}

describe('a replay starts', () => {
  test('from the newest snapshot that is not past the position, and knows of the newer ones too', async () => {
    const kept = await threeSnapshots()
    for (const [place, from] of [[6, 6] as const, [5, 4] as const, [4, 4] as const, [3, 2] as const]) {
      const { start, damaged } = await choose(kept, place)
      expect(start.machine.seq).toBe(from as Seq)
      expect(start.tail).toEqual({
        position: from / 2,
        epoch: EMBEDDED_EPOCH,
        seq: from as Seq,
        time: start.machine.time,
        hash: kept[from / 2 - 1]!.journalHash,
      })
      expect(start.heads.map(({ seq }) => seq)).toEqual([6, 4, 2] as Seq[])
      expect(damaged).toEqual([])
    }
  })

  test('from nothing where all are past the position', async () => {
    const { start } = await choose(await threeSnapshots(), 1)
    expect(start.machine.seq).toBe(0 as Seq)
    expect(start.tail).toEqual(EMPTY_TAIL)
    expect(start.heads.map(({ seq }) => seq)).toEqual([6, 4, 2] as Seq[])
  })

  test('from an older snapshot where one has the state after another command, or no state', async () => {
    const [first, second, third] = await threeSnapshots()
    const spoilt = [
      { ...third!, payload: second!.payload },
      { ...third!, payload: new Uint8Array([1, 2, 3]) },
    ]
    for (const snapshot of spoilt) {
      const { start, damaged } = await choose([first!, second!, snapshot], 6)
      expect(start.machine.seq).toBe(4 as Seq)
      expect(start.heads.map(({ seq }) => seq)).toEqual([4, 2] as Seq[])
      expect(damaged).toHaveLength(1)
      expect(damaged[0]).toContain('snapshot of command 6: ')
    }
  })
})
