/**
 * Framing that the runtime accepts and a proxy may read differently: an invalid `Host`, and duplicate headers
 * (the runtime joins them with a comma). The runtime refuses everything else itself
 * (test/security/framing.test.ts).
 */

import { type Refusal, refuse } from '../common/refusal.ts'
import { isLoopback } from './loopback.ts'

/** A name, an IPv4 address or an IPv6 address in brackets, and optionally a port. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Longest name of the domain name system (RFC 1035, 2.3.4), and a port. */
const HOST_LENGTH_MAX = 253 + 6

/** The value last found valid: almost all requests to a listener have the same. */
let lastGoodHost: string | undefined

/** Whether a Host header names one host (RFC 9110, 7.2). A missing header, as HTTP/1.0 allows, is valid. */
function isGoodHost(host: string | null): boolean {
  if (host === null || host === lastGoodHost) return true
  if (host.length > HOST_LENGTH_MAX || !HOST.test(host) || !URL.canParse(`http://${host}/`)) return false
  lastGoodHost = host
  return true
}

/** Whether a header that has one value was given more than once. */
function isRepeated(value: string | null): boolean {
  return value?.includes(',') === true
}

/** The headers of a request that describe how its body is sent. */
export type FramingHeaders = {
  readonly host: string | null
  readonly contentLength: string | null
  readonly contentEncoding: string | null
  readonly expect: string | null
}

export function framingHeaders(headers: Headers): FramingHeaders {
  return {
    host: headers.get('host'),
    contentLength: headers.get('content-length'),
    contentEncoding: headers.get('content-encoding'),
    expect: headers.get('expect'),
  }
}

/** The expectation that the runtime answers itself. */
const ANSWERED_EXPECTATION = '100-continue'

/**
 * The fault in a request's framing; undefined if there is none. `goOn`: tells a waiting client to send its
 * body, and returns whether it could. The runtime does that for `100-continue` in lower case only, although
 * the letter case has no meaning (RFC 9110, 10.1.1).
 */
export function framingFault(
  { host, contentLength, contentEncoding, expect }: FramingHeaders,
  goOn: () => boolean = () => false,
): Refusal | undefined {
  if (!isGoodHost(host)) return refuse('INVALID_HOST', {})
  if (isRepeated(contentLength)) return refuse('DUPLICATE_HEADER', { name: 'Content-Length' })
  if (contentEncoding !== null && !hasOnly(contentEncoding, 'identity'))
    return refuse('UNSUPPORTED_CONTENT_ENCODING', {})
  if (expect === null || expect === ANSWERED_EXPECTATION) return undefined
  if (!hasOnly(expect, ANSWERED_EXPECTATION)) return refuse('EXPECTATION_FAILED', {})
  // An empty header expects nothing; of several members the runtime has answered the first, if it has exactly
  // the form above.
  const isAnswered = membersOf(expect).length === 0 || membersOf(expect)[0] === ANSWERED_EXPECTATION
  return isAnswered || goOn() ? undefined : refuse('EXPECTATION_FAILED', {})
}

/** A list header, present once or several times: empty members are ignored (RFC 9110, 5.6.1). */
function membersOf(list: string): string[] {
  return list
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
}

/** Whether each member of a list is this word, in any letter case. */
function hasOnly(list: string, word: string): boolean {
  return membersOf(list).every((member) => member.toLowerCase() === word)
}

/**
 * Whether a request is for a host name that is not one of this machine's own names. Only its Host header
 * shows that: the runtime drops the host of an absolute target. Browsers always send one.
 */
export function isMeantForOther({ headers }: Request): boolean {
  const host = headers.get('host')
  return host !== null && !isLoopback(new URL(`http://${host}/`).hostname)
}
