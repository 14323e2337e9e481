/**
 * Which error of ccxt each reason of the exchange is. Pure data; a test finds a reason that is forgotten.
 *
 * `RequestTimeout` says that what was asked for may have been done or not, and no other error says so. What is certainly
 * not done and may be sent again is an `ExchangeNotAvailable` or a `RateLimitExceeded`; no answer of status 400, 404 or
 * 409 is one of them.
 */

/** Names of ccxt's error classes, each with the reasons that it stands for. */
const REASONS_BY_ERROR = {
  AuthenticationError: [
    ...['MISSING_API_KEY', 'INVALID_API_KEY', 'KEY_DISABLED', 'KEY_EXPIRED', 'MISSING_SIGNATURE'],
    ...['INVALID_SIGNATURE', 'STRICT_SIGNATURE_REQUIRED', 'NONCE_REQUIRED', 'SECRET_REPLACED'],
    ...['LOGIN_REQUIRED', 'SESSION_TAKEN_OVER'],
  ],
  AccountSuspended: ['ACCOUNT_LOCKED', 'ACCOUNT_CLOSED'],
  AccountNotEnabled: ['UNKNOWN_ACCOUNT'],
  PermissionDenied: ['ADDRESS_NOT_ALLOWED', 'PERMISSION_DENIED', 'ACCOUNT_RESTRICTED'],
  InvalidNonce: ['TIMESTAMP_AHEAD', 'TIMESTAMP_EXPIRED', 'TIMESTAMP_MISMATCH', 'NONCE_REPEATED'],
  BadRequest: [
    ...['INVALID_HEADER', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'BODY_TOO_LARGE', 'INVALID_HOST'],
    ...['DUPLICATE_HEADER', 'HEADERS_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE', 'UNREADABLE_BODY'],
    ...['EXPECTATION_FAILED', 'UNSUPPORTED_CONTENT_ENCODING'],
    ...['SEPARATOR_REQUIRED', 'CONTROL_CHARACTER', 'UNREADABLE_QUERY', 'TOO_MANY_PARAMETERS'],
    ...['MISSING_PARAMETER', 'DUPLICATE_PARAMETER', 'INVALID_PARAMETER', 'MISSPELLED_PARAMETER'],
    ...['UNKNOWN_ASSET', 'INVALID_COMMAND', 'UNREADABLE_MESSAGE', 'UNKNOWN_MESSAGE', 'NOT_SUBSCRIBED'],
    ...['TOO_MANY_ROOMS', 'TOO_MANY_SUBSCRIPTIONS', 'ALREADY_LOGGED_IN', 'UNKNOWN_SESSION'],
    ...[
      'MESSAGE_TOO_LARGE',
      'UNKNOWN_JOURNAL',
      'SINCE_TOO_OLD',
      'WITHDRAWAL_TOO_SMALL',
      'WITHDRAWAL_TOO_LARGE',
    ],
    ...['UNKNOWN_WITHDRAWAL', 'DUPLICATE_WITHDRAW_ORDER_ID'],
  ],
  InvalidAddress: ['UNKNOWN_WITHDRAWAL_ADDRESS'],
  AddressPending: ['WITHDRAWAL_ADDRESS_TOO_NEW'],
  BadSymbol: ['UNKNOWN_SYMBOL', 'SYMBOL_DELISTED'],
  NotSupported: ['UNSUPPORTED_PARAMETER', 'UNSUPPORTED_VALUE', 'RULES_VERSION_TOO_LOW'],
  InsufficientFunds: ['INSUFFICIENT_FUNDS'],
  InvalidOrder: [
    ...['TOO_MANY_DECIMALS', 'VALUE_TOO_LARGE', 'PRICE_NOT_ALLOWED', 'PARAMETER_NOT_TAKEN'],
    ...['PRICE_OUT_OF_BAND', 'QUANTITY_TOO_SMALL', 'PRICE_NOT_ON_TICK', 'QUANTITY_NOT_ON_STEP'],
    ...['TOTAL_TOO_SMALL', 'TOTAL_MISMATCH', 'TOO_MANY_OPEN_ORDERS', 'TOO_MANY_PRICE_LEVELS'],
    ...['TOTAL_BELOW_BEST_PRICE', 'SELF_TRADE_PREVENTED', 'EXPIRE_TIME_PASSED', 'EXPIRE_TIME_TOO_FAR'],
    ...['ICEBERG_QUANTITY_TOO_SMALL', 'ICEBERG_QUANTITY_TOO_LARGE', 'LIST_PRICES_CROSSED'],
    ...['ORDER_NOT_AMENDABLE', 'AMENDED_QUANTITY_TOO_LARGE', 'AMENDED_QUANTITY_TOO_SMALL'],
    ...['AMENDED_QUANTITY_TOO_PRECISE'],
  ],
  OrderNotFound: ['UNKNOWN_ORDER', 'UNKNOWN_CLIENT_ORDER_ID', 'UNKNOWN_ORDER_LIST'],
  OrderImmediatelyFillable: ['LIMIT_MAKER_WOULD_TAKE', 'STOP_PRICE_REACHED'],
  OrderNotFillable: ['FOK_NOT_FILLABLE', 'NO_LIQUIDITY'],
  DuplicateOrderId: ['DUPLICATE_CLIENT_ORDER_ID'],
  OperationRejected: [
    ...['CANCEL_RESTRICTED', 'CANCEL_REPLACE_PARTLY_DONE', 'DEADLINE_OVER', 'TOO_MANY_CLIENT_ORDER_IDS'],
    ...['TOO_MANY_MASS_CANCELS', 'TOO_MANY_COUNTDOWNS', 'TOO_MANY_SESSIONS'],
    ...['TOO_MANY_WITHDRAWAL_ADDRESSES', 'TOO_MANY_WITHDRAWALS', 'WITHDRAWAL_FINISHED', 'WITHDRAWAL_CLAIMED'],
    ...['ASSET_NOT_WITHDRAWABLE'],
  ],
  MarketClosed: ['SYMBOL_HALTED', 'SYMBOL_CANCEL_ONLY', 'ASSET_NOT_TRADABLE'],
  OnMaintenance: ['EXCHANGE_CANCEL_ONLY', 'EXCHANGE_CLOSED'],
  RequestTimeout: ['OUTCOME_UNKNOWN'],
  NetworkError: ['BODY_TIMEOUT', 'TOO_SLOW'],
  DDoSProtection: ['BANNED', 'WAF', 'FLOODING'],
  RateLimitExceeded: [
    ...['RATE_LIMITED', 'ORDER_RATE_LIMITED', 'ANSWERS_UNDER_WAY', 'REQUESTS_UNDER_WAY'],
    ...['TOO_MANY_CONNECTIONS', 'NONCES_FULL'],
  ],
  ExchangeNotAvailable: [
    ...['STARTING', 'STOPPING', 'OVERLOADED', 'STORAGE_FULL', 'ENGINE_DOWN', 'NO_LEADER'],
    ...['CLOCK_NOT_TRUSTED', 'NONCES_UNKNOWN', 'INTERNAL_ERROR'],
  ],
}

/** The name of ccxt's error class by reason. */
export const ERROR_BY_REASON = Object.fromEntries(
  Object.entries(REASONS_BY_ERROR).flatMap(([error, reasons]) => reasons.map((reason) => [reason, error])),
)

/** The name of ccxt's error class for a reason that a later release of the exchange has added. */
export function errorOfUnknownReason(code, status) {
  if (status === 429) return 'RateLimitExceeded'
  if (status === 418) return 'DDoSProtection'
  if (status === 401) return 'AuthenticationError'
  if (code === '0014') return 'ExchangeNotAvailable'
  return code === '4004' ? 'BadRequest' : 'ExchangeError'
}

/**
 * Errors by HTTP status, for answers without the exchange's envelope: those of a proxy in front of it. What it says of
 * a request that changes something is not in this table (`requests.js`).
 */
export const ERROR_BY_STATUS = {
  400: 'BadRequest',
  403: 'PermissionDenied',
  404: 'BadRequest',
  405: 'BadRequest',
  408: 'NetworkError',
  409: 'OperationRejected',
  410: 'BadRequest',
  413: 'BadRequest',
  422: 'BadRequest',
  431: 'BadRequest',
}
