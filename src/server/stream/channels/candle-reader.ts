/**
 * Reads the candles of channels from the history: one read after another, each followed by a pause of the
 * same length, so that subscribers take at most half of the history's time, however many there are. A result
 * is delivered once the market has reached its command: history may contain trades that have not been
 * published yet.
 */
import {
  type CandlesQuery,
  type CandlesUpTo,
  readCandlesUpTo,
} from '../../../engine/history/candles/read-candles.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import type { MarketData } from '../../../views/market-data.ts'
import type { StreamPace } from '../pace.ts'

export type CandleReaderOptions = {
  readonly history: Pick<HistoryPort, 'candles'>
  readonly market: Pick<MarketData, 'seq'>
  readonly pace: Pick<StreamPace, 'now' | 'later'>
}

/**
 * Pause before the next read after history could not answer: it is catching up, or has too many pending
 * reads.
 */
export const RETRY_MS = 1_000

export type CandleReading = {
  /** The query that is sent when its turn comes, and again if history could not answer. */
  readonly begin: () => CandlesQuery
  readonly take: (read: CandlesUpTo) => void
}

type Reading = CandleReading & { isGivenUp: boolean }

export class CandleReader {
  readonly #options: CandleReaderOptions
  /** Oldest first. */
  readonly #waiting = new Set<Reading>()
  /** Candles that were read and are newer than the market. */
  readonly #early = new Map<Reading, CandlesUpTo>()
  /** The current read. */
  #current: Reading | undefined
  /** Set during the read and the pause after it. */
  #isBusy = false

  constructor(options: CandleReaderOptions) {
    this.#options = options
  }

  /** Whether no client waits for an answer. */
  get isIdle(): boolean {
    return this.#waiting.size + this.#early.size === 0 && this.#current === undefined
  }

  /** Queues a read; the returned function cancels it. */
  read({ begin, take }: CandleReading): () => void {
    const reading: Reading = { begin, take, isGivenUp: false }
    this.#waiting.add(reading)
    this.#next()
    return () => {
      reading.isGivenUp = true
      this.#waiting.delete(reading)
      this.#early.delete(reading)
    }
  }

  /** Called when the market view has applied a batch, and channels have received its events. */
  caughtUp(): void {
    for (const [reading, read] of this.#early) this.#give(reading, read)
  }

  #next(): void {
    const [reading] = this.#waiting
    if (this.#isBusy || reading === undefined) return
    this.#isBusy = true
    this.#waiting.delete(reading)
    this.#current = reading
    void this.#serve(reading)
  }

  async #serve(reading: Reading): Promise<void> {
    const { history, pace } = this.#options
    const startMs = pace.now()
    try {
      this.#give(reading, await readCandlesUpTo(history, reading.begin()))
      this.#pause(pace.now() - startMs)
    } catch (error) {
      if (!(error instanceof EngineFault || error instanceof JournalFault)) throw error
      if (!reading.isGivenUp) this.#waiting.add(reading)
      this.#pause(RETRY_MS)
    } finally {
      this.#current = undefined
    }
  }

  #give(reading: Reading, read: CandlesUpTo): void {
    if (reading.isGivenUp) return
    if (read.seq > this.#options.market.seq) {
      this.#early.set(reading, read)
      return
    }
    this.#early.delete(reading)
    reading.take(read)
  }

  #pause(ms: number): void {
    this.#options.pace.later(() => {
      this.#isBusy = false
      this.#next()
    }, ms)
  }
}
