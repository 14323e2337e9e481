/**
 * A client of the market stream that keeps a book using only the messages, as
 * docs/reference/stream.md#keeping-a-book specifies. Its connection takes bytes at its own pace, so the
 * server may skip updates and send it a fresh book.
 */
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { STREAM_DEFAULTS, type StreamConfig } from '../../src/server/stream/config.ts'
import { ConnectionBudget } from '../../src/server/stream/intake/limits.ts'
import type { Rooms } from '../../src/server/stream/rooms.ts'
import { Session } from '../../src/server/stream/session.ts'
import { demand, levelsOf, type ShadowState } from '../checkers/shadow-state.ts'
import { type LinkParts, PacedLink } from './paced-link.ts'
import { type MatchMessage, type PublicTradeMessage, TradeTape } from './trade-tape.ts'

export const READER_CONFIG: StreamConfig = {
  ...STREAM_DEFAULTS,
  sendBufferBytesMax: 1_000,
  drainedBytesMax: 200,
  tradesOnJoin: 20,
}

export type ReaderParts = LinkParts & {
  readonly rooms: Rooms
  readonly symbol: string
  readonly onStale: () => void
}

type Levels = Record<string, number>

export class StreamReader {
  readonly symbol: string
  readonly #parts: ReaderParts
  readonly #link: PacedLink
  readonly #session: Session
  #book: { sell: Levels; buy: Levels } | undefined
  readonly #tape = new TradeTape(READER_CONFIG.tradesOnJoin)
  /** The previous message was a complete book: its trades come next. */
  #isBeginning = false

  constructor(parts: ReaderParts) {
    this.#parts = parts
    this.symbol = parts.symbol
    const { rooms, schedule } = parts
    this.#link = new PacedLink(parts, {
      read: (message) => this.#read(message),
      taken: () => this.#session.freshen(),
    })
    const budget = new ConnectionBudget()
    const now = (): number => schedule.now
    const link = this.#link
    this.#session = new Session({ link, rooms, budget, config: READER_CONFIG, language: 'en', now })
    this.#session.receive({ kind: 'join', symbol: parts.symbol })
  }

  /** Whether the client took everything that was sent. */
  get isDrained(): boolean {
    return this.#link.isDrained
  }

  /** Checks that the client's book equals the exchange's resting orders. */
  check(state: ShadowState): void {
    const symbol = state.symbols.find(({ name }) => name === this.symbol)
    demand(symbol !== undefined && this.#book !== undefined, () => `${this.symbol}: a reader has a book`)
    for (const [side, levels] of [
      ['SELL', this.#book.sell],
      ['BUY', this.#book.buy],
    ] as const) {
      const kept = linesOf(levels, symbol, side)
      const known = levelsOf(state.book(symbol.id), side).map(
        ({ price, quantity }) => `${price} ${Number(quantity) / 10 ** symbol.baseFraction}`,
      )
      demand(
        kept.join() === known.join(),
        () => `${this.symbol} ${side}: stream ${kept.join()}, book ${known.join()}`,
      )
    }
    this.#tape.check(state, symbol)
  }

  #read([event, payload]: [string, unknown]): void {
    const isBeginning = this.#isBeginning
    this.#isBeginning = event === 'orders'
    demand(!isBeginning || event === 'trades', () => `after a whole book come its trades, found ${event}`)
    switch (event) {
      case 'orders':
        if (this.#book !== undefined) this.#parts.onStale()
        this.#book = structuredClone(payload) as { sell: Levels; buy: Levels }
        break
      case 'trades':
        if (isBeginning) this.#tape.begin(payload as PublicTradeMessage[])
        else this.#tape.confirm(payload as PublicTradeMessage[])
        return
      case 'matched_order':
        this.#tape.match(payload as MatchMessage)
        return
      default:
        this.#change(event, payload as Levels)
    }
    this.#checkNotCrossed()
  }

  #change(event: string, levels: Levels): void {
    demand(
      event === 'sell_order_update' || event === 'buy_order_update',
      () => `the stream does not send ${event}`,
    )
    demand(this.#book !== undefined, 'the whole book comes before its changes')
    const side = event === 'sell_order_update' ? this.#book.sell : this.#book.buy
    for (const [price, quantity] of Object.entries(levels)) {
      if (quantity === 0) delete side[price]
      else side[price] = quantity
    }
  }

  #checkNotCrossed(): void {
    const best = (levels: Levels, pick: (...prices: number[]) => number): number =>
      pick(...Object.keys(levels).map(Number))
    const { sell, buy } = this.#book as { sell: Levels; buy: Levels }
    demand(
      best(buy, Math.max) < best(sell, Math.min),
      () => `${this.symbol}: a reader never sees a crossed book`,
    )
  }
}

/** Ticks and quantity of each level, best first. */
function linesOf(levels: Levels, symbol: TradingSymbol, side: 'BUY' | 'SELL'): string[] {
  return Object.entries(levels)
    .map(([price, quantity]) => {
      const decimals = price.includes('.') ? price.length - price.indexOf('.') - 1 : 0
      demand(decimals === symbol.quoteFraction, () => `price ${price} has ${symbol.quoteFraction} decimals`)
      return { ticks: Number(price.replace('.', '')), quantity }
    })
    .sort((a, b) => (side === 'BUY' ? b.ticks - a.ticks : a.ticks - b.ticks))
    .map(({ ticks, quantity }) => `${ticks} ${quantity}`)
}
