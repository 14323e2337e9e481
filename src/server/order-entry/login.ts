/**
 * A login: reading it, and checking whether it is still valid. It is valid as long as a request signed with
 * the same secret would be, so it ends with the key, its secret, its account, or its address's right to use
 * it (docs/reference/order-entry.md#login).
 */

import { NONCE_FORM, oneOf } from '../../contract/expectations.ts'
import type { Account, ApiKey } from '../../core/registry/records.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { RegistryView } from '../../views/registry.ts'
import { authenticateLogin, type Credentials } from '../access/auth/authenticate.ts'
import { type Claim, NONCE } from '../access/auth/claim.ts'
import { knownKey, unknownYet } from '../access/auth/known-keys.ts'
import type { SessionKeys } from '../access/auth/session-keys.ts'
import type { SignatureVerifier } from '../access/auth/signature.ts'
import { checkTimeWindow } from '../access/auth/time-window.ts'
import type { Clock } from '../common/clock.ts'
import type { Parameters } from '../common/parameters.ts'
import { readRequired, readWord } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { foreignName } from '../trading/fields.ts'
import { readSessionTerms, SESSION_NAMES, type SessionTerms } from './order-sessions.ts'

/** First line of the signed text: no request over HTTP has a signed text with a line end. */
const PURPOSE = 'login\n'

/** In the order in which they are signed. */
const SIGNED = ['apiKey', 'timestamp', 'recvWindow', 'nonce'] as const

const TAKES = new Set<string>([...SIGNED, 'signature', ...SESSION_NAMES])
const TAKES_ON_FRAMES = new Set<string>([...TAKES, 'frames'])

export type LoginTerms = {
  readonly apiKey: string
  readonly claim: Claim
  /** A frame from the server may hold several messages. */
  readonly isMany: boolean
  /** Undefined if its orders outlive the connection. */
  readonly session: SessionTerms | undefined
}

/**
 * `hasFrames`: the transport has frames, and the client may set the maximum number of messages per frame.
 */
export function readLogin(parameters: Parameters, hasFrames: boolean): LoginTerms | Refusal {
  const foreign = foreignName(parameters, hasFrames ? TAKES_ON_FRAMES : TAKES)
  if (foreign !== undefined) return foreign
  const apiKey = readRequired(parameters, 'apiKey')
  if (apiKey instanceof Refusal) return apiKey
  const signature = readRequired(parameters, 'signature')
  if (signature instanceof Refusal) return signature
  const nonce = parameters.get('nonce')
  if (nonce !== undefined && !NONCE.test(nonce)) {
    return refuse('INVALID_PARAMETER', { name: 'nonce', expected: NONCE_FORM })
  }
  const frames = readWord(parameters, 'frames', ['one', 'many'])
  if (frames instanceof Refusal)
    return refuse('INVALID_PARAMETER', { name: 'frames', expected: oneOf(['one', 'many']) })
  const session = readSessionTerms(parameters)
  if (session instanceof Refusal) return session
  const signed = { text: signedText(parameters), body: undefined, signature }
  const timestamp = parameters.get('timestamp') ?? ''
  const claim: Claim =
    nonce === undefined ? { kind: 'PLAIN', signed } : { kind: 'STRICT', signed, timestamp, nonce }
  return { apiKey, claim, isMany: frames === 'many', session }
}

/** The text that the signature of a login covers; fields not given are omitted. */
function signedText(parameters: Parameters): string {
  const given = SIGNED.filter((name) => parameters.has(name))
  return PURPOSE + given.map((name) => `${name}=${parameters.get(name)}`).join('&')
}

export type LoginParts = {
  readonly registry: RegistryView
  readonly verifier: SignatureVerifier
  /** The keys of customers' sessions; undefined if there are none. */
  readonly sessionKeys?: SessionKeys | undefined
  /** As received, not in the form used for counting. */
  readonly clientAddress: string
}

/** A login that was accepted. */
export class Login {
  readonly apiKey: string
  readonly accountId: AccountId
  readonly #claim: Claim
  readonly #parts: LoginParts
  /** The values when the login was last valid. */
  #record: ApiKey
  #account: Account | undefined
  /** Until this time the login is valid, provided that key and account are unchanged. */
  #goodUntil: number

  private constructor(record: ApiKey, claim: Claim, parts: LoginParts, now: TimeMs) {
    this.apiKey = record.apiKey
    this.accountId = record.accountId
    this.#claim = claim
    this.#parts = parts
    this.#record = record
    this.#account = parts.registry.account(record.accountId)
    this.#goodUntil = this.#endOf(record, now)
  }

  /** Key, account, address and signature, then the time window. The caller must use the nonce. */
  static attempt(
    { apiKey, claim }: LoginTerms,
    parameters: Parameters,
    parts: LoginParts,
    clock: Clock,
  ): Login | Refusal {
    const now = clock.steady()
    const record = knownKey(parts.registry, apiKey, parts.sessionKeys)
    const unknown = record === undefined ? unknownYet(parts.registry, apiKey, parts.sessionKeys) : undefined
    if (unknown !== undefined) return unknown
    const refusal = authenticateLogin(credentialsOf(record, claim, parts, now), parts.verifier)
    if (refusal !== undefined) return refusal
    if (record === undefined) return refuse('INVALID_SIGNATURE', {})
    const late = checkTimeWindow(parameters, { now: clock.now(), doubted: clock.doubted() })
    return late ?? new Login(record, claim, parts, now)
  }

  get claim(): Claim {
    return this.#claim
  }

  /** The current key, or the reason why the login has ended. */
  key(now: TimeMs): ApiKey | Refusal {
    const { registry, sessionKeys } = this.#parts
    const record = knownKey(registry, this.apiKey, sessionKeys)
    const isKnown = record === this.#record && registry.account(this.accountId) === this.#account
    return isKnown && now < this.#goodUntil ? this.#record : this.#checkAgain(record, now)
  }

  #checkAgain(record: ApiKey | undefined, now: TimeMs): ApiKey | Refusal {
    const { registry, verifier } = this.#parts
    const refusal = authenticateLogin(credentialsOf(record, this.#claim, this.#parts, now), verifier)
    if (refusal?.reason === 'INVALID_SIGNATURE') return refuse('SECRET_REPLACED', {})
    if (refusal !== undefined) return refusal
    if (record === undefined) return refuse('KEY_DISABLED', {})
    this.#record = record
    this.#account = registry.account(this.accountId)
    this.#goodUntil = this.#endOf(record, now)
    return record
  }

  /** The time at which the key expires, or its previous secret if the login was signed with that one. */
  #endOf(record: ApiKey, now: TimeMs): number {
    const { previousSecret, apiKey, sealedSecret } = record
    const keyEnd = record.expiresAt ?? Number.POSITIVE_INFINITY
    if (previousSecret === undefined) return keyEnd
    const isPresent = this.#parts.verifier.verify({ apiKey, sealedSecret }, this.#claim.signed, now)
    return isPresent ? keyEnd : Math.min(keyEnd, previousSecret.until)
  }
}

function credentialsOf(
  apiKey: ApiKey | undefined,
  claim: Claim,
  { registry, clientAddress }: LoginParts,
  now: TimeMs,
): Credentials {
  const account = apiKey === undefined ? undefined : registry.account(apiKey.accountId)
  return { apiKey, account, now, clientAddress, claim }
}
