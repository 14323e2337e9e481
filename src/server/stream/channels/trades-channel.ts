/**
 * `trades` (docs/reference/stream-extensions.md#trades): the recent trades, then the new ones, newest first
 * in each message.
 */

import { eventJson } from '../../../contract/stream/stream.ts'
import {
  channelTradeJson,
  seqMembers,
  type Topic,
  topicMembers,
} from '../../../contract/stream/stream-channels.ts'
import type { PublicTrade } from '../../../core/questions/view.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { Frame } from '../link.ts'
import { type Channel, type MarketEvent, PART_BYTES, type Part, singlePart } from './channel.ts'

export type TradesChannelOptions = {
  readonly topic: Topic
  readonly symbol: TradingSymbol
  readonly market: MarketData
  /** Number of trades in the first message. */
  readonly tradesOnJoin: number
}

export class TradesChannel implements Channel {
  readonly dueAt = undefined
  readonly #options: TradesChannelOptions
  readonly #head: string
  /** The command of the newest message. */
  #seq: Seq
  /** The command of the last addition. */
  #addedSeq: Seq
  /** Oldest first. */
  #trades: PublicTrade[] = []

  constructor(options: TradesChannelOptions) {
    this.#options = options
    this.#head = topicMembers(options.symbol.name, options.topic)
    this.#seq = options.market.seq
    this.#addedSeq = options.market.seq
  }

  get queued(): number {
    return this.#trades.length
  }

  add(event: MarketEvent, seq: Seq): boolean {
    if (event.kind !== 'OrdersMatched') return false
    const { tradeNumber, symbolTrade, price, quantity, time, takerSide } = event
    this.#trades.push({ tradeNumber, symbolTrade, price, quantity, time, takerSide })
    this.#addedSeq = seq
    return true
  }

  pass(): boolean {
    return false
  }

  take(): Iterable<Part> {
    const [trades, prevSeq] = [this.#trades, this.#seq]
    this.forget()
    this.#seq = this.#addedSeq
    return this.#changes(trades, this.#seq, prevSeq)
  }

  forget(): void {
    this.#trades = []
  }

  snapshot(): readonly Frame[] {
    const { market, symbol, tradesOnJoin } = this.#options
    const newest = market
      .recentTrades(symbol.id, tradesOnJoin)
      .map((trade) => channelTradeJson(trade, symbol))
    return [this.#message(seqMembers(this.#seq, undefined), newest)]
  }

  /**
   * As many messages as needed to keep each within the size of a part, the older trades first; all are up to
   * `seq`.
   */
  *#changes(trades: readonly PublicTrade[], seq: Seq, prevSeq: Seq): Generator<Part> {
    let members = seqMembers(seq, prevSeq)
    let texts: string[] = []
    let bytes = 0
    for (const trade of trades) {
      const text = channelTradeJson(trade, this.#options.symbol)
      const length = text.length + ','.length
      if (bytes + length > PART_BYTES) {
        yield singlePart(this.#message(members, texts.reverse()))
        members = seqMembers(seq, seq)
        texts = []
        bytes = 0
      }
      texts.push(text)
      bytes += length
    }
    if (texts.length > 0) yield singlePart(this.#message(members, texts.reverse()))
  }

  #message(members: string, newestFirst: readonly string[]): Frame {
    return new Frame(eventJson('trades', `{${this.#head},${members},"trades":[${newestFirst.join(',')}]}`))
  }
}
