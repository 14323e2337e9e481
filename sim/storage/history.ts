/**
 * Trade history that outlives its process: whole appends, of which a power cut may take the newest unflushed ones.
 * Pages are answered by the history in memory.
 */

import type { PublicTrade } from '../../src/core/exchange/view.ts'
import {
  type ActionQuery,
  type CandleRange,
  type FillRange,
  HistoryFault,
  type HistoryStore,
  type HistoryTrade,
  type LedgerRange,
  type OrderRange,
  type PageQuery,
  type PastEventRange,
  type PositionRange,
  type RecordsBesides,
  type UpdatesRange,
} from '../../src/engine/history/history.ts'
import type { HistoryOrder } from '../../src/engine/history/order-history.ts'
import { JournalFault, type Mark } from '../../src/engine/port/journal.ts'
import type {
  CandlePage,
  EventQuery,
  EventsAnswer,
  FillPage,
  LedgerPage,
  OperatorAction,
  OrderPage,
  PastEventPage,
  PositionPage,
  TradePage,
  UpdatesAnswer,
} from '../../src/engine/port/ports.ts'
import type { OrderNumber, SymbolId } from '../../src/units/ids.ts'
import { type Seq, seq } from '../../src/units/quantities.ts'
import { MemoryHistory } from '../memory/history.ts'
import type { Random } from '../world/random.ts'
import type { Io } from './io.ts'

type Append = {
  readonly trades: readonly HistoryTrade[]
  readonly end: Mark
  readonly besides: RecordsBesides
}

/** What is left of a history when its process has ended. */
export class HistoryMedium {
  appends: Append[] = []
  flushed = 0
  /** What `appends` come to, made again after a loss. */
  #memory: Promise<MemoryHistory> | undefined

  /** The last command in it; 0: none. */
  get seq(): Seq {
    return this.appends.at(-1)?.end.seq ?? seq(0)
  }

  /** Whether a power cut could take anything. */
  get hasUnflushed(): boolean {
    return this.flushed < this.appends.length
  }

  /** The file is gone. */
  clear(): void {
    this.appends = []
    this.flushed = 0
    this.#memory = undefined
  }

  powerCut(random: Random): void {
    const kept = random.between(this.flushed, this.appends.length)
    if (kept < this.appends.length) this.#memory = undefined
    this.appends.length = kept
    this.flushed = kept
  }

  memory(): Promise<MemoryHistory> {
    this.#memory ??= loaded(this.appends)
    return this.#memory
  }
}

export class SimulatedHistory implements HistoryStore {
  readonly #medium: HistoryMedium
  readonly #io: Io
  #memory: Promise<MemoryHistory>

  constructor(medium: HistoryMedium, io: Io) {
    this.#medium = medium
    this.#io = io
    this.#memory = medium.memory()
  }

  async position(): Promise<Mark> {
    return (await this.#memory).position()
  }

  async append(trades: readonly HistoryTrade[], end: Mark, besides: RecordsBesides = {}): Promise<void> {
    await this.#io.pause()
    this.#write('history')
    this.#medium.appends.push({ trades, end, besides })
    await (await this.#memory).append(trades, end, besides)
  }

  async flush(): Promise<void> {
    await this.#io.pause()
    this.#write('history')
    this.#medium.flushed = this.#medium.appends.length
  }

  async page(query: PageQuery): Promise<TradePage> {
    await this.#io.pause()
    return (await this.#memory).page(query)
  }

  async fills(range: FillRange): Promise<FillPage> {
    await this.#io.pause()
    return (await this.#memory).fills(range)
  }

  async ledger(range: LedgerRange): Promise<LedgerPage> {
    await this.#io.pause()
    return (await this.#memory).ledger(range)
  }

  async positions(range: PositionRange): Promise<PositionPage> {
    await this.#io.pause()
    return (await this.#memory).positions(range)
  }

  async orders(range: OrderRange): Promise<OrderPage> {
    await this.#io.pause()
    return (await this.#memory).orders(range)
  }

  async numberedOrders(orderNumbers: readonly OrderNumber[]): Promise<readonly HistoryOrder[]> {
    await this.#io.pause()
    return (await this.#memory).numberedOrders(orderNumbers)
  }

  async recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]> {
    await this.#io.pause()
    return (await this.#memory).recentTrades(symbolId, limit, upTo)
  }

  async updates(range: UpdatesRange): Promise<readonly UpdatesAnswer[]> {
    await this.#io.pause()
    return (await this.#memory).updates(range)
  }

  async candles(range: CandleRange): Promise<CandlePage> {
    await this.#io.pause()
    return (await this.#memory).candles(range)
  }

  async operatorActions(query: ActionQuery): Promise<readonly OperatorAction[]> {
    await this.#io.pause()
    return (await this.#memory).operatorActions(query)
  }

  async events(query: EventQuery): Promise<EventsAnswer> {
    await this.#io.pause()
    return (await this.#memory).events(query)
  }

  async pastEvents(range: PastEventRange): Promise<PastEventPage> {
    await this.#io.pause()
    return (await this.#memory).pastEvents(range)
  }

  async clear(): Promise<void> {
    this.#medium.clear()
    this.#memory = this.#medium.memory()
  }

  async close(): Promise<void> {}

  /** Asks for room and for the fate of a write; the bytes themselves are not simulated. */
  #write(what: string): void {
    try {
      this.#io.requireRoom(what)
      this.#io.sync(what)
    } catch (cause) {
      if (!(cause instanceof JournalFault)) throw cause
      const kind = cause.kind === 'STORAGE_FULL' ? 'STORAGE_FULL' : 'UNUSABLE'
      throw new HistoryFault(kind, cause.message, { cause })
    }
  }
}

async function loaded(appends: readonly Append[]): Promise<MemoryHistory> {
  const memory = new MemoryHistory()
  for (const { trades, end, besides } of appends) await memory.append(trades, end, besides)
  return memory
}
