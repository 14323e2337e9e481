/**
 * An operation of the trading interface, which transports offer under addresses of their own; and what two of
 * them share.
 */

import { ENDPOINT_ROWS, type EndpointId, parameterNames } from '../../contract/endpoints/endpoints.ts'
import type { SecurityWord } from '../../contract/endpoints/reasons.ts'
import type { Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { Permission } from '../../units/order-enums.ts'
import type { RegistryView } from '../../views/registry.ts'
import { readOptional } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Call, Outcome } from './call.ts'
import type { Taking } from './fields.ts'

/**
 * Required credentials (docs/reference/authentication.md): `SIGNED` needs key and signature (`isStrict`: the
 * strict one, whatever the key requires), `KEY` only the key, `NONE` nothing; then parameters are read only
 * if the operation accepts any.
 */
export type Security =
  | { readonly kind: 'NONE'; readonly takesParameters: boolean }
  | { readonly kind: 'KEY'; readonly permission: Permission }
  | { readonly kind: 'SIGNED'; readonly permission: Permission; readonly isStrict?: true }

/** An unknown parameter is refused before the operation is called. */
export type Operation = Taking & {
  readonly security: Security
  /**
   * The weight of a request, counted against the address; an operation may charge more after reading its
   * parameters.
   */
  readonly weight: number
  readonly answer: (call: Call) => Outcome
}

const SECURED: Readonly<Partial<Record<SecurityWord, Security>>> = {
  USER_DATA: { kind: 'KEY', permission: 'USER_DATA' },
  READ: { kind: 'SIGNED', permission: 'READ' },
  TRADE: { kind: 'SIGNED', permission: 'TRADE' },
  WALLET: { kind: 'SIGNED', permission: 'WALLET' },
  WITHDRAW: { kind: 'SIGNED', permission: 'WITHDRAW', isStrict: true },
}

/**
 * The operation of an endpoint, from its row: parameters that are not in the row are refused, except by the
 * contract's own endpoints, which ignore them. `checkName`: refuses names with its own message.
 */
export function operationOf(
  id: EndpointId,
  answer: Operation['answer'],
  checkName?: Taking['checkName'],
): Operation {
  const { security, weight, isExtension, parameters, ignoresUnknown } = ENDPOINT_ROWS[id]
  const takesParameters = Object.keys(parameters).length > 0
  const isClosed = isExtension && takesParameters && ignoresUnknown !== true
  return {
    security: SECURED[security] ?? { kind: 'NONE', takesParameters },
    weight,
    ...(isClosed ? { takes: parameterNames(id) } : {}),
    ...(checkName === undefined ? {} : { checkName }),
    answer,
  }
}

/** The asset named by the parameter `asset`; undefined when it is absent. */
export function readAsset(call: Call): Asset | undefined | Refusal {
  const code = readOptional(call.parameters, 'asset')
  if (code === undefined || code instanceof Refusal) return code
  return call.services.market.registry.assetByCode(code) ?? refuse('UNKNOWN_ASSET', {})
}

/** The symbol named by the parameter `symbol`; undefined when it is absent. */
export function readSymbol(call: Call): TradingSymbol | undefined | Refusal {
  const name = readOptional(call.parameters, 'symbol')
  if (name === undefined || name instanceof Refusal) return name
  return call.services.market.registry.symbolByName(name) ?? refuse('UNKNOWN_SYMBOL', {})
}

/** Like `readSymbol`, except that a delisted symbol counts as unknown. */
export function readListedSymbol(call: Call): TradingSymbol | undefined | Refusal {
  const symbol = readSymbol(call)
  const isGone = !(symbol instanceof Refusal) && symbol?.state === 'DELISTED'
  return isGone ? refuse('UNKNOWN_SYMBOL', {}) : symbol
}

/** Every symbol that is shown, in the order of listing. */
export function listedSymbols(registry: RegistryView): readonly TradingSymbol[] {
  return registry.symbols().filter(({ state }) => state !== 'DELISTED')
}

/** The symbol named by the parameter `symbol`, which must be present. */
export function requireSymbol(call: Call): TradingSymbol | Refusal {
  return readSymbol(call) ?? refuse('MISSING_PARAMETER', { name: 'symbol' })
}
