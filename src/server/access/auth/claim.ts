/**
 * The signature claim of a request in `X-Signature`: which bytes are signed, and by which of the two
 * signatures (docs/reference/authentication.md#signature). The plain signature covers the query string and
 * the body. The strict one, `v2=` and hex, or base64 of Ed25519, covers method, path, query string,
 * `X-Timestamp`, `X-Nonce` and the body, one per line; only the body, which comes last, may contain a line
 * end, so no two requests have the same signed text.
 */
import { NONCE_FORM, SIGNED_TIMESTAMP_FORM } from '../../../contract/expectations.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import { isEd25519Form } from './ed25519.ts'
import type { Signed } from './signature.ts'

/** Prefix of a strict signature. */
export const STRICT = 'v2='
const HEX = /^[0-9a-fA-F]{64}$/
const TIMESTAMP = /^\d{1,16}$/
/** Form of a nonce. */
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

/** The parts of a request that its signatures cover. */
export type Signable = {
  readonly method: string
  readonly target: { readonly path: string; readonly query: string }
  /** Null if the request has none. */
  readonly headers: {
    readonly signature: string | null
    readonly timestamp: string | null
    readonly nonce: string | null
  }
  /** Undefined if there is none, or it is not valid. */
  readonly body: Uint8Array | undefined
}

/** Undefined if the request has no signature. */
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

/** The text that a strict signature covers before the body. */
export function strictLines({ method, target, headers }: Signable): string {
  const { path, query } = target
  return `${method}\n${path}\n${query}\n${headers.timestamp ?? ''}\n${headers.nonce ?? ''}\n`
}

/** The reason why a claim cannot be valid under any key. */
export function claimFault(claim: Claim): Refusal | undefined {
  if (claim.kind === 'PLAIN') {
    return isStrictText(claim.signed) ? refuse('INVALID_SIGNATURE', {}) : undefined
  }
  const { signature } = claim.signed
  if (!HEX.test(signature) && !isEd25519Form(signature)) return refuse('INVALID_SIGNATURE', {})
  if (!TIMESTAMP.test(claim.timestamp)) {
    return refuse('INVALID_HEADER', { name: 'X-Timestamp', expected: SIGNED_TIMESTAMP_FORM })
  }
  return NONCE.test(claim.nonce)
    ? undefined
    : refuse('INVALID_HEADER', { name: 'X-Nonce', expected: NONCE_FORM })
}

/**
 * True if the text begins like that of a strict signature, with a method on a line of its own. Such a text is
 * never accepted as plain; otherwise an intercepted strict request could be replayed as a plain one, whose
 * nonce is not checked.
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
