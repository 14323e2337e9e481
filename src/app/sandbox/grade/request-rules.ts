/** Checks of a bot's requests: its reaction to a lost answer, to a request to wait, and to a wrong clock. */
import type { SeenRequest } from '../faults/observer.ts'
import { dealsWith, followsOrders, looksUp, type Placement, placementOf, reasonOf } from './placements.ts'
import type { BotRecord, Finding } from './record.ts'

/** A bot that gets SIGTERM this soon after a lost answer need not have checked yet. */
const ASK_MS = 3_000
/**
 * Tolerance for requests that were pending when the exchange requested a pause: their number, and the time.
 */
const UNDER_WAY_MS = 1_000
const UNDER_WAY_MAX = 3
/** Timers may fire slightly early. */
const EARLY_MS = 50
/**
 * This number of consecutive refusals because of the clock, without a request for the time, is not an
 * accident.
 */
const CLOCK_REFUSALS = 5
/** More than this number of connections within this time are too many. */
const CONNECTIONS_MS = 2_000
const CONNECTIONS_MAX = 8
/** This number of refusals of one kind shows that the bot does not learn from them. */
const SAME_REFUSALS = 3

/** Refusals that come again as long as the request is made in the same way. */
const BY_RULES =
  'Read the rules of the symbol from GET /api/v3/exchangeInfo/rules, and round prices and quantities before sending an order'
const BY_FORM = 'The answer names the parameter and what is expected'
const BY_SIGNATURE = 'POST /api/v3/signature/check shows how the exchange reads the signature'
const ADVICE_BY_REASON: Readonly<Record<string, string>> = {
  TOO_MANY_DECIMALS: BY_RULES,
  PRICE_NOT_ON_TICK: BY_RULES,
  QUANTITY_NOT_ON_STEP: BY_RULES,
  QUANTITY_TOO_SMALL: BY_RULES,
  TOTAL_TOO_SMALL: BY_RULES,
  TOTAL_MISMATCH: BY_FORM,
  INVALID_PARAMETER: BY_FORM,
  MISSING_PARAMETER: BY_FORM,
  MISSPELLED_PARAMETER: BY_FORM,
  PARAMETER_NOT_TAKEN: BY_FORM,
  UNSUPPORTED_PARAMETER: BY_FORM,
  UNSUPPORTED_VALUE: BY_FORM,
  VALUE_TOO_LARGE: BY_FORM,
  UNKNOWN_SYMBOL: 'The names of symbols are in GET /api/v3/exchangeInfo/rules',
  INVALID_SIGNATURE: BY_SIGNATURE,
}

const TIME = /^GET \/api(?:\/api)?\/v3\/time$/

/** Orders sent again as new ones, or never checked, after a lost answer. */
export function unknownOutcomes({ requests, stopAtMs }: BotRecord): Finding[] {
  const doubled: string[] = []
  const unasked: string[] = []
  for (const [place, request] of requests.entries()) {
    const lost = placementOf(request)
    if (lost === undefined || (request.fault !== 'LOST_ANSWER' && request.fault !== 'DISCONNECT')) continue
    // A bot that checks only after SIGTERM has kept trading without knowing.
    const outcome = outcomeOf(
      lost,
      requests.slice(place + 1).filter(({ atMs }) => atMs < stopAtMs),
    )
    if (outcome === 'SENT_AGAIN') doubled.push(lost.intent)
    const hadTime = stopAtMs - request.atMs >= ASK_MS
    if (outcome === 'FORGOTTEN' && hadTime && !requests.some(followsOrders)) unasked.push(lost.intent)
  }
  return [
    ...found('DOUBLED_ORDER', doubled.length, () => {
      return `an order whose answer was lost was sent again as a new order: both may have been placed (${doubled[0]?.trim()}). Send it again with the same newClientOrderId, or query it first`
    }),
    ...found('OUTCOME_NOT_ASKED', unasked.length, () => {
      return `the answer to an order was lost, and the bot never checked its outcome (${unasked[0]?.trim()}). Query the order by its client order id, or read the open orders and fills`
    }),
  ]
}

/**
 * The bot's reaction to an order without an answer: the next order is the same without the same id, the order
 * was never checked, or all is well.
 */
function outcomeOf(lost: Placement, later: readonly SeenRequest[]): 'SENT_AGAIN' | 'FORGOTTEN' | 'SETTLED' {
  let isNext = true
  for (const request of later) {
    if (looksUp(request) || followsOrders(request)) return 'SETTLED'
    if (lost.clientOrderId !== undefined && dealsWith(request, lost.clientOrderId)) return 'SETTLED'
    const placement = placementOf(request)
    if (placement === undefined) continue
    const { intent, clientOrderId } = placement
    if (clientOrderId !== undefined && clientOrderId === lost.clientOrderId) return 'SETTLED'
    // Later, the same order may be a new decision.
    if (isNext && intent === lost.intent) return 'SENT_AGAIN'
    isNext = false
  }
  return 'FORGOTTEN'
}

/**
 * Requests during a time in which the bot was asked to wait. A client that opens a WebSocket does not receive
 * the reason for a refusal, or its length: `hammering` checks how often that is tried.
 */
export function ignoredLimits({ requests }: BotRecord): Finding[] {
  let sinceMs = Number.NEGATIVE_INFINITY
  let untilMs = Number.NEGATIVE_INFINITY
  let underWay = 0
  let ignored = 0
  for (const request of requests) {
    const { fault, transport, atMs, retryAfterSeconds = 0 } = request
    if (fault !== 'RATE_LIMIT' || transport !== 'HTTP' || connects(request)) continue
    if (atMs >= untilMs - EARLY_MS) {
      sinceMs = atMs
      untilMs = atMs + retryAfterSeconds * 1_000
      underWay = 0
    } else if (atMs - sinceMs > UNDER_WAY_MS || ++underWay > UNDER_WAY_MAX) ignored++
  }
  return found('LIMIT_IGNORED', ignored, () => {
    return 'the bot got status 429 with Retry-After, and sent more requests before that time had passed. This leads to a ban'
  })
}

/** Timestamps that were refused again and again. */
export function ignoredClock({ requests }: BotRecord): Finding[] {
  let row = 0
  let longest = 0
  // Not every endpoint checks timestamps: only an endpoint that has refused one can show that they are right
  // again.
  const refusing = new Set<string>()
  for (const request of requests) {
    const reason = reasonOf(request)
    const { endpoint, status } = request
    if (reason === 'TIMESTAMP_EXPIRED' || reason === 'TIMESTAMP_AHEAD') {
      refusing.add(endpoint)
      longest = Math.max(longest, ++row)
    } else if (TIME.test(endpoint) || (status === 200 && refusing.has(endpoint))) row = 0
  }
  return found('CLOCK_IGNORED', longest >= CLOCK_REFUSALS ? longest : 0, () => {
    return "the bot's timestamps were refused, and it kept using the same clock. Read GET /api/v3/time, and correct for the difference"
  })
}

/** Connections that were reopened without a pause. */
export function hammering({ requests }: BotRecord): Finding[] {
  const connections = requests.filter(connects).map(({ atMs }) => atMs)
  let most = 0
  let first = 0
  for (const [place, atMs] of connections.entries()) {
    while (atMs - (connections[first] ?? atMs) > CONNECTIONS_MS) first++
    most = Math.max(most, place - first + 1)
  }
  return found('HAMMERING', most > CONNECTIONS_MAX ? most : 0, () => {
    return `${most} connections to the stream within 2 seconds. After each failure, wait longer, plus a random time`
  })
}

/** Refusals that repeated because the request was made in the same way. */
export function repeatedRefusals({ requests }: BotRecord): Finding[] {
  const countByRefusal = new Map<string, number>()
  for (const request of requests) {
    const reason = reasonOf(request)
    if (reason === undefined || ADVICE_BY_REASON[reason] === undefined) continue
    const refusal = `${request.endpoint}: ${reason}`
    countByRefusal.set(refusal, (countByRefusal.get(refusal) ?? 0) + 1)
  }
  const [worst] = [...countByRefusal].sort(([, one], [, other]) => other - one)
  if (worst === undefined || worst[1] < SAME_REFUSALS) return []
  const [refusal, count] = worst
  return found('REFUSAL_REPEATED', count, () => {
    const advice = ADVICE_BY_REASON[refusal.slice(refusal.lastIndexOf(' ') + 1)]
    return `the bot received the same refusal repeatedly (${refusal}). ${advice}`
  })
}

/** Whether the request begins a connection to the stream. */
function connects({ endpoint, text, transport }: SeenRequest): boolean {
  if (transport !== 'HTTP' || endpoint.includes(' /api/')) return false
  return !/(?:^|&)sid=/.test(text)
}

export function found(kind: Finding['kind'], count: number, message: () => string): Finding[] {
  return count === 0 ? [] : [{ kind, count, message: message() }]
}
