/**
 * A journal of two traders' orders in memory, created before the measurement: one rests, the next takes it.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { BatchFeed } from '../../src/engine/port/feed.ts'
import { writeFrame } from '../../src/engine/port/frames.ts'
import { type Batch, EMPTY_TAIL, endOf, following, lastSeqOf, sealed } from '../../src/engine/port/journal.ts'
import { limit, market } from '../../src/engine/writer/commands.fixture.ts'
import { RecentBatches } from '../../src/engine/writer/recent-batches.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { ByteWriter } from '../../src/units/bytes.ts'
import { type Seq, seq, timeMs } from '../../src/units/quantities.ts'

const START_MS = 1_700_000_000_000
const TRADERS = [3, 4] as const
const PRICES = 10
const QUANTITY = 100_000

export class JournaledOrders {
  readonly end: Seq
  readonly #batches = new RecentBatches(Number.MAX_SAFE_INTEGER)

  /** `orders` orders in commits of `perBatch`, after the commands that open a market. */
  constructor(orders: number, perBatch: number) {
    let last = this.#add(market(), undefined)
    for (let from = 0; from < orders; from += perBatch) {
      const count = Math.min(perBatch, orders - from)
      last = this.#add(
        Array.from({ length: count }, (_, i) => orderOf(from + i)),
        last,
      )
    }
    this.end = lastSeqOf(last)
  }

  feed(): BatchFeed {
    return {
      next: async (afterSeq, maxBytes) => this.#batches.after(afterSeq, maxBytes) ?? [],
      stateHash: async () => undefined,
      quarantined: async () => new Set(),
    }
  }

  #add(commands: readonly Command[], before: Batch | undefined): Batch {
    const writer = new ByteWriter()
    for (const command of commands) writeFrame(writer, command)
    const firstSeq = seq(before === undefined ? 1 : lastSeqOf(before) + 1)
    const batch = sealed(sha256, {
      ...following(before === undefined ? EMPTY_TAIL : endOf(before)),
      kind: 'COMMANDS',
      count: commands.length,
      time: timeMs(START_MS + firstSeq),
      data: writer.take(),
    })
    this.#batches.add(batch)
    return batch
  }
}

/** The traders sell to one another alternately, so that neither runs out of money. */
function orderOf(n: number): Command {
  const pair = n >> 1
  const seller = TRADERS[pair % 2] as number
  const buyer = TRADERS[(pair + 1) % 2] as number
  const price = 5_000_000 + (pair % PRICES)
  return n % 2 === 0 ? limit(seller, 'SELL', price, QUANTITY) : limit(buyer, 'BUY', price, QUANTITY)
}
