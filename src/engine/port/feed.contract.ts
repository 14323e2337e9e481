/**
 * Rules for every connection to an engine's batches as used by a follower. A driver's test calls this with a
 * function that starts an engine with `market()` in its journal and command 2 quarantined.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { type Seq, seq } from '../../units/quantities.ts'
import { account, market } from '../writer/commands.fixture.ts'
import { replayCommands } from '../writer/recovery/replay.ts'
import { faultKindOf } from './engine-port.contract.ts'
import type { BatchFeed } from './feed.ts'
import { type Batch, type Digest, EMPTY_TAIL, lastSeqOf, sizeOf, verifyBatch } from './journal.ts'
import { ANY_EXCHANGES } from './machines.fixture.ts'

export type StartedFeed = {
  readonly feed: BatchFeed
  /** Lets the engine carry out the command. */
  submit(command: Command): Promise<unknown>
  /** Shuts the engine down cleanly. */
  stop(): Promise<void>
}

/** Runs the contract on feeds made by `start`. */
export function feedContract(
  name: string,
  digest: Digest,
  start: (quarantined: ReadonlySet<Seq>) => Promise<StartedFeed>,
): void {
  describe(`${name} feed of batches`, () => {
    let started: StartedFeed
    const open = async (quarantined: ReadonlySet<Seq> = new Set()): Promise<StartedFeed> => {
      started = await start(quarantined)
      for (const command of market()) await started.submit(command)
      return started
    }
    afterEach(() => started.stop())

    test('its batches are those of the journal, each after the one before, from any place on', async () => {
      const { feed } = await open()
      let tail = EMPTY_TAIL
      while (tail.seq < market().length) {
        const [batch] = await feed.next(tail.seq, 1)
        tail = verifyBatch(digest, tail, batch as Batch)
      }
      const later = await feed.next(seq(3), 1_000_000)
      expect(later.map(({ firstSeq }) => firstSeq)[0]).toBe(seq(4))
      expect(lastSeqOf(later.at(-1) as Batch)).toBe(tail.seq)
    })

    test('an answer has at most as many bytes as were asked for, and at least one batch', async () => {
      const { feed } = await open()
      expect(await feed.next(seq(0), 1)).toHaveLength(1)
      const all = await feed.next(seq(0), 1_000_000)
      const bytesMax = sizeOf(all[0] as Batch) + sizeOf(all[1] as Batch)
      expect(await feed.next(seq(0), bytesMax)).toHaveLength(2)
    })

    test('a question at the end waits for the next batch', async () => {
      const { feed, submit } = await open()
      const waits = feed.next(seq(market().length), 1_000_000)
      await submit(account('late'))
      expect((await waits).map(({ firstSeq }) => Number(firstSeq))).toEqual([market().length + 1])
    })

    test('several wait at once, and each is answered on its own', async () => {
      const { feed, submit } = await open()
      const end = seq(market().length)
      const waits = [feed.next(end, 1_000_000), feed.next(end, 1_000_000), feed.next(end, 1)]
      expect(await feed.next(seq(0), 1)).toHaveLength(1)
      await submit(account('late'))
      const firsts = (await Promise.all(waits)).map((batches) => Number(batches[0]?.firstSeq))
      expect(firsts).toEqual([1, 1, 1].map((more) => market().length + more))
    })

    test('the hash of the state is that of a replay of the batches', async () => {
      const { feed } = await open()
      const machine = ANY_EXCHANGES.empty()
      for (const batch of await feed.next(seq(0), 1_000_000)) {
        for (const _ of replayCommands(machine, batch, new Set(), () => {}));
      }
      const hash = await feed.stateHash(machine.seq)
      expect(hash).toEqual(digest([machine.encodeSnapshot()]))
      expect(await feed.stateHash(seq(1))).toBeUndefined()
    })

    test('the commands that a replay skips are listed', async () => {
      const { feed } = await open(new Set([seq(2), seq(9)]))
      expect(await feed.quarantined()).toEqual(new Set([seq(2), seq(9)]))
    })

    test('a question that waits while the engine stops learns of the stop', async () => {
      const { feed, stop } = await open()
      const waits = faultKindOf(feed.next(seq(market().length), 1))
      await stop()
      expect(['STOPPING', 'ENGINE_DOWN']).toContain((await waits) as string)
    })
  })
}
