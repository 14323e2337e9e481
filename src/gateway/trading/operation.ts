/**
 * An operation of the trading interface, which transports offer under addresses of their own; and what two of them share.
 */
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { Permission } from '../../units/order-words.ts'
import { readOptional } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Answer, Call } from './call.ts'

/** Who may ask (docs/reference/http.md#authentication): `SIGNED` needs key and signature, `KEY` the key alone, `NONE` nothing. */
export type Security =
  | { readonly kind: 'NONE' }
  | { readonly kind: 'KEY'; readonly permission: Permission }
  | { readonly kind: 'SIGNED'; readonly permission: Permission }

export type Operation = {
  readonly security: Security
  /** What a request costs of the address's weight; an operation may charge more when it knows its parameters. */
  readonly weight: number
  readonly answer: (call: Call) => Answer | Promise<Answer>
}

export const NONE: Security = { kind: 'NONE' }
export const USER_DATA: Security = { kind: 'KEY', permission: 'USER_DATA' }
export const TRADE: Security = { kind: 'SIGNED', permission: 'TRADE' }
export const WALLET: Security = { kind: 'SIGNED', permission: 'WALLET' }

/** The symbol named by the parameter `symbol`; undefined when it is absent. */
export function readSymbol(call: Call): TradingSymbol | undefined | Refusal {
  const name = readOptional(call.parameters, 'symbol')
  if (name === undefined || name instanceof Refusal) return name
  return call.services.market.registry.symbolByName(name) ?? refuse('UNKNOWN_SYMBOL', {})
}

/** The symbol named by the parameter `symbol`, which must be there. */
export function requireSymbol(call: Call): TradingSymbol | Refusal {
  return readSymbol(call) ?? refuse('MISSING_PARAMETER', { name: 'symbol' })
}
