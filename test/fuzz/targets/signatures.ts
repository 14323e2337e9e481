/** Signed texts: query string and body together, and the lines of a strict signature. */
import { createHmac, randomBytes } from 'node:crypto'
import { type Claim, claimFault, claimOf } from '../../../src/server/access/auth/claim.ts'
import { createSecretBox } from '../../../src/server/access/auth/secret-box.ts'
import { SignatureVerifier } from '../../../src/server/access/auth/signature.ts'
import { Refusal } from '../../../src/server/common/refusal.ts'
import { readParameters } from '../../../src/server/http/request-parameters.ts'
import { expectThat, type Target } from '../target.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const SECRET = '9e107d9d372bb6826bd81d3542a419d6e4d909c290d0fb1ca068ffaddf22cbd0'

/**
 * `readParameters`: the text is split at its first line feed. The result must equal that of `URLSearchParams`
 * for the complete text.
 */
export const signedText: Target<string> = {
  name: 'signed-text',
  executions: 60_000,
  samples: ['a=1&\nb=2', 'a=1\n&b=2', 'price=9\n0000&timestamp=1', '\na=1&b=%26', 'a=b=c&x=+\n', 'a=%2\n6'],
  tokens: ['\n', '&', '=', '%26', '%', '+', '&\n', '\n&', '&a=2', 'timeIn', 'Force=IOC', 'é'],
  check: checkSignedText,
  outcomes: ['read', 'SEPARATOR_REQUIRED', 'UNREADABLE_BODY', 'UNREADABLE_QUERY'],
}

function checkSignedText(text: string): string {
  const [query = '', ...rest] = text.split('\n')
  const body = rest.join('')
  const parameters = readParameters(query, body === '' ? undefined : Buffer.from(body), FORM_TYPE)
  const isSplit = query !== '' && body !== ''
  const isInside = isSplit && !`${query.at(-1)}${body[0]}`.includes('&')
  const isMissing = parameters instanceof Refusal && parameters.reason === 'SEPARATOR_REQUIRED'
  expectThat(isMissing === isInside, () => `a cut ${isInside ? 'inside a' : 'beside any'} parameter`)
  if (parameters instanceof Refusal) return parameters.reason
  const valueByName = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(`?${query}${body}`)) {
    if (!valueByName.has(name)) valueByName.set(name, value)
  }
  expectThat([...parameters.names()].join() === [...valueByName.keys()].join(), () => 'other names')
  for (const [name, value] of valueByName) {
    expectThat(parameters.get(name) === value, () => `${name} is ${parameters.get(name)}, expected ${value}`)
  }
  return 'read'
}

const LINES = ['POST', '/api/v3/order', '', '1767225600000', 'n0nce-0123456789_Az']
const FORM = 'a=1&timestamp=1767225600000'

/**
 * `claimOf` and `claimFault`: method, path, query, `X-Timestamp`, `X-Nonce`, `X-Signature` on a line each,
 * then the body. SIGN and PLAIN stand for the right signatures of a strict and of a plain request.
 */
export function claim(): Target<string> {
  const box = createSecretBox(randomBytes(32), (size) => randomBytes(size))
  const record = { apiKey: 'key', sealedSecret: box.seal(SECRET, 'key') }
  const verifier = new SignatureVerifier(box)
  return {
    name: 'claim',
    executions: 60_000,
    samples: [
      [...LINES, 'v2=SIGN', FORM],
      [...LINES, 'PLAIN', FORM],
      [...LINES, 'v2=', FORM],
      [...LINES, `v2=${'0'.repeat(64)}`, FORM],
      [...LINES, 'v2=SIGN', 'a=1\nb=2'],
      [...LINES, 'PLAIN', ...LINES, FORM],
    ].map((lines) => lines.join('\n')),
    tokens: ['\n', 'v2=', 'V2=', 'SIGN', 'PLAIN', 'POST\n', ',', ' ', '0', 'GET', '-', 'é'],
    check: (text) => {
      const sent = sentOf(text)
      const made = claimOf(sent)
      if (made === undefined) return 'none'
      const fault = claimFault(made)
      const isAccepted = fault === undefined && verifier.verify(record, made.signed, 0 as never)
      return checkClaim(made, sent, isAccepted) ?? fault?.reason ?? `${made.kind}, wrong`
    },
    outcomes: ['STRICT', 'PLAIN', 'INVALID_HEADER', 'INVALID_SIGNATURE', 'STRICT, wrong', 'PLAIN, wrong'],
  }
}

type Sent = ReturnType<typeof sentOf>

function sentOf(text: string) {
  const [method = '', path = '', query = '', timestamp = '', nonce = '', template = '', ...rest] =
    text.split('\n')
  const content = rest.join('\n')
  const strict = hmac(`${method}\n${path}\n${query}\n${timestamp}\n${nonce}\n${content}`)
  const plain = hmac(query + content)
  const signature = template.replace('SIGN', strict).replace('PLAIN', plain)
  const body = content === '' ? undefined : new TextEncoder().encode(content)
  return {
    method,
    target: { path, query },
    headers: { signature, timestamp, nonce },
    body,
    text: query + content,
    right: { strict, plain },
  }
}

/** The kind of a correctly accepted claim; undefined if it was correctly refused. */
function checkClaim(
  { kind }: Claim,
  { headers, text, right }: Sent,
  isAccepted: boolean,
): string | undefined {
  const { signature, timestamp, nonce } = headers
  const isStrict = signature.startsWith('v2=')
  const isSound = /^[0-9]{1,16}$/.test(timestamp) && /^[\w-]{16,64}$/.test(nonce)
  const isRight = isStrict
    ? isSound && sameHex(signature.slice(3), right.strict)
    : !/^[A-Z]+\n/.test(text) && isPlainly(signature, right.plain)
  expectThat(isStrict === (kind === 'STRICT'), () => `${signature} was taken for ${kind}`)
  expectThat(isAccepted === isRight, () => `${kind} ${signature} was ${isAccepted ? 'accepted' : 'refused'}`)
  return isAccepted ? kind : undefined
}

function isPlainly(signature: string, right: string): boolean {
  return sameHex(signature, right) || signature === Buffer.from(right, 'hex').toString('base64')
}

function sameHex(claimed: string, right: string): boolean {
  return /^[0-9a-fA-F]{64}$/.test(claimed) && claimed.toLowerCase() === right
}

function hmac(text: string): string {
  return createHmac('sha256', SECRET).update(text).digest('hex')
}
