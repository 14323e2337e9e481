/**
 * ccxt's error for an answer whose reason this release does not have; the errors of all other reasons are in
 * `error-by-reason.js`.
 *
 * `RequestTimeout` means that the request may or may not have been carried out, and no other error means
 * that. A request that was certainly not carried out and may be sent again causes an `ExchangeNotAvailable`
 * or a `RateLimitExceeded`; no answer with status 400, 404 or 409 causes one of them.
 */

/** The name of ccxt's error class for a reason that a later release of the exchange adds. */
export function errorOfUnknownReason(code, status) {
  if (status === 429) return 'RateLimitExceeded'
  if (status === 418) return 'DDoSProtection'
  if (status === 401) return 'AuthenticationError'
  if (code === '0014') return 'ExchangeNotAvailable'
  return code === '4004' ? 'BadRequest' : 'ExchangeError'
}

/**
 * Errors by HTTP status, for answers without the exchange's envelope: those of a proxy in front of it. Its
 * answers to requests that change something are not in this table (`requests.js`).
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
