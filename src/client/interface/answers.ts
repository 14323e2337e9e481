/** All other answers. Made by `npm run schemas` from src/contract/publish: change it there. */
import type { DecimalText, OtherWord } from '../values.ts'
import type { KnownReason, OrderType, SelfTradeMode, Side, TimeInForce } from './words.ts'

/** What your account pays, and others do. */
export type AccountCommission = {
  readonly symbol: string
  readonly commissionRates: Rates
  readonly standardCommission: Rates
  readonly feeTier?: string | undefined
  /** The account has rates of its own, which neither symbol nor tier change. */
  readonly ownRates?: true | undefined
  /** When those end; absent: without an end. */
  readonly ownRatesUntil?: number | undefined
}

/** What is used of the limits, and what is left. */
export type AccountLimits = {
  readonly rateLimits: readonly {
    /** What is counted. */
    readonly rateLimitType:
      | 'REQUEST_WEIGHT'
      | 'RATE_LIMITED'
      | 'MALFORMED_REQUESTS'
      | 'STREAM_OPENINGS'
      | 'ORDERS'
      | OtherWord
    readonly interval: 'MILLISECOND' | 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY'
    /** A whole number. */
    readonly intervalNum: number
    /** Absent: there is no limit. */
    readonly limit?: number | undefined
    /** A whole number. */
    readonly used: number
    /** A whole number. */
    readonly left?: number | undefined
    /** Milliseconds since 1970-01-01 UTC. */
    readonly resetAt: number
    /** When the limit, which is the account’s own, ends; absent: it does not. */
    readonly limitUntil?: number | undefined
  }[]
  readonly answerBytes: {
    /** Absent: there is no limit. */
    readonly limit?: number | undefined
    /** A whole number. */
    readonly used: number
    /** A whole number. */
    readonly left?: number | undefined
  }
  readonly openOrders?:
    | {
        readonly symbol: string
        /** Absent: there is no limit. */
        readonly limit?: number | undefined
        /** A whole number. */
        readonly used: number
        /** A whole number. */
        readonly left?: number | undefined
        /** When the limit, which is the account’s own, ends; absent: it does not. */
        readonly limitUntil?: number | undefined
      }
    | undefined
}

/** The trades of one arriving order at one price that follow one another. */
export type AggregateTrade = {
  /** Of the aggregate in its symbol, from 1 without gaps. */
  readonly number: number
  /** The number of its first trade. */
  readonly firstTrade: number
  /** The number of its last trade. */
  readonly lastTrade: number
  readonly price: DecimalText
  readonly quantity: DecimalText
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number
  readonly side: Side
  /** The buyer's order rested and the seller's arrived. */
  readonly isBuyerMaker: boolean
}

/** What an account has of an asset. */
export type AssetAccount = {
  readonly asset: string
  readonly name: string
  /** Can be traded or withdrawn. */
  readonly free: DecimalText
  /** Held by the operator or by a pending withdrawal. */
  readonly freeze: DecimalText
  /** Held by open orders. */
  readonly locked: DecimalText
  readonly savings: DecimalText
  /** The part of free that may leave the exchange now. */
  readonly freeTransfer: DecimalText
  readonly freezeTransfer: DecimalText
  readonly lockedTransfer: DecimalText
  readonly savingsTransfer: DecimalText
  readonly isDeposit: boolean
  readonly isWithdraw: boolean
  readonly isTrade: boolean
  readonly isSaving: boolean
}

/** What is free of one asset. */
export type AssetFree = {
  readonly free: DecimalText
}

/** The best prices. */
export type BookTicker = {
  readonly symbol: string
  readonly bidPrice?: DecimalText | undefined
  readonly bidQty?: DecimalText | undefined
  readonly askPrice?: DecimalText | undefined
  readonly askQty?: DecimalText | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number
}

/** A candle, as 12 columns. */
export type Candle = readonly [
  /** openTime */
  number,
  /** open */
  DecimalText,
  /** high */
  DecimalText,
  /** low */
  DecimalText,
  /** close */
  DecimalText,
  /** volume, in the base asset */
  DecimalText,
  /** closeTime */
  number,
  /** quoteVolume */
  DecimalText,
  /** how many trades */
  number,
  /** of the volume, what arriving orders bought */
  DecimalText,
  /** of the quote volume, what arriving orders bought */
  DecimalText,
  /** 1: a sandbox has made up some of it */
  '0' | '1',
]

/** The figures of the last 24 hours. */
export type DayTicker = {
  readonly symbol: string
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

/** Money that came in. */
export type Deposit = {
  readonly id: string
  readonly coin: string
  readonly amount: DecimalText
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number
}

/** The order book. */
export type Depth = {
  /** Price to quantity, best first. */
  readonly sell: { readonly [name: string]: DecimalText }
  /** Price to quantity, best first. */
  readonly buy: { readonly [name: string]: DecimalText }
}

/** Every listed symbol, in the order of listing. */
export type ExchangeInfo = {
  readonly symbols: readonly {
    readonly symbol: string
    readonly baseAssetCode: string
    readonly quoteAssetCode: string
    /** The taker's rate as a fraction: 0.001 is 0.1 %. */
    readonly commission: DecimalText
    /** Decimals. */
    readonly baseFraction: number
    /** Decimals. */
    readonly quoteFraction: number
  }[]
}

/** The phase of all symbols together, now and as planned. */
export type ExchangePhases = {
  readonly phase: 'TRADING' | 'CANCEL_ONLY' | 'CLOSED'
  /** When it began; absent: with the exchange. */
  readonly since?: number | undefined
  readonly planned: readonly {
    readonly phase: 'TRADING' | 'CANCEL_ONLY' | 'CLOSED'
    /** Milliseconds since 1970-01-01 UTC. */
    readonly at: number
  }[]
}

/** A rule that orders of a symbol must fit. */
export type Filter =
  | {
      readonly filterType: 'PRICE_FILTER'
      readonly minPrice: DecimalText
      readonly maxPrice: DecimalText
      readonly tickSize: DecimalText
    }
  | {
      readonly filterType: 'LOT_SIZE'
      readonly minQty: DecimalText
      readonly maxQty: DecimalText
      readonly stepSize: DecimalText
    }
  | {
      readonly filterType: 'NOTIONAL'
      readonly minNotional: DecimalText
      readonly maxNotional: DecimalText
      readonly stepSize: DecimalText
    }
  | {
      readonly filterType: 'ICEBERG_PARTS'
      /** A whole number. */
      readonly limit: number
    }
  | {
      readonly filterType: 'EXPIRE_TIME'
      /** A whole number. */
      readonly maxAheadMs: number
    }
  | {
      readonly filterType: 'MAX_NUM_ORDERS'
      /** A whole number. */
      readonly maxNumOrders: number
    }
  | {
      readonly filterType: 'MAX_NUM_PRICE_LEVELS'
      /** A whole number. */
      readonly maxNumPriceLevels: number
    }

/** A change of a balance, with its cause. */
export type LedgerEntry = {
  readonly id: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number
  readonly asset: string
  readonly wallet: 'SPOT' | 'SAVINGS'
  /** What it comes from. */
  readonly cause:
    | 'TRADE'
    | 'COMMISSION'
    | 'CREDIT'
    | 'DEBIT'
    | 'WITHDRAWAL'
    | 'SAVINGS_DEPOSIT'
    | 'SAVINGS_WITHDRAWAL'
    | OtherWord
  /** By how much the balance changed; negative: it fell. */
  readonly amount: DecimalText
  /** Right after it. */
  readonly balance: DecimalText
  readonly symbol?: string | undefined
  readonly orderId?: string | undefined
  readonly tradeId?: string | undefined
  readonly reference?: string | undefined
}

/** Entries, newest first. */
export type LedgerPage = {
  readonly entries: readonly LedgerEntry[]
  /** before of the request that goes on; absent at the end. */
  readonly next?: string | undefined
}

/** A trade with its number in its symbol. */
export type NumberedTrade = {
  readonly id: string
  /** In its symbol, from 1 without gaps. */
  readonly number: number
  readonly price: DecimalText
  readonly quantity: DecimalText
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number
  readonly side: Side
  /** The buyer's order rested and the seller's arrived. */
  readonly isBuyerMaker: boolean
}

/** The price of the last trade. */
export type PriceTicker = {
  readonly symbol: string
  readonly price?: DecimalText | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number
}

/** Rates of commission as fractions. */
export type Rates = {
  readonly maker: DecimalText
  readonly taker: DecimalText
}

/** A trade. */
export type RecentTrade = {
  readonly quantity: DecimalText
  readonly price: DecimalText
  /** Milliseconds since 1970-01-01 UTC. */
  readonly timestamp: number
}

/** What the server has signed of the request. */
export type SignatureReport = {
  readonly isValid: boolean
  readonly signature?:
    | {
        readonly kind: 'PLAIN' | 'STRICT'
        readonly encoding?: 'HEX' | 'BASE64' | undefined
        /** A whole number. */
        readonly characters: number
      }
    | undefined
  readonly signed: {
    /** A whole number. */
    readonly bytes: number
    readonly sha256: string
    /** At which byte the body begins. */
    readonly bodyAt?: number | undefined
    readonly text?: string | undefined
    /** In place of text where the bytes are not UTF-8. */
    readonly hex?: string | undefined
    readonly isCut?: true | undefined
  }
  readonly parameters?:
    | readonly {
        readonly name: string
        readonly value: string
        readonly isCut?: true | undefined
      }[]
    | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly serverTime: number
  /** How far timestamp is behind; negative: ahead. */
  readonly behindMs?: number | undefined
  readonly refusals: readonly {
    /** As of an error. */
    readonly reason: KnownReason | OtherWord
    readonly msg: string
  }[]
  readonly hints: readonly {
    /** What is wrong, as far as it shows. */
    readonly hint:
      | 'SIGNED_QUERY_ALONE'
      | 'SIGNED_BODY_ALONE'
      | 'SIGNED_BODY_FIRST'
      | 'SIGNED_AMPERSAND'
      | 'SIGNED_NOTHING'
      | 'SIGNED_STRICT_LINES'
      | 'SIGNED_PLAIN_TEXT'
      | 'SIGNED_LINE_END'
      | 'SIGNED_QUESTION_MARK'
      | 'SIGNED_SORTED'
      | 'SIGNED_DECODED'
      | 'SIGNED_ENCODED'
      | 'SIGNATURE_FORM'
      | 'SIGNATURE_PREFIX'
      | 'SIGNATURE_BASE64URL'
      | 'SIGNATURE_BASE64_OF_HEX'
      | 'STRICT_HEADERS_WITHOUT_V2'
      | 'STRICT_NAMES_THIS_ADDRESS'
      | 'ENCODING_COUNTS'
      | 'SPACE_ENCODING'
      | 'QUERY_RE_ENCODED'
      | 'QUESTION_MARK'
      | 'CUT_IN_TWO'
      | 'BODY_OF_GET'
      | 'BODY_IS_JSON'
      | 'BYTE_ORDER_MARK'
      | 'LINE_END'
      | 'WHITE_SPACE'
      | 'SECRET_IS_TEXT'
      | 'TIMESTAMP_UNIT'
      | OtherWord
    readonly msg: string
  }[]
}

/** What an order must fit. */
export type SymbolRules = {
  readonly exchange: ExchangePhases
  readonly symbols: readonly {
    readonly symbol: string
    readonly status: 'TRADING' | 'HALTED' | 'CANCEL_ONLY' | 'DELISTED'
    readonly isSpotTradingAllowed: boolean
    readonly baseAsset: string
    /** Decimals. */
    readonly baseAssetPrecision: number
    readonly quoteAsset: string
    /** Decimals. */
    readonly quoteAssetPrecision: number
    readonly standardCommission: Rates
    readonly orderTypes: readonly OrderType[]
    readonly timeInForce: readonly TimeInForce[]
    readonly orderLists: readonly ('OCO' | 'OTO' | 'OTOCO')[]
    readonly icebergAllowed: boolean
    readonly ocoAllowed: boolean
    readonly otoAllowed: boolean
    readonly amendAllowed: boolean
    readonly cancelReplaceAllowed: boolean
    readonly allowTrailingStop: boolean
    readonly defaultSelfTradePreventionMode: SelfTradeMode
    readonly allowedSelfTradePreventionModes: readonly SelfTradeMode[]
    readonly filters: readonly Filter[]
  }[]
}

/** A page of trades, newest first. */
export type TradeHistory = {
  readonly items: readonly {
    readonly id: string
    readonly orderId: string
    /** ISO 8601 in UTC, with milliseconds. */
    readonly tradeAt: string
    readonly symbol: string
    readonly side: Side
    /** The side in the language of the request: Buy, Sell; Alış, Satış. */
    readonly sideName: string
    readonly price: DecimalText
    readonly quantity: DecimalText
    readonly total: DecimalText
    readonly commission: DecimalText
    readonly commissionAssetCode: string
  }[]
  /** A whole number. */
  readonly page: number
  /** A whole number. */
  readonly size: number
  /** A whole number. */
  readonly total_pages: number
  /** A whole number. */
  readonly total: number
}

/** Every listed asset, zero balances included. */
export type Wallet = {
  readonly acc: {
    readonly Spot: {
      readonly walletCode: 'SPOT'
      readonly transfer: 0 | 1
      readonly assetAccs: readonly AssetAccount[]
    }
  }
}

/** Money on its way out of the exchange. */
export type Withdrawal = {
  /** Of one that an operator holds, or has held: its reference. */
  readonly id: string
  readonly withdrawOrderId?: string | undefined
  readonly coin: string
  readonly amount: DecimalText
  /** Where money goes: visible ASCII characters. */
  readonly address?: string | undefined
  /** The memo or destination tag of the address, where it has one. */
  readonly addressTag?: string | undefined
  readonly status: 'WAITING' | 'CLAIMED' | 'COMPLETED' | 'CANCELED'
  readonly canceledBy?: 'TRADER' | 'OPERATOR' | undefined
  /** Why it was refused. */
  readonly reason?: string | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly createdAt?: number | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly claimedAt?: number | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly endedAt?: number | undefined
}

/** Where an account may withdraw an asset to. */
export type WithdrawalAddress = {
  readonly coin: string
  /** Where money goes: visible ASCII characters. */
  readonly address: string
  /** The memo or destination tag of the address, where it has one. */
  readonly addressTag?: string | undefined
  readonly label?: string | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly addedAt: number
  /** From then on money may go there. */
  readonly usableAt: number
}
