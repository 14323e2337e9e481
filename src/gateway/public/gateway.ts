/**
 * The HTTP door: every request goes through the same checks in the same order (decisions: "Authentication"), then
 * to its endpoint. It knows no listener and no port; `server.ts` gives it requests.
 */
import { EngineFault } from '../../engine/ports.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { CORE_REASONS } from '../../units/reasons.ts'
import { pickLanguage } from '../../wire/language.ts'
import { REASON_NAMES, REASONS, type Reason } from '../../wire/reasons/catalogue.ts'
import { limitKey } from '../access/auth/address.ts'
import { type ClientAddressFinder, clientAddressFinder } from '../access/auth/client-address.ts'
import { KeyUse } from '../access/auth/key-use.ts'
import { MemoryNonces } from '../access/auth/memory-nonces.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { SecretBox } from '../access/auth/secret-box.ts'
import { SignatureVerifier } from '../access/auth/signature.ts'
import { AddressLimits, secondsUntil } from '../access/limits/address-limits.ts'
import { AnswersUnderWay } from '../access/limits/answers-under-way.ts'
import { OrderLimits } from '../access/limits/order-limits.ts'
import { isPathAttack } from '../access/limits/waf.ts'
import type { Clock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { type EntranceParts, type Entrant, keyRefusal, letIn } from '../http/authorize.ts'
import type { Visit } from '../http/request-context.ts'
import { readHeaders } from '../http/request-headers.ts'
import { failure, options, Successes } from '../http/respond.ts'
import { ROUTES } from '../http/routes.ts'
import { Traffic } from '../monitoring/traffic.ts'
import { BodyReader } from '../server/body.ts'
import { framingFault } from '../server/framing.ts'
import { newRun, requestIds } from '../server/request-id.ts'
import { targetOf } from '../server/target.ts'
import { type Answer, Call, type Services } from '../trading/call.ts'
import { bodyOf, type Later, LongAnswer, WHOLE_ANSWER_MAX } from '../trading/long-answer.ts'
import type { Endpoint } from '../trading/operation.ts'
import { WorkLane } from '../trading/work-lane.ts'
import type { GatewayConfig } from './gateway-config.ts'

/** What the door needs of a server. */
export type AddressSource = {
  requestIP(request: Request): { readonly address: string } | null
}

/** The stream behind the same port. */
export type StreamDoor<Server> = {
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
  readonly pages?: Pages
  /** Where it counts what comes and goes. */
  readonly traffic?: Traffic
  /** How it waits; the runtime's, unless told otherwise. */
  readonly later?: Later
  /** Told of every answer of an endpoint; undefined: nobody wants to know. */
  readonly onAnswered?: (answered: AnsweredRequest) => void
}

/** When whoever has too many answers under way may ask again: clients that read have long taken them by then. */
const ANSWERS_RETRY_SECONDS = 1

/** What may be logged of a request: nothing of what it carried. */
export type AnsweredRequest = {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly address: string
  readonly status: number
  readonly tookMs: number
}

const CORE = new Set<string>(CORE_REASONS)

/** Refusals of the sender's own making, which count towards the limit of malformed requests. */
const MALFORMED: ReadonlySet<Reason> = new Set(
  REASON_NAMES.filter((reason) => !CORE.has(reason) && REASONS[reason].code !== '0014'),
)

export class Gateway<Server extends AddressSource = Bun.Server<unknown>> {
  readonly #options: GatewayOptions
  readonly #clientAddress: ClientAddressFinder
  readonly #addressLimits: AddressLimits
  readonly #orderLimits: OrderLimits
  readonly #verifier: SignatureVerifier
  readonly #bodies: BodyReader
  readonly #successes = new Successes()
  readonly #answersUnderWay: AnswersUnderWay
  readonly #lane = new WorkLane()
  /** When each API key was last used. */
  readonly keyUse = new KeyUse()
  /** What came and went. */
  readonly traffic: Traffic
  readonly #nextRequestId = requestIds(newRun())
  #services: Services | undefined
  /** Since it opened. */
  #entrance: EntranceParts | undefined
  #stream: StreamDoor<Server> | undefined
  #isStopping = false

  constructor(options: GatewayOptions) {
    const { config } = options
    this.#options = options
    this.traffic = options.traffic ?? new Traffic()
    this.#clientAddress = clientAddressFinder(config.trustedProxies)
    this.#addressLimits = new AddressLimits(config.limits)
    this.#orderLimits = new OrderLimits(config.limits)
    this.#verifier = new SignatureVerifier(options.secretBox)
    this.#answersUnderWay = new AnswersUnderWay(config.limits)
    this.#bodies = new BodyReader({ bytesMax: config.bodyBytesMax, timeoutMs: config.bodyTimeoutMs })
  }

  /** The exchange runs: from now on requests are answered. Before, every API answer is STARTING. */
  open(services: Services, stream?: StreamDoor<Server>): void {
    this.#services = services
    this.#entrance ??= this.#openEntrance(services)
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

  /** The stream has cut off a connection of an address, as addresses are counted, because of what it sent. */
  noteFlood(address: string): void {
    this.#addressLimits.noteFlood(address, this.#options.clock.steady())
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
    const visit = this.#visit(request, server)
    const { path } = visit.target
    const route = ROUTES.get(path)
    const isStream = route === undefined && this.#stream?.handles(request, path) === true
    const endpoint = route?.endpoints[request.method]
    const refusal = this.#admit(visit, isStream ? 0 : (endpoint?.weight ?? 1), route !== undefined)
    if (refusal !== undefined) return this.#fail(visit, refusal)
    if (isStream) return this.#stream?.handle(request, server)
    if (route === undefined) return this.#otherPath(visit)
    if (endpoint !== undefined) return this.#answer(visit, endpoint)
    if (request.method === 'OPTIONS') return options(route.allow)
    return this.#fail(visit, refuse('METHOD_NOT_ALLOWED', { method: request.method, allowed: route.allow }))
  }

  /** The answer to a bug in answering: the request's id is in the log. */
  crash(error: unknown, language: string | null = null, requestId = this.#nextRequestId()): Response {
    this.#options.logger.error({ requestId, err: error }, 'a request failed')
    this.traffic.refused('INTERNAL_ERROR')
    return failure(refuse('INTERNAL_ERROR', { id: requestId }), pickLanguage(language), { requestId })
  }

  #visit(request: Request, server: Server): Visit {
    const now = this.#options.clock.steady()
    const headers = readHeaders(request.headers)
    const address = this.#clientAddress(server.requestIP(request)?.address ?? '', headers.forwardedFor)
    const key = limitKey(address)
    const use = this.#addressLimits.use(key, now)
    const requestId = this.#nextRequestId()
    return { request, headers, target: targetOf(request.url), address, limitKey: key, use, now, requestId }
  }

  /** Ban and rate limit, framing, then the web application firewall. A known path cannot look like an attack. */
  #admit(visit: Visit, weight: number, isKnownPath: boolean): Refusal | undefined {
    const ban = this.#services?.banByAddress.get(visit.limitKey)
    if (ban !== undefined && visit.now < ban.until) {
      return refuse('BANNED', { seconds: secondsUntil(ban.until, visit.now) })
    }
    const refusal = this.#addressLimits.admit(visit.limitKey, visit.use, weight, visit.now)
    if (refusal !== undefined) return refusal
    const fault = framingFault(visit.headers.host, visit.headers.contentLength)
    if (fault !== undefined) return fault
    if (!isKnownPath && isPathAttack(visit.target.path)) return refuse('WAF', {})
    if (visit.headers.isAttack) return refuse('WAF', {})
    const max = this.#options.config.headerBytesMax
    return visit.request.url.length + visit.headers.bytes > max
      ? refuse('HEADERS_TOO_LARGE', { max })
      : undefined
  }

  /** A page for people, or nothing. */
  #otherPath(visit: Visit): Response | Promise<Response> {
    const { path } = visit.target
    if (path.startsWith('/api/')) {
      const services = this.#available()
      return this.#fail(visit, services instanceof Refusal ? services : refuse('NOT_FOUND', {}))
    }
    return this.#options.pages?.(visit.request, path) ?? this.#fail(visit, refuse('NOT_FOUND', {}))
  }

  #available(): Services | Refusal {
    if (this.#isStopping) return refuse('STOPPING', {})
    return this.#services ?? refuse('STARTING', {})
  }

  /** One function waits for everything: each further one would cost every order a promise (bench: order-to-ack). */
  async #answer(visit: Visit, endpoint: Endpoint): Promise<Response> {
    const startMs = performance.now()
    this.traffic.started()
    let answer: Response
    try {
      const services = this.#opened(visit, endpoint)
      const body =
        services instanceof Refusal || !hasBody(visit.request)
          ? undefined
          : await this.#bodies.read(visit.request, visit.request.headers)
      const entering = services instanceof Refusal ? services : this.#enter(visit, endpoint, services, body)
      const entrant = entering instanceof Promise ? await entering : entering
      const call = this.#call(visit, entrant, services)
      answer =
        call instanceof Refusal
          ? this.#fail(visit, call)
          : this.#word(visit, call, await endpoint.answer(call))
    } catch (error) {
      answer = this.#failed(visit, error)
    }
    const tookMs = performance.now() - startMs
    this.traffic.answered(endpoint, tookMs)
    this.#options.onAnswered?.({
      requestId: visit.requestId,
      method: visit.request.method,
      path: visit.target.path,
      address: visit.address,
      status: answer.status,
      tookMs,
    })
    return answer
  }

  #word(visit: Visit, call: Call, answer: Answer): Response {
    if (answer instanceof Refusal) return this.#fail(visit, answer)
    if (answer instanceof LongAnswer) return this.#send(visit, answer)
    if (typeof answer === 'string' && answer.length > WHOLE_ANSWER_MAX)
      return this.#send(visit, LongAnswer.ofText(answer))
    return this.#successes.answer(answer, visit, call.orderCounts)
  }

  /** A long answer, as the client takes it; refused when too much is under way. */
  #send(visit: Visit, answer: LongAnswer): Response {
    const release = this.#answersUnderWay.reserve(visit.limitKey, answer.bytes)
    if (release === undefined) {
      void answer.slices.return?.()
      return this.#fail(visit, refuse('ANSWERS_UNDER_WAY', { seconds: ANSWERS_RETRY_SECONDS }))
    }
    const { logger, later = runtimeLater } = this.#options
    const { requestId } = visit
    const onBroken = (cause: unknown) => {
      if (!(cause instanceof EngineFault)) logger.error({ requestId, err: cause }, 'a long answer broke off')
    }
    return this.#successes.answer(bodyOf(answer, { release, onBroken, later }), visit, [])
  }

  #failed(visit: Visit, error: unknown): Response {
    if (error instanceof EngineFault) return this.#fail(visit, refuse(error.kind, {}))
    return this.crash(error, visit.headers.acceptLanguage, visit.requestId)
  }

  /** What there is to work with for a request that may be read. */
  #opened(visit: Visit, endpoint: Endpoint): Services | Refusal {
    const services = this.#available()
    return services instanceof Refusal ? services : (keyRefusal(visit, endpoint) ?? services)
  }

  #openEntrance({ market }: Services): EntranceParts {
    const verifier = this.#verifier
    market.onApiKeyChanged = ({ apiKey }) => verifier.forget(apiKey)
    const { clock } = this.#options
    // The journal's time too: a clock that was set back over the restart opens nothing that was carried out before it.
    const nonces = this.#options.nonces ?? new MemoryNonces(Math.max(clock.now(), market.startedAt))
    return { verifier, clock, keyUse: this.keyUse, nonces }
  }

  #enter(
    visit: Visit,
    endpoint: Endpoint,
    services: Services,
    body: Uint8Array | undefined | Refusal,
  ): Entrant | Refusal | Promise<Entrant | Refusal> {
    if (body instanceof Refusal) return body
    const parts = this.#entrance
    return parts === undefined ? refuse('STARTING', {}) : letIn(visit, endpoint, services, body, parts)
  }

  #call(visit: Visit, entrant: Entrant | Refusal, services: Services | Refusal): Call | Refusal {
    if (services instanceof Refusal) return services
    if (entrant instanceof Refusal) return entrant
    const { limitKey, use, now, headers, requestId } = visit
    return new Call({
      services,
      parameters: entrant.parameters,
      accountId: entrant.accountId,
      now,
      acceptLanguage: headers.acceptLanguage,
      requestId,
      logger: this.#options.logger,
      addressLimits: this.#addressLimits,
      orderLimits: this.#orderLimits,
      lane: this.#lane,
      limitKey,
      use,
    })
  }

  #fail(visit: Visit, refusal: Refusal): Response {
    if (MALFORMED.has(refusal.reason)) this.#addressLimits.noteMalformed(visit.use)
    this.traffic.refused(refusal.reason)
    return failure(refusal, pickLanguage(visit.headers.acceptLanguage), visit)
  }
}

const runtimeLater: Later = (task, delayMs) => {
  const timer = setTimeout(task, delayMs)
  return () => clearTimeout(timer)
}

function hasBody({ method }: Request): boolean {
  return method === 'POST' || method === 'DELETE'
}

/** The HTTP door of an exchange. */
export function createGateway<Server extends AddressSource = Bun.Server<unknown>>(
  options: GatewayOptions,
): Gateway<Server> {
  return new Gateway(options)
}
