/**
 * Every endpoint of the trading interface: what it takes, what it answers, whom it asks for, what it weighs. test/schemas holds the
 * table to the routes that are served, so a new endpoint needs its row here.
 */
import type { z } from 'zod'
import type { Reason } from '../reasons/catalogue.ts'
import type { EndpointRow } from './endpoint.ts'
import { ACCOUNT_ENDPOINTS } from './endpoints-account.ts'
import { MARKET_ENDPOINTS } from './endpoints-market.ts'
import { TRADING_ENDPOINTS } from './endpoints-trading.ts'
import { WITHDRAWAL_ENDPOINTS } from './endpoints-withdrawals.ts'
import { sentAt, signedWindow } from './parameters.ts'
import { isSigned, reasonsOf } from './reasons.ts'

export const ENDPOINTS: readonly EndpointRow[] = [
  ...MARKET_ENDPOINTS,
  ...TRADING_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...WITHDRAWAL_ENDPOINTS,
]

/** All parameters of an endpoint. */
export function allParameters({ security, parameters }: EndpointRow): z.ZodObject {
  if (isSigned(security)) return parameters.extend(signedWindow)
  return security === 'USER_DATA' ? parameters.extend(sentAt) : parameters
}

/** All reasons that an endpoint can be refused with. */
export function allReasons(row: EndpointRow): readonly Reason[] {
  const { method, security, parameters, reasons } = row
  const hasParameters = security !== 'NONE' || Object.keys(parameters.shape).length > 0
  return reasonsOf({ security, hasParameters, hasBody: method !== 'GET' }, reasons)
}
