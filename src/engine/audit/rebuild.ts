/** Rebuilds history from the journal: a replay from the first command into an empty store. */
import type { Seq } from '../../units/quantities.ts'
import type { HistoryStore } from '../history/history.ts'
import { HistoryProjection } from '../history/history-projection.ts'
import { type Digest, EMPTY_TAIL, type Tail } from '../port/journal.ts'
import type { StateMachineFactory } from '../port/state-machine.ts'
import { replayCommands } from '../writer/recovery/replay.ts'
import { verifiedBatches } from '../writer/recovery/verified-batches.ts'
import type { JournalSource } from './source.ts'

export type RebuildOptions = {
  readonly source: JournalSource
  /** An empty store. */
  readonly history: HistoryStore
  readonly factory: StateMachineFactory
  readonly digest: Digest
  readonly onProgress: (progress: { readonly seq: Seq; readonly endSeq: Seq }) => void
}

export type Rebuilt = { readonly tail: Tail; readonly trades: number }

/** Resolves when everything survives a power cut. Rejects with the faults of journal and history. */
export async function rebuildHistory(options: RebuildOptions): Promise<Rebuilt> {
  const { source, history, factory, digest, onProgress } = options
  const quarantined = new Set((await source.quarantined()).keys())
  const machine = factory.empty()
  const projection = new HistoryProjection(machine)
  let end = EMPTY_TAIL
  let count = 0
  for await (const { batches, tail } of verifiedBatches(source, digest, EMPTY_TAIL)) {
    for (const batch of batches) {
      const replay = replayCommands(machine, batch, quarantined, projection.sink)
      for (const replayed of replay) projection.note(replayed)
    }
    const { trades, ...besides } = projection.drain()
    await history.append(trades, { seq: tail.seq, hash: tail.hash }, besides)
    count += trades.length
    end = tail
    onProgress({ seq: tail.seq, endSeq: source.tail.seq })
  }
  await history.flush()
  return { tail: end, trades: count }
}
