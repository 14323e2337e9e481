/** What a stopped node's journal says of the orders that were acknowledged: the digest of a run. */
import { JournalReader } from '../../src/drivers/sqlite/journal-reader.ts'
import { framesOf } from '../../src/engine/frames.ts'
import { decodeFrame } from '../../src/engine/replay.ts'
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
  let [count, notional, batches] = [0, 0n, 0]
  for (let after = 0 as Seq; after < journal.tail.seq; ) {
    for (const batch of await journal.read(after, READ_BYTES)) {
      batches++
      for (const frame of framesOf(batch.data, batch.count)) {
        const command = decodeFrame(frame)
        if (command.kind !== 'PlaceOrder') continue
        count++
        notional += BigInt(command.price ?? 0) * BigInt(command.quantity ?? 0)
      }
      after = (batch.firstSeq + batch.count - 1) as Seq
    }
  }
  await journal.close()
  return { count, notional, batches }
}
