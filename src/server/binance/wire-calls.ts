/**
 * Converts a request with known row, payload and parameters to its call, for every transport: authenticated,
 * and with the parts that its handler needs.
 */
import type { ApiKey } from '../../core/registry/records.ts'
import type { Parameters } from '../common/parameters.ts'
import { Refusal } from '../common/refusal.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { SharedParts } from '../public/shared-parts.ts'
import type { Services } from '../trading/services.ts'
import type { SignedIn } from './access/sign-in.ts'
import { JoinedSymbols } from './market/joined-symbols.ts'
import { refused } from './wire/refused.ts'
import type { WireError } from './wire/wire-error.ts'
import { WireCall } from './wire-call.ts'

export class WireCalls {
  readonly shared: SharedParts
  /** Whether a key was made for this wire. */
  readonly isOfWire: (apiKey: ApiKey) => boolean
  /** Reads wait for this, so that they include everything that any gateway has answered before. */
  readonly untilFresh: () => Promise<void>
  #symbols: JoinedSymbols | undefined

  constructor(
    shared: SharedParts,
    isOfWire: (apiKey: ApiKey) => boolean,
    untilFresh: () => Promise<void> = async () => {},
  ) {
    this.shared = shared
    this.isOfWire = isOfWire
    this.untilFresh = untilFresh
  }

  make(
    context: RequestContext,
    parameters: Parameters,
    services: Services,
    signed: Pick<SignedIn, 'accountId' | 'keyNumber' | 'window'> | undefined,
  ): WireCall {
    const { clock, logger, lane, limits, config } = this.shared
    const { requestId } = context
    const who = {
      accountId: signed?.accountId,
      keyNumber: signed?.keyNumber,
      window: signed?.window,
      trial: undefined,
      buysByQuantity: true,
    }
    const base = { services, clock, logger, lane, requestId, ...who }
    const symbols = this.symbolsOf(services)
    return new WireCall({ base, context, limits, parameters, symbols, config: config.limits })
  }

  symbolsOf({ market }: Services): JoinedSymbols {
    if (this.#symbols?.registry !== market.registry) this.#symbols = new JoinedSymbols(market.registry)
    return this.#symbols
  }

  /** An error in the form that is sent; it is counted. */
  failed({ use }: RequestContext, error: Refusal | WireError): WireError {
    const wireError = error instanceof Refusal ? refused(error) : error
    this.shared.countRefused(use, wireError.reason)
    return wireError
  }
}

/**
 * The context of a request of this wire. Its clients match on English texts, regardless of the language of
 * their system, and may address it by any host name: nothing here depends on Host.
 */
export function asOfThisWire(context: RequestContext): RequestContext {
  return { ...context, headers: { ...context.headers, acceptLanguage: null, host: null } }
}
