/**
 * The headers of a request, examined in one pass: those that the interface uses, their total length, and
 * whether any of them looks like an attack.
 */
import { isHeaderAttack } from '../access/limits/waf.ts'

export type RequestHeaders = {
  apiKey: string | null
  signature: string | null
  /** `X-Timestamp` and `X-Nonce`, which a strict signature covers. */
  timestamp: string | null
  nonce: string | null
  contentType: string | null
  acceptLanguage: string | null
  forwardedFor: string | null
  host: string | null
  contentLength: string | null
  contentEncoding: string | null
  expect: string | null
  /** Sum of the lengths of all names and values. */
  bytes: number
  isAttack: boolean
}

export function readHeaders(headers: Headers): Readonly<RequestHeaders> {
  const seen: RequestHeaders = {
    apiKey: null,
    signature: null,
    timestamp: null,
    nonce: null,
    contentType: null,
    acceptLanguage: null,
    forwardedFor: null,
    host: null,
    contentLength: null,
    contentEncoding: null,
    expect: null,
    bytes: 0,
    isAttack: false,
  }
  headers.forEach((value, name) => {
    seen.bytes += name.length + value.length
    seen.isAttack ||= isHeaderAttack(value)
    const field = FIELDS.get(name)
    if (field !== undefined) seen[field] = value
  })
  return seen
}

/** Names are in lower case here, regardless of what the client wrote. */
const FIELDS: ReadonlyMap<string, Exclude<keyof RequestHeaders, 'bytes' | 'isAttack'>> = new Map([
  ['x-apikey', 'apiKey'],
  ['x-signature', 'signature'],
  ['x-timestamp', 'timestamp'],
  ['x-nonce', 'nonce'],
  ['content-type', 'contentType'],
  ['accept-language', 'acceptLanguage'],
  ['x-forwarded-for', 'forwardedFor'],
  ['host', 'host'],
  ['content-length', 'contentLength'],
  ['content-encoding', 'contentEncoding'],
  ['expect', 'expect'],
] as const)
