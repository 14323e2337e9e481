/**
 * The contents of a cluster's journal at the end, replayed from its first batch, for comparison with a
 * client's answers and the engines' snapshots.
 */
import { NO_EVENTS } from '../../../src/core/events/event.ts'
import { type Batch, EMPTY_TAIL, hexOf, lastSeqOf, verifyBatch } from '../../../src/engine/port/journal.ts'
import { takeSnapshot } from '../../../src/engine/port/snapshots.ts'
import {
  EXCHANGE_FACTORY,
  type StateMachine,
  type StateMachineFactory,
} from '../../../src/engine/port/state-machine.ts'
import { replayCommands } from '../../../src/engine/writer/recovery/replay.ts'
import type { PostgresTable } from '../../../src/storage/postgres/table.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import { openSnapshots } from '../../../src/storage/sqlite/storage.ts'
import type { AssetId } from '../../../src/units/ids.ts'
import { NO_AMOUNT } from '../../../src/units/quantities.ts'

export type JournalOutcome = {
  /** How often each client order id was accepted. */
  readonly acceptedById: ReadonlyMap<string, number>
  readonly claims: number
  /** Assets whose sum over all accounts is not zero. */
  readonly off: readonly string[]
  /** Hash of the state after each command that has a snapshot. */
  readonly stateHashBySeq: ReadonlyMap<number, string>
}

export type StoredState = { readonly seq: number; readonly stateHash: string }

/** The newest snapshot of a stopped engine. */
export async function newestState(directory: string): Promise<StoredState> {
  const [head] = (await openSnapshots(directory).list()).heads
  if (head === undefined) throw new Error(`there is no snapshot in ${directory}`)
  return { seq: head.seq, stateHash: hexOf(head.stateHash) }
}

/**
 * Replays the journal from the database with machines that implement its rules; each batch must follow the
 * previous one.
 */
export async function journalOutcome(
  table: PostgresTable,
  seqs: readonly number[],
  machines: Pick<StateMachineFactory, 'empty'> = EXCHANGE_FACTORY,
): Promise<JournalOutcome> {
  const { position: end } = await table.readTail()
  const machine = machines.empty()
  const acceptedById = new Map<string, number>()
  const stateHashBySeq = new Map<number, string>()
  let tail = EMPTY_TAIL
  let claims = 0
  while (tail.position < end) {
    for (const batch of await table.readFrom(tail.position + 1, end, 1 << 22)) {
      tail = verifyBatch(sha256, tail, batch)
      if (batch.kind === 'CLAIM') claims++
      countAccepted(machine, batch, acceptedById)
      if (seqs.includes(lastSeqOf(batch)))
        stateHashBySeq.set(tail.seq, hexOf(takeSnapshot(machine, tail, sha256).stateHash))
    }
  }
  await table.close()
  const off = Array.from({ length: machine.assetCount }, (_, id) => machine.auditAsset(id as AssetId))
    .filter(({ sum, negatives, wrongHolds }) => sum !== NO_AMOUNT || negatives > 0 || wrongHolds > 0)
    .map(({ asset, sum }) => `${asset.code}: ${sum}`)
  return { acceptedById, claims, off, stateHashBySeq }
}

function countAccepted(machine: StateMachine, batch: Batch, acceptedById: Map<string, number>): void {
  for (const { command, reply } of replayCommands(machine, batch, new Set(), NO_EVENTS)) {
    if (command?.kind !== 'PlaceOrder' || reply.kind !== 'OrderAccepted') continue
    const id = command.clientOrderId ?? ''
    acceptedById.set(id, (acceptedById.get(id) ?? 0) + 1)
  }
}
