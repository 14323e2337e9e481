/** The acknowledged orders in the journal of a stopped node or a cluster: the digest of a run. */

import { framesOf } from '../../src/engine/port/frames.ts'
import type { Batch } from '../../src/engine/port/journal.ts'
import { decodeFrame } from '../../src/engine/writer/recovery/replay.ts'
import type { PostgresTable } from '../../src/storage/postgres/table.ts'
import { JournalReader } from '../../src/storage/sqlite/journal-reader.ts'
import type { Seq } from '../../src/units/quantities.ts'

const READ_BYTES = 4 * 1024 * 1024

export type PlacedOrders = {
  readonly count: number
  /** Sum of price x quantity in the symbol's smallest units. */
  readonly notional: bigint
  readonly batches: number
}

export async function placedOrders(directory: string): Promise<PlacedOrders> {
  const journal = JournalReader.open(directory)
  const placed = { count: 0, notional: 0n, batches: 0 }
  for (let after = 0 as Seq; after < journal.tail.seq; ) {
    for (const batch of await journal.read(after, READ_BYTES)) {
      add(placed, batch)
      after = (batch.firstSeq + batch.count - 1) as Seq
    }
  }
  await journal.close()
  return placed
}

/** The acknowledged orders in a cluster's journal, without its claims. */
export async function placedInTable(table: PostgresTable): Promise<PlacedOrders> {
  const { position: end } = await table.readTail()
  const placed = { count: 0, notional: 0n, batches: 0 }
  for (let position = 1; position <= end; ) {
    for (const batch of await table.readFrom(position, end, READ_BYTES)) {
      if (batch.kind === 'COMMANDS') add(placed, batch)
      position = batch.position + 1
    }
  }
  await table.close()
  return placed
}

function add(placed: { count: number; notional: bigint; batches: number }, batch: Batch): void {
  placed.batches++
  for (const frame of framesOf(batch.data, batch.count)) {
    const command = decodeFrame(frame)
    if (command.kind !== 'PlaceOrder') continue
    placed.count++
    placed.notional += BigInt(command.price ?? 0) * BigInt(command.quantity ?? 0)
  }
}
