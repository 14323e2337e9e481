/** Placements among the requests of a bot, over HTTP and the stream, and their meaning. */

import { FRAME_JSON } from '../../../contract/stream/stream.ts'
import { parseJson } from '../../../units/bounded-json.ts'
import type { SeenRequest } from '../faults/observer.ts'

export type Placement = {
  /** The content of an order: the same text for the same order. */
  readonly intent: string
  readonly clientOrderId: string | undefined
}

const MEANT = ['symbol', 'side', 'type', 'quantity', 'price', 'stopPrice', 'total', 'timeInForce'] as const
const PLACES = /^(?:POST \/api(?:\/api)?\/v3\/order|order\.place)$/
const LOOKS =
  /^(?:GET \/api(?:\/api)?\/v3\/(?:order|order\/active|order\/trade\/history|openOrders|allOrders|myTrades|orderList)|DELETE \/api(?:\/api)?\/v3\/openOrders|order\.cancelAll)$/
const CHANGES =
  /^(?:DELETE \/api(?:\/api)?\/v3\/order|POST \/api(?:\/api)?\/v3\/order\/cancelReplace|PUT \/api(?:\/api)?\/v3\/order\/amend\/keepPriority|order\.(?:cancel|cancelReplace|amend))$/

/** Undefined if it places no single order. */
export function placementOf(request: SeenRequest): Placement | undefined {
  if (!PLACES.test(request.endpoint)) return undefined
  const fields = fieldsOf(request)
  const intent = MEANT.map((name) => fields[name] ?? '').join(' ')
  return { intent, clientOrderId: fields.newClientOrderId }
}

/** Whether a request queries the outcome of orders, or ensures that none is left. */
export function looksUp({ endpoint }: SeenRequest): boolean {
  return LOOKS.test(endpoint)
}

/**
 * Whether a request cancels or changes the order under a client order id: its answer reveals the order's
 * outcome.
 */
export function dealsWith(request: SeenRequest, clientOrderId: string): boolean {
  if (!CHANGES.test(request.endpoint)) return false
  const { cancelOrigClientOrderId, origClientOrderId } = fieldsOf(request)
  return cancelOrigClientOrderId === clientOrderId || origClientOrderId === clientOrderId
}

/** Whether the bot receives updates of its orders: then it need not query them. */
export function followsOrders({ endpoint, text }: SeenRequest): boolean {
  return endpoint === 'subscribe' && /"(?:orders|fills)"/.test(text)
}

/** The reason why a request was refused, as the exchange stated it. */
export function reasonOf({ refusal }: SeenRequest): string | undefined {
  return /"reason":"([A-Z0-9_]+)"/.exec(refusal ?? '')?.[1]
}

type Fields = Readonly<Record<string, string | undefined>>

function fieldsOf({ text, transport }: SeenRequest): Fields {
  return transport === 'HTTP' ? formOf(text) : frameOf(text)
}

function formOf(text: string): Fields {
  return Object.fromEntries(new URLSearchParams(text))
}

function frameOf(text: string): Fields {
  try {
    const message: unknown = parseJson(text.replace(/^\d*/, ''), FRAME_JSON)
    const fields: unknown = Array.isArray(message) ? message[2] : undefined
    if (typeof fields !== 'object' || fields === null) return {}
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
