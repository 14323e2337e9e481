/**
 * Which error of ccxt an answer is that has no reason of this release: those with one are in `error-by-reason.js`.
 *
 * `RequestTimeout` says that what was asked for may have been done or not, and no other error says so. What is certainly
 * not done and may be sent again is an `ExchangeNotAvailable` or a `RateLimitExceeded`; no answer of status 400, 404 or
 * 409 is one of them.
 */

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
