/**
 * Market data as streams: takes each batch of the engine and passes its messages to the subscribers. Nothing
 * is computed for a stream without a subscriber. Updates of a book are never replaced by a snapshot: a
 * subscriber that does not keep up is disconnected by its socket.
 */
import type { EventBatch, ExchangeEvent, OrdersMatched } from '../../../core/events/event.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import type { AggregateTrade } from '../../../engine/port/history-questions.ts'
import { guarded, type OnFault } from '../../../units/guarded.ts'
import type { SymbolId } from '../../../units/ids.ts'
import type { Side } from '../../../units/order-enums.ts'
import type { Price, Seq } from '../../../units/quantities.ts'
import type { MarketData } from '../../../views/market-data.ts'
import type { Clock } from '../../common/clock.ts'
import { depthText } from '../market/depth.ts'
import type { JoinedSymbols } from '../market/joined-symbols.ts'
import { averagePriceOf, type MarketSources } from '../market/klines.ts'
import { AggregateRun } from './aggregate-run.ts'
import { CandleTopic } from './candle-topic.ts'
import {
  aggTradeMessage,
  avgPriceMessage,
  bookTickerMessage,
  depthMessage,
  klineMessage,
  tickerMessage,
  tradeMessage,
} from './stream-events.ts'
import type { StreamName } from './stream-name.ts'

/** Receives the messages of the streams that it subscribes to. */
export type Subscriber = { readonly send: (stream: string, message: string) => void }

type Topic = {
  readonly name: StreamName
  readonly symbol: TradingSymbol
  readonly subscribers: Set<Subscriber>
  /**
   * For a stream of updates: levels changed since its last message, and the number at which that message
   * ended.
   */
  readonly changed: Record<Side, Map<Price, bigint>>
  after: number
  /** For streams with an interval: whether something has changed since the last message. */
  isDue: boolean
  /** The last message of best prices, without its number. */
  lastBest: string
  readonly aggregates: AggregateRun
  /** The command after which aggregates are counted. */
  began: Seq
  readonly candles: CandleTopic | undefined
  /** Whether a read of history is queued or in progress. */
  isReading: boolean
}

/**
 * Maximum number of aggregates that wait for their numbers; beyond it they are lost if history cannot be
 * read.
 */
const WAITING_MAX = 10_000

const MINUTE_MS = 60_000
const SECOND_MS = 1_000
const SPEEDS = [100, 1_000] as const
/**
 * Number of messages of one interval that are sent in one turn of the event loop; other requests are handled
 * in between.
 */
export const SENDS_PER_TURN = 500
type Speed = (typeof SPEEDS)[number]

export type HubOptions = {
  /** Undefined if the exchange stops. */
  readonly sources: () => MarketSources | undefined
  readonly symbols: JoinedSymbols
  readonly clock: Clock
  readonly onFault: OnFault
}

export class MarketHub {
  readonly #options: HubOptions
  readonly #topicByName = new Map<string, Topic>()
  readonly #topicsBySymbol = new Map<SymbolId, Set<Topic>>()
  #timers: readonly ReturnType<typeof setInterval>[] = []
  /** The streams whose interval is over, in the order in which they are sent. */
  readonly #due = new Set<Topic>()
  #isSending = false
  /** History is read for one stream after another. */
  #reads: Promise<void> = Promise.resolve()

  constructor(options: HubOptions) {
    this.#options = options
  }

  /** False if there is no such symbol. */
  subscribe(name: StreamName, subscriber: Subscriber): boolean {
    const { symbols } = this.#options
    const market = this.#market
    const known = this.#topicByName.get(name.text)
    if (known !== undefined) {
      known.subscribers.add(subscriber)
      return true
    }
    const symbol = symbols.get(name.symbol)
    if (symbol === undefined || market === undefined) return false
    const topic: Topic = {
      ...{ name, symbol, subscribers: new Set([subscriber]), after: market.seq, isDue: true, lastBest: '' },
      ...{ changed: { BUY: new Map(), SELL: new Map() }, aggregates: new AggregateRun(), began: market.seq },
      candles: name.kind === 'kline' ? new CandleTopic(symbol.id, name.interval) : undefined,
      isReading: false,
    }
    if (name.kind === 'aggTrade') this.#read(topic)
    this.#topicByName.set(name.text, topic)
    const ofSymbol = this.#topicsBySymbol.get(symbol.id)
    if (ofSymbol === undefined) this.#topicsBySymbol.set(symbol.id, new Set([topic]))
    else ofSymbol.add(topic)
    this.#timers = this.#timers.length > 0 ? this.#timers : this.#started()
    return true
  }

  unsubscribe(text: string, subscriber: Subscriber): void {
    const topic = this.#topicByName.get(text)
    if (topic === undefined) return
    topic.subscribers.delete(subscriber)
    if (topic.subscribers.size > 0) return
    this.#topicByName.delete(text)
    this.#due.delete(topic)
    const ofSymbol = this.#topicsBySymbol.get(topic.symbol.id)
    ofSymbol?.delete(topic)
    if (ofSymbol?.size === 0) this.#topicsBySymbol.delete(topic.symbol.id)
    if (this.#topicByName.size === 0) this.stop()
  }

  /** Publishes a batch that the views already include. */
  publish({ events }: EventBatch): void {
    if (this.#topicByName.size === 0) return
    const touched = new Set<Topic>()
    this.#aggregate(events)
    for (const event of events) {
      if (event.kind !== 'LevelChanged' && event.kind !== 'OrdersMatched') continue
      for (const topic of this.#topicsBySymbol.get(event.symbolId) ?? []) {
        touched.add(topic)
        if (event.kind === 'OrdersMatched') this.#matched(topic, event)
        else if (topic.name.kind === 'depth') topic.changed[event.side].set(event.price, event.quantity)
      }
    }
    for (const topic of touched) {
      topic.isDue = true
      if (topic.name.kind === 'bookTicker') this.#sendBest(topic)
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
    this.#due.clear()
  }

  #started(): readonly ReturnType<typeof setInterval>[] {
    const { onFault } = this.#options
    return SPEEDS.map((speed) =>
      setInterval(
        guarded(() => this.#tick(speed), onFault),
        speed,
      ),
    )
  }

  #matched(topic: Topic, event: OrdersMatched): void {
    if (topic.name.kind === 'trade')
      this.#send(topic, tradeMessage(event, topic.symbol, this.#options.clock.steady()))
  }

  #sendBest(topic: Topic): void {
    const market = this.#market
    if (market === undefined) return
    const message = bookTickerMessage(market, topic.symbol)
    const best = message.slice(message.indexOf(','))
    if (best === topic.lastBest) return
    topic.lastBest = best
    this.#send(topic, message)
  }

  #tick(speed: Speed): void {
    for (const topic of this.#topicByName.values()) {
      const { name } = topic
      const own = 'speed' in name ? name.speed : 1_000
      if (own !== speed || !this.#isDue(topic)) continue
      topic.isDue = false
      this.#due.add(topic)
    }
    if (!this.#isSending) this.#sendDue()
  }

  #sendDue(): void {
    // After a fault the next interval continues with the rest.
    this.#isSending = false
    let sent = 0
    for (const topic of this.#due) {
      if (sent >= SENDS_PER_TURN) break
      this.#due.delete(topic)
      this.#sendAtInterval(topic)
      sent += topic.subscribers.size
    }
    this.#isSending = this.#due.size > 0
    if (this.#isSending) setImmediate(guarded(() => this.#sendDue(), this.#options.onFault))
  }

  #sendAtInterval(topic: Topic): void {
    const { clock } = this.#options
    const market = this.#market
    if (market === undefined) return
    const { name, symbol, changed } = topic
    const now = clock.steady()
    switch (name.kind) {
      case 'depth': {
        if (changed.BUY.size + changed.SELL.size === 0) return
        const { after } = topic
        this.#send(topic, depthMessage(changed, symbol, { after, seq: market.seq, now }))
        topic.after = market.seq
        for (const side of [changed.BUY, changed.SELL]) side.clear()
        return
      }
      case 'partialDepth':
        this.#send(topic, depthText(market, symbol, name.levels))
        return
      case 'ticker':
      case 'miniTicker':
        this.#send(topic, tickerMessage(market, symbol, now, name.kind === 'miniTicker'))
        return
      case 'kline':
      case 'avgPrice':
        this.#read(topic)
        return
      case 'aggTrade':
        if (!topic.aggregates.hasBegun) this.#read(topic)
        return
      case 'trade':
      case 'bookTicker':
        return
    }
  }

  /** Whether a message is due: candles close and averages change without a trade too. */
  #isDue({ name, isDue, candles }: Topic): boolean {
    const now = this.#options.clock.steady()
    return isDue || candles?.isOver(now) === true || (name.kind === 'avgPrice' && now % MINUTE_MS < SECOND_MS)
  }

  /** Visits only the streams of symbols that have traded: there may be hundreds of thousands of others. */
  #aggregate(events: readonly ExchangeEvent[]): void {
    const matches = events.filter((event) => event.kind === 'OrdersMatched')
    for (const [symbolId, own] of Map.groupBy(matches, (match) => match.symbolId)) {
      for (const topic of this.#topicsBySymbol.get(symbolId) ?? []) {
        if (topic.name.kind !== 'aggTrade') continue
        this.#sendAggregates(topic, topic.aggregates.take(own))
        if (topic.aggregates.waiting > WAITING_MAX) this.#beginAgain(topic)
      }
    }
  }

  #beginAgain(topic: Topic): void {
    topic.aggregates.forget()
    topic.began = this.#market?.seq ?? topic.began
  }

  #sendAggregates(topic: Topic, aggregates: readonly AggregateTrade[]): void {
    const now = this.#options.clock.steady()
    for (const each of aggregates) this.#send(topic, aggTradeMessage(each, topic.symbol, now))
  }

  /**
   * Sends the topic's messages from history, after those of earlier reads; after a fault the attempt is
   * repeated later.
   */
  #read(topic: Topic): void {
    if (topic.isReading) return
    topic.isReading = true
    this.#reads = this.#reads.then(async () => {
      try {
        const sources = this.#options.sources()
        if (sources !== undefined && topic.subscribers.size > 0) await this.#sendFromHistory(topic, sources)
      } catch (error) {
        if (!(error instanceof EngineFault)) this.#options.onFault(error)
        topic.isDue = true
      } finally {
        topic.isReading = false
      }
    })
  }

  async #sendFromHistory(topic: Topic, sources: MarketSources): Promise<void> {
    const { name, symbol, candles, aggregates, began } = topic
    const now = this.#options.clock.steady()
    if (name.kind === 'aggTrade') {
      const none = { first: undefined, from: undefined, to: undefined }
      const range = { symbolId: symbol.id, ...none, limit: 1, upTo: began }
      const [last] = await sources.history.aggregateTrades(range)
      // If the run was started again in the meantime, this number belongs to an earlier command.
      if (topic.began === began) this.#sendAggregates(topic, aggregates.begin(last?.number ?? 0))
    } else if (name.kind === 'avgPrice')
      this.#send(topic, avgPriceMessage(await averagePriceOf(sources, symbol, now), symbol, now))
    else if (name.kind === 'kline' && candles !== undefined)
      for (const each of await candles.read(sources, now))
        this.#send(topic, klineMessage(each, name.interval, symbol, now))
  }

  get #market(): MarketData | undefined {
    return this.#options.sources()?.market
  }

  #send({ name, subscribers }: Topic, message: string): void {
    for (const subscriber of subscribers) subscriber.send(name.text, message)
  }
}
