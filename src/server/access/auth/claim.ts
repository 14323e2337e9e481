/**
 * What a request claims with its `X-Signature`: which bytes are signed, and by which of the two signatures
 * (docs/reference/http.md#signature). The plain one signs the query string and the body. The strict one, `v2=<hex>`, signs
 * method, path, query string, `X-Timestamp`, `X-Nonce` and the body, a line each; only the body, which is the last, may contain
 * the end of a line, so no two requests have one signed text.
 */
import { NONCE_FORM, SIGNED_TIMESTAMP_FORM } from '../../../wire/expectations.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import type { Signed } from './signature.ts'

/** What a strict signature begins with. */
export const STRICT = 'v2='
const HEX = /^[0-9a-fA-F]{64}$/
const TIMESTAMP = /^\d{1,16}$/
/** What a nonce looks like. */
export const NONCE = /^[A-Za-z0-9_-]{16,64}$/
const LINE_END = 0x0a

export type PlainClaim = { readonly kind: 'PLAIN'; readonly signed: Signed }
export type StrictClaim = {
  readonly kind: 'STRICT'
  readonly signed: Signed
  /** `X-Timestamp`, as received; '' when absent. */
  readonly timestamp: string
  /** `X-Nonce`, as received; '' when absent. */
  readonly nonce: string
}
export type Claim = PlainClaim | StrictClaim

/** What of a request takes part in its signatures. */
export type Signable = {
  readonly method: string
  readonly target: { readonly path: string; readonly query: string }
  /** Null where the request has none. */
  readonly headers: {
    readonly signature: string | null
    readonly timestamp: string | null
    readonly nonce: string | null
  }
  /** Undefined where there is none or it does not count. */
  readonly body: Uint8Array | undefined
}

/** Undefined: the request has no signature. */
export function claimOf(request: Signable): Claim | undefined {
  const { target, headers, body } = request
  const { signature } = headers
  if (signature === null || signature === '') return undefined
  if (!signature.startsWith(STRICT)) {
    return { kind: 'PLAIN', signed: { text: target.query, body, signature } }
  }
  return {
    kind: 'STRICT',
    signed: { text: strictLines(request), body, signature: signature.slice(STRICT.length) },
    timestamp: headers.timestamp ?? '',
    nonce: headers.nonce ?? '',
  }
}

/** What a strict signature of the request has before the body. */
export function strictLines({ method, target, headers }: Signable): string {
  const { path, query } = target
  return `${method}\n${path}\n${query}\n${headers.timestamp ?? ''}\n${headers.nonce ?? ''}\n`
}

/** Why a claim cannot be true, whoever's key it is. */
export function claimFault(claim: Claim): Refusal | undefined {
  if (claim.kind === 'PLAIN') {
    return isStrictText(claim.signed) ? refuse('INVALID_SIGNATURE', {}) : undefined
  }
  if (!HEX.test(claim.signed.signature)) return refuse('INVALID_SIGNATURE', {})
  if (!TIMESTAMP.test(claim.timestamp)) {
    return refuse('INVALID_HEADER', { name: 'X-Timestamp', expected: SIGNED_TIMESTAMP_FORM })
  }
  return NONCE.test(claim.nonce)
    ? undefined
    : refuse('INVALID_HEADER', { name: 'X-Nonce', expected: NONCE_FORM })
}

/**
 * True when the text begins as that of a strict signature does, with a method on a line of its own: such a text is never a plain
 * one, else an overheard strict request could be sent again as a plain one, whose nonce nobody looks at.
 */
function isStrictText({ text, body }: Signed): boolean {
  if (body === undefined || !/^[A-Z]*$/.test(text)) return false
  let at = 0
  while (isCapital(body[at])) at++
  return body[at] === LINE_END && text.length + at > 0
}

function isCapital(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x41 && byte <= 0x5a
}
