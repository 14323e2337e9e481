/**
 * Every reason of ours as an error of this wire. Clients compare texts as well as numbers, so a text of
 * Binance for the same case is copied exactly; all others are ours.
 *
 * A request that certainly did nothing gets 400: after a status of 5xx, clients send it again and hide number
 * and text.
 */
import type { Reason } from '../../../contract/reasons/catalogue.ts'

export type ReasonCode = {
  readonly code: number
  /** Our own text of the reason, in English, if undefined. */
  readonly msg?: string
  /** 400 if undefined. */
  readonly status?: number
}

const UNAUTHORIZED = { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.', status: 401 }
const CLOSED = { code: -2010, msg: 'Market is closed.' }
const DISABLED = { code: -2010, msg: 'This action is disabled on this account.' }
const UNREADABLE = { code: -1100 }
const NOT_OFFERED = { code: -1020 }
const TOO_MANY = { code: -1003, status: 429 }
const NOT_NOW = { code: -1001, status: 503 }
const REJECTED = { code: -2010 }
const filter = (name: string): ReasonCode => ({ code: -1013, msg: `Filter failure: ${name}` })

const ORDERS = {
  UNKNOWN_SYMBOL: { code: -1121, msg: 'Invalid symbol.' },
  UNKNOWN_ORDER: { code: -2011, msg: 'Unknown order sent.' },
  UNKNOWN_CLIENT_ORDER_ID: { code: -2011, msg: 'Unknown order sent.' },
  UNKNOWN_ORDER_LIST: { code: -2011, msg: 'Unknown order list sent.' },
  INSUFFICIENT_FUNDS: { code: -2010, msg: 'Account has insufficient balance for requested action.' },
  SYMBOL_HALTED: CLOSED,
  SYMBOL_CANCEL_ONLY: CLOSED,
  EXCHANGE_CANCEL_ONLY: CLOSED,
  EXCHANGE_CLOSED: CLOSED,
  ASSET_NOT_TRADABLE: CLOSED,
  SYMBOL_DELISTED: { code: -1121, msg: 'Invalid symbol.' },
  ACCOUNT_RESTRICTED: DISABLED,
  ACCOUNT_CLOSED: DISABLED,
  QUANTITY_TOO_SMALL: filter('LOT_SIZE'),
  QUANTITY_NOT_ON_STEP: filter('LOT_SIZE'),
  VALUE_TOO_LARGE: { code: -1013 },
  PRICE_NOT_ON_TICK: filter('PRICE_FILTER'),
  PRICE_OUT_OF_BAND: filter('PRICE_FILTER'),
  TOTAL_TOO_SMALL: filter('NOTIONAL'),
  ICEBERG_QUANTITY_TOO_SMALL: filter('ICEBERG_PARTS'),
  ICEBERG_QUANTITY_TOO_LARGE: { code: -2010, msg: 'IcebergQty exceeds QTY.' },
  TOO_MANY_OPEN_ORDERS: filter('MAX_NUM_ORDERS'),
  TOO_MANY_PRICE_LEVELS: REJECTED,
  TOTAL_MISMATCH: REJECTED,
  NO_LIQUIDITY: { code: -2010, msg: 'Order book liquidity is less than symbol minimum quantity.' },
  TOTAL_BELOW_BEST_PRICE: REJECTED,
  SELF_TRADE_PREVENTED: REJECTED,
  RULES_VERSION_TOO_LOW: REJECTED,
  FOK_NOT_FILLABLE: REJECTED,
  LIMIT_MAKER_WOULD_TAKE: { code: -2010, msg: 'Order would immediately match and take.' },
  STOP_PRICE_REACHED: { code: -2010, msg: 'Order would trigger immediately.' },
  DUPLICATE_CLIENT_ORDER_ID: { code: -2010, msg: 'Duplicate order sent.' },
  TOO_MANY_CLIENT_ORDER_IDS: REJECTED,
  LIST_PRICES_CROSSED: {
    code: -2010,
    msg: 'The relationship of the prices for the orders is not correct.',
  },
  EXPIRE_TIME_PASSED: REJECTED,
  EXPIRE_TIME_TOO_FAR: REJECTED,
  TOO_MANY_MASS_CANCELS: { code: -2011 },
  TOO_MANY_COUNTDOWNS: REJECTED,
  UNKNOWN_SESSION: REJECTED,
  TOO_MANY_SESSIONS: REJECTED,
  ORDER_NOT_AMENDABLE: { code: -2038 },
  AMENDED_QUANTITY_TOO_LARGE: { code: -2038, msg: 'Order amend (quantity increase) is not supported.' },
  AMENDED_QUANTITY_TOO_SMALL: { code: -2038 },
  AMENDED_QUANTITY_TOO_PRECISE: { code: -1111 },
  CANCEL_REPLACE_PARTLY_DONE: { code: -2021, msg: 'Order cancel-replace partially failed.', status: 409 },
  CANCEL_RESTRICTED: {
    code: -2011,
    msg: 'Order was not canceled due to cancel restrictions.',
  },
  CLOCK_NOT_TRUSTED: REJECTED,
} as const satisfies Partial<Record<Reason, ReasonCode>>

const REQUESTS = {
  NOT_FOUND: { code: -1020, status: 404 },
  METHOD_NOT_ALLOWED: { code: -1020, status: 404 },
  INVALID_HOST: UNREADABLE,
  DUPLICATE_HEADER: UNREADABLE,
  EXPECTATION_FAILED: { code: -1100, status: 417 },
  UNSUPPORTED_CONTENT_ENCODING: UNREADABLE,
  BODY_TOO_LARGE: { code: -1100, status: 413 },
  HEADERS_TOO_LARGE: { code: -1100, status: 431 },
  BODY_TIMEOUT: { code: -1100, status: 408 },
  UNSUPPORTED_CONTENT_TYPE: UNREADABLE,
  UNREADABLE_BODY: UNREADABLE,
  UNREADABLE_QUERY: UNREADABLE,
  SEPARATOR_REQUIRED: UNREADABLE,
  CONTROL_CHARACTER: UNREADABLE,
  TOO_MANY_PARAMETERS: { code: -1101 },
  DUPLICATE_PARAMETER: { code: -1101, msg: 'Duplicate values for a parameter detected.' },
  MISSING_PARAMETER: { code: -1102 },
  INVALID_PARAMETER: { code: -1130 },
  INVALID_HEADER: { code: -1130 },
  TOO_MANY_DECIMALS: { code: -1111 },
  UNSUPPORTED_PARAMETER: NOT_OFFERED,
  UNSUPPORTED_VALUE: NOT_OFFERED,
  MISSPELLED_PARAMETER: { code: -1104 },
  PRICE_NOT_ALLOWED: { code: -1106, msg: "Parameter 'price' sent when not required." },
  PARAMETER_NOT_TAKEN: { code: -1106 },
  INVALID_COMMAND: { code: -1130 },
  UNKNOWN_ASSET: { code: -1130 },
  UNKNOWN_ACCOUNT: UNAUTHORIZED,
} as const satisfies Partial<Record<Reason, ReasonCode>>

const ACCESS = {
  MISSING_API_KEY: { code: -2014, msg: 'API-key format invalid.', status: 401 },
  INVALID_API_KEY: UNAUTHORIZED,
  KEY_DISABLED: UNAUTHORIZED,
  KEY_EXPIRED: UNAUTHORIZED,
  ACCOUNT_LOCKED: UNAUTHORIZED,
  ADDRESS_NOT_ALLOWED: UNAUTHORIZED,
  PERMISSION_DENIED: UNAUTHORIZED,
  STRICT_SIGNATURE_REQUIRED: UNAUTHORIZED,
  NONCE_REQUIRED: UNAUTHORIZED,
  SECRET_REPLACED: UNAUTHORIZED,
  SESSION_TAKEN_OVER: UNAUTHORIZED,
  LOGIN_REQUIRED: UNAUTHORIZED,
  MISSING_SIGNATURE: {
    code: -1102,
    msg: "Mandatory parameter 'signature' was not sent, was empty/null, or malformed.",
  },
  INVALID_SIGNATURE: { code: -1022, msg: 'Signature for this request is not valid.' },
  NONCE_REPEATED: { code: -1022, msg: 'Signature for this request is not valid.' },
  NONCES_FULL: { code: -1022 },
  NONCES_UNKNOWN: { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' },
  SESSION_KEYS_UNKNOWN: NOT_NOW,
  TIMESTAMP_AHEAD: {
    code: -1021,
    msg: "Timestamp for this request was 1000ms ahead of the server's time.",
  },
  TIMESTAMP_EXPIRED: { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' },
  TIMESTAMP_MISMATCH: { code: -1021 },
  DEADLINE_OVER: { code: -1021 },
  ALREADY_LOGGED_IN: NOT_OFFERED,
} as const satisfies Partial<Record<Reason, ReasonCode>>

const SERVICE = {
  INTERNAL_ERROR: { code: -1000, status: 500 },
  OUTCOME_UNKNOWN: {
    code: -1007,
    msg: 'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
    status: 503,
  },
  STARTING: NOT_NOW,
  STOPPING: { code: -1016, status: 503 },
  OVERLOADED: {
    code: -1008,
    msg: 'Server is currently overloaded with other requests. Please try again in a few minutes.',
    status: 503,
  },
  ENGINE_DOWN: NOT_NOW,
  NO_LEADER: NOT_NOW,
  STORAGE_FULL: { code: -1008 },
  ANSWERS_UNDER_WAY: TOO_MANY,
  RATE_LIMITED: TOO_MANY,
  ORDER_RATE_LIMITED: { code: -1015, status: 429 },
  REQUESTS_UNDER_WAY: TOO_MANY,
  FLOODING: TOO_MANY,
  TOO_SLOW: TOO_MANY,
  TOO_MANY_CONNECTIONS: TOO_MANY,
  TOO_MANY_ROOMS: TOO_MANY,
  TOO_MANY_SUBSCRIPTIONS: TOO_MANY,
  BANNED: { code: -1003, status: 418 },
  WAF: { code: -1002, status: 403 },
  UNREADABLE_MESSAGE: UNREADABLE,
  UNKNOWN_MESSAGE: NOT_OFFERED,
  MESSAGE_TOO_LARGE: UNREADABLE,
  UNKNOWN_JOURNAL: NOT_OFFERED,
  SINCE_TOO_OLD: NOT_OFFERED,
  NOT_SUBSCRIBED: NOT_OFFERED,
} as const satisfies Partial<Record<Reason, ReasonCode>>

/** This wire has no endpoint for withdrawals. */
const WITHDRAWALS = {
  ASSET_NOT_WITHDRAWABLE: NOT_OFFERED,
  WITHDRAWAL_TOO_SMALL: NOT_OFFERED,
  WITHDRAWAL_TOO_LARGE: NOT_OFFERED,
  UNKNOWN_WITHDRAWAL_ADDRESS: NOT_OFFERED,
  WITHDRAWAL_ADDRESS_TOO_NEW: NOT_OFFERED,
  TOO_MANY_WITHDRAWAL_ADDRESSES: NOT_OFFERED,
  TOO_MANY_WITHDRAWALS: NOT_OFFERED,
  DUPLICATE_WITHDRAW_ORDER_ID: NOT_OFFERED,
  UNKNOWN_WITHDRAWAL: NOT_OFFERED,
  WITHDRAWAL_FINISHED: NOT_OFFERED,
  WITHDRAWAL_CLAIMED: NOT_OFFERED,
} as const satisfies Partial<Record<Reason, ReasonCode>>

export const REASON_CODES: Readonly<Record<Reason, ReasonCode>> = {
  ...ORDERS,
  ...REQUESTS,
  ...ACCESS,
  ...SERVICE,
  ...WITHDRAWALS,
}
