/** The exchange's class on the installed ccxt, and copies of it that answer without a network. */
import ccxt from 'ccxt'
import { registerBourse } from '../../../clients/ccxt/index.js'

export const Bourse = registerBourse(ccxt)
export type Bourse = InstanceType<typeof Bourse>

export type Request = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export type Answer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export const CREDENTIALS = { apiKey: 'key', secret: 'secret' }

/** An exchange whose requests are recorded, and answered by `answer`. It does not wait for a rate limit. */
export function offline(answer: (request: Request) => Answer, config: object = {}) {
  const requests: Request[] = []
  const exchange = new Bourse({ ...CREDENTIALS, enableRateLimit: false, ...config })
  exchange.fetchImplementation = async (url: string, init: RequestInit) => {
    const request = {
      method: init.method ?? 'GET',
      url,
      headers: init.headers as Record<string, string>,
      body: init.body as string | undefined,
    }
    requests.push(request)
    const { status = 200, headers = {}, body } = answer(request)
    return new Response(body, { status, headers })
  }
  return { exchange, requests }
}

/** The parameters of a request, in the URL or in the body. */
export function parametersOf({ url, body }: Request): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body ?? new URL(url).search))
}

/** A refusal with a reason. */
export function refused(reason: string, status: number, code: string, more: object = {}): Answer {
  return { status, body: JSON.stringify({ status: false, code, msg: ['Refused.'], reason, ...more }) }
}

export const succeeded = (data?: unknown): Answer => ({
  body: JSON.stringify({ status: true, code: '0000', msg: ['Done.'], data }),
})

/** The rules of an exchange with one market. */
export const RULES = succeeded({
  exchange: { phase: 'TRADING', planned: [] },
  symbols: [
    {
      symbol: 'BTC/USDT',
      isSpotTradingAllowed: true,
      baseAsset: 'BTC',
      baseAssetPrecision: 8,
      quoteAsset: 'USDT',
      quoteAssetPrecision: 8,
      standardCommission: { maker: '0.001', taker: '0.001' },
      filters: [
        { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
        { filterType: 'LOT_SIZE', minQty: '0.00000001', maxQty: '1000', stepSize: '0.00000001' },
        { filterType: 'NOTIONAL', minNotional: '1', maxNotional: '1000000', stepSize: '0.00000001' },
      ],
    },
  ],
})
