/**
 * A journal with the exchange that wrote it, for the follower's tests: the follower must reach the results
 * that this exchange had when it was written.
 */
import fc from 'fast-check'
import { MemoryJournal } from '../../../sim/memory/journal.ts'
import type { Command } from '../../core/commands/command.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import type { Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { HistoryTrade } from '../history/history.ts'
import { historyTrade } from '../history/history-projection.ts'
import { EngineFault } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import { writeFrame } from '../port/frames.ts'
import { type Batch, following, sealed } from '../port/journal.ts'
import { limit, market, symbol } from '../writer/commands.fixture.ts'

/** Milliseconds between batches. */
const STEP_MS = 10

export class JournaledExchange {
  readonly journal = new MemoryJournal()
  readonly exchange = new Exchange()
  readonly quarantined = new Set<Seq>()
  /** Every trade that happened, oldest first. */
  readonly trades: HistoryTrade[] = []
  /** State after each batch, by its last command. */
  readonly stateHashBySeq = new Map<Seq, Uint8Array>()
  #wake: (() => void)[] = []
  #stopped = false

  /** Journals and applies `commands` as one batch. */
  async write(commands: readonly Command[]): Promise<Batch> {
    const { time: before } = this.journal.tail
    const writer = new ByteWriter()
    for (const command of commands) writeFrame(writer, command)
    const time = (before === 0 ? 1_700_000_000_000 : before + STEP_MS) as TimeMs
    const batch = sealed(sha256, {
      ...following(this.journal.tail),
      kind: 'COMMANDS',
      count: commands.length,
      time,
      data: writer.take(),
    })
    await this.journal.append(batch)
    for (const command of commands) this.#apply(command, time)
    this.stateHashBySeq.set(this.journal.tail.seq, sha256([this.exchange.encodeSnapshot()]))
    for (const wake of this.#wake.splice(0)) wake()
    return batch
  }

  /** The feed of an engine, each batch changed by `change` on its way. */
  feed(change: (batch: Batch) => Batch = (batch) => batch): BatchFeed {
    return {
      next: async (afterSeq, maxBytes) => {
        for (;;) {
          if (this.#stopped) throw new EngineFault('STOPPING', 'the engine sends no more batches')
          const batches = await this.journal.read(afterSeq, maxBytes)
          if (batches.length > 0) return batches.map(change)
          await new Promise<void>((resolve) => this.#wake.push(resolve))
        }
      },
      stateHash: async (seq) =>
        seq === this.journal.tail.seq ? sha256([this.exchange.encodeSnapshot()]) : undefined,
      quarantined: async () => this.quarantined,
    }
  }

  /** Shuts the engine down cleanly. */
  stop(): void {
    this.#stopped = true
    for (const wake of this.#wake.splice(0)) wake()
  }

  #apply(command: Command, time: TimeMs): void {
    const seq = (this.exchange.seq + 1) as Seq
    if (this.quarantined.has(seq)) {
      this.exchange.refuse(time)
      return
    }
    this.exchange.apply(command, time, (event) => {
      if (event.kind !== 'OrdersMatched') return
      const traded = this.exchange.bootstrap().symbols[event.symbolId]
      if (traded !== undefined) this.trades.push(historyTrade(event, traded, this.exchange))
    })
  }
}

/** Lists BTC/USDT and USDT/BTC, and funds two accounts: 3 and 4, the first free numbers after the house's. */
export function openMarkets(): Command[] {
  return [...market(), symbol('USDT', 'BTC')]
}

/** The traders of `openMarkets`. */
export const TRADERS = [3, 4] as const

const order = fc.record({
  who: fc.constantFrom(...TRADERS),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price: fc.integer({ min: 95, max: 105 }),
  quantity: fc.integer({ min: 1_000_000, max: 9_000_000 }),
  symbol: fc.constantFrom(0, 0, 1),
})

const placing = order.map(
  ({ who, side, price, quantity, symbol }): Command => ({
    ...limit(who, side, price as Price, quantity as Lots),
    symbolId: symbol as SymbolId,
  }),
)

/** The order often no longer exists: the cancel is refused, but is still a command. */
const canceling = fc
  .record({
    who: fc.constantFrom(...TRADERS),
    orderNumber: fc.integer({ min: 1, max: 60 }),
    step: fc.nat(30),
  })
  .map(
    ({ who, orderNumber, step }): Command => ({
      kind: 'CancelOrder',
      accountId: who as AccountId,
      orderNumber: orderNumber as OrderNumber,
      orderTime: (1_700_000_000_000 + step * STEP_MS) as TimeMs,
    }),
  )

/**
 * Batches of orders and cancels of two traders, whose orders often match, sometimes with orders of the same
 * trader.
 */
export const anyBatches: fc.Arbitrary<Command[][]> = fc.array(
  fc.array(fc.oneof({ weight: 8, arbitrary: placing }, { weight: 1, arbitrary: canceling }), {
    minLength: 1,
    maxLength: 8,
  }),
  { minLength: 1, maxLength: 14 },
)
