/**
 * Copies a journal batch by batch, checked against its hash chain and replayed, so that the state at the end
 * of the copy is known.
 */

import { NO_EVENTS } from '../../core/events/event.ts'
import type { Seq } from '../../units/quantities.ts'
import {
  type Batch,
  type Digest,
  EMPTY_TAIL,
  endOf,
  hashOfQuarantined,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  type Tail,
} from '../port/journal.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { replayBatch } from '../writer/recovery/replay.ts'
import { verifiedBatches } from '../writer/recovery/verified-batches.ts'
import { AUDIT_READ_BYTES, QuarantineCheck, type Witnessed, WitnessedMarks } from './chain.ts'
import { Findings } from './findings.ts'
import type { JournalSource } from './source.ts'

/** A new journal that is not in use yet. Rejects with `JournalFault`. */
export interface JournalTarget {
  /** Adds batches that follow the existing ones: all of them or none. */
  write(batches: readonly Batch[]): Promise<void>
  quarantine(entry: Quarantined): Promise<void>
}

export type CopyOptions = {
  readonly source: JournalSource
  readonly target: JournalTarget
  /** Witnesses of the source's journal: a copy of an incomplete journal would hide the loss. */
  readonly marks: readonly Witnessed[]
  readonly factory: StateMachineFactory
  readonly digest: Digest
  readonly onProgress: (progress: { readonly seq: Seq; readonly endSeq: Seq }) => void
}

export type Copied = { readonly tail: Tail; readonly machine: StateMachine }

/**
 * Copies everything up to the source's end. Rejects with `DAMAGED` or `WITNESS` if the source is incomplete.
 */
export async function copyJournal(options: CopyOptions): Promise<Copied> {
  const { source, target, digest, onProgress } = options
  const entries = await source.quarantined()
  const quarantined = new Set(entries.keys())
  const findings = new Findings()
  const marks = new WitnessedMarks(options.marks, findings)
  const quarantineCheck = new QuarantineCheck(entries, digest, findings)
  const machine = options.factory.empty()
  let tail = EMPTY_TAIL
  for await (const read of verifiedBatches(source, digest, EMPTY_TAIL, AUDIT_READ_BYTES)) {
    for (const batch of read.batches) {
      replayBatch(machine, batch, quarantined, NO_EVENTS)
      marks.pass(endOf(batch))
      quarantineCheck.pass(batch)
    }
    await target.write(read.batches)
    for (const entry of entriesIn(read.batches, quarantined, digest)) await target.quarantine(entry)
    tail = read.tail
    onProgress({ seq: tail.seq, endSeq: source.tail.seq })
  }
  marks.end(tail.seq)
  quarantineCheck.end()
  const [first] = findings.kept
  if (first !== undefined)
    throw new JournalFault(first.check === 'WITNESS' ? 'WITNESS' : 'DAMAGED', first.message)
  return { tail, machine }
}

function entriesIn(batches: readonly Batch[], quarantined: ReadonlySet<Seq>, digest: Digest): Quarantined[] {
  const entries: Quarantined[] = []
  for (const seq of quarantined) {
    const batch = batches.find((each) => each.firstSeq <= seq && seq <= lastSeqOf(each))
    if (batch !== undefined) entries.push({ seq, check: hashOfQuarantined(digest, batch.hash, seq) })
  }
  return entries
}
