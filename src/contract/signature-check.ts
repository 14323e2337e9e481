/**
 * The answer of a signature check (docs/reference/extensions.md#signature-check): the bytes that the server
 * signed for a request, and the possible refusals of the request. The answer never contains a signature:
 * neither the received nor the expected one.
 */

import type { TimeMs } from '../units/quantities.ts'
import {
  component,
  constant,
  flag,
  listOf,
  matching,
  object,
  openWord,
  optional,
  signedWhole,
  text,
  timeMs,
  whole,
  word,
} from '../units/shapes/shape.ts'
import { jsonOf } from '../units/shapes/shape-json.ts'
import { successBody, successHeads } from './envelope.ts'
import { reasonMessage } from './error-body.ts'
import type { Language } from './language.ts'
import { REASON_NAMES, type Reason, type ReasonArguments } from './reasons/catalogue.ts'
import { SIGNATURE_HINTS, type SignatureHint } from './signature-hints.ts'

const isCut = optional(constant(true))

export const SIGNATURE_REPORT = component(
  'SignatureReport',
  'The text of the request that the server signed.',
  {
    isValid: flag(),
    signature: optional(
      object({
        kind: word(['PLAIN', 'STRICT']),
        encoding: optional(word(['HEX', 'BASE64'])),
        characters: whole(),
      }),
    ),
    signed: object({
      bytes: whole(),
      sha256: matching(/^[0-9a-f]{64}$/),
      bodyAt: optional(whole('The byte at which the body begins.')),
      text: optional(text()),
      hex: optional(text('Sent instead of text if the bytes are not UTF-8.')),
      isCut,
    }),
    parameters: optional(listOf(object({ name: text(), value: text(), isCut }))),
    serverTime: timeMs(),
    behindMs: optional(
      signedWhole("How far timestamp is behind the server's time; negative if it is ahead."),
    ),
    refusals: listOf(object({ reason: openWord(REASON_NAMES, 'A reason, as in an error.'), msg: text() })),
    hints: listOf(
      object({
        hint: openWord(Object.keys(SIGNATURE_HINTS), 'A recognized mistake.'),
        msg: text(),
      }),
    ),
  },
)

/** The refusal of the request by a signed endpoint. */
export type WouldRefuse = { readonly reason: Reason; readonly args: ReasonArguments<Reason> }

/** Signed bytes, possibly only the first ones: as text if they are UTF-8, else in hexadecimal. */
export type ShownBytes = ({ readonly text: string } | { readonly hex: string }) & { readonly isCut?: true }

export type SignatureReport = {
  readonly isValid: boolean
  /** Undefined if there was none. */
  readonly signature:
    | {
        readonly kind: 'PLAIN' | 'STRICT'
        /**
         * The encoding of the signature, of a strict one without `v2=`; undefined if it is neither of these.
         */
        readonly encoding: 'HEX' | 'BASE64' | undefined
        readonly characters: number
      }
    | undefined
  readonly signed: ShownBytes & {
    readonly bytes: number
    /** The digest of all signed bytes, in hexadecimal. */
    readonly sha256: string
    /** The offset of the body in the signed bytes, from 0; undefined without a body. */
    readonly bodyAt: number | undefined
  }
  /** In the given order; undefined if they cannot be read. */
  readonly parameters:
    | readonly { readonly name: string; readonly value: string; readonly isCut?: true }[]
    | undefined
  readonly serverTime: TimeMs
  /** Server time minus `timestamp`; undefined without a valid number. */
  readonly behindMs: number | undefined
  /** In the order of checks. */
  readonly refusals: readonly WouldRefuse[]
  readonly hints: readonly SignatureHint[]
}

const CHECKED = successHeads({ en: 'The signature has been checked.', tr: 'İmza denetlendi.' })

export function signatureCheckBody(report: SignatureReport, language: Language): string {
  const refusals = report.refusals.map(({ reason, args }) => ({
    reason,
    msg: reasonMessage(reason, args, language),
  }))
  const hints = report.hints.map((hint) => ({ hint, msg: SIGNATURE_HINTS[hint][language] }))
  return successBody(CHECKED, language, jsonOf(SIGNATURE_REPORT, { ...report, refusals, hints }))
}
