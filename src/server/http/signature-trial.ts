/**
 * A request whose signature is tried, and that asks for nothing else: it goes through the checks of a signed endpoint, and what each
 * of them says is kept.
 */
import type { TimeMs } from '../../units/quantities.ts'
import type { SignatureHint } from '../../wire/signature-hints.ts'
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
  /** What was signed, as received. */
  readonly request: Signable
  /** Undefined: it has no signature. */
  readonly claim: Claim | undefined
  /** What was signed in its place, where that can be found out; undefined too where the signature is right. */
  readonly mistake: SignatureHint | undefined
  /** What a signed endpoint would have said, in the order of checks; one that cannot go on is the last. */
  readonly refusals: readonly Refusal[]
  /** Undefined: they cannot be read. */
  readonly parameters: Parameters | undefined
  readonly serverTime: TimeMs
}

export type TrialParts = { readonly verifier: SignatureVerifier; readonly clock: Clock }

/** A refusal: the signature is right, and the key cannot be used. No nonce is used up: nothing is done that could be done twice. */
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
