/**
 * Hints for a request whose signature does not match: the visible properties that are often wrong. Only the
 * request is examined, never a key, so that the hints reveal nothing about one.
 */
import type { SignatureHint } from '../../../contract/signature-hints.ts'
import { STRICT } from './claim.ts'
import { isEd25519Form } from './ed25519.ts'

export type Hinted = {
  /** As received, including any `v2=`; null if there is no signature. */
  readonly signature: string | null
  /** `X-Timestamp` or `X-Nonce` is present. */
  readonly hasStrictHeaders: boolean
  readonly query: string
  readonly body: Uint8Array | undefined
}

const HEX = /^[0-9a-fA-F]{64}$/
const BASE64 = /^[A-Za-z0-9+/]{43}=$/

/** The notation of a signature, without its `v2=`. */
export function signatureEncoding(signature: string): 'HEX' | 'BASE64' | undefined {
  if (HEX.test(signature)) return 'HEX'
  return BASE64.test(signature) || isEd25519Form(signature) ? 'BASE64' : undefined
}

/** `body`: one character per byte. */
type Look = (request: Hinted, body: string) => boolean

/** In the order in which they are reported: the signature, its text, its secret. */
const LOOKS: readonly (readonly [SignatureHint, Look])[] = [
  ['SIGNATURE_PREFIX', ({ signature }) => /^(?:0x|[a-z0-9-]{2,12}[=: ])/i.test(pure(signature))],
  ['SIGNATURE_BASE64URL', ({ signature }) => /^(?=.*[-_])[A-Za-z0-9_-]{43}=?$/.test(pure(signature))],
  ['SIGNATURE_BASE64_OF_HEX', ({ signature }) => isBase64OfHex(pure(signature))],
  ['SIGNATURE_FORM', ({ signature }) => signature !== null && !isWellFormed(signature)],
  [
    'STRICT_HEADERS_WITHOUT_V2',
    ({ signature, hasStrictHeaders }) =>
      hasStrictHeaders && signature !== null && !signature.startsWith(STRICT),
  ],
  ['STRICT_NAMES_THIS_ADDRESS', ({ signature }) => signature?.startsWith(STRICT) === true],
  ['QUESTION_MARK', ({ query }) => query.startsWith('?')],
  ['CUT_IN_TWO', ({ query }, body) => query !== '' && body !== ''],
  ['BODY_OF_GET', (_, body) => body !== ''],
  ['BODY_IS_JSON', (_, body) => /^\s*[{[]/.test(body)],
  ['BYTE_ORDER_MARK', (_, body) => body.startsWith('\xef\xbb\xbf')],
  ['LINE_END', (_, body) => /[\r\n]$/.test(body)],
  ['WHITE_SPACE', (_, body) => /[ \t\r\n]/.test(withoutLineEnd(body))],
  ['ENCODING_COUNTS', ({ query }, body) => /[/%]/.test(query) || /[/%]/.test(body)],
  ['SPACE_ENCODING', ({ query }, body) => /\+|%20/.test(query) || /\+|%20/.test(body)],
  ['QUERY_RE_ENCODED', ({ query }) => /%(?:2[027]|3[ce]|[89a-f][0-9a-f])/i.test(query)],
  [
    'SECRET_IS_TEXT',
    ({ signature }) => signature !== null && isWellFormed(signature) && !isEd25519Form(pure(signature)),
  ],
]

/** Possible mistakes, the most likely first. */
export function signatureHints(request: Hinted): SignatureHint[] {
  const body = Buffer.from(request.body ?? []).toString('latin1')
  return LOOKS.filter(([, isSo]) => isSo(request, body)).map(([hint]) => hint)
}

/** True for a number in another unit than milliseconds; those have 13 digits from 2001 to 2286. */
export function isOtherUnit(timestamp: string | undefined): boolean {
  return timestamp !== undefined && /^\d{1,25}$/.test(timestamp) && timestamp.length !== 13
}

/**
 * Whether base64 was applied to the 64 hex digits of an HMAC: it then has the form of an Ed25519 signature,
 * which is 64 bytes.
 */
function isBase64OfHex(signature: string): boolean {
  return isEd25519Form(signature) && HEX.test(Buffer.from(signature, 'base64').toString('latin1'))
}

function isWellFormed(signature: string): boolean {
  if (isEd25519Form(pure(signature))) return !isBase64OfHex(pure(signature))
  const encoding = signatureEncoding(pure(signature))
  return encoding === 'HEX' || (encoding === 'BASE64' && !signature.startsWith(STRICT))
}

/** Takes one pass, whatever the text before the line end is. */
function withoutLineEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--
  return text.slice(0, end)
}

/** The text after `v2=`. */
function pure(signature: string | null): string {
  if (signature === null) return ''
  return signature.startsWith(STRICT) ? signature.slice(STRICT.length) : signature
}
