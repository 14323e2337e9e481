/**
 * A request that only tests its signature: it passes through the checks of a signed endpoint, and the result
 * of each check is kept.
 */

import type { SignatureHint } from '../../contract/signature-hints.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type Credentials, strictnessFault, textSigned, trySignature } from '../access/auth/authenticate.ts'
import { type Claim, claimFault, type Signable, strictLines } from '../access/auth/claim.ts'
import { checkTimes } from '../access/auth/freshness.ts'
import type { SignatureVerifier } from '../access/auth/signature.ts'
import { mistakenTexts } from '../access/auth/signing-mistakes.ts'
import type { Clock } from '../common/clock.ts'
import type { Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { readParameters, repetition } from './request-parameters.ts'

export type SignatureTrial = {
  readonly isValid: boolean
  /** The text that was signed, as received. */
  readonly request: Signable
  /** Undefined if it has no signature. */
  readonly claim: Claim | undefined
  /** The text that was signed instead, if it can be found; undefined also if the signature is correct. */
  readonly mistake: SignatureHint | undefined
  /**
   * The result that a signed endpoint would return, in the order of checks; a check that cannot continue is
   * the last.
   */
  readonly refusals: readonly Refusal[]
  /** Undefined if they cannot be read. */
  readonly parameters: Parameters | undefined
  readonly serverTime: TimeMs
}

export type TrialParts = { readonly verifier: SignatureVerifier; readonly clock: Clock }

/**
 * Tests a signature. Also returns a refusal if the signature is correct, but the key cannot be used. No nonce
 * is used up, because nothing is carried out that could be repeated.
 */
export function trialOf(
  request: Signable,
  contentType: string | null,
  credentials: Credentials,
  { verifier, clock }: TrialParts,
): SignatureTrial | Refusal {
  const { claim } = credentials
  const isValid = trySignature(credentials, verifier)
  if (isValid instanceof Refusal) return isValid
  const parameters = readParameters(request.target.query, request.body, contentType)
  const ofSignature = isValid ? strictnessFault(credentials) : signatureFault(claim)
  const ofRequest =
    parameters instanceof Refusal
      ? [parameters]
      : [checkTimes(parameters, claim, clock), repetition(parameters)]
  return {
    isValid,
    request,
    claim,
    mistake: isValid ? undefined : mistakeOf(request, credentials, verifier),
    refusals: [ofSignature, ...ofRequest].filter((refusal) => refusal !== undefined),
    parameters: parameters instanceof Refusal ? undefined : parameters,
    serverTime: clock.now(),
  }
}

function mistakeOf(
  request: Signable,
  credentials: Credentials,
  verifier: SignatureVerifier,
): SignatureHint | undefined {
  const isStrict = credentials.claim?.kind === 'STRICT'
  const mistakes = mistakenTexts(request, strictLines(request), isStrict)
  const texts = mistakes.map(({ text }) => text)
  const signed = textSigned(credentials, texts, verifier)
  return mistakes.find(({ text }) => text === signed)?.hint
}

function signatureFault(claim: Claim | undefined): Refusal {
  if (claim === undefined) return refuse('MISSING_SIGNATURE', {})
  return claimFault(claim) ?? refuse('INVALID_SIGNATURE', {})
}
