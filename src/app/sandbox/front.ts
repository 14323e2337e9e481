/**
 * The layer between clients and the gateway of a sandbox, and only of a sandbox: injected faults, the switch
 * of the demo market, and the keys of its accounts, for people at this machine.
 */
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { NonceStore } from '../../server/access/auth/nonces.ts'
import type { FaultControl } from '../../server/admin/context.ts'
import type { Clock } from '../../server/common/clock.ts'
import type { Logger } from '../../server/common/logger.ts'
import { isLoopback } from '../../server/listener/loopback.ts'
import type { FrontServer, Next } from '../../server/public/client-front.ts'
import { type JsonBounds, parseJson } from '../../units/bounded-json.ts'
import type { SymbolId } from '../../units/ids.ts'
import { textOf } from '../node/page/encodings.ts'
import type { NodeFront } from '../node/serving/node-front.ts'
import type { Credentials } from './credentials.ts'
import { withMadeUpCandles } from './demo/made-up-history.ts'
import { DEMO_MARKETS } from './demo/markets.ts'
import type { SandboxFaults } from './faults/sandbox-faults.ts'
import { PageCode } from './page-code.ts'

/** The path at which the page finds the switch. */
export const SWITCH_PATH = '/sandbox/market'

/** The path at which the page requests the key of an account. */
export const KEY_PATH = '/sandbox/key'

/** The parts that can be switched. */
export type MarketSwitch = {
  readonly isRunning: boolean
  start(): Promise<unknown>
  stop(): Promise<void>
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json;charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
} as const
const BODY_BYTES_MAX = 100
const BODY_JSON: JsonBounds = { depthMax: 2, elementsMax: 16, membersMax: 16, valuesMax: 32 }
/** Before the body's first attribute, where the page looks for it. */
const MARK = 'data-sandbox=""'

export class SandboxFront implements NodeFront {
  readonly #log: Logger
  readonly #faults: SandboxFaults
  readonly #code: PageCode
  #market: MarketSwitch | undefined
  #accounts: readonly Credentials[] | undefined

  /** `code`: proof shown by a browser that may use the switch and the keys. */
  constructor(log: Logger, faults: SandboxFaults, code: string) {
    this.#log = log
    this.#code = new PageCode(code)
    this.#faults = faults
  }

  get faults(): FaultControl {
    return this.#faults.control
  }

  websocket(handlers: Bun.WebSocketHandler<unknown>): Bun.WebSocketHandler<unknown> {
    return this.#faults.stream.wrap(handlers)
  }

  clock(clock: Clock): Clock {
    return this.#faults.engine.clock(clock)
  }

  nonces(own: NonceStore): NonceStore {
    return this.#faults.engine.nonces(own)
  }

  engine(engine: EnginePort): EnginePort {
    return this.#faults.engine.engine(engine)
  }

  history(history: HistoryPort, nameOf: (symbolId: SymbolId) => string | undefined): HistoryPort {
    return withMadeUpCandles(history, {
      isOn: () => this.#market?.isRunning === true,
      marketOf: (id) => DEMO_MARKETS.find(({ symbol }) => symbol === nameOf(id)),
    })
  }

  /** Makes the switch work from now on. */
  offer(market: MarketSwitch): void {
    this.#market = market
  }

  /** Hands out the keys of these accounts from now on. */
  offerKeys(accounts: readonly Credentials[]): void {
    this.#accounts = accounts
  }

  fetch(request: Request, server: FrontServer, next: Next): ReturnType<Next> {
    const path = pathOf(request.url)
    if (path === SWITCH_PATH) return this.#switch(request, server)
    if (path === KEY_PATH) return this.#key(request, server)
    if (path === '/' && request.method === 'GET' && !request.headers.has('upgrade')) {
      return this.#page(request, server, next)
    }
    if (!this.#faults.isWatching || !isClients(request, path)) return next()
    // Undefined means, here as elsewhere, that the connection has become a WebSocket.
    return this.#faults.http.answer(request, server, path, next) as Promise<Response>
  }

  /** The reason why a request must not use the switch or the keys; undefined if its origin permits it. */
  #refusalOf(request: Request, server: FrontServer): string | undefined {
    return nearRefusal(request, server) ?? (this.#code.isShownBy(request) ? undefined : NO_CODE)
  }

  /** Only clients allowed to use the switch see it. */
  async #page(request: Request, server: FrontServer, next: Next): Promise<Response> {
    const isNear = nearRefusal(request, server) === undefined
    const opened = isNear ? this.#code.redirect(request) : undefined
    if (opened !== undefined) return opened
    const answer = (await next()) as Response
    if (!answer.ok || this.#refusalOf(request, server) !== undefined) return answer
    const headers = new Headers(answer.headers)
    headers.delete('ETag')
    headers.delete('Content-Encoding')
    headers.set('Cache-Control', 'no-store')
    return new Response((await textOf(answer)).replace('<body ', `<body ${MARK} `), { headers })
  }

  async #switch(request: Request, server: FrontServer): Promise<Response> {
    // Trades show everyone whether the market runs; a page from before the sandbox's restart can still read
    // it.
    const isReading = request.method === 'GET'
    const refusal = isReading ? nearRefusal(request, server) : this.#refusalOf(request, server)
    if (refusal !== undefined) return refused(403, refusal)
    const market = this.#market
    if (market === undefined) return refused(503, 'the sandbox is starting')
    if (request.method === 'GET') return state(market)
    if (request.method !== 'POST') return refused(405, 'expected GET or POST', { Allow: 'GET, POST' })
    if (!isOfThisPage(request)) return refused(403, OTHER_ORIGIN)
    const isRunning = await wantedStateOf(request)
    if (isRunning === undefined)
      return refused(400, 'expected {"isRunning":true} or {"isRunning":false} as JSON')
    try {
      await (isRunning ? market.start() : market.stop())
    } catch (cause) {
      this.#log.error({ err: cause }, 'the demo market could not be switched on or off')
      return refused(500, 'the demo market could not be switched on or off: the log says why')
    }
    return state(market)
  }

  /** Returns the key of one account, only to this node's own page in a browser on this machine. */
  async #key(request: Request, server: FrontServer): Promise<Response> {
    const refusal = this.#refusalOf(request, server)
    if (refusal !== undefined) return refused(403, refusal)
    if (request.method !== 'POST') return refused(405, 'expected POST', { Allow: 'POST' })
    if (!isOfThisPage(request)) return refused(403, OTHER_ORIGIN)
    const accounts = this.#accounts
    if (accounts === undefined) return refused(503, 'the sandbox is starting')
    const body = await bodyOf(request)
    const found = accounts.find(({ name }) => name === body?.account)
    if (found !== undefined) return answered({ apiKey: found.apiKey, secret: found.secret })
    const names = accounts.map(({ name }) => JSON.stringify({ account: name }))
    return refused(400, `expected ${names.join(' or ')} as JSON`)
  }
}

const NO_CODE = 'expected the code of the address that the sandbox printed: open the page there'

/**
 * The reason why a request is not from this machine; undefined if it may be. Requests of a page from
 * elsewhere, of a proxy that identifies itself, and of another machine are not.
 */
function nearRefusal(request: Request, server: FrontServer): string | undefined {
  const peer = server.requestIP(request)?.address.replace(/^::ffff:/, '') ?? ''
  if (!isLoopback(peer) || request.headers.has('x-forwarded-for') || request.headers.has('forwarded'))
    return 'expected a client on this machine'
  return URL.canParse(request.url) && isLoopback(new URL(request.url).hostname)
    ? undefined
    : 'expected 127.0.0.1, localhost or [::1] as Host'
}

/** Whether a program sent the request, for the interface or the stream; requests for pages get no faults. */
function isClients(request: Request, path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/socket.io') || request.headers.has('upgrade')
}

/** The path of an absolute URL, unchanged, without its query. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return '/'
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

const OTHER_ORIGIN = 'expected the Origin of this page'

function isOfThisPage(request: Request): boolean {
  return request.headers.get('origin') === new URL(request.url).origin
}

async function wantedStateOf(request: Request): Promise<boolean | undefined> {
  const isRunning = (await bodyOf(request))?.isRunning
  return typeof isRunning === 'boolean' ? isRunning : undefined
}

/** The members of a small object in JSON; undefined if the body is not such an object. */
async function bodyOf(request: Request): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (!/^application\/json\b/.test(request.headers.get('content-type') ?? '')) return undefined
  if (Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > BODY_BYTES_MAX)
    return undefined
  const text = await request.text().catch(() => '')
  const body = objectIn(text)
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
}

function objectIn(text: string): unknown {
  try {
    return parseJson(text, BODY_JSON)
  } catch {
    return undefined
  }
}

function state({ isRunning }: MarketSwitch): Response {
  return answered({ isRunning })
}

function answered(body: object): Response {
  return new Response(JSON.stringify(body), { headers: HEADERS })
}

function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ error: message }), { status, headers: { ...HEADERS, ...headers } })
}
