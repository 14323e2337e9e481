/**
 * Restores the running state from the storage: the newest usable snapshot, then the rest of the journal.
 * Everything read is checked against its hash, and the journal against its witnesses; a mismatch halts the
 * start.
 */
import { NO_EVENTS } from '../../../core/events/event.ts'
import type { Seq } from '../../../units/quantities.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'
import { type Digest, hashOfQuarantined, type Journal, JournalFault, lastSeqOf } from '../../port/journal.ts'
import type { DamagedSnapshot, SnapshotStore } from '../../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../../port/state-machine.ts'
import type { Witness } from '../../port/witness.ts'
import { epochBatch } from '../epoch.ts'
import { checkWitnesses, type WitnessReport } from './journal-check.ts'
import { ReplayFault, replayBatch } from './replay.ts'
import { chooseStart, type ReplayStart } from './replay-start.ts'
import { requireFloor } from './rules-floor.ts'
import { verifiedBatches } from './verified-batches.ts'

export type RecoveryOptions = {
  readonly journal: Journal
  readonly witness: Witness
  readonly snapshots: SnapshotStore
  readonly digest: Digest
  readonly machines: StateMachineFactory
  /** An operator restored a backup and accepts the journal's end as it is, although it is shorter. */
  readonly acceptJournalTail: boolean
  readonly onProgress?: (progress: RecoveryProgress) => void
}

/** The progress of a replay; reported after every read of the journal. */
export type RecoveryProgress = { readonly seq: Seq; readonly endSeq: Seq }

export type RecoveryReport = {
  readonly seq: Seq
  /** Version of the rules in force. */
  readonly rulesVersion: number
  /** The command of the snapshot from which the state was read; 0 if there was no snapshot. */
  readonly snapshotSeq: Seq
  readonly replayedCommands: number
  /** Every quarantined command of this journal. */
  readonly quarantined: ReadonlySet<Seq>
  /** The commands that this start quarantined: report them, they are bugs. */
  readonly newlyQuarantined: readonly Seq[]
  readonly damagedSnapshots: readonly DamagedSnapshot[]
  /** Parts of the witness that were damaged, or accepted by the operator. */
  readonly witness: WitnessReport
}

export type Recovery = { readonly machine: StateMachine; readonly report: RecoveryReport }

/**
 * The state at the journal's end. Rejects with `JournalFault`: `UNSUPPORTED` if the journal begins below the
 * oldest supported rules version, `DAMAGED` with the batch, `WITNESS` with the missing position and the
 * remedy.
 */
export async function recover(options: RecoveryOptions): Promise<Recovery> {
  const { journal, snapshots, witness, digest, machines } = options
  await requireFloor(journal, digest, machines)
  const listing = await snapshots.list()
  const recorded = await checkWitnesses({ ...options, heads: listing.heads })
  const damaged = [...listing.damaged]
  const snapshotParts = {
    snapshots,
    factory: options.machines,
    onDamaged: (name: string, problem: string) => void damaged.push({ name, problem }),
  }
  let { heads } = recorded
  const quarantined = await readQuarantine(options)
  const newlyQuarantined: Seq[] = []
  for (;;) {
    const start = await chooseStart(snapshotParts, heads, journal.tail)
    heads = start.heads
    try {
      const machine = await replayTail(options, start, quarantined)
      const replayedCommands = machine.seq - start.tail.seq
      if (recorded.report.accepted.length > 0) await jumpNumbers(options, machine)
      witness.reset(journal.tail)
      const report = {
        seq: machine.seq,
        rulesVersion: machine.rulesVersion,
        snapshotSeq: start.tail.seq,
        replayedCommands,
        quarantined,
        newlyQuarantined,
        damagedSnapshots: damaged,
        witness: recorded.report,
      }
      return { machine, report }
    } catch (cause) {
      if (!(cause instanceof ReplayFault)) throw cause
      await quarantine(options, cause)
      quarantined.add(cause.seq)
      newlyQuarantined.push(cause.seq)
    }
  }
}

/** Makes numbers jump before anything else, since the commands missing in the journal assigned numbers. */
async function jumpNumbers({ journal, digest }: RecoveryOptions, machine: StateMachine): Promise<void> {
  const batch = epochBatch(digest, journal.tail, machine.rulesVersion)
  if (batch === undefined) return
  await journal.append(batch)
  replayBatch(machine, batch, new Set(), NO_EVENTS)
}

async function replayTail(
  options: RecoveryOptions,
  start: ReplayStart,
  quarantined: ReadonlySet<Seq>,
): Promise<StateMachine> {
  const { journal, digest, onProgress } = options
  const { machine } = start
  for await (const { batches, tail } of verifiedBatches(journal, digest, start.tail)) {
    for (const batch of batches) replayBatch(machine, batch, quarantined, NO_EVENTS)
    onProgress?.({ seq: tail.seq, endSeq: journal.tail.seq })
  }
  return machine
}

export async function readQuarantine({
  journal,
  digest,
}: {
  readonly journal: Pick<Journal, 'read' | 'quarantined' | 'beginning'>
  readonly digest: Digest
}): Promise<Set<Seq>> {
  const seqs = new Set<Seq>()
  for (const { seq, check } of await journal.quarantined()) {
    // Archived batches were checked when they were archived, and a start does not need their file.
    if (seq <= (journal.beginning?.seq ?? 0)) {
      seqs.add(seq)
      continue
    }
    const [batch] = await journal.read((seq - 1) as Seq, 1)
    const fits = batch !== undefined && batch.firstSeq <= seq
    if (!fits || !sameBytes(hashOfQuarantined(digest, batch.hash, seq), check)) {
      throw new JournalFault(
        'DAMAGED',
        `the quarantine of command ${seq} does not belong to the journal's command ${seq}`,
      )
    }
    seqs.add(seq)
  }
  return seqs
}

/**
 * Quarantines the command that stopped the node. It can only be in the last batch, which was never answered.
 * An earlier command was applied by an earlier run, and skipping it would undo results that clients have
 * received.
 */
async function quarantine({ journal, digest }: RecoveryOptions, failure: ReplayFault): Promise<void> {
  const [batch] = await journal.read((failure.seq - 1) as Seq, 1)
  if (batch === undefined || lastSeqOf(batch) !== journal.tail.seq) {
    const what = `command ${failure.seq}, which an earlier run applied, cannot be applied by this version`
    throw new JournalFault('UNSUPPORTED', `${what}. Nothing was changed: start the version that ran before`, {
      cause: failure,
    })
  }
  await journal.quarantine({ seq: failure.seq, check: hashOfQuarantined(digest, batch.hash, failure.seq) })
}
