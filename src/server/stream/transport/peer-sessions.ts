/**
 * Sessions of Socket.IO when several gateways share a port: a polling session has many connections, and the
 * system gives each of them to any gateway. The id of a session names its gateway, and other gateways forward
 * its requests there: polls, packets, and the WebSocket that it moves to. Gateways connect to each other over
 * sockets of the file system that only their owner may use.
 */
import { Refusal, refuse } from '../../common/refusal.ts'
import { BodyReader } from '../../listener/body.ts'
import { failure } from '../../listener/failure.ts'
import { type StreamConfig, TIMEOUT_GRAIN_SECONDS } from '../config.ts'
import type { StreamClient } from '../link.ts'
import { openPeerSocket, PeerSocket } from './peer-socket.ts'

/** States the client's address to the gateway that has the session; it is only trusted on these sockets. */
export const CLIENT_ADDRESS_HEADER = 'x-bourse-client-address'
/** Separates the name of a gateway from the rest of an id; it occurs in neither of them. */
const SEPARATOR = '.'
/** Maximum number of pending requests for other gateways' sessions; further ones are refused. */
export const FORWARDED_MAX = 16_384
/**
 * A session has a poll and a packet pending: an address may have these for as many sessions as it may have
 * connections.
 */
const FORWARDED_PER_CONNECTION = 2
/** The client's headers that matter to a session. */
const FORWARDED_HEADERS = ['accept-language', 'content-type', 'origin', 'user-agent']

export type PeerSessionsOptions = {
  /** This gateway's name. */
  readonly name: string
  /** The socket of each of the others, by its name. */
  readonly socketByName: ReadonlyMap<string, string>
  readonly config: StreamConfig
  /** Maximum time that a poll may stay unanswered: at most `POLL_SECONDS_MAX`. */
  readonly pollSeconds: number
}

export class PeerSessions {
  readonly #options: PeerSessionsOptions
  readonly #bodies: BodyReader
  readonly #perAddressMax: number
  /** Number of pending requests of each address that has any. */
  readonly #underWayByAddress = new Map<string, number>()
  #underWay = 0

  constructor(options: PeerSessionsOptions) {
    this.#options = options
    const { frameBytesMax, bodyMsMax, connectionsPerAddressMax } = options.config
    this.#perAddressMax = FORWARDED_PER_CONNECTION * connectionsPerAddressMax
    this.#bodies = new BodyReader({ bytesMax: frameBytesMax, timeoutMs: bodyMsMax })
  }

  /** The id of a session of this gateway in the form that its client has. */
  publicId(id: string): string {
    return this.#options.name + SEPARATOR + id
  }

  /** The socket of the gateway in a session's id; undefined for this gateway or an unknown one. */
  socketOf(sessionId: string | null): string | undefined {
    const end = sessionId?.indexOf(SEPARATOR) ?? -1
    return end < 0 ? undefined : this.#options.socketByName.get((sessionId as string).slice(0, end))
  }

  /**
   * Answers a request with what the gateway at `socket` answers; undefined when it has become a WebSocket.
   */
  async forward(
    socket: string,
    request: Request,
    server: Bun.Server<unknown>,
    client: StreamClient,
  ): Promise<Response | undefined> {
    const ofAddress = this.#underWayByAddress.get(client.address) ?? 0
    if (this.#underWay >= FORWARDED_MAX || ofAddress >= this.#perAddressMax)
      return refused('TOO_MANY_CONNECTIONS', client)
    this.#underWay++
    this.#underWayByAddress.set(client.address, ofAddress + 1)
    try {
      return request.headers.has('upgrade')
        ? await this.#upgrade(socket, request, server, client)
        : await this.#ask(socket, request, server, client)
    } finally {
      this.#underWay--
      this.#answered(client.address)
    }
  }

  #answered(address: string): void {
    const left = (this.#underWayByAddress.get(address) ?? 0) - 1
    if (left > 0) this.#underWayByAddress.set(address, left)
    else this.#underWayByAddress.delete(address)
  }

  async #ask(
    socket: string,
    request: Request,
    server: Bun.Server<unknown>,
    client: StreamClient,
  ): Promise<Response> {
    const { method } = request
    const { pollSeconds } = this.#options
    const hasBody = method === 'POST'
    const body = hasBody ? await this.#bodies.read(request) : undefined
    if (body instanceof Refusal) return failure(body, client.language, undefined)
    // The runtime checks its timeouts every few seconds and may end one that much too early; the answer below
    // must come before.
    server.timeout(request, pollSeconds + TIMEOUT_GRAIN_SECONDS)
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(pollSeconds * 1_000)])
    try {
      const { pathname, search } = new URL(request.url)
      const answer = await fetch(`http://gateway${pathname}${search}`, {
        unix: socket,
        method,
        headers: headersOf(request, client),
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        signal,
      })
      // At most as long as a session's send buffer, a limit that the other gateway enforces.
      const text = await answer.arrayBuffer()
      return new Response(text, { status: answer.status, headers: shownHeaders(answer.headers) })
    } catch {
      return unknownSession()
    }
  }

  async #upgrade(
    socket: string,
    request: Request,
    server: Bun.Server<unknown>,
    client: StreamClient,
  ): Promise<Response | undefined> {
    const { pathname, search } = new URL(request.url)
    const { frameBytesMax, sendBufferBytesMax } = this.#options.config
    const address = `ws+unix://${socket}:${pathname}${search}`
    const peer = await openPeerSocket(address, headersOf(request, client), this.#options.config.bodyMsMax)
    if (peer === undefined) return unknownSession()
    const data = new PeerSocket(peer, client, {
      sentBytesMax: 2 * sendBufferBytesMax,
      heldBytesMax: 4 * frameBytesMax,
    })
    if ((server as Bun.Server<PeerSocket>).upgrade(request, { data })) return undefined
    data.clientEnded()
    return refused('UNREADABLE_MESSAGE', client)
  }
}

/** The caller, without anything that must not leave this gateway. */
function headersOf({ headers }: Request, { remoteAddress }: StreamClient): Record<string, string> {
  const forwarded: Record<string, string> = { [CLIENT_ADDRESS_HEADER]: remoteAddress }
  for (const name of FORWARDED_HEADERS) {
    const value = headers.get(name)
    if (value !== null) forwarded[name] = value
  }
  return forwarded
}

/** Headers of the connection between the gateways are not for the client. */
function shownHeaders(headers: Headers): Headers {
  const shown = new Headers(headers)
  for (const name of ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])
    shown.delete(name)
  return shown
}

/** The answer that Engine.IO sends for an unknown id: the client begins a new session. */
function unknownSession(): Response {
  return Response.json({ code: 1, message: 'Session ID unknown' }, { status: 400 })
}

function refused(reason: 'TOO_MANY_CONNECTIONS' | 'UNREADABLE_MESSAGE', client: StreamClient): Response {
  return failure(refuse(reason, {}), client.language, undefined)
}
