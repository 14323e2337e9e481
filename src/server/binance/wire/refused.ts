/** A refusal of ours as an error of this wire. */
import { reasonText } from '../../../contract/error-body.ts'
import type { ReasonArguments } from '../../../contract/reasons/catalogue.ts'
import type { Refusal } from '../../common/refusal.ts'
import { REASON_CODES } from './reason-codes.ts'
import { WireError } from './wire-error.ts'

export function refused(refusal: Refusal): WireError {
  const { reason, retryAfter } = refusal
  if (reason === 'INVALID_PARAMETER' && isDistance(refusal)) {
    const msg = 'Filter failure: TRAILING_DELTA'
    return new WireError({ status: 400, code: -1013, msg, reason, retryAfter })
  }
  const { code, msg, status = 400 } = REASON_CODES[reason]
  return new WireError({ status, code, msg: msg ?? textOf(refusal), reason, retryAfter })
}

/** Whether the distance of a trailing order, alone or in a list, is out of its range. */
function isDistance({ args }: Refusal): boolean {
  return /^(?:[a-z]+T|t)railingDelta$/i.test(String(args.name))
}

/**
 * Errors whose Binance text contains the parameter, or for which Binance has no text: the text is made here.
 */
function textOf({ reason, args }: Refusal): string {
  switch (reason) {
    case 'MISSING_PARAMETER':
      return missing(theirName(String(args.name)))
    case 'PARAMETER_NOT_TAKEN':
      return `Parameter '${theirName(String(args.name))}' sent when not required.`
    case 'TOO_MANY_DECIMALS':
      return `Parameter '${theirName(String(args.name))}' has too much precision.`
    default:
      // `refuse` made the pair, so the arguments are those of the reason.
      return reasonText(reason, args as ReasonArguments<typeof reason>)
  }
}

/** Parameters that have another name here than at our own interface. */
const THEIR_NAMES: Readonly<Record<string, string>> = { total: 'quoteOrderQty' }

function theirName(name: string): string {
  return THEIR_NAMES[name] ?? name
}

/** The text about a parameter that is required. */
export function missing(name: string): string {
  return `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`
}
