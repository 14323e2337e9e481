/**
 * One connection of the WebSocket API: its requests, each answered once, and the key that is logged on to it.
 * The number of concurrent requests is limited; weight and bans are those of its address.
 */
import { EngineFault } from '../../../engine/port/fault.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { ANSWERS_RETRY_SECONDS } from '../../access/limits/call-limits.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { faultRefusal } from '../../trading/call.ts'
import { LongAnswer, WHOLE_ANSWER_MAX } from '../../trading/long-answer.ts'
import type { Services } from '../../trading/services.ts'
import { keyName, type SignedIn, signIn } from '../access/sign-in.ts'
import { openedBy } from '../access/signature-use.ts'
import { windowOf } from '../access/time-window.ts'
import { parameterFault } from '../endpoints/check.ts'
import { HANDLERS } from '../endpoints/handlers.ts'
import { noRequest } from '../endpoints/not-there.ts'
import type { CheckedRow } from '../endpoints/row.ts'
import { endpointOf, WIRE_ROWS, type WireEndpointId } from '../endpoints/table.ts'
import { AccountSubscriptions } from '../user-data/account-subscriptions.ts'
import { missing, refused } from '../wire/refused.ts'
import { WireError, wrongParameter } from '../wire/wire-error.ts'
import { textOf, type WireCall } from '../wire-call.ts'
import type { WireCalls } from '../wire-calls.ts'
import { CLOSE_CODES, type WireConnection, type WireSocket } from '../wire-sockets.ts'
import { answerText, errorText, usedLimits } from './api-answer.ts'
import { type ApiMessage, type MessageId, readMessage } from './api-message.ts'
import { Grant } from './grant.ts'
import type { GrantHolder, Holders } from './holders.ts'
import { isSessionRequest, SESSION_ROWS, type SessionRequest } from './session-rows.ts'

const REQUESTS_UNDER_WAY_MAX = 256
/** Maximum length of an answer, in characters: longer ones must be requested over HTTP. */
const ANSWER_LENGTH_MAX = 4 * 1024 * 1024
const UNKNOWN_REQUEST_WEIGHT = 1

export type ApiSessionOptions = {
  readonly calls: WireCalls
  readonly socket: WireSocket
  /** The context of the request that opened the connection. */
  readonly context: RequestContext
  /** Answers include the use of the limits unless the request says otherwise. */
  readonly returnsRateLimits: boolean
  /** The logins and subscriptions of all connections. */
  readonly holders: Holders
}

/** An answer that is being sent. */
type Success = {
  readonly resultJson: string
  readonly call?: WireCall | undefined
  /** Called once it is sent. */
  readonly sent?: () => void
}
type Outcome = Success | Refusal | WireError

export class ApiSession implements WireConnection, GrantHolder {
  readonly #options: ApiSessionOptions
  readonly #connectedSince: TimeMs
  readonly #subscriptions: AccountSubscriptions
  #grant: Grant | undefined
  #messages = 0
  #underWay = 0
  #isEnded = false
  /** Memory of long answers that wait for the client. */
  #releases: (() => void)[] = []

  constructor(options: ApiSessionOptions) {
    this.#options = options
    this.#connectedSince = options.calls.shared.clock.now()
    this.#subscriptions = new AccountSubscriptions(options)
  }

  received(text: string): void {
    const message = readMessage(text)
    const context = this.#contextNow()
    if ('error' in message) {
      const refusal = this.#admit(context, UNKNOWN_REQUEST_WEIGHT)
      this.#fail(context, { id: message.id }, refusal ?? message.error)
      return
    }
    const { method } = message
    const id = endpointOf(method)
    const row = isSessionRequest(method) ? SESSION_ROWS[method] : id && WIRE_ROWS[id]
    const refusal = this.#admit(context, row?.weight ?? UNKNOWN_REQUEST_WEIGHT)
    if (refusal !== undefined) this.#fail(context, message, refusal)
    else if (row === undefined) this.#fail(context, message, noRequest(method))
    else void this.#answer(context, message, id)
  }

  drained(): void {
    for (const release of this.#releases.splice(0)) release()
    this.#subscriptions.drained()
  }

  stopping(): void {
    const E = this.#options.calls.shared.clock.steady()
    this.#options.socket.send(JSON.stringify({ event: { e: 'serverShutdown', E } }))
  }

  ended(): void {
    this.#isEnded = true
    this.drained()
    this.#subscriptions.close()
    this.#logOut()
  }

  /** Ends a login that is no longer valid, because its key or account changed or time has passed. */
  checkGrant(now: TimeMs): void {
    const fault = this.#grant?.fault(now)
    if (fault === undefined) return
    this.#logOut()
    this.#options.socket.send(errorText(null, fault, undefined, now))
  }

  #contextNow(): RequestContext {
    const { calls, context } = this.#options
    const { clock, limits } = calls.shared
    const now = clock.steady()
    const requestId = `${context.requestId}-${++this.#messages}`
    return { ...context, now, requestId, use: limits.addresses.use(context.limitKey, now) }
  }

  #admit(context: RequestContext, weight: number): Refusal | undefined {
    const { admission, traffic } = this.#options.calls.shared
    traffic.requests++
    const isFull = this.#underWay >= REQUESTS_UNDER_WAY_MAX
    return (
      admission.admit(context, weight, true) ??
      (isFull ? refuse('REQUESTS_UNDER_WAY', { max: REQUESTS_UNDER_WAY_MAX }) : undefined)
    )
  }

  async #answer(context: RequestContext, message: ApiMessage, id: WireEndpointId | undefined): Promise<void> {
    const { traffic } = this.#options.calls.shared
    const startMs = performance.now()
    this.#underWay++
    traffic.started()
    let outcome: Outcome
    try {
      outcome = await this.#carryOut(context, message, id)
    } catch (error) {
      outcome = error instanceof EngineFault ? faultRefusal(error) : this.#crash(context, error)
    }
    if (outcome instanceof Refusal || outcome instanceof WireError) this.#fail(context, message, outcome)
    else this.#succeed(context, message, outcome)
    this.#underWay--
    traffic.answered(`BINANCE ws ${message.method}`, performance.now() - startMs)
  }

  async #carryOut(
    context: RequestContext,
    message: ApiMessage,
    id: WireEndpointId | undefined,
  ): Promise<Outcome> {
    const { calls } = this.#options
    const services = calls.shared.services()
    if (services instanceof Refusal) return services
    const { method, parameters } = message
    if (isSessionRequest(method)) return this.#carryOutOwn(context, method, message, services)
    if (id === undefined) return noRequest(method)
    const row = WIRE_ROWS[id]
    if (row.method === 'GET') await calls.untilFresh()
    const signed = await this.#signedIn(context, row, message, openedBy(row), services)
    if (signed instanceof WireError) return signed
    const call = calls.make(context, parameters, services, signed)
    const answer = await HANDLERS[id](call)
    if (answer instanceof Refusal || answer instanceof WireError) return answer
    const resultJson = await wholeText(answer)
    return resultJson instanceof WireError ? resultJson : { resultJson, call }
  }

  async #carryOutOwn(
    context: RequestContext,
    method: SessionRequest,
    message: ApiMessage,
    services: Services,
  ): Promise<Outcome> {
    const row = SESSION_ROWS[method]
    if (row.security !== 'NONE') {
      const signed = await this.#signedIn(context, row, message, method, services)
      if (signed instanceof WireError) return signed
      if (signed === undefined || !('claim' in signed)) return keyMissing()
      if (method !== 'session.logon') return this.#subscribe(this.#grantOf(signed, services), false)
      if (signed.apiKey.publicKey === undefined) return notForSecrets()
      this.#logOn(this.#grantOf(signed, services))
      return this.#status()
    }
    const fault = parameterFault(row, message.parameters)
    if (fault !== undefined) return fault
    switch (method) {
      case 'userDataStream.subscribe':
        this.checkGrant(context.now)
        return this.#grant === undefined ? notLoggedOn() : this.#subscribe(this.#grant, true)
      case 'userDataStream.unsubscribe': {
        const id = message.parameters.get('subscriptionId')
        const isThere = this.#subscriptions.unsubscribe(id === undefined ? undefined : Number(id))
        return isThere || id === undefined ? { resultJson: '{}' } : noSubscription()
      }
      case 'session.subscriptions': {
        const list = this.#subscriptions.ids.map((subscriptionId) => ({ subscriptionId }))
        return { resultJson: JSON.stringify(list) }
      }
      case 'session.logout':
        this.#logOut()
        return this.#status()
      default:
        return this.#status()
    }
  }

  async #subscribe(grant: Grant, isByLogin: boolean): Promise<Outcome> {
    const subscribed = await this.#subscriptions.subscribe(grant, isByLogin)
    if (subscribed instanceof WireError) return subscribed
    return { resultJson: JSON.stringify({ subscriptionId: subscribed.id }), sent: subscribed.begin }
  }

  /**
   * Authorizes a request: by its own signature, or else by the key that is logged on. Undefined if the
   * request needs no key. Rejects with `EngineFault`.
   */
  async #signedIn(
    context: RequestContext,
    row: CheckedRow,
    message: ApiMessage,
    opens: string,
    services: Services,
  ): Promise<SignedIn | Pick<SignedIn, 'accountId' | 'keyNumber' | 'window'> | undefined | WireError> {
    const { parameters, apiKey, signature } = message
    const isByLogin =
      this.#grant !== undefined &&
      apiKey === undefined &&
      signature === undefined &&
      !Object.hasOwn(SESSION_ROWS, message.method)
    const fault = parameterFault(row, parameters, signature !== undefined || isByLogin)
    if (fault !== undefined) return fault
    if (row.security === 'NONE') return undefined
    if (isByLogin) return this.#byLogin(context, row, message)
    if (apiKey === undefined) return keyMissing()
    const name = keyName(apiKey)
    if (name instanceof WireError) return name
    const request = { ...message, name, opens, security: row.security }
    return signIn(context, request, services, this.#options.calls)
  }

  #byLogin(
    { now }: RequestContext,
    { security }: CheckedRow,
    { parameters }: ApiMessage,
  ): Pick<SignedIn, 'accountId' | 'keyNumber' | 'window'> | WireError {
    const { clock, keyUse } = this.#options.calls.shared
    this.checkGrant(now)
    if (this.#grant === undefined) return refused(refuse('INVALID_API_KEY', {}))
    const { accountId, apiKey, keyNumber } = this.#grant
    const fault = this.#grant.permissionFault(security, now)
    if (fault !== undefined) return fault
    const window = windowOf(parameters, { now: clock.now(), doubted: clock.doubted?.() })
    if (window instanceof WireError) return window
    keyUse.note(apiKey, now)
    return { accountId, keyNumber, window }
  }

  #grantOf(signed: SignedIn, { market: { registry } }: Services): Grant {
    const { calls, context } = this.#options
    const { shared, isOfWire } = calls
    return new Grant(signed, shared.clock.now(), {
      shared,
      isOfWire,
      registry,
      clientAddress: context.address,
    })
  }

  #logOn(grant: Grant): void {
    this.#logOut()
    if (this.#isEnded) return
    this.#grant = grant
    this.#options.holders.add(this, grant)
  }

  #logOut(): void {
    if (this.#grant === undefined) return
    this.#grant = undefined
    this.#options.holders.remove(this)
    this.#subscriptions.loggedOut()
  }

  #status(): Success {
    const { calls, returnsRateLimits } = this.#options
    const resultJson = JSON.stringify({
      apiKey: this.#grant?.apiKey ?? null,
      authorizedSince: this.#grant?.since ?? null,
      connectedSince: this.#connectedSince,
      returnRateLimits: returnsRateLimits,
      serverTime: calls.shared.clock.now(),
      userDataStream: this.#subscriptions.ids.length > 0,
    })
    return { resultJson }
  }

  #succeed(context: RequestContext, message: ApiMessage, { resultJson, call, sent }: Success): void {
    const { calls, socket } = this.#options
    const { limits } = calls.shared
    let release = (): void => {}
    if (resultJson.length > WHOLE_ANSWER_MAX) {
      const reserved = limits.answers.reserve(context.limitKey, resultJson.length)
      if (reserved === undefined) {
        const seconds = ANSWERS_RETRY_SECONDS
        this.#fail(context, message, refuse('ANSWERS_UNDER_WAY', { seconds }))
        return
      }
      release = reserved
    }
    if (!this.#isEnded)
      socket.send(answerText(message.id, resultJson, this.#limitsOf(context, message, call)))
    sent?.()
    if (socket.waitingBytes === 0 || this.#isEnded) release()
    else this.#releases.push(release)
  }

  #fail(
    context: RequestContext,
    message: { readonly id: MessageId; readonly returnRateLimits?: boolean | undefined },
    error: Refusal | WireError,
  ): void {
    const { calls, socket } = this.#options
    const wireError = calls.failed(context, error)
    if (this.#isEnded) return
    const rateLimits = this.#limitsOf(context, message, undefined)
    socket.send(errorText(message.id, wireError, rateLimits, calls.shared.clock.now()))
    // A client that continues after a ban gets no more answers.
    if (wireError.reason === 'BANNED') socket.close(CLOSE_CODES.policy, 'banned')
  }

  #limitsOf(
    context: RequestContext,
    { returnRateLimits }: { readonly returnRateLimits?: boolean | undefined },
    call: WireCall | undefined,
  ) {
    const { calls, returnsRateLimits } = this.#options
    const isTold = returnRateLimits ?? returnsRateLimits
    return isTold ? usedLimits(context, calls.shared.config.limits, call) : undefined
  }

  #crash({ requestId }: RequestContext, error: unknown): Refusal {
    this.#options.calls.shared.logger.error({ requestId, err: error }, 'a request failed')
    return refuse('INTERNAL_ERROR', { id: requestId })
  }
}

/** An answer as one text. */
async function wholeText(answer: string | Blob | LongAnswer): Promise<string | WireError> {
  if (!(answer instanceof LongAnswer)) return bounded(await textOf(answer))
  let text = ''
  const decoder = new TextDecoder()
  for (;;) {
    const { value, done } = await answer.slices.next()
    if (done === true || value === undefined) return bounded(text)
    text += typeof value === 'string' ? value : decoder.decode(value, { stream: true })
    if (text.length > ANSWER_LENGTH_MAX) {
      await answer.slices.return?.()
      return bounded(text)
    }
  }
}

function bounded(text: string): string | WireError {
  if (text.length <= ANSWER_LENGTH_MAX) return text
  const msg = 'This operation is not supported: an answer of this length; request it over HTTP.'
  return new WireError({ status: 400, code: -1020, msg, reason: 'UNSUPPORTED_VALUE' })
}

function keyMissing(): WireError {
  return wrongParameter('apiKey', -1102, missing('apiKey'), 'MISSING_PARAMETER')
}

function notForSecrets(): WireError {
  const msg =
    'This operation is not supported: session.logon with this key; it needs an Ed25519 key. Sign each request.'
  return new WireError({ status: 400, code: -1020, msg, reason: 'UNSUPPORTED_VALUE' })
}

function notLoggedOn(): WireError {
  const msg =
    'This operation is not supported: userDataStream.subscribe without session.logon; send userDataStream.subscribe.signature.'
  return new WireError({ status: 401, code: -1020, msg, reason: 'LOGIN_REQUIRED' })
}

function noSubscription(): WireError {
  const msg = 'User Data Stream subscription not active.'
  return wrongParameter('subscriptionId', -2036, msg, 'NOT_SUBSCRIBED')
}
