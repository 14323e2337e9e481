/**
 * Building, signing, weights and refusals of requests: the first layer on ccxt's base class. It handles
 * addresses and errors, not markets and orders.
 */
import { description } from './describe.js'
import { errorOfUnknownReason } from './exceptions.js'
import { hmacSha256 } from './sha256.js'

/** Requests that may have been carried out although no answer arrived. */
const CHANGES = new Set(['POST', 'PUT', 'DELETE'])
/** Answers of a proxy that leave the outcome of the request behind it open. */
const GATEWAY_STATUSES = new Set([500, 502, 503, 504])

/** The additional weight of each fill in a full answer. */
const FULL_ANSWER_WEIGHT = 4

/** Weight of a long list: one for every 25 elements, and at least `least`. */
const listWeight = (least, count) => Math.max(least, Math.ceil(count / 25))

function depthWeight({ limit = 500 }) {
  if (limit <= 100) return 5
  if (limit <= 500) return 25
  return limit <= 1000 ? 50 : 250
}

/** Number of stored candles per candle of an interval, if more than one. */
const STORED_CANDLES = {
  '3m': 3,
  '5m': 5,
  '30m': 2,
  '1h': 4,
  '4h': 2,
  '6h': 3,
  '8h': 4,
  '12h': 6,
  '3d': 3,
  '1w': 7,
  '1M': 31,
}

const ordersOf = ({ operations = '[]' }) => JSON.parse(operations)
const placementWeight = ({ newOrderRespType }) => 1 + (newOrderRespType === 'FULL' ? FULL_ANSWER_WEIGHT : 0)

/** Weights that depend on the request, by method and path. */
const WEIGHTS = {
  'GET depth': depthWeight,
  'GET klines': ({ limit = 500, interval }) => 2 + Math.ceil((limit * (STORED_CANDLES[interval] ?? 1)) / 50),
  'GET ticker/24hr': ({ symbol }) => (symbol === undefined ? 40 : 2),
  'GET ticker/price': ({ symbol }) => (symbol === undefined ? 4 : 2),
  'GET ticker/bookTicker': ({ symbol }) => (symbol === undefined ? 4 : 2),
  'GET openOrders': ({ symbol }) => (symbol === undefined ? 80 : 6),
  'GET order/active': ({ symbol }) => (symbol === undefined ? 80 : 6),
  'GET allOrders': ({ limit = 500 }) => listWeight(20, limit),
  'GET myTrades': ({ limit = 500 }) => listWeight(20, limit),
  'GET account/ledger': ({ limit = 500 }) => listWeight(20, limit),
  'POST order': placementWeight,
  'POST order/cancelReplace': placementWeight,
  'POST order/batch': (params) => ordersOf(params).reduce((sum, order) => sum + placementWeight(order), 0),
}

const isEnvelope = (body) => typeof body === 'object' && body !== null && body.status === false

export function withRequests(Exchange, errors) {
  return class extends Exchange {
    describe() {
      return this.deepExtend(super.describe(), description(errors))
    }

    /** The timestamp of a request, in milliseconds: the server's, if the difference has been loaded. */
    nonce() {
      return this.milliseconds() - this.options.timeDifference
    }

    /** The base address of the installation, without a slash at its end. */
    restUrl() {
      const { api } = this.urls
      const url = typeof api === 'string' ? api : api.rest
      return url.replace(/\/$/, '')
    }

    sign(path, api = 'public', method = 'GET', params = {}, headers = undefined, body = undefined) {
      const url = `${this.restUrl()}/api/${this.version}/${path}`
      if (api === 'public') {
        const query = this.urlencode(params)
        return { url: query === '' ? url : `${url}?${query}`, method, headers, body }
      }
      if (api === 'market') return this.keyedRequest(url, method, params)
      return this.signedRequest(url, method, params)
    }

    /** A request for market data: the exchange requires a key, but no signature. */
    keyedRequest(url, method, params) {
      if (this.apiKey === undefined) {
        const way = 'the watch methods need none'
        throw new errors.AuthenticationError(
          `${this.id} requires an apiKey for market data over HTTP; ${way}`,
        )
      }
      const query = this.urlencode({ ...params, timestamp: this.nonce() })
      return { url: `${url}?${query}`, method, headers: { 'X-Apikey': this.apiKey }, body: undefined }
    }

    signedRequest(url, method, params) {
      this.checkRequiredCredentials()
      const timestamp = this.nonce()
      const text = this.urlencode({ ...params, timestamp, recvWindow: this.options.recvWindow })
      const inBody = method === 'POST' || method === 'PUT'
      const [query, body] = inBody ? ['', text] : [text, '']
      const headers = {
        'X-Apikey': this.apiKey,
        ...this.signature({ url, method, query, body, timestamp }),
        ...(inBody ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      }
      return { url: inBody ? url : `${url}?${query}`, method, headers, body: inBody ? body : undefined }
    }

    /**
     * The headers of a plain signature or, with `options.strictSignature`, of one for only this method and
     * path.
     */
    signature({ url, method, query, body, timestamp }) {
      if (!this.options.strictSignature) return { 'X-Signature': hmacSha256(this.secret, query + body) }
      const nonce = this.uuid16() + this.uuid16()
      const lines = [method, new URL(url).pathname, query, timestamp, nonce, body]
      return {
        'X-Signature': `v2=${hmacSha256(this.secret, lines.join('\n'))}`,
        'X-Timestamp': String(timestamp),
        'X-Nonce': nonce,
      }
    }

    calculateRateLimiterCost(api, method, path, params, config = {}) {
      const weight = WEIGHTS[`${method} ${path}`]
      return weight === undefined
        ? super.calculateRateLimiterCost(api, method, path, params, config)
        : weight(params)
    }

    /** Like the base class, except that a lost connection leaves the outcome of a changing request open. */
    async fetch(url, method = 'GET', headers = undefined, body = undefined) {
      try {
        return await super.fetch(url, method, headers, body)
      } catch (error) {
        const isLost = error instanceof errors.NetworkError && error.constructor === errors.NetworkError
        if (!isLost || error.reason !== undefined || !CHANGES.has(method)) throw error
        throw new errors.RequestTimeout(`${error.message}; whether it was carried out is not known`)
      }
    }

    /** Like the base class, whose timeout ends with the head of an answer: this one covers its body too. */
    handleRestResponse(response, url, method = 'GET', requestHeaders = undefined, requestBody = undefined) {
      const text = () => this.readText(response, url, method)
      const { status, statusText, headers } = response
      return super.handleRestResponse(
        { status, statusText, headers, text },
        url,
        method,
        requestHeaders,
        requestBody,
      )
    }

    async readText(response, url, method) {
      let timer
      const late = new Promise((_, reject) => {
        const message = `${this.id} ${method} ${url} the answer did not end within ${this.timeout} ms`
        timer = setTimeout(() => reject(new errors.RequestTimeout(message)), this.timeout)
      })
      try {
        return await Promise.race([response.text(), late])
      } catch (error) {
        if (error instanceof errors.RequestTimeout) throw error
        throw new errors.NetworkError(`${this.id} ${method} ${url} the answer broke off: ${error.message}`)
      } finally {
        clearTimeout(timer)
      }
    }

    handleErrors(status, statusText, url, method, responseHeaders, responseBody, response) {
      if (isEnvelope(response)) {
        const retryAfter = this.safeInteger(responseHeaders, 'Retry-After')
        if (this.placedOnly(response)) return true
        throw this.refusal(response, status, retryAfter === undefined ? {} : { retryAfter })
      }
      const isComplete = typeof response === 'object' && response !== null
      if (status === 200 && isComplete) return undefined
      const feedback = `${this.id} ${method} ${url} ${status} ${statusText} ${responseBody}`
      const isUnknown = CHANGES.has(method) && (GATEWAY_STATUSES.has(status) || status === 200)
      if (isUnknown) throw new errors.RequestTimeout(feedback)
      if (status === 200) throw new errors.BadResponse(feedback)
      return undefined
    }

    /**
     * Whether an error means that a replacement placed its order and canceled nothing: a placed order is not
     * an error.
     */
    placedOnly(body) {
      if (body.reason !== 'CANCEL_REPLACE_PARTLY_DONE') return false
      return body.data?.newOrderResult === 'SUCCESS'
    }

    /**
     * The error for a refusal, with the exchange's fields as members: `reason`, `code`, `status` and, if
     * present, `nearest`, `parameter`, `isFinal`, `retryAfter` (seconds).
     */
    refusal(body, status, beside = {}) {
      const { reason, code, nearest, parameter, isFinal } = body
      const inner = reason === 'CANCEL_REPLACE_PARTLY_DONE' ? body.data?.newOrderResponse?.reason : undefined
      const ErrorClass = this.exceptions.exact[inner ?? reason] ?? errors[errorOfUnknownReason(code, status)]
      const error = new ErrorClass(`${this.id} ${this.json(body)}`)
      const members = { reason, code, status, nearest, parameter, isFinal, ...beside }
      return Object.assign(
        error,
        Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
      )
    }
  }
}
