/**
 * The HTTP door: every request goes through the same checks in the same order (decisions: "Authentication"), then
 * to its endpoint. It knows no listener and no port; `server.ts` gives it requests.
 */
import type { ApiKey } from '../core/registry/records.ts'
import { EngineFault } from '../engine/ports.ts'
import type { TimeMs } from '../units/quantities.ts'
import { CORE_REASONS } from '../units/reasons.ts'
import { pickLanguage } from '../wire/language.ts'
import { REASON_NAMES, REASONS, type Reason } from '../wire/reasons/catalogue.ts'
import { limitKey } from './auth/address.ts'
import { authenticate } from './auth/authenticate.ts'
import { type ClientAddressFinder, clientAddressFinder } from './auth/client-address.ts'
import { KeyUse } from './auth/key-use.ts'
import type { SecretBox } from './auth/secret-box.ts'
import { SignatureVerifier } from './auth/signature.ts'
import { checkTimestamp, checkTimeWindow } from './auth/time-window.ts'
import type { Clock } from './clock.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { BodyReader, formText } from './http/body.ts'
import { Call, type Services } from './http/call.ts'
import type { Endpoint } from './http/endpoint.ts'
import { PARAMETERS_MAX, Parameters } from './http/parameters.ts'
import { Refusal, refuse } from './http/refusal.ts'
import { type RequestHeaders, readHeaders } from './http/request-headers.ts'
import { failure, options, success } from './http/respond.ts'
import { ROUTES } from './http/routes.ts'
import { type Target, targetOf } from './http/target.ts'
import { AddressLimits, type AddressUse } from './limits/address-limits.ts'
import { OrderLimits } from './limits/order-limits.ts'
import { isPathAttack } from './limits/waf.ts'
import type { Logger } from './logger.ts'

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

export type GatewayOptions<Server> = {
  readonly config: GatewayConfig
  readonly clock: Clock
  readonly secretBox: SecretBox
  readonly logger: Logger
  readonly pages?: Pages
  /** Given from the start when the exchange already runs; else `open` gives them. */
  readonly services?: Services
  readonly stream?: StreamDoor<Server>
}

/** One request, as far as it has come. */
type Visit = {
  readonly request: Request
  readonly headers: Readonly<RequestHeaders>
  readonly target: Target
  readonly address: string
  readonly limitKey: string
  readonly use: AddressUse
  readonly now: TimeMs
}

const CORE = new Set<string>(CORE_REASONS)

/** Refusals of the sender's own making, which count towards the limit of malformed requests. */
const MALFORMED: ReadonlySet<Reason> = new Set(
  REASON_NAMES.filter((reason) => !CORE.has(reason) && REASONS[reason].code !== '0014'),
)

export class Gateway<Server extends AddressSource = Bun.Server<unknown>> {
  readonly #options: GatewayOptions<Server>
  readonly #clientAddress: ClientAddressFinder
  readonly #addressLimits: AddressLimits
  readonly #orderLimits: OrderLimits
  readonly #verifier: SignatureVerifier
  readonly #bodies: BodyReader
  /** When each API key was last used. */
  readonly keyUse = new KeyUse()
  #services: Services | undefined
  #stream: StreamDoor<Server> | undefined
  #isStopping = false

  constructor(options: GatewayOptions<Server>) {
    const { config } = options
    this.#options = options
    this.#clientAddress = clientAddressFinder(config.trustedProxies)
    this.#addressLimits = new AddressLimits(config.limits)
    this.#orderLimits = new OrderLimits(config.limits)
    this.#verifier = new SignatureVerifier(options.secretBox)
    this.#bodies = new BodyReader({ bytesMax: config.bodyBytesMax, timeoutMs: config.bodyTimeoutMs })
    this.#services = options.services
    this.#stream = options.stream
  }

  /** The exchange runs: from now on requests are answered. Before, every API answer is STARTING. */
  open(services: Services, stream?: StreamDoor<Server>): void {
    this.#services = services
    this.#stream = stream ?? this.#stream
  }

  /** From now on every API answer is STOPPING; requests under way go on. */
  close(): void {
    this.#isStopping = true
  }

  /** The client's address: the socket's, or what a trusted proxy says. */
  addressOf(request: Request, server: Server): string {
    const forwardedFor = request.headers.get('x-forwarded-for')
    return this.#clientAddress(server.requestIP(request)?.address ?? '', forwardedFor)
  }

  /** Answers a request; undefined when it has become a WebSocket. */
  fetch(request: Request, server: Server): Response | Promise<Response> | undefined {
    const visit = this.#visit(request, server)
    const { path } = visit.target
    const isStream = this.#stream?.handles(request, path) === true
    const route = ROUTES.get(path)
    const endpoint = route?.endpoints[request.method]
    const refusal = this.#admit(visit, isStream ? 0 : (endpoint?.weight ?? 1), route !== undefined)
    if (refusal !== undefined) return this.#fail(visit, refusal)
    if (isStream) return this.#stream?.handle(request, server)
    if (route === undefined) return this.#otherPath(visit)
    if (endpoint !== undefined) return this.#answer(visit, endpoint)
    if (request.method === 'OPTIONS') return options(route.allow)
    return this.#fail(visit, refuse('METHOD_NOT_ALLOWED', { method: request.method, allowed: route.allow }))
  }

  /** The answer to a bug in answering: its id is in the log. */
  crash(error: unknown, language: string | null = null): Response {
    const id = crypto.randomUUID()
    this.#options.logger.error({ id, err: error }, 'a request failed')
    return failure(refuse('INTERNAL_ERROR', { id }), pickLanguage(language), undefined)
  }

  #visit(request: Request, server: Server): Visit {
    const now = this.#options.clock.now()
    const headers = readHeaders(request.headers)
    const address = this.#clientAddress(server.requestIP(request)?.address ?? '', headers.forwardedFor)
    const key = limitKey(address)
    const use = this.#addressLimits.use(key, now)
    return { request, headers, target: targetOf(request.url), address, limitKey: key, use, now }
  }

  /** Ban and rate limit, then the web application firewall. A known path cannot look like an attack. */
  #admit(visit: Visit, weight: number, isKnownPath: boolean): Refusal | undefined {
    const refusal = this.#addressLimits.admit(visit.limitKey, visit.use, weight, visit.now)
    if (refusal !== undefined) return refusal
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
    const refusal = path.startsWith('/api/') ? this.#unavailable() : undefined
    const page = this.#options.pages?.(visit.request, path)
    return refusal === undefined && page !== undefined
      ? page
      : this.#fail(visit, refusal ?? refuse('NOT_FOUND', {}))
  }

  #unavailable(): Refusal | undefined {
    if (this.#isStopping) return refuse('STOPPING', {})
    return this.#services === undefined ? refuse('STARTING', {}) : undefined
  }

  async #answer(visit: Visit, endpoint: Endpoint): Promise<Response> {
    try {
      return await this.#run(visit, endpoint)
    } catch (error) {
      if (error instanceof EngineFault) return this.#fail(visit, refuse(error.kind, {}))
      return this.crash(error, visit.headers.acceptLanguage)
    }
  }

  /** Key, address, permission, signature, body, time window, repeated parameters, and then the endpoint itself. */
  async #run(visit: Visit, endpoint: Endpoint): Promise<Response> {
    const unavailable = this.#unavailable()
    if (unavailable !== undefined || this.#services === undefined) {
      return this.#fail(visit, unavailable ?? refuse('STARTING', {}))
    }
    const services = this.#services
    const { request, headers, target } = visit
    const { security } = endpoint
    const parameters = new Parameters()
    let apiKey: ApiKey | undefined
    if (security.kind !== 'NONE') {
      const text = headers.apiKey
      if (text === null || text === '') return this.#fail(visit, refuse('MISSING_API_KEY', {}))
      apiKey = services.market.registry.apiKey(text)
      if (apiKey === undefined) return this.#fail(visit, refuse('INVALID_API_KEY', {}))
      const hasBody = request.method === 'POST' || request.method === 'DELETE'
      const body = hasBody ? await this.#bodies.read(request, request.headers) : undefined
      if (body instanceof Refusal) return this.#fail(visit, body)
      const refusal =
        this.#authenticate(visit, apiKey, body, endpoint) ??
        addParameters(parameters, target.query, body, headers.contentType) ??
        (security.kind === 'SIGNED'
          ? checkTimeWindow(parameters, this.#options.clock.now())
          : checkTimestamp(parameters))
      if (refusal !== undefined) return this.#fail(visit, refusal)
      const repeated = parameters.firstRepeated()
      if (repeated !== undefined) {
        return this.#fail(visit, refuse('DUPLICATE_PARAMETER', { name: repeated }))
      }
    }
    const call = this.#call(visit, services, parameters, apiKey)
    const answer = await endpoint.answer(call)
    return typeof answer === 'string'
      ? success(answer, visit.use, call.orderCounts)
      : this.#fail(visit, answer)
  }

  #authenticate(
    visit: Visit,
    apiKey: ApiKey,
    body: Uint8Array | undefined,
    { security }: Endpoint,
  ): Refusal | undefined {
    if (security.kind === 'NONE') return undefined
    const { address, headers, target } = visit
    const refusal = authenticate(
      {
        apiKey,
        clientAddress: address,
        signature: headers.signature,
        query: target.query,
        body,
      },
      security.permission,
      security.kind === 'SIGNED',
      this.#verifier,
    )
    if (refusal === undefined) this.keyUse.note(apiKey.apiKey, visit.now)
    return refusal
  }

  #call(visit: Visit, services: Services, parameters: Parameters, apiKey: ApiKey | undefined): Call {
    const { limitKey, use, now, headers } = visit
    return new Call({
      services,
      parameters,
      accountId: apiKey?.accountId,
      now,
      acceptLanguage: headers.acceptLanguage,
      logger: this.#options.logger,
      limits: {
        charge: (weight) => this.#addressLimits.charge(limitKey, use, weight, now),
        takeOrder: (accountId) => {
          const counts = this.#orderLimits.take(accountId, now)
          if (!(counts instanceof Refusal)) return counts
          return this.#addressLimits.noteRefusal(limitKey, use, now) ?? counts
        },
      },
    })
  }

  #fail(visit: Visit, refusal: Refusal): Response {
    if (MALFORMED.has(refusal.reason)) this.#addressLimits.noteMalformed(visit.use)
    return failure(refusal, pickLanguage(visit.headers.acceptLanguage), visit.use)
  }
}

/** Decodes the body (`4004`), then the query string. */
function addParameters(
  parameters: Parameters,
  query: string,
  body: Uint8Array | undefined,
  contentType: string | null,
): Refusal | undefined {
  if (body !== undefined) {
    const text = formText(body, contentType)
    if (text instanceof Refusal) return text
    const fault = parameters.addForm(text)
    if (fault !== undefined) {
      return fault === 'MALFORMED'
        ? refuse('UNREADABLE_BODY', {})
        : refuse('TOO_MANY_PARAMETERS', { max: PARAMETERS_MAX })
    }
  }
  const fault = parameters.addForm(query)
  if (fault === undefined) return undefined
  return fault === 'MALFORMED'
    ? refuse('UNREADABLE_QUERY', {})
    : refuse('TOO_MANY_PARAMETERS', { max: PARAMETERS_MAX })
}

/** The HTTP door of an exchange. */
export function createGateway<Server extends AddressSource = Bun.Server<unknown>>(
  options: GatewayOptions<Server>,
): Gateway<Server> {
  return new Gateway(options)
}
