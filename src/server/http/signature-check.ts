/**
 * The check of a signature (docs/reference/extensions.md#signature-check): the bytes of a request that the
 * server has signed, and how it would answer the request. It belongs to this module, and not to trading,
 * because a signature covers the bytes that were transmitted.
 *
 * The answer depends on the key in one respect only: whether the signature is correct, for the text or for
 * one that is commonly signed in its place. For a key that is unknown, disabled or used from another address
 * it is never correct, and the check takes the same work. The expected signature is never part of the answer.
 */

import type { Reason, ReasonArguments } from '../../contract/reasons/catalogue.ts'
import { type ShownBytes, type SignatureReport, signatureCheckBody } from '../../contract/signature-check.ts'
import type { SignatureHint } from '../../contract/signature-hints.ts'
import { invariant } from '../../units/invariant.ts'
import { isOtherUnit, signatureEncoding, signatureHints } from '../access/auth/signature-hints.ts'
import type { Parameters } from '../common/parameters.ts'
import { parseWholeNumber } from '../common/read.ts'
import type { Answer } from '../trading/call.ts'
import type { HttpCall, HttpOperation } from './http-call.ts'
import type { SignatureTrial } from './signature-trial.ts'

/**
 * The longest examined text takes some tens of times as long as a request whose signature is simply refused.
 */
const WEIGHT = 20

/** Maximum number of signed bytes in an answer: the first ones. */
const SHOWN_BYTES_MAX = 8 * 1024
/** Longest name or value of a parameter that is shown in full. */
const SHOWN_CHARACTERS_MAX = 128

export const signatureCheck: HttpOperation = {
  security: { kind: 'TRIED' },
  weight: WEIGHT,
  answer: signatureCheckAnswer,
}

function signatureCheckAnswer(call: HttpCall): Answer {
  const { trial } = call
  invariant(trial !== undefined, 'a signature check must have a trial of the signature')
  // A wrong signature costs the address the same here as elsewhere.
  if (!trial.isValid) call.countsAs = 'INVALID_SIGNATURE'
  return signatureCheckBody(reportOf(trial), call.language)
}

function reportOf(trial: SignatureTrial): SignatureReport {
  const { isValid, request, claim, refusals, parameters, serverTime } = trial
  const { query } = request.target
  const signature = claim?.signed.signature
  const timestamp = parameters?.get('timestamp')
  const sentAt = timestamp === undefined ? undefined : parseWholeNumber(timestamp, 0, Number.MAX_SAFE_INTEGER)
  return {
    isValid,
    signature:
      claim === undefined || signature === undefined
        ? undefined
        : { kind: claim.kind, encoding: signatureEncoding(signature), characters: signature.length },
    signed: signedReport(claim?.signed.text ?? query, request.body),
    parameters: parameters === undefined ? undefined : shownParameters(parameters),
    serverTime,
    behindMs: sentAt === undefined ? undefined : serverTime - sentAt,
    refusals: refusals.map(({ reason, args }) => ({ reason, args: args as ReasonArguments<Reason> })),
    hints: hintsOf(trial, timestamp),
  }
}

function hintsOf(
  { isValid, mistake, request }: SignatureTrial,
  timestamp: string | undefined,
): SignatureHint[] {
  const { headers, target, body } = request
  const hints: SignatureHint[] = isOtherUnit(timestamp) ? ['TIMESTAMP_UNIT'] : []
  if (isValid) return hints
  if (mistake !== undefined) return [mistake, ...hints]
  const hasStrictHeaders = headers.timestamp !== null || headers.nonce !== null
  const { signature } = headers
  return [...hints, ...signatureHints({ signature, hasStrictHeaders, query: target.query, body })]
}

function signedReport(text: string, body: Uint8Array | undefined): SignatureReport['signed'] {
  const head = Buffer.from(text)
  const bytes = body === undefined ? head : Buffer.concat([head, body])
  return {
    bytes: bytes.length,
    sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
    bodyAt: body === undefined ? undefined : head.length,
    ...shown(bytes),
  }
}

/** The first bytes as text, or in hex if they are not UTF-8; a character cut off at the end is not shown. */
function shown(bytes: Uint8Array): ShownBytes {
  const isCut = bytes.length > SHOWN_BYTES_MAX
  const part = isCut ? bytes.subarray(0, SHOWN_BYTES_MAX) : bytes
  const mark = isCut ? ({ isCut } as const) : {}
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(part, { stream: isCut }), ...mark }
  } catch {
    return { hex: Buffer.from(part).toString('hex'), ...mark }
  }
}

function shownParameters(parameters: Parameters): NonNullable<SignatureReport['parameters']> {
  const max = SHOWN_CHARACTERS_MAX
  return parameters.names().map((name) => {
    const value = parameters.get(name) ?? ''
    const mark = name.length > max || value.length > max ? ({ isCut: true } as const) : {}
    return { name: name.slice(0, max), value: value.slice(0, max), ...mark }
  })
}
