/** The rows of all endpoints, and the lookup by path and method. */
import { CHANGE_ROWS, LIST_ROWS } from './list-rows.ts'
import { MARKET_ROWS } from './market-rows.ts'
import { ACCOUNT_ROWS, ORDER_ROWS } from './order-rows.ts'
import type { WireRow } from './row.ts'

const ROWS = { ...MARKET_ROWS, ...ORDER_ROWS, ...CHANGE_ROWS, ...LIST_ROWS, ...ACCOUNT_ROWS }

export type WireEndpointId = keyof typeof ROWS

export const WIRE_ROWS: Readonly<Record<WireEndpointId, WireRow>> = ROWS

export const WIRE_ENDPOINT_IDS = Object.keys(ROWS) as readonly WireEndpointId[]

const ID_BY_ADDRESS: ReadonlyMap<string, WireEndpointId> = new Map(
  WIRE_ENDPOINT_IDS.map((id) => [addressOf(WIRE_ROWS[id]), id] as const),
)

/** Undefined if there is no such endpoint. */
export function endpointAt(method: string, path: string): WireEndpointId | undefined {
  return ID_BY_ADDRESS.get(`${method} ${path}`)
}

const ID_BY_REQUEST: ReadonlyMap<string | undefined, WireEndpointId> = new Map(
  WIRE_ENDPOINT_IDS.map((id) => [WIRE_ROWS[id].request, id] as const),
)

/** By its name in the WebSocket API; undefined if there is no such endpoint. */
export function endpointOf(request: string): WireEndpointId | undefined {
  return ID_BY_REQUEST.get(request)
}

export function addressOf({ method, path }: Pick<WireRow, 'method' | 'path'>): string {
  return `${method} ${path}`
}
