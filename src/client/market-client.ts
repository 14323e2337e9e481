/**
 * The part of the client for a page that only shows markets: the listed symbols with their rules and figures,
 * candles and the stream, without a key and without orders.
 */

import { ENDPOINTS } from './endpoints.ts'
import { usageError } from './errors.ts'
import { HttpSender } from './http/attempt.ts'
import { type CallOptions, RestCaller } from './http/caller.ts'
import { fieldsOf } from './http/fields.ts'
import { Slots } from './http/slots.ts'
import type { Candle, DayTicker, ExchangeInfo, SymbolRules } from './interface/answers.ts'
import type { KlinesParameters } from './interface/parameters.ts'
import { defaultPlatform } from './platform/default-platform.ts'
import { MarketStream, type MarketStreamOptions } from './stream/market-stream.ts'

export type MarketClientOptions = Pick<MarketStreamOptions, 'pace' | 'onState' | 'liveWithinMs'> & {
  /** The address of the exchange: `http://127.0.0.1:8080`. */
  readonly url: string
}

export type MarketClient = {
  readonly exchangeInfo: (options?: CallOptions) => Promise<ExchangeInfo>
  /** The rules and the state of every listed symbol. */
  readonly symbolRules: (options?: CallOptions) => Promise<SymbolRules>
  /** The figures of the last 24 hours of every listed symbol. */
  readonly dayTickers: (options?: CallOptions) => Promise<readonly DayTicker[]>
  /** Candles, oldest first. */
  readonly klines: (parameters: KlinesParameters, options?: CallOptions) => Promise<readonly Candle[]>
  readonly stream: MarketStream
}

const TIMEOUT_MS = 10_000
const REQUESTS_MAX = 4

export function createMarketClient({ url, pace, onState, liveWithinMs }: MarketClientOptions): MarketClient {
  if (!/^https?:/.test(url)) throw usageError('url: expected the address of an exchange')
  const platform = defaultPlatform()
  const access = { apiKey: undefined, signer: undefined, isStrict: false }
  const http = new HttpSender(platform, url, access, 'en')
  const times = { timeoutMs: TIMEOUT_MS, patienceMs: TIMEOUT_MS, recvWindowMs: TIMEOUT_MS }
  const caller = new RestCaller(platform, http, new Slots(REQUESTS_MAX, REQUESTS_MAX), times)
  const address = `${http.origin.replace(/^http/, 'ws')}/stream`
  return {
    exchangeInfo: async (options) => {
      const { data } = await caller.repeatedly(ENDPOINTS.exchangeInfo, {}, caller.begin(options))
      return data as ExchangeInfo
    },
    symbolRules: async (options) => {
      const { data } = await caller.repeatedly(ENDPOINTS.symbolRules, {}, caller.begin(options))
      return data as SymbolRules
    },
    dayTickers: async (options) => {
      const { data } = await caller.repeatedly(ENDPOINTS.dayTicker, {}, caller.begin(options))
      return data as readonly DayTicker[]
    },
    klines: async (parameters, options) => {
      const { data } = await caller.repeatedly(ENDPOINTS.klines, fieldsOf(parameters), caller.begin(options))
      return data as readonly Candle[]
    },
    stream: new MarketStream({ url: address, ports: platform, pace, onState, liveWithinMs }),
  }
}
