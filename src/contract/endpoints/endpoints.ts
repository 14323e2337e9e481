/** Every endpoint of the trading interface. */
import { ACCOUNT_ENDPOINTS } from './account.ts'
import { MARKET_ENDPOINTS } from './market.ts'
import { sentAt, signedWindow } from './parameters.ts'
import { isSigned } from './reasons.ts'
import type { EndpointRow } from './row.ts'
import { TRADING_ENDPOINTS } from './trading.ts'
import { WITHDRAWAL_ENDPOINTS } from './withdrawals.ts'

const ROWS = { ...MARKET_ENDPOINTS, ...TRADING_ENDPOINTS, ...ACCOUNT_ENDPOINTS, ...WITHDRAWAL_ENDPOINTS }

/** Its name in generated clients. */
export type EndpointId = keyof typeof ROWS

export const ENDPOINT_ROWS: Readonly<Record<EndpointId, EndpointRow>> = ROWS
export const ENDPOINT_IDS = Object.keys(ROWS) as readonly EndpointId[]

/**
 * Names of parameters that a request may have; `timestamp` and `recvWindow` are accepted in every request.
 */
export function parameterNames(id: EndpointId): ReadonlySet<string> {
  return new Set([...Object.keys(ENDPOINT_ROWS[id].parameters), ...Object.keys(signedWindow)])
}

/** All parameters of an endpoint. */
export function allParameters({ security, parameters }: Pick<EndpointRow, 'security' | 'parameters'>) {
  if (isSigned(security)) return { ...parameters, ...signedWindow }
  return security === 'USER_DATA' ? { ...parameters, ...sentAt } : parameters
}
