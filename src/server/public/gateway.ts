/**
 * What the public server answers with: every request goes through the same checks in the same order
 * (docs/reference/http.md#order-of-checks), then to its endpoint, to the stream or to a page. It knows no listener and no port;
 * `public-server.ts` gives it requests.
 */
import type { AddressBan } from '../../core/registry/records.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { guarded } from '../../units/guarded.ts'
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { pickLanguage } from '../../wire/language.ts'
import type { Reason } from '../../wire/reasons/catalogue.ts'
import { keysOf, limitKey } from '../access/auth/address.ts'
import { type ClientAddressFinder, clientAddressFinder } from '../access/auth/client-address.ts'
import { KeyUse } from '../access/auth/key-use.ts'
import { MemoryNonces } from '../access/auth/memory-nonces.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { SecretBox } from '../access/auth/secret-box.ts'
import { SignatureVerifier } from '../access/auth/signature.ts'
import { AddressLimits, type AddressUse, secondsUntil } from '../access/limits/address-limits.ts'
import { AnswersUnderWay } from '../access/limits/answers-under-way.ts'
import { ANSWERS_RETRY_SECONDS, type CallLimits } from '../access/limits/call-limits.ts'
import { isMalformed } from '../access/limits/malformed.ts'
import { type OrderCounter, OrderLimits, orderTermsIn } from '../access/limits/order-limits.ts'
import { ReadingTurns } from '../access/limits/reading-turns.ts'
import { isPathAttack } from '../access/limits/waf.ts'
import type { Clock } from '../common/clock.ts'
import { faultLog } from '../common/fault-log.ts'
import type { Logger } from '../common/logger.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { type AuthorizationParts, type AuthorizedRequest, authorize, keyRefusal } from '../http/authorize.ts'
import { HttpCall } from '../http/http-call.ts'
import { bodyOf, type Later } from '../http/long-answer-body.ts'
import type { RequestContext } from '../http/request-context.ts'
import { readHeaders } from '../http/request-headers.ts'
import { asCsv, options, Successes } from '../http/respond.ts'
import { type Endpoint, ROUTES } from '../http/routes.ts'
import { BodyReader } from '../listener/body.ts'
import { failure } from '../listener/failure.ts'
import { framingFault } from '../listener/framing.ts'
import { newRun, requestIds } from '../listener/request-id.ts'
import { isForStream } from '../listener/stream-paths.ts'
import { targetOf } from '../listener/target.ts'
import { Traffic } from '../monitoring/traffic.ts'
import { OrderEntry } from '../order-entry/order-entry.ts'
import { TurnClock } from '../order-entry/turn-clock.ts'
import { type Answer, faultRefusal, type Outcome, UNDER_WAY } from '../trading/call.ts'
import { CsvAnswer } from '../trading/csv-answer.ts'
import { untaken } from '../trading/fields.ts'
import { LongAnswer, WHOLE_ANSWER_MAX } from '../trading/long-answer.ts'
import type { Services } from '../trading/services.ts'
import { WorkLane } from '../trading/work-lane.ts'
import type { GatewayConfig } from './gateway-config.ts'

/** The other end of a connection. */
type Peer = { readonly address: string; readonly port: number }

/** What the gateway needs of a server. */
export type AddressSource = {
  requestIP(request: Request): Peer | null
}

/** What the public server works with once the exchange runs. */
export type PublicServices = Services & {
  /** Whom operators have banned, by the key that limits are counted by. */
  readonly banByAddress: ReadonlyMap<string, AddressBan>
}

/** The stream behind the same port. */
export type StreamHandler<Server> = {
  handles(request: Request, path: string): boolean
  /** Undefined: the request has become a WebSocket. */
  handle(request: Request, server: Server): Response | Promise<Response> | undefined
}

/** The pages for people; undefined: no such page. */
export type Pages = (request: Request, path: string) => Response | Promise<Response> | undefined

export type GatewayOptions = {
  readonly config: GatewayConfig
  readonly clock: Clock
  readonly secretBox: SecretBox
  readonly logger: Logger
  /** Where nonces are counted; undefined: in this gateway, from the moment when it opens. */
  readonly nonces?: NonceStore
  /** What stands before the gateway's own nonces; undefined: nothing. */
  readonly beforeNonces?: (own: NonceStore) => NonceStore
  /** Where each is counted; undefined: in this gateway alone. */
  readonly addresses?: AddressLimits
  readonly orders?: OrderCounter
  readonly keyUse?: KeyUse
  readonly pages?: Pages
  /** Where it counts what comes and goes. */
  readonly traffic?: Traffic
  /**
   * How old what the views show is, in milliseconds, while no engine can be reached; undefined: they are up to date, which they always are where the engine is
   * in the same process.
   */
  readonly staleMs?: () => number | undefined
  /** Has whoever waits at the other end of a connection send the body; false: it cannot be told. Undefined: nobody can. */
  readonly goOn?: (peer: Peer) => boolean
  /** How it waits; the runtime's, unless another way is given. */
  readonly later?: Later
  /** Called with every answer of an endpoint; undefined: nobody wants to know. */
  readonly onAnswered?: (answered: AnsweredRequest) => void
}

/** On what is answered while no engine can be reached (docs/reference/http.md#while-nobody-leads). */
export const STALE_HEADER = 'X-Bourse-Stale-Ms'

/** What may be logged of a request: nothing of what it carried. */
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
  readonly #clientAddress: ClientAddressFinder
  readonly #addressLimits: AddressLimits
  readonly #callLimits: CallLimits
  readonly #verifier: SignatureVerifier
  readonly #bodies: BodyReader
  /** For what many requests do in one turn: bodies are handed on together, and so are the engine's replies. */
  readonly #turn: TurnClock
  readonly #successes = new Successes()
  readonly #answersUnderWay: AnswersUnderWay
  readonly #lane = new WorkLane()
  /** When each API key was last used. */
  readonly keyUse: KeyUse
  /** What came and went. */
  readonly traffic: Traffic
  /** For the stream: logins and orders, under the limits and keys that requests are under. */
  readonly entry: OrderEntry
  readonly #nextRequestId = requestIds(newRun())
  #services: PublicServices | undefined
  /** Since it opened. */
  #authorization: AuthorizationParts | undefined
  #stream: StreamHandler<Server> | undefined
  #isStopping = false

  constructor(options: GatewayOptions) {
    const { config } = options
    this.#options = options
    this.#turn = new TurnClock(options.clock)
    this.traffic = options.traffic ?? new Traffic()
    this.#clientAddress = clientAddressFinder(config.trustedProxies)
    this.keyUse = options.keyUse ?? new KeyUse()
    this.#addressLimits = options.addresses ?? new AddressLimits(config.limits)
    this.#answersUnderWay = new AnswersUnderWay(config.limits)
    this.#callLimits = {
      addresses: this.#addressLimits,
      orders: options.orders ?? new OrderLimits(config.limits),
      answers: this.#answersUnderWay,
      readings: new ReadingTurns(),
    }
    this.#verifier = new SignatureVerifier(options.secretBox)
    this.entry = this.#createEntry()
    this.#bodies = new BodyReader({ bytesMax: config.bodyBytesMax, timeoutMs: config.bodyTimeoutMs })
  }

  /** The exchange runs: from now on requests are answered. Before, every answer of API and stream is STARTING. */
  open(services: PublicServices, stream?: StreamHandler<Server>): void {
    this.#services = services
    this.#callLimits.orders.heed(orderTermsIn(services.market.registry))
    this.#authorization ??= this.#startAuthorization(services)
    this.#stream = stream ?? this.#stream
  }

  /** From now on every API answer is STOPPING; requests under way go on. */
  close(): void {
    this.#isStopping = true
  }

  /** The bans that the limits have made, for operators. */
  get limitBans() {
    const limits = this.#addressLimits
    return { list: (now: TimeMs) => limits.bans(now), lift: (address: string) => limits.lift(address) }
  }

  /** For the stream: what it opens, refuses and cuts off counts against the address, as addresses are counted, with all else. */
  get addressCounts() {
    const limits = this.#addressLimits
    const now = () => this.#options.clock.steady()
    return {
      opening: (address: string) => limits.chargeOpening(address, now()),
      refused: (address: string, reason: Reason) => this.#countRefused(limits.use(address, now()), reason),
      cut: (address: string) => limits.noteFlood(address, now()),
    }
  }

  /** What long answers hold in memory that are not read to their end. */
  get answerBytesUnderWay(): number {
    return this.#answersUnderWay.bytes
  }

  /** The client's address: the socket's, or what a trusted proxy says. */
  addressOf(request: Request, server: Server): string {
    const forwardedFor = request.headers.get('x-forwarded-for')
    return this.#clientAddress(server.requestIP(request)?.address ?? '', forwardedFor)
  }

  /** Answers a request; undefined when it has become a WebSocket. */
  fetch(request: Request, server: Server): Response | Promise<Response> | undefined {
    this.traffic.requests++
    const context = this.#context(request, server)
    const { path } = context.target
    const route = ROUTES.get(path)
    const isStream = route === undefined && this.#stream?.handles(request, path) === true
    const endpoint = route?.endpoints[request.method]
    const refusal = this.#admit(
      context,
      isStream ? 0 : (endpoint?.operation.weight ?? 1),
      route !== undefined,
    )
    if (refusal !== undefined) return this.#fail(context, refusal)
    if (isStream) return this.#stream?.handle(request, server)
    if (route === undefined) return this.#otherPath(context)
    if (endpoint !== undefined) return this.#answer(context, endpoint)
    if (request.method === 'OPTIONS') return options(route.allow)
    return this.#fail(context, refuse('METHOD_NOT_ALLOWED', { method: request.method, allowed: route.allow }))
  }

  /** The answer to a bug in answering: the request's id is in the log. */
  crash(error: unknown, language: string | null = null, requestId = this.#nextRequestId()): Response {
    this.#options.logger.error({ requestId, err: error }, 'a request failed')
    this.traffic.refused('INTERNAL_ERROR')
    return failure(refuse('INTERNAL_ERROR', { id: requestId }), pickLanguage(language), { requestId })
  }

  #context(request: Request, server: Server): RequestContext {
    const now = this.#options.clock.steady()
    const headers = readHeaders(request.headers)
    const peer = server.requestIP(request)
    const address = this.#clientAddress(peer?.address ?? '', headers.forwardedFor)
    const key = limitKey(address)
    const use = this.#addressLimits.use(key, now)
    const requestId = this.#nextRequestId()
    const target = targetOf(request.url)
    return { request, headers, target, peer, address, limitKey: key, use, now, requestId }
  }

  /** Until when operators have banned the address, or a network that it is in; 0: they have not. */
  #bannedUntil({ limitKey: key }: RequestContext): TimeMs {
    const bans = this.#services?.banByAddress
    if (bans === undefined || bans.size === 0) return 0 as TimeMs
    return Math.max(...keysOf(key).map((each) => bans.get(each)?.until ?? 0)) as TimeMs
  }

  /** Ban and rate limit, framing, then the web application firewall. A known path cannot look like an attack. */
  #admit(context: RequestContext, weight: number, isKnownPath: boolean): Refusal | undefined {
    const bannedUntil = this.#bannedUntil(context)
    if (context.now < bannedUntil)
      return refuse('BANNED', { seconds: secondsUntil(bannedUntil, context.now) })
    const refusal = this.#addressLimits.admit(context.limitKey, context.use, weight, context.now)
    if (refusal !== undefined) return refusal
    const fault = framingFault(
      context.headers,
      context.headers.expect === null ? undefined : () => this.#goOn(context),
    )
    if (fault !== undefined) return fault
    if (!isKnownPath && isPathAttack(context.target.path)) return refuse('WAF', {})
    if (context.headers.isAttack) return refuse('WAF', {})
    const max = this.#options.config.headerBytesMax
    return context.request.url.length + context.headers.bytes > max
      ? refuse('HEADERS_TOO_LARGE', { max })
      : undefined
  }

  /** Has a client that waits for it send its body. */
  #goOn({ peer }: RequestContext): boolean {
    return peer !== null && this.#options.goOn?.(peer) === true
  }

  /** A page for people, or nothing. */
  #otherPath(context: RequestContext): Response | Promise<Response> {
    const { path } = context.target
    const services = this.#available()
    if (path.startsWith('/api/')) {
      return this.#fail(context, services instanceof Refusal ? services : refuse('NOT_FOUND', {}))
    }
    // There is no stream yet: nobody who wants to open one is given the page instead.
    if (services instanceof Refusal && isForStream(context.request, path))
      return this.#fail(context, services)
    return this.#options.pages?.(context.request, path) ?? this.#fail(context, refuse('NOT_FOUND', {}))
  }

  #available(): PublicServices | Refusal {
    if (this.#isStopping) return refuse('STOPPING', {})
    return this.#services ?? refuse('STARTING', {})
  }

  /** One function waits for everything: each further one would cost every order a promise (`npm run bench -- order-to-ack`). */
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

  /** A long answer, as the client takes it; refused when too much is under way. */
  #send(context: RequestContext, answer: LongAnswer): Response {
    const release = this.#answersUnderWay.reserve(context.limitKey, answer.bytes)
    if (release === undefined) {
      void answer.slices.return?.()
      return this.#fail(context, refuse('ANSWERS_UNDER_WAY', { seconds: ANSWERS_RETRY_SECONDS }))
    }
    const { logger, later = runtimeLater(logger) } = this.#options
    const { requestId } = context
    const onBroken = (cause: unknown) => {
      if (!(cause instanceof EngineFault)) logger.error({ requestId, err: cause }, 'a long answer broke off')
    }
    return this.#successes.answer(bodyOf(answer, { release, onBroken, later }), context, [])
  }

  #failed(context: RequestContext, error: unknown): Response {
    if (error instanceof EngineFault) return this.#fail(context, faultRefusal(error))
    return this.crash(error, context.headers.acceptLanguage, context.requestId)
  }

  /** What there is to work with for a request that may be read. */
  #opened(context: RequestContext, endpoint: Endpoint): Services | Refusal {
    const services = this.#available()
    return services instanceof Refusal ? services : (keyRefusal(context, endpoint.operation) ?? services)
  }

  #createEntry(): OrderEntry {
    const { clock, logger } = this.#options
    const limits = this.#callLimits
    const entry = new OrderEntry({
      ...{ clock, logger, verifier: this.#verifier, keyUse: this.keyUse, limits, lane: this.#lane },
      traffic: this.traffic,
      nextRequestId: this.#nextRequestId,
      services: () => this.#available(),
      nonces: () => {
        invariant(this.#authorization !== undefined, 'a login comes when the exchange runs')
        return this.#authorization.nonces
      },
    })
    this.#addressLimits.onBanned = (address, refusal) => entry.banned(address, refusal)
    return entry
  }

  #startAuthorization({ market }: Services): AuthorizationParts {
    const verifier = this.#verifier
    market.onApiKeyChanged = ({ apiKey }) => verifier.forget(apiKey)
    const { clock, beforeNonces = (own) => own } = this.#options
    // The journal's time too: a clock that was set back over the restart opens nothing that was carried out before it.
    const own = () => beforeNonces(new MemoryNonces(Math.max(clock.now(), market.startedAt)))
    return { verifier, clock: this.#turn, keyUse: this.keyUse, nonces: this.#options.nonces ?? own() }
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
    const { parameters, accountId, trial, window } = authorized
    const { clock, logger } = this.#options
    const { requestId } = context
    return new HttpCall(
      { services, parameters, accountId, trial, clock, window, requestId, logger, lane: this.#lane },
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

/** A parameter that it does not take is refused before anything of it is done. */
function outcomeOf({ operation }: Endpoint, call: HttpCall): Outcome {
  return untaken(call.parameters, operation) ?? operation.answer(call)
}

/** What an endpoint of the common interface refuses keeps its shape, unless the request uses something of ours. */
function inShape<Given>({ isExtension }: Endpoint, call: HttpCall, answer: Given): Given | Refusal {
  return answer instanceof Refusal && !isExtension ? call.shown(answer) : answer
}

/** As the runtime calls back: what a task meets ends nothing but the task. */
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
