/**
 * Messages of the stream (docs/reference/stream-extensions.md). Made by `npm run schemas` from
 * src/contract/publish: change it there.
 */
import type { DecimalText, OtherWord } from '../values.ts'
import type { KnownReason } from './words.ts'
import type { Candle, ExchangePhases } from './answers.ts'

/** What an account has of an asset. */
export type Balance = {
  readonly asset: string
  readonly free: DecimalText
  readonly locked: DecimalText
  readonly freeze: DecimalText
  readonly savings: DecimalText
}

/** Levels that changed, or all of them. */
export type BookMessage = {
  readonly symbol: string
  /** The number of a command in the journal. */
  readonly seq: number
  /** seq of the message before; absent: this is the whole state. */
  readonly prevSeq?: number | undefined
  readonly levels?: 5 | 10 | 20 | 50 | undefined
  readonly intervalMs?: 100 | 250 | 500 | 1000 | undefined
  /** Price and quantity, best first. */
  readonly bids: readonly (readonly [
    /** An exact decimal, with all the decimals of its symbol. */
    DecimalText,
    /** An exact decimal, with all the decimals of its symbol. */
    DecimalText,
  ])[]
  /** Price and quantity, best first. */
  readonly asks: readonly (readonly [
    /** An exact decimal, with all the decimals of its symbol. */
    DecimalText,
    /** An exact decimal, with all the decimals of its symbol. */
    DecimalText,
  ])[]
  /** CRC-32 of the book. */
  readonly checksum?: number | undefined
}

/** The best prices. */
export type BookTickerMessage = {
  readonly symbol: string
  /** The number of a command in the journal. */
  readonly seq: number
  /** seq of the message before; absent: this is the whole state. */
  readonly prevSeq?: number | undefined
  readonly bidPrice?: DecimalText | undefined
  readonly bidQty?: DecimalText | undefined
  readonly askPrice?: DecimalText | undefined
  readonly askQty?: DecimalText | undefined
}

/** A private channel. */
export type Following = {
  readonly channel: 'orders' | 'fills' | 'balances'
  /** The number of a command in the journal. */
  readonly since?: number | undefined
}

/** The server has ended it. */
export type FollowingEnded = {
  readonly channel: 'orders' | 'fills' | 'balances'
  readonly status: false
  /** 4001: the request is wrong, or refused. 4004: it cannot be read. 0014: not now. */
  readonly code: '4001' | '4004' | '0014'
  /** Text for people, in the language of Accept-Language; it may change, do not compare it. */
  readonly msg: readonly string[]
  /** Why: finer than code, and stable. New words may be added: treat an unknown one by its code. */
  readonly reason: KnownReason | OtherWord
}

/** A private channel. */
export type FollowingRequest = {
  readonly channel: 'orders' | 'fills' | 'balances'
  /** What came after this command first. */
  readonly since?: number | undefined
  /** With since: the journal that the number is of. */
  readonly journal?: string | undefined
}

/** Candles. */
export type KlineMessage = {
  readonly symbol: string
  /** The number of a command in the journal. */
  readonly seq: number
  /** seq of the message before; absent: this is the whole state. */
  readonly prevSeq?: number | undefined
  readonly intervalMs?: 100 | 250 | 500 | 1000 | undefined
  /** Candles that are over, oldest first. */
  readonly closed?: readonly Candle[] | undefined
  /** That of the window that runs. */
  readonly current?: Candle | undefined
}

/** The connection is logged in. */
export type LoggedIn = {
  readonly status: true
  readonly code: '0000'
  /** Text for people, in the language of Accept-Language; it may change, do not compare it. */
  readonly msg: readonly string[]
  readonly data: {
    readonly apiKey: string
    readonly permissions: readonly ('TRADE' | 'WALLET' | 'USER_DATA' | 'WITHDRAW' | 'READ')[]
    /** Milliseconds since 1970-01-01 UTC. */
    readonly serverTime: number
    readonly session?: string | undefined
    /** A whole number. */
    readonly graceMs?: number | undefined
    readonly resumed?: boolean | undefined
  }
}

/** A login. */
export type Login = {
  readonly apiKey: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly timestamp: number
  readonly recvWindow?: number | undefined
  readonly nonce?: string | undefined
  /**
   * HMAC-SHA256 with the secret over: login, a line feed,
   * apiKey=...&timestamp=...&recvWindow=...&nonce=..., what is sent of them in this order.
   */
  readonly signature: string
  /** What is placed over this login ends with its connection. */
  readonly cancelOnDisconnect?: boolean | 'true' | 'false' | undefined
  readonly graceMs?: number | undefined
  readonly session?: string | undefined
  /** Plain WebSocket only. */
  readonly frames?: 'one' | 'many' | undefined
}

/** What may be done in the symbol, and in all of them. */
export type StatusMessage = {
  readonly symbol: string
  /** The number of a command in the journal. */
  readonly seq: number
  /** seq of the message before; absent: this is the whole state. */
  readonly prevSeq?: number | undefined
  readonly status: 'TRADING' | 'HALTED' | 'CANCEL_ONLY' | 'DELISTED'
  readonly exchange: ExchangePhases
}

/** A public channel of a symbol. */
export type Subscription = {
  readonly channel:
    | 'book'
    | 'trades'
    | 'bookTicker'
    | 'status'
    | 'ticker'
    | 'kline_1s'
    | 'kline_1m'
    | 'kline_3m'
    | 'kline_5m'
    | 'kline_15m'
    | 'kline_30m'
    | 'kline_1h'
    | 'kline_2h'
    | 'kline_4h'
    | 'kline_6h'
    | 'kline_8h'
    | 'kline_12h'
    | 'kline_1d'
    | 'kline_3d'
    | 'kline_1w'
    | 'kline_1M'
  readonly symbol: string
  readonly levels?: 5 | 10 | 20 | 50 | undefined
  readonly intervalMs?: 100 | 250 | 500 | 1000 | undefined
}

/** A public channel of a symbol. */
export type SubscriptionRequest = {
  readonly channel:
    | 'book'
    | 'trades'
    | 'bookTicker'
    | 'status'
    | 'ticker'
    | 'kline_1s'
    | 'kline_1m'
    | 'kline_3m'
    | 'kline_5m'
    | 'kline_15m'
    | 'kline_30m'
    | 'kline_1h'
    | 'kline_2h'
    | 'kline_4h'
    | 'kline_6h'
    | 'kline_8h'
    | 'kline_12h'
    | 'kline_1d'
    | 'kline_3d'
    | 'kline_1w'
    | 'kline_1M'
  readonly symbol: string
  /** Of book alone; left out: all. */
  readonly levels?: 5 | 10 | 20 | 50 | undefined
  /** Least time between two messages; left out: as things happen. */
  readonly intervalMs?: 100 | 250 | 500 | 1000 | undefined
}

/** The figures of the last 24 hours. */
export type TickerMessage = {
  readonly symbol: string
  /** The number of a command in the journal. */
  readonly seq: number
  /** seq of the message before; absent: this is the whole state. */
  readonly prevSeq?: number | undefined
  readonly intervalMs?: 100 | 250 | 500 | 1000 | undefined
  readonly priceChange?: DecimalText | undefined
  readonly priceChangePercent?: DecimalText | undefined
  readonly weightedAvgPrice?: DecimalText | undefined
  readonly prevClosePrice?: DecimalText | undefined
  readonly lastPrice?: DecimalText | undefined
  readonly lastQty?: DecimalText | undefined
  readonly bidPrice?: DecimalText | undefined
  readonly bidQty?: DecimalText | undefined
  readonly askPrice?: DecimalText | undefined
  readonly askQty?: DecimalText | undefined
  readonly openPrice?: DecimalText | undefined
  readonly highPrice?: DecimalText | undefined
  readonly lowPrice?: DecimalText | undefined
  readonly volume: DecimalText
  readonly quoteVolume: DecimalText
  /** Milliseconds since 1970-01-01 UTC. */
  readonly openTime: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly closeTime: number
  /** A whole number. */
  readonly count: number
}

/** New trades, newest first. */
export type TradesMessage = {
  readonly symbol: string
  /** The number of a command in the journal. */
  readonly seq: number
  /** seq of the message before; absent: this is the whole state. */
  readonly prevSeq?: number | undefined
  readonly trades: readonly {
    readonly id: string
    /** Of the trade in its symbol, from 1 without gaps; absent: older than such numbers. */
    readonly number?: number | undefined
    readonly price: DecimalText
    readonly quantity: DecimalText
    /** Milliseconds since 1970-01-01 UTC. */
    readonly timestamp: number
    readonly isBuyerMaker: boolean
  }[]
}
