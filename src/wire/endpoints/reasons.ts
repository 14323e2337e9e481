/**
 * Which reasons each kind of request can be refused with, in groups: an endpoint names those that are its own beside those of its
 * security and its form. test/schemas looks for one that is not said here.
 */
import { REASON_NAMES, REASONS, type Reason } from '../reasons/catalogue.ts'

/** Of any request under the address. */
const EVERYWHERE: readonly Reason[] = [
  ...(['RATE_LIMITED', 'BANNED', 'WAF', 'INVALID_HOST', 'DUPLICATE_HEADER', 'HEADERS_TOO_LARGE'] as const),
  ...(['EXPECTATION_FAILED', 'UNSUPPORTED_CONTENT_ENCODING'] as const),
  ...(['STARTING', 'STOPPING', 'INTERNAL_ERROR'] as const),
]

/** Of requests that carry parameters. */
const WITH_PARAMETERS: readonly Reason[] = [
  ...(['CONTROL_CHARACTER', 'UNREADABLE_QUERY', 'TOO_MANY_PARAMETERS', 'DUPLICATE_PARAMETER'] as const),
  ...(['MISSING_PARAMETER', 'INVALID_PARAMETER'] as const),
]

/** Of requests that carry a body. */
const WITH_BODY: readonly Reason[] = [
  ...(['BODY_TOO_LARGE', 'BODY_TIMEOUT', 'UNSUPPORTED_CONTENT_TYPE', 'UNREADABLE_BODY'] as const),
  'SEPARATOR_REQUIRED',
]

/** Of requests with a key. A signature that is right makes the answer to a key that cannot be used a finer one. */
const WITH_KEY: readonly Reason[] = [
  ...(['MISSING_API_KEY', 'INVALID_API_KEY', 'KEY_DISABLED', 'KEY_EXPIRED', 'ACCOUNT_LOCKED'] as const),
  ...(['ADDRESS_NOT_ALLOWED', 'PERMISSION_DENIED'] as const),
]

const WITH_SIGNATURE: readonly Reason[] = [
  ...(['MISSING_SIGNATURE', 'INVALID_SIGNATURE', 'INVALID_HEADER', 'STRICT_SIGNATURE_REQUIRED'] as const),
  ...(['TIMESTAMP_MISMATCH', 'NONCE_REPEATED', 'NONCES_FULL', 'NONCES_UNKNOWN'] as const),
  ...(['TIMESTAMP_AHEAD', 'TIMESTAMP_EXPIRED'] as const),
]

/** Of what asks the engine or the history. */
export const READING: readonly Reason[] = ['OVERLOADED', 'ENGINE_DOWN', 'NO_LEADER']

/** Of lists that may be long. */
export const LONG: readonly Reason[] = ['ANSWERS_UNDER_WAY']

/** Of commands. */
export const COMMAND: readonly Reason[] = [
  ...READING,
  ...([
    'STORAGE_FULL',
    'OUTCOME_UNKNOWN',
    'INVALID_COMMAND',
    'UNKNOWN_ACCOUNT',
    'RULES_VERSION_TOO_LOW',
  ] as const),
]

/** Of decimals. */
const DECIMALS: readonly Reason[] = ['TOO_MANY_DECIMALS', 'VALUE_TOO_LARGE']

/** Of parameters that other exchanges have. */
export const FOREIGN: readonly Reason[] = ['UNSUPPORTED_PARAMETER', 'MISSPELLED_PARAMETER']

/** Of whatever places an order. */
const ANY_PLACEMENT: readonly Reason[] = [
  ...COMMAND,
  ...DECIMALS,
  ...(['UNKNOWN_SYMBOL', 'UNSUPPORTED_VALUE', 'PARAMETER_NOT_TAKEN', 'CLOCK_NOT_TRUSTED'] as const),
  ...(['ACCOUNT_CLOSED', 'ACCOUNT_RESTRICTED', 'ASSET_NOT_TRADABLE', 'INSUFFICIENT_FUNDS'] as const),
  ...(['SYMBOL_HALTED', 'SYMBOL_CANCEL_ONLY', 'SYMBOL_DELISTED', 'EXCHANGE_CANCEL_ONLY'] as const),
  ...(['EXCHANGE_CLOSED', 'QUANTITY_TOO_SMALL', 'PRICE_NOT_ON_TICK', 'QUANTITY_NOT_ON_STEP'] as const),
  ...(['TOTAL_TOO_SMALL', 'PRICE_OUT_OF_BAND', 'TOO_MANY_OPEN_ORDERS', 'TOO_MANY_PRICE_LEVELS'] as const),
  ...(['LIMIT_MAKER_WOULD_TAKE', 'FOK_NOT_FILLABLE', 'STOP_PRICE_REACHED'] as const),
  ...(['DUPLICATE_CLIENT_ORDER_ID', 'TOO_MANY_CLIENT_ORDER_IDS', 'TOTAL_MISMATCH'] as const),
]

/** Of an order of its own, placed or tested. */
export const ORDER: readonly Reason[] = [
  ...ANY_PLACEMENT,
  ...FOREIGN,
  ...(['PRICE_NOT_ALLOWED', 'NO_LIQUIDITY', 'TOTAL_BELOW_BEST_PRICE', 'SELF_TRADE_PREVENTED'] as const),
  ...(['ICEBERG_QUANTITY_TOO_SMALL', 'ICEBERG_QUANTITY_TOO_LARGE'] as const),
  ...(['EXPIRE_TIME_PASSED', 'EXPIRE_TIME_TOO_FAR'] as const),
]

export const PLACED_ORDER: readonly Reason[] = [...ORDER, 'ORDER_RATE_LIMITED']

export const ORDER_LIST: readonly Reason[] = [...ANY_PLACEMENT, 'ORDER_RATE_LIMITED', 'LIST_PRICES_CROSSED']

/** The exchange is closed to all, or the account is. */
export const CANCEL: readonly Reason[] = [...COMMAND, 'EXCHANGE_CLOSED']

export const AMENDMENT: readonly Reason[] = [
  ...CANCEL,
  ...DECIMALS,
  ...(['UNKNOWN_ORDER', 'ORDER_NOT_AMENDABLE', 'QUANTITY_NOT_ON_STEP', 'CLOCK_NOT_TRUSTED'] as const),
  ...(['AMENDED_QUANTITY_TOO_LARGE', 'AMENDED_QUANTITY_TOO_SMALL'] as const),
  ...(['AMENDED_QUANTITY_TOO_PRECISE', 'ACCOUNT_CLOSED'] as const),
]

/** What a request may need: `KEY` is a key alone, any permission. */
export type SecurityWord = 'NONE' | 'KEY' | 'USER_DATA' | 'TRADE' | 'WALLET' | 'WITHDRAW'

export function isSigned(security: SecurityWord): boolean {
  return security === 'TRADE' || security === 'WALLET' || security === 'WITHDRAW'
}

/** The form of a request, as far as reasons depend on it. */
export type RequestForm = {
  readonly security: SecurityWord
  readonly hasParameters: boolean
  readonly hasBody: boolean
}

/** Every reason that an endpoint of this form can be refused with, in the order of the catalogue. */
export function reasonsOf(
  { security, hasParameters, hasBody }: RequestForm,
  own: readonly Reason[],
): Reason[] {
  const given = new Set<Reason>([
    ...EVERYWHERE,
    ...(hasParameters ? WITH_PARAMETERS : []),
    ...(hasBody ? WITH_BODY : []),
    ...(security === 'NONE' ? [] : WITH_KEY),
    ...(isSigned(security) ? WITH_SIGNATURE : []),
    ...own,
  ])
  return REASON_NAMES.filter((reason) => given.has(reason))
}

/** Reasons by their HTTP status, lowest first. */
export function byStatus(reasons: readonly Reason[]): ReadonlyMap<number, readonly Reason[]> {
  const statuses = [...new Set(reasons.map((reason) => REASONS[reason].status))].toSorted((a, b) => a - b)
  return new Map(
    statuses.map((status) => [status, reasons.filter((reason) => REASONS[reason].status === status)]),
  )
}
