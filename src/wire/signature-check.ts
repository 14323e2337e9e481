/**
 * The answer of a signature check (docs/reference/extensions.md#signature-check): what the server has signed of a request, and what
 * it would say to it. It has no place for a signature: neither the one received nor the one expected.
 */
import type { TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import { reasonMessage } from './error-body.ts'
import type { Language } from './language.ts'
import type { Reason, ReasonArguments } from './reasons/catalogue.ts'
import { SIGNATURE_HINTS, type SignatureHint } from './signature-hints.ts'

/** Why a signed endpoint would refuse the request. */
export type WouldRefuse = { readonly reason: Reason; readonly args: ReasonArguments<Reason> }

/** Signed bytes, or as many of the first ones as are shown: as text where they are UTF-8, else in hexadecimal. */
export type ShownBytes = ({ readonly text: string } | { readonly hex: string }) & { readonly isCut?: true }

export type SignatureReport = {
  readonly isValid: boolean
  /** Undefined: there was none. */
  readonly signature:
    | {
        readonly kind: 'PLAIN' | 'STRICT'
        /** Of what stands behind `v2=`. Undefined: it is neither. */
        readonly encoding: 'HEX' | 'BASE64' | undefined
        readonly characters: number
      }
    | undefined
  readonly signed: ShownBytes & {
    readonly bytes: number
    /** Of all of them, in hexadecimal. */
    readonly sha256: string
    /** Where the body begins among them, from 0; undefined: there is none. */
    readonly bodyAt: number | undefined
  }
  /** In the order given; undefined: they cannot be read. */
  readonly parameters:
    | readonly { readonly name: string; readonly value: string; readonly isCut?: true }[]
    | undefined
  readonly serverTime: TimeMs
  /** Server time less `timestamp`; undefined: there is no such number. */
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
  return successBody(CHECKED, language, JSON.stringify({ ...report, refusals, hints }))
}
