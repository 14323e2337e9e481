/**
 * The admin server: HTTP on the loopback address, HTTPS otherwise, a bearer token whose role must allow the
 * operation, one POST per operation. This module handles requests and answers; other modules implement the
 * operations.
 */

import {
  ADMIN_PATH,
  type AdminOperation,
  type AdminRequests,
  EVENTS_PATH,
  OPERATION_ROWS,
} from '../../contract/admin/admin.ts'
import { reasonText } from '../../contract/error-body.ts'
import { type AdminReason, isAdminReason, type ReasonArguments } from '../../contract/reasons/catalogue.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { invariant } from '../../units/invariant.ts'
import { plainIPv4 } from '../access/auth/client-address.ts'
import { faultLog } from '../common/fault-log.ts'
import type { Logger } from '../common/logger.ts'
import { framingFault, framingHeaders, isMeantForOther } from '../listener/framing.ts'
import { hostInUrl, isLoopback } from '../listener/loopback.ts'
import { type Listen, RenewableListener, type TlsMaterial } from '../listener/renewable-listener.ts'
import { targetOf } from '../listener/target.ts'
import { ANSWER_HEADERS, failure, refusal, respond } from './answers.ts'
import { readBody } from './body.ts'
import { callerFinder } from './callers.ts'
import { type AdminContext, AdminRequestError, type Caller, lackText, ownTokenText } from './context.ts'
import { eventRequestOf } from './events/event-query.ts'
import { type EventStream, EventStreams } from './events/event-streams.ts'
import { listEvents } from './events/list-events.ts'
import { NewsWatch } from './events/news-watch.ts'
import { type CallerSources, findCaller } from './find-caller.ts'
import { OPERATIONS } from './operations.ts'
import { OperatorPage, type PageFiles } from './page-sessions/operator-page.ts'
import { changedReference } from './reference-turns.ts'
import { isOperation, parseRequest } from './requests.ts'
import { missingRight } from './roles/roles.ts'
import { WrongTokens } from './roles/wrong-tokens.ts'
import { StreamedText } from './streamed-text.ts'
import { INTERNAL_ERROR } from './submit.ts'
import { logDone } from './trace.ts'

type Server = Bun.Server<EventStream>

/** Maximum size of a request body. */
const BODY_BYTES_MAX = 64 * 1024
/** How long an operator's connection may wait for an answer; the runtime's default is 10 seconds. */
const IDLE_TIMEOUT_SECONDS = 30

export type AdminServerOptions = {
  /** The context without the caller, whom each request identifies by its token. */
  readonly context: Omit<AdminContext, 'caller' | 'asker' | 'news'>
  /** The node's own token, unguessable; undefined if this server accepts only named tokens. */
  readonly token: string | undefined
  /**
   * The token of the customers' process, unguessable; undefined if there is no such process, or it does not
   * use this server.
   */
  readonly customersToken?: string | undefined
  readonly hostname: string
  /** The port; 0 means any free one. */
  readonly port: number
  /** Undefined means plain HTTP, for the loopback address. */
  readonly tls?: TlsMaterial | undefined
  /** The files of the operator's page; undefined if there is no page, and then there are no sessions. */
  readonly page?: PageFiles | undefined
  readonly log: Logger
}

export type AdminServer = {
  /** `http://127.0.0.1:<port>`, or `https://...` with a certificate. */
  readonly url: string
  /** Uses this certificate for new connections. */
  renewTls(tls: TlsMaterial): void
  /** Accepts no more requests; resolves when the accepted ones are answered. */
  stop(): Promise<void>
}

/** Opens the server. Throws the system's error if the port is not available. */
export function openAdminServer(options: AdminServerOptions): AdminServer {
  const { hostname, tls, log } = options
  const news = new NewsWatch(
    options.context.seq,
    faultLog(log, 'the event monitor', () => performance.now()),
  )
  const streams = new EventStreams(log)
  const stopping = new AbortController()
  const { context, page } = options
  const { backOffice, now, tokenUse } = context
  const callerOf = callerFinder(options.token, backOffice, now, options.customersToken)
  const wrongTokens = new WrongTokens()
  const asking = { backOffice, now, tokenUse, callerOf, wrongTokens, isTls: tls !== undefined, log }
  const serving: Serving = {
    context: { ...context, news },
    callerOf,
    wrongTokens,
    page: page === undefined ? undefined : new OperatorPage({ ...asking, files: page }),
    streams,
    stopping: stopping.signal,
    log,
  }
  const listen: Listen<EventStream> = (port, material) =>
    Bun.serve({
      hostname,
      port,
      maxRequestBodySize: BODY_BYTES_MAX,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      development: false,
      // Not the default here: outside of development the runtime would let a second server share the port.
      reusePort: false,
      ...(material === undefined ? {} : { tls: { cert: material.cert, key: material.key } }),
      error: (error) => {
        log.error({ err: error }, 'an admin request failed')
        return refusal('INTERNAL_ERROR', INTERNAL_ERROR)
      },
      fetch: (request, server) => turnedAway(request, hostname) ?? answer(request, serving, server),
      websocket: streams.handlers,
    })
  const listener = new RenewableListener(listen, options.port, tls)
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${hostInUrl(hostname)}:${listener.port}`,
    renewTls: (renewed) => listener.renew(renewed),
    stop: () => {
      stopping.abort()
      news.close()
      streams.close()
      return listener.stop()
    },
  }
}

/**
 * Refuses a request with invalid framing and, on the loopback address, a request for another host name, which
 * comes from a page whose name was made to resolve to this machine.
 */
function turnedAway(request: Request, hostname: string): Response | undefined {
  const { headers } = request
  const fault = framingFault(framingHeaders(headers))
  if (fault !== undefined) {
    const { reason } = fault
    invariant(isAdminReason(reason), `${reason} is not a reason of the admin server`)
    const answer = refusal(reason, reasonText(reason, fault.args as ReasonArguments<AdminReason>))
    // The boundary of the next request on the connection is uncertain.
    answer.headers.set('connection', 'close')
    return answer
  }
  if (!isLoopback(hostname) || !isMeantForOther(request)) return undefined
  const message = `this server answers only to the host name ${hostname}`
  return refusal('WRONG_HOST', message)
}

/** Objects that the server needs to answer requests. */
type Serving = CallerSources & {
  readonly context: Omit<AdminContext, 'caller' | 'asker'>
  readonly streams: EventStreams
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

/** Undefined once the connection has become a WebSocket. */
async function answer(request: Request, serving: Serving, server: Server): Promise<Response | undefined> {
  const { context, log, page } = serving
  const from = plainIPv4(server.requestIP(request)?.address ?? '')
  const { path: pathname, query } = targetOf(request.url)
  if (!request.headers.has('authorization')) {
    const ofPage = page?.answer(request, pathname, from)
    if (ofPage !== undefined) return ofPage
  }
  const found = findCaller(request, from, serving)
  if (found instanceof Response) return found
  const { caller, mayStill, isSession } = found
  const name = pathname.startsWith(ADMIN_PATH) ? pathname.slice(ADMIN_PATH.length) : ''
  // The origin of a session is only known for POST requests.
  if (name === EVENTS_PATH && !isSession) {
    const mayGoOn = (): boolean => mayStill('event/list')
    return answerEvents(request, query, { caller, mayGoOn }, serving, server)
  }
  if (!isOperation(name)) {
    return refusal('UNKNOWN_OPERATION', `there is no operation ${name || pathname}`)
  }
  if (request.method !== 'POST') {
    return refusal('METHOD_NOT_ALLOWED', 'every operation is a POST')
  }
  const refused = roleRefusal(caller, name, log)
  if (refused !== undefined) return refused
  const mayGoOn = (): boolean => mayStill(name)
  try {
    const asked = parseRequest(name, await readBody(request))
    const asker = { gone: AbortSignal.any([request.signal, serving.stopping]), mayGoOn }
    const asking: AdminContext = { ...context, caller, asker }
    // A streamed answer begins once the journal has been replayed, and is sent at the reader's pace.
    if (isStreamed(name)) server.timeout(request, 0)
    const result = await context.referenceTurns.take(changedReference(name, asked), async () => {
      if (isSession) await page?.requireMeant(request, from, asking, name, asked)
      return run(asking, name, asked)
    })
    if (name === 'event/list' && !mayGoOn()) return refusal('INVALID_TOKEN')
    logDone(log, caller, name, asked)
    if (result instanceof StreamedText) return streamed(result)
    return respond(200, { ok: true, result })
  } catch (error) {
    return failed(error, name, log)
  }
}

function roleRefusal(caller: Caller, name: AdminOperation, log: Logger): Response | undefined {
  const right = missingRight(caller.rights, name)
  if (right === undefined) return undefined
  const { token: who, role } = caller
  log.warn({ operation: name, who, role, right }, 'an admin operation was refused: the role lacks a right')
  if (right === 'owner') return refusal('OWN_TOKEN_NEEDED', ownTokenText(name))
  return refusal('ROLE_NOT_ALLOWED', lackText(caller, right, name))
}

/**
 * The feed for programs: a page over GET, or a WebSocket. Undefined once the connection has become a
 * WebSocket.
 */
async function answerEvents(
  request: Request,
  query: string,
  { caller, mayGoOn }: { readonly caller: Caller; readonly mayGoOn: () => boolean },
  { context: given, streams, log }: Serving,
  server: Server,
): Promise<Response | undefined> {
  if (request.method !== 'GET') return refusal('METHOD_NOT_ALLOWED', 'events are read with GET')
  const refused = roleRefusal(caller, 'event/list', log)
  if (refused !== undefined) return refused
  const context = { ...given, caller, asker: { gone: request.signal, mayGoOn } }
  try {
    const asked = eventRequestOf(query)
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
      const result = await listEvents(context, asked, request.signal)
      if (!mayGoOn()) return refusal('INVALID_TOKEN')
      logDone(log, caller, 'event/list', asked)
      return respond(200, { ok: true, result })
    }
    // Refusals happen before the protocol upgrade.
    await listEvents(context, { ...asked, wait: 0, limit: 1 })
    // Not checked before that wait: many requests that arrive at once would all find a free place.
    if (!streams.take(caller.token)) throw new AdminRequestError('TOO_MANY_WAITING')
    const stream = { context, request: asked, mayGoOn, ended: new AbortController() }
    const data: EventStream = { ...stream, drained: Promise.withResolvers<void>() }
    if (server.upgrade(request, { data })) return undefined
    streams.leave(caller.token)
    return refusal('WEBSOCKET_NEEDED')
  } catch (error) {
    return failed(error, 'event/list', log)
  }
}

function run<Operation extends AdminOperation>(
  context: AdminContext,
  operation: Operation,
  request: AdminRequests[Operation],
) {
  return OPERATIONS[operation](context, request)
}

function failed(error: unknown, operation: string, log: Logger): Response {
  if (error instanceof AdminRequestError) return failure(error.error)
  if (error instanceof EngineFault) {
    const { kind } = error
    invariant(kind !== 'DEADLINE_PASSED', 'a command of an operator has no deadline')
    log.warn({ operation, fault: kind }, 'the engine did not answer an admin operation')
    return refusal(kind, error.message)
  }
  if (error instanceof JournalFault && error.kind === 'STORAGE_FULL')
    return refusal('STORAGE_FULL', error.message)
  log.error({ operation, err: error }, 'admin operation failed')
  return refusal('INTERNAL_ERROR', INTERNAL_ERROR)
}

function isStreamed(operation: AdminOperation): boolean {
  return OPERATION_ROWS[operation].isStreamed
}

function streamed({ contentType, body }: StreamedText): Response {
  return new Response(body, { headers: { ...ANSWER_HEADERS, 'content-type': contentType } })
}
