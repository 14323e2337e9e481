/**
 * The public server's request handling: every request passes the same checks in the same order
 * (docs/reference/http.md#order-of-checks), then is passed to its endpoint, to the stream or to a page. It is
 * independent of listeners and ports; `public-server.ts` passes requests to it.
 */

import { ACCOUNT_BODY_BYTES_MAX } from '../../contract/customers/endpoints.ts'
import { pickLanguage } from '../../contract/language.ts'
import type { Reason } from '../../contract/reasons/catalogue.ts'
import type { AddressBan } from '../../core/registry/records.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { guarded } from '../../units/guarded.ts'
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { KeyUse } from '../access/auth/key-use.ts'
import { MemoryNonces } from '../access/auth/memory-nonces.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { SecretBox } from '../access/auth/secret-box.ts'
import type { SessionKeys } from '../access/auth/session-keys.ts'
import { SignatureVerifier } from '../access/auth/signature.ts'
import { AddressLimits, type AddressUse } from '../access/limits/address-limits.ts'
import { AnswersUnderWay } from '../access/limits/answers-under-way.ts'
import { ANSWERS_RETRY_SECONDS, type CallLimits } from '../access/limits/call-limits.ts'
import { isMalformed } from '../access/limits/malformed.ts'
import { type OrderCounter, OrderLimits, orderTermsIn } from '../access/limits/order-limits.ts'
import { ReadingTurns } from '../access/limits/reading-turns.ts'
import type { Clock } from '../common/clock.ts'
import { faultLog } from '../common/fault-log.ts'
import type { Logger } from '../common/logger.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { type AuthorizationParts, type AuthorizedRequest, authorize, keyRefusal } from '../http/authorize.ts'
import { HttpCall } from '../http/http-call.ts'
import { bodyOf, type Later } from '../http/long-answer-body.ts'
import type { RequestContext } from '../http/request-context.ts'
import { asCsv, options, Successes } from '../http/respond.ts'
import { type Endpoint, ROUTES } from '../http/routes.ts'
import { BodyReader } from '../listener/body.ts'
import { failure } from '../listener/failure.ts'
import { newRun, REQUEST_ID_HEADER, requestIds } from '../listener/request-id.ts'
import { isForStream } from '../listener/stream-paths.ts'
import { Traffic } from '../monitoring/traffic.ts'
import { OrderEntry } from '../order-entry/order-entry.ts'
import { TurnClock } from '../order-entry/turn-clock.ts'
import { type Answer, faultRefusal, type Outcome, UNDER_WAY } from '../trading/call.ts'
import { CsvAnswer } from '../trading/csv-answer.ts'
import { untaken } from '../trading/fields.ts'
import { LongAnswer, WHOLE_ANSWER_MAX } from '../trading/long-answer.ts'
import type { Services } from '../trading/services.ts'
import { WorkLane } from '../trading/work-lane.ts'
import { ACCOUNT_WEIGHT, type AccountService, isOfAccounts } from './account-requests.ts'
import { type AddressSource, Admission, type Peer } from './admission.ts'
import type { GatewayConfig } from './gateway-config.ts'
import type { SharedParts } from './shared-parts.ts'

/** The services of the public server once the exchange runs. */
export type PublicServices = Services & {
  /** The bans imposed by operators, by the key under which limits are counted. */
  readonly banByAddress: ReadonlyMap<string, AddressBan>
}

/** The stream behind the same port. */
export type StreamHandler<Server> = {
  handles(request: Request, path: string): boolean
  /** Undefined if the request has become a WebSocket. */
  handle(request: Request, server: Server): Response | Promise<Response> | undefined
}

/** The pages for people; undefined if there is no such page. */
export type Pages = (request: Request, path: string) => Response | Promise<Response> | undefined

export type GatewayOptions = {
  readonly config: GatewayConfig
  readonly clock: Clock
  readonly secretBox: SecretBox
  readonly logger: Logger
  /** The store of used nonces; if undefined, this gateway stores them itself, from the time when it opens. */
  readonly nonces?: NonceStore
  /** The layer in front of the gateway's own nonces; undefined if there is none. */
  readonly beforeNonces?: (own: NonceStore) => NonceStore
  /** The place where orders are counted; if undefined, they are counted only in this gateway. */
  readonly addresses?: AddressLimits
  readonly orders?: OrderCounter
  readonly keyUse?: KeyUse
  readonly pages?: Pages
  /** Customers who register themselves; undefined if that is not possible. */
  readonly accounts?: AccountService | undefined
  /** The keys of customers' sessions. */
  readonly sessionKeys?: SessionKeys | undefined
  /** The counter of its requests and answers. */
  readonly traffic?: Traffic
  /**
   * The age of the views' data, in milliseconds, while no engine can be reached; undefined if they are up to
   * date, as they always are with the engine in the same process.
   */
  readonly staleMs?: () => number | undefined
  /**
   * Asks a client that waits on a connection to send its body; false if it cannot be asked. Undefined if no
   * client can be asked.
   */
  readonly goOn?: (peer: Peer) => boolean
  /** The timers that the gateway uses; by default the runtime's. */
  readonly later?: Later
  /** Called with every answer of an endpoint; undefined if there is no observer. */
  readonly onAnswered?: (answered: AnsweredRequest) => void
}

/** Header of answers given while no engine can be reached (docs/reference/http.md#while-no-engine-leads). */
export const STALE_HEADER = 'X-Bourse-Stale-Ms'

/** Loggable parts of a request, without its content. */
export type AnsweredRequest = {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly address: string
  readonly status: number
  readonly tookMs: number
}

export class Gateway<Server extends AddressSource = Bun.Server<unknown>> {
  readonly #options: GatewayOptions
  readonly #admission: Admission
  readonly #addressLimits: AddressLimits
  readonly #callLimits: CallLimits
  readonly #verifier: SignatureVerifier
  readonly #bodies: BodyReader
  /** Reads the bodies of customers' requests. */
  readonly #accountBodies: BodyReader
  /**
   * The time of a turn, in which many requests are processed together: their bodies are passed on together,
   * and so are the engine's replies.
   */
  readonly #turn: TurnClock
  readonly #successes = new Successes()
  /** The functions of other listeners that close connections. */
  readonly #whenBanned: ((limitKey: string) => void)[] = []
  readonly #answersUnderWay: AnswersUnderWay
  readonly #lane = new WorkLane()
  /** When each API key was last used. */
  readonly keyUse: KeyUse
  /** Received requests and answers. */
  readonly traffic: Traffic
  /** For the stream: logins and orders, under the same limits and keys as requests. */
  readonly entry: OrderEntry
  readonly #nextRequestId = requestIds(newRun())
  #services: PublicServices | undefined
  /** Set once the gateway has opened. */
  #authorization: AuthorizationParts | undefined
  #stream: StreamHandler<Server> | undefined
  #isStopping = false

  constructor(options: GatewayOptions) {
    const { config } = options
    this.#options = options
    this.#turn = new TurnClock(options.clock)
    this.traffic = options.traffic ?? new Traffic()
    this.keyUse = options.keyUse ?? new KeyUse()
    this.#addressLimits = options.addresses ?? new AddressLimits(config.limits)
    const { clock, goOn } = options
    const addresses = this.#addressLimits
    const nextRequestId = this.#nextRequestId
    this.#admission = new Admission({ config, clock, addresses, nextRequestId, goOn })
    this.#answersUnderWay = new AnswersUnderWay(config.limits)
    this.#callLimits = {
      addresses: this.#addressLimits,
      orders: options.orders ?? new OrderLimits(config.limits),
      answers: this.#answersUnderWay,
      readings: new ReadingTurns(),
    }
    this.#verifier = new SignatureVerifier(options.secretBox)
    this.entry = this.#createEntry()
    const timeoutMs = config.bodyTimeoutMs
    this.#bodies = new BodyReader({ bytesMax: config.bodyBytesMax, timeoutMs })
    this.#accountBodies = new BodyReader({ bytesMax: ACCOUNT_BODY_BYTES_MAX, timeoutMs })
  }

  /**
   * Called when the exchange runs: from now on requests are answered. Before, every answer of API and stream
   * is STARTING.
   */
  open(services: PublicServices, stream?: StreamHandler<Server>): void {
    this.#services = services
    this.#admission.bans = services.banByAddress
    this.#callLimits.orders.heed(orderTermsIn(services.market.registry))
    this.#authorization ??= this.#startAuthorization(services)
    this.#stream = stream ?? this.#stream
  }

  /** Stops serving: from now on every API answer is STOPPING; pending requests continue. */
  close(): void {
    this.#isStopping = true
  }

  /** The bans that the limits have imposed, for operators. */
  get limitBans() {
    const limits = this.#addressLimits
    return { list: (now: TimeMs) => limits.bans(now), lift: (address: string) => limits.lift(address) }
  }

  /**
   * For the stream: connections that it opens, refuses and closes count against the address, with the same
   * counters as other requests.
   */
  get addressCounts() {
    const limits = this.#addressLimits
    const now = () => this.#options.clock.steady()
    return {
      opening: (address: string) => limits.chargeOpening(address, now()),
      refused: (address: string, reason: Reason) => this.#countRefused(limits.use(address, now()), reason),
      cut: (address: string) => limits.noteFlood(address, now()),
    }
  }

  /** Memory held by long answers that have not been read to the end. */
  get answerBytesUnderWay(): number {
    return this.#answersUnderWay.bytes
  }

  /** The client's address: the socket's, or the one that a trusted proxy states. */
  addressOf(request: Request, server: Server): string {
    return this.#admission.addressOf(request, server)
  }

  /** The parts for a listener of the same exchange for another wire. */
  get shared(): SharedParts {
    const { clock, logger, config, sessionKeys } = this.#options
    return {
      ...{ admission: this.#admission, clock, logger, config, bodies: this.#bodies, lane: this.#lane },
      ...{ limits: this.#callLimits, traffic: this.traffic, verifier: this.#verifier, keyUse: this.keyUse },
      feeds: this.entry.feeds,
      sessionKeys,
      services: () => this.#available(),
      nonces: () => this.#nonces,
      whenBanned: (listener) => void this.#whenBanned.push(listener),
      countRefused: (use, reason) => this.#countRefused(use, reason),
    }
  }

  /** Answers a request; undefined when it has become a WebSocket. */
  fetch(request: Request, server: Server): Response | Promise<Response> | undefined {
    this.traffic.requests++
    const context = this.#admission.context(request, server)
    const { path } = context.target
    const route = ROUTES.get(path)
    const isStream = route === undefined && this.#stream?.handles(request, path) === true
    const endpoint = route?.endpoints[request.method]
    const refusal = this.#admission.admit(
      context,
      isStream ? 0 : (endpoint?.operation.weight ?? this.#weightOf(path)),
      route !== undefined,
    )
    if (refusal !== undefined) return this.#fail(context, refusal)
    if (isStream) return this.#stream?.handle(request, server)
    if (route === undefined) return this.#otherPath(context)
    if (endpoint !== undefined) return this.#answer(context, endpoint)
    if (request.method === 'OPTIONS') return options(route.allow)
    return this.#fail(context, refuse('METHOD_NOT_ALLOWED', { method: request.method, allowed: route.allow }))
  }

  /** The answer if answering failed because of a bug: the request's id is in the log. */
  crash(error: unknown, language: string | null = null, requestId = this.#nextRequestId()): Response {
    this.#options.logger.error({ requestId, err: error }, 'a request failed')
    this.traffic.refused('INTERNAL_ERROR')
    return failure(refuse('INTERNAL_ERROR', { id: requestId }), pickLanguage(language), { requestId })
  }

  #weightOf(path: string): number {
    return this.#options.accounts !== undefined && isOfAccounts(path) ? ACCOUNT_WEIGHT : 1
  }

  /** Passes on a customer's request. */
  async #account(context: RequestContext, accounts: AccountService): Promise<Response> {
    const { request, address, headers } = context
    const body = await this.#accountBodies.read(request, headers.contentLength)
    if (body instanceof Refusal) return this.#fail(context, body)
    const answer = await accounts.answer({ request, path: context.target.path, body, address })
    answer.headers.set(REQUEST_ID_HEADER, context.requestId)
    return answer
  }

  /** A page for people, or undefined. */
  #otherPath(context: RequestContext): Response | Promise<Response> {
    const { path } = context.target
    const services = this.#available()
    if (isOfAccounts(path)) {
      const { accounts } = this.#options
      if (services instanceof Refusal) return this.#fail(context, services)
      return accounts === undefined
        ? this.#fail(context, refuse('NOT_FOUND', {}))
        : this.#account(context, accounts)
    }
    if (path.startsWith('/api/')) {
      return this.#fail(context, services instanceof Refusal ? services : refuse('NOT_FOUND', {}))
    }
    // There is no stream yet: a client that wants to open one must not get the page.
    if (services instanceof Refusal && isForStream(context.request, path))
      return this.#fail(context, services)
    return this.#options.pages?.(context.request, path) ?? this.#fail(context, refuse('NOT_FOUND', {}))
  }

  #available(): PublicServices | Refusal {
    if (this.#isStopping) return refuse('STOPPING', {})
    return this.#services ?? refuse('STARTING', {})
  }

  /**
   * A single function awaits everything: each further function would cost every order a promise (`npm run
   * bench -- order-to-ack`).
   */
  async #answer(context: RequestContext, endpoint: Endpoint): Promise<Response> {
    const startMs = performance.now()
    this.traffic.started()
    let answer: Response
    try {
      const services = this.#opened(context, endpoint)
      const body =
        services instanceof Refusal || !hasBody(context.request)
          ? undefined
          : await this.#bodies.read(context.request, context.headers.contentLength, startMs)
      const authorizing =
        services instanceof Refusal ? services : this.#authorize(context, endpoint, services, body)
      const authorized = authorizing instanceof Promise ? await authorizing : authorizing
      const call = this.#call(context, authorized, services)
      answer =
        call instanceof Refusal
          ? this.#fail(context, endpoint.isExtension ? call : call.bare())
          : this.#word(context, call, inShape(endpoint, call, await outcomeOf(endpoint, call)))
    } catch (error) {
      answer = this.#failed(context, error)
    }
    const staleMs = this.#options.staleMs?.()
    if (staleMs !== undefined && answer.ok) answer.headers.set(STALE_HEADER, String(staleMs))
    const tookMs = this.#turn.elapsedMs() - startMs
    this.traffic.answered(endpoint.name, tookMs)
    this.#options.onAnswered?.({
      requestId: context.requestId,
      method: context.request.method,
      path: context.target.path,
      address: context.address,
      status: answer.status,
      tookMs,
    })
    return answer
  }

  #word(context: RequestContext, call: HttpCall, answer: Answer | typeof UNDER_WAY): Response {
    invariant(answer !== UNDER_WAY, 'a call over HTTP waits for its reply')
    if (answer instanceof Refusal) return this.#fail(context, answer)
    if (call.countsAs !== undefined) this.#countRefused(context.use, call.countsAs)
    if (answer instanceof LongAnswer) return this.#send(context, answer)
    if (answer instanceof CsvAnswer) return asCsv(this.#word(context, call, answer.text), answer)
    if (typeof answer === 'string' && answer.length > WHOLE_ANSWER_MAX)
      return this.#send(context, LongAnswer.ofText(answer))
    return this.#successes.answer(answer, context, call.orderCounts, call.isRepeat)
  }

  /** A long answer, sent as the client reads it; refused when too many bytes are pending. */
  #send(context: RequestContext, answer: LongAnswer): Response {
    const release = this.#answersUnderWay.reserve(context.limitKey, answer.bytes)
    if (release === undefined) {
      void answer.slices.return?.()
      return this.#fail(context, refuse('ANSWERS_UNDER_WAY', { seconds: ANSWERS_RETRY_SECONDS }))
    }
    const { logger, later = runtimeLater(logger) } = this.#options
    const { requestId } = context
    const onBroken = (cause: unknown) => {
      if (!(cause instanceof EngineFault))
        logger.error({ requestId, err: cause }, 'a long answer was interrupted')
    }
    return this.#successes.answer(bodyOf(answer, { release, onBroken, later }), context, [])
  }

  #failed(context: RequestContext, error: unknown): Response {
    if (error instanceof EngineFault) return this.#fail(context, faultRefusal(error))
    return this.crash(error, context.headers.acceptLanguage, context.requestId)
  }

  /** The services for a request that only reads. */
  #opened(context: RequestContext, endpoint: Endpoint): Services | Refusal {
    const services = this.#available()
    return services instanceof Refusal ? services : (keyRefusal(context, endpoint.operation) ?? services)
  }

  #createEntry(): OrderEntry {
    const { clock, logger, sessionKeys } = this.#options
    const limits = this.#callLimits
    const entry = new OrderEntry({
      ...{ clock, logger, verifier: this.#verifier, keyUse: this.keyUse, limits, lane: this.#lane },
      sessionKeys,
      traffic: this.traffic,
      nextRequestId: this.#nextRequestId,
      services: () => this.#available(),
      nonces: () => this.#nonces,
    })
    if (sessionKeys !== undefined) sessionKeys.onEnded = (name) => entry.keyEnded(name)
    this.#addressLimits.onBanned = (address, refusal) => {
      entry.banned(address, refusal)
      for (const banned of this.#whenBanned) banned(address)
    }
    return entry
  }

  get #nonces(): NonceStore {
    invariant(
      this.#authorization !== undefined,
      'expected no login and no signed request before the exchange runs',
    )
    return this.#authorization.nonces
  }

  #startAuthorization({ market }: Services): AuthorizationParts {
    const verifier = this.#verifier
    market.onApiKeyChanged = (apiKey) => verifier.forget(apiKey)
    const { clock, sessionKeys, beforeNonces = (own) => own } = this.#options
    // The journal's time counts too: if the clock was set back during a restart, no request that was carried
    // out before the restart is accepted again.
    const own = () => beforeNonces(new MemoryNonces(Math.max(clock.now(), market.startedAt)))
    const nonces = this.#options.nonces ?? own()
    return { verifier, clock: this.#turn, keyUse: this.keyUse, nonces, sessionKeys }
  }

  #authorize(
    context: RequestContext,
    endpoint: Endpoint,
    services: Services,
    body: Uint8Array | undefined | Refusal,
  ): AuthorizedRequest | Refusal | Promise<AuthorizedRequest | Refusal> {
    if (body instanceof Refusal) return body
    const parts = this.#authorization
    return parts === undefined
      ? refuse('STARTING', {})
      : authorize(context, endpoint.operation, services, body, parts)
  }

  #call(
    context: RequestContext,
    authorized: AuthorizedRequest | Refusal,
    services: Services | Refusal,
  ): HttpCall | Refusal {
    if (services instanceof Refusal) return services
    if (authorized instanceof Refusal) return authorized
    const { parameters, accountId, keyNumber, keyOrders, trial, window } = authorized
    const { clock, logger } = this.#options
    const { requestId } = context
    const request = { parameters, accountId, keyNumber, keyOrders, trial, window }
    return new HttpCall(
      { services, ...request, clock, requestId, logger, lane: this.#lane },
      context,
      this.#callLimits,
    )
  }

  #fail(context: RequestContext, refusal: Refusal): Response {
    this.#countRefused(context.use, refusal.reason)
    return failure(refusal, pickLanguage(context.headers.acceptLanguage), context)
  }

  #countRefused(use: AddressUse, reason: Reason): void {
    if (isMalformed(reason)) this.#addressLimits.noteMalformed(use)
    this.traffic.refused(reason)
  }
}

/** An unknown parameter is refused before the request takes effect. */
function outcomeOf({ operation }: Endpoint, call: HttpCall): Outcome {
  return untaken(call.parameters, operation) ?? operation.answer(call)
}

/**
 * A refusal by an endpoint of the common interface keeps its shape, unless the request uses one of our
 * extensions.
 */
function inShape<Given>({ isExtension }: Endpoint, call: HttpCall, answer: Given): Given | Refusal {
  return answer instanceof Refusal && !isExtension ? call.shown(answer) : answer
}

/** Runs tasks on the runtime's timers: an error in a task ends only the task. */
function runtimeLater(log: Logger): Later {
  const onFault = faultLog(log, 'a long answer', () => performance.now())
  return (task, delayMs) => {
    const timer = setTimeout(guarded(task, onFault), delayMs)
    return () => clearTimeout(timer)
  }
}

function hasBody({ method }: Request): boolean {
  return method === 'POST' || method === 'PUT' || method === 'DELETE'
}

/** The gateway of an exchange. */
export function createGateway<Server extends AddressSource = Bun.Server<unknown>>(
  options: GatewayOptions,
): Gateway<Server> {
  return new Gateway(options)
}
