/**
 * The server of links, on which gateways and replicas of other processes reach an engine, and gateways reach
 * a historian. It serves WebSockets with binary frames on a socket of this machine or on a port with TLS. It
 * listens from its start to its end. Services may be added and removed in between; while there are none,
 * authenticated peers learn which engine leads. It owns connections, their greeting and their memory limits;
 * sessions handle the requests.
 */
import { chmodSync } from 'node:fs'
import type { CommandKind } from '../../../core/commands/command.ts'
import { GATEWAY_COMMANDS } from '../../../engine/port/gateway-commands.ts'
import type { RememberedPlace } from '../../../engine/port/journal.ts'
import { CLOCK_EVERY_MS } from '../../../engine/writer/journal-clock.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { OpenCountEnd } from '../protocol/count-end.ts'
import { EncodedEvents } from '../protocol/encoded-events.ts'
import { PART_BYTES_MAX } from '../protocol/frame-parts.ts'
import type { LinkListener } from '../protocol/link-address.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import { DEFAULT_LINK_LIMITS, type LinkLimits } from '../protocol/link-limits.ts'
import {
  LinkEnd,
  type LinkPeer,
  type LinkSocket,
  type LinkSocketData,
  type NotServing,
  notLeader,
} from './link-end.ts'
import type { LinkServices } from './link-services.ts'
import { sharedFeed } from './shared-feed.ts'

export type LinkNote =
  | ({ readonly kind: 'LinkOpened' } & LinkPeer)
  /** `name` is undefined if the peer had not greeted. */
  | { readonly kind: 'LinkClosed'; readonly name: string | undefined; readonly fault: LinkFault }

export type LinkServerOptions = {
  readonly listen: LinkListener
  /** The shared secrets that are accepted from the other ends. */
  readonly secrets: readonly string[]
  /** The services from the start; undefined for none until `serve` is called. */
  readonly services?: LinkServices
  /** The kinds of commands that gateways may send; by default those of traders. */
  readonly commands?: ReadonlySet<CommandKind>
  /**
   * Called with a position that an authenticated peer has seen as confirmed, whether this engine leads or
   * not. A claimant compares it with the journal; a leader without it in its journal reports that by
   * `LeaderServices.lacks`.
   */
  readonly onRemembered?: (remembered: RememberedPlace, peer: LinkPeer) => void
  readonly onNote?: (note: LinkNote) => void
  /** Undefined if gateways share no counts. */
  readonly openCounts?: OpenCountEnd
  readonly limits?: Partial<LinkLimits>
  /** The runtime's by default. */
  readonly scheduler?: Scheduler
}

/** Checks per second of the position that a historian has reached. */
const HISTORIAN_TURNS = 20

/** Limit of the body of a plain HTTP request, which is answered with at most one sentence. */
const BODY_BYTES_MAX = 1_024

export type ServedReplica = {
  readonly name: string
  readonly pulledSeq: Seq
  /**
   * The last time at which it had the complete customer store, by `performance.now()`; undefined if it never
   * had.
   */
  readonly customersMs: number | undefined
}

export class LinkServer {
  readonly #options: LinkServerOptions
  readonly #limits: LinkLimits
  readonly #scheduler: Scheduler
  readonly #events = new EncodedEvents()
  /** The current listener. */
  #server: Bun.Server<LinkSocketData>
  /** Former listeners with older certificates: they accept no new connections and keep their open links. */
  readonly #retired = new Set<Bun.Server<LinkSocketData>>()
  readonly #ends = new Set<LinkEnd>()
  /** Number of connections that have not greeted yet, by address. */
  readonly #greetingsByAddress = new Map<string, number>()
  #greetings = 0
  #services: LinkServices | NotServing = { kind: 'notServing', leader: undefined }
  #secrets: readonly string[]
  #cancelClock: () => void = () => {}

  /** Listens. Throws the system's error when the socket or port is not available. */
  constructor(options: LinkServerOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LINK_LIMITS, ...options.limits }
    this.#scheduler = options.scheduler ?? runtimeScheduler
    this.#secrets = options.secrets
    if (options.services !== undefined) this.#services = withSharedFeed(options.services)
    this.#server = this.#listen(options.listen)
    this.#speak()
  }

  /** The port in use; undefined for a socket in the file system. */
  get port(): number | undefined {
    return this.#server.port
  }

  /** The gateways that a historian serves. */
  get readers(): readonly string[] {
    return this.#namesOf('reader')
  }

  /** The gateways being served. */
  get gateways(): readonly string[] {
    return this.#namesOf('gateway')
  }

  /** The replicas being served, each with the command after which it last requested batches. */
  get replicas(): readonly ServedReplica[] {
    return [...this.#ends].flatMap(({ peer, pulledSeq, customersMs }) =>
      peer === undefined || pulledSeq === undefined ? [] : [{ name: peer.name, pulledSeq, customersMs }],
    )
  }

  /** Number of encoded batches; each batch is encoded once for any number of links. */
  get encodedBatches(): number {
    return this.#events.encoded
  }

  /**
   * Offers these services to peers that greet from now on. Must not be called while other services are
   * offered.
   */
  serve(services: LinkServices): void {
    this.#services = withSharedFeed(services)
  }

  /**
   * Cuts off every end with NOT_LEADER and answers new ends in the same way; `leader`: the leading engine, if
   * known. A further call updates the leader.
   */
  unserve(leader?: string): void {
    this.#services = { kind: 'notServing', leader }
    for (const end of [...this.#ends]) if (end.peer !== undefined) end.cut(notLeader(leader))
  }

  /** Cuts off the gateways of this name. */
  cutGateway(name: string, why: string): void {
    for (const end of [...this.#ends])
      if (end.peer?.role === 'gateway' && end.peer.name === name) end.cut(new LinkFault('TOO_SLOW', why))
  }

  /** Replaces the accepted secrets; open links are kept. */
  takeSecrets(secrets: readonly string[]): void {
    this.#secrets = secrets
  }

  /**
   * Replaces the certificate for new connections; open links are kept. The runtime cannot replace a
   * certificate, so another listener takes over the port in the same turn. Does nothing without TLS. Throws
   * the system's error if the port cannot be opened again.
   */
  renewTls(tls: { readonly cert: string; readonly key: string }): void {
    const { listen } = this.#options
    if ('socketPath' in listen || listen.tls === undefined) return
    const old = this.#server
    const port = old.port ?? listen.port
    this.#retired.add(old)
    void old.stop().then(() => this.#retired.delete(old))
    this.#server = this.#listen({ ...listen, port, tls })
  }

  /** Cuts off every end with STOPPING and closes the listener. */
  async stop(): Promise<void> {
    this.#cancelClock()
    for (const end of [...this.#ends]) end.cut(new LinkFault('STOPPING', 'the engine is stopping'))
    await Promise.all([this.#server, ...this.#retired].map((server) => server.stop(true)))
  }

  #listen(listen: LinkListener): Bun.Server<LinkSocketData> {
    const handlers = {
      fetch: (request: Request, server: Bun.Server<LinkSocketData>) => this.#connect(request, server),
      maxRequestBodySize: BODY_BYTES_MAX,
      websocket: this.#websocket(),
    }
    if ('socketPath' in listen) {
      const server = Bun.serve<LinkSocketData>({ unix: listen.socketPath, ...handlers })
      chmodSync(listen.socketPath, 0o600)
      return server
    }
    const { hostname, port, tls } = listen
    return Bun.serve<LinkSocketData>({
      hostname,
      port,
      // The default does not apply: outside development the runtime would let a second server share the port.
      reusePort: false,
      ...(tls === undefined ? {} : { tls }),
      ...handlers,
    })
  }

  #websocket(): Bun.WebSocketHandler<LinkSocketData> {
    return {
      open: (socket: LinkSocket) => this.#open(socket),
      message: (socket: LinkSocket, frame) => socket.data.end?.receive(frame),
      close: (socket: LinkSocket) => this.#gone(socket),
      maxPayloadLength: PART_BYTES_MAX,
      // The server enforces its own limit; at this limit the runtime would drop frames.
      backpressureLimit: 2 * this.#limits.queueBytesMax,
      idleTimeout: this.#limits.silenceSeconds,
      sendPings: true,
      perMessageDeflate: false,
    }
  }

  #connect(request: Request, server: Bun.Server<LinkSocketData>): Response | undefined {
    const address = server.requestIP(request)?.address ?? ''
    const { greetingsMax, greetingsPerAddressMax } = this.#limits
    const isFull =
      this.#greetings >= greetingsMax ||
      (address !== '' && (this.#greetingsByAddress.get(address) ?? 0) >= greetingsPerAddressMax)
    if (isFull) return new Response('too many connections have not greeted yet\n', { status: 429 })
    if (server.upgrade(request, { data: { end: undefined, address } })) return undefined
    return new Response('gateways of this exchange connect here by WebSocket\n', { status: 426 })
  }

  #countGreeting(address: string, change: 1 | -1): void {
    this.#greetings += change
    const count = (this.#greetingsByAddress.get(address) ?? 0) + change
    if (count === 0) this.#greetingsByAddress.delete(address)
    else this.#greetingsByAddress.set(address, count)
  }

  #open(socket: LinkSocket): void {
    this.#countGreeting(socket.data.address, 1)
    let isGreeting = true
    const greeted = (): void => {
      if (isGreeting) this.#countGreeting(socket.data.address, -1)
      isGreeting = false
    }
    const { onNote, openCounts, onRemembered = () => {}, commands = GATEWAY_COMMANDS } = this.#options
    const end = new LinkEnd(socket, {
      secrets: () => this.#secrets,
      services: () => this.#services,
      limits: this.#limits,
      commands,
      events: this.#events,
      scheduler: this.#scheduler,
      openCounts,
      onRemembered,
      onGreeted: () => {
        greeted()
        return this.#refusal()
      },
      onOpened: (peer) => onNote?.({ kind: 'LinkOpened', ...peer }),
      onEnd: (fault) => {
        greeted()
        this.#ends.delete(end)
        onNote?.({ kind: 'LinkClosed', name: end.peer?.name, fault })
      },
    })
    socket.data.end = end
    this.#ends.add(end)
    end.challenge()
  }

  /** The reason why no further connection is accepted; undefined if one is accepted. */
  #refusal(): LinkFault | undefined {
    const { linksMax } = this.#limits
    const count = [...this.#ends].filter(({ peer }) => peer !== undefined).length
    if (count < linksMax) return undefined
    return new LinkFault('TOO_MANY', `the engine has ${linksMax} gateways already`)
  }

  #gone(socket: LinkSocket): void {
    socket.data.end?.end(new LinkFault('UNREACHABLE', 'the connection ended'))
  }

  #namesOf(role: LinkPeer['role']): readonly string[] {
    return [...this.#ends].flatMap(({ peer, isOpen }) => (isOpen && peer?.role === role ? [peer.name] : []))
  }

  /**
   * Runs every second. For a historian it also publishes its position in between, since queries to it depend
   * on that position.
   */
  #speak(turn = 0): void {
    const turns = this.#services.kind === 'historian' ? HISTORIAN_TURNS : 1
    const next = (turn + 1) % turns
    // The next turn is scheduled first, so that it runs even if this one fails.
    this.#cancelClock = this.#scheduler.later(() => this.#speak(next), CLOCK_EVERY_MS / turns)
    for (const end of [...this.#ends]) end.tell(turn === 0)
  }
}

function withSharedFeed(services: LinkServices): LinkServices {
  if (services.kind !== 'leader' || services.replicas === undefined) return services
  return { ...services, replicas: { ...services.replicas, feed: sharedFeed(services.replicas.feed) } }
}
