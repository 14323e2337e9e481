/**
 * A gateway in a process of its own, of a cluster or of one machine: it serves the public port through the
 * leading engine. Until it has had a link and has views of the state, every answer is STARTING. When the link
 * is lost it keeps running: it serves the last known data with its age, refuses requests that need the engine
 * with NO_LEADER, and looks for the new leader. Then it rebuilds its views, and clients get the whole state
 * of their subscriptions (docs/cluster.md#while-no-engine-leads).
 *
 * A client always sees results that were acknowledged earlier, by any gateway. The gateway remembers the
 * confirmed end of the journal as long as it runs, and no engine whose journal lacks it can serve the
 * gateway.
 */

import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { JournalPosition } from '../../engine/port/journal.ts'
import { ServerClock } from '../../engine/writer/server-clock.ts'
import type { SecretBox } from '../../server/access/auth/secret-box.ts'
import type { BinanceServer } from '../../server/binance/binance-server.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { TlsMaterial } from '../../server/listener/renewable-listener.ts'
import type { LinkRefusal } from '../../server/monitoring/cluster-metrics.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../server/public/gateway.ts'
import type { GatewayConfig } from '../../server/public/gateway-config.ts'
import { type HttpServer, openServer, type ServerConfig } from '../../server/public/public-server.ts'
import type { StreamConfig } from '../../server/stream/config.ts'
import { createStream, type Stream } from '../../server/stream/stream.ts'
import type { PeerSessions } from '../../server/stream/transport/peer-sessions.ts'
import { type NamedAddress, openLeaderLink } from '../../transport/link/asking/leader-link.ts'
import type { Link } from '../../transport/link/asking/link-client.ts'
import { LinkKeeper } from '../../transport/link/asking/link-keeper.ts'
import { laterPosition } from '../../transport/link/protocol/journal-positions.ts'
import { LinkFault, type LinkFaultKind } from '../../transport/link/protocol/link-fault.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { OpenBinance } from '../node/serving/binance-port.ts'
import { type NodeViews, startViews } from '../node/views.ts'
import { HistorianLinks } from './historian-links.ts'
import { chosenHistory } from './history-chooser.ts'
import { LeaderPorts } from './leader-ports.ts'

/** The engine sends a message every second. */
const SILENCE_MS = 3_000
/** A problem that does not pass by itself: it needs an operator. */
const ALARMING: readonly LinkFaultKind[] = [
  'WITNESS',
  'WRONG_SECRET',
  'WRONG_VERSION',
  'FORBIDDEN',
  'BAD_FRAME',
  'REFUSED',
]
/**
 * An engine needs about a second to claim. The gateway should find the new leader soon after: its waiting
 * time is part of the outage (`npm run bench -- cluster`), and each attempt costs an engine a greeting.
 */
const PAUSE_MS_MAX = 200

/** The processes that a gateway has links to. */
export type GatewayLinks = {
  /** At least one. */
  readonly engines: readonly NamedAddress[]
  /** Historians, which are queried before the engine; a single machine has none. */
  readonly historians: readonly NamedAddress[]
  /** Shared with both. */
  readonly secret: string
}

export type LinkedGatewayOptions = {
  /** The name of this gateway, for people. */
  readonly name: string
  /** Read again whenever a link is opened; the number of engines and of historians is constant. */
  readonly links: () => GatewayLinks
  /** The search for an engine begins after this promise resolves; undefined means at once. */
  readonly begin?: Promise<unknown>
  readonly server: ServerConfig
  readonly config: GatewayConfig
  readonly stream: StreamConfig
  /** Opens the secrets of API keys. */
  readonly secretBox: SecretBox
  readonly log: Logger
  readonly tls: TlsMaterial | undefined
  /** Parts of the gateway that are shared or inspected. */
  readonly parts?: Omit<GatewayOptions, 'config' | 'clock' | 'secretBox' | 'logger' | 'staleMs'>
  /** Other gateways that share the port. */
  readonly peers?: PeerSessions
  /** Opens the port for clients of Binance; undefined if there is none. */
  readonly openBinance?: OpenBinance | undefined
  /** Called when a link is open, before the first request is sent over it. */
  readonly onLinked?: (link: Link) => void
  /** Called when clients are served for the first time. */
  readonly onOpened?: (stream: Stream) => void
  /** Called with true when the data becomes current, and with false when it is no longer updated. */
  readonly onLive?: (isLive: boolean) => void
}

/** The link to an engine, as probes and metrics show it. */
export type LeaderSeen = { readonly name: string; readonly epoch: number }

export class LinkedGateway {
  readonly clock: ServerClock
  readonly #options: LinkedGatewayOptions
  readonly #server: HttpServer
  readonly #binance: BinanceServer | undefined
  readonly #gateway: Gateway
  readonly #ports = new LeaderPorts()
  readonly #historians: HistorianLinks
  readonly #history: HistoryPort
  readonly #keeper: LinkKeeper<NodeViews>
  readonly #opened = Promise.withResolvers<void>()
  readonly #other = Promise.withResolvers<never>()
  #link: Link | undefined
  #refusal: LinkRefusal | undefined
  /** The link whose state the views are loading; undefined once they are up to date. */
  #beginning: Link | undefined
  #views: NodeViews | undefined
  #stream: Stream | undefined
  #remembered: JournalPosition | undefined
  #epochMin = 0
  #isStopping = false
  /** The reasons why the last search found no link. */
  #lastProblem = ''
  #journal: string | undefined
  /**
   * Monotonic milliseconds at which the link was lost; undefined if there is a link, or there never was one.
   */
  #lostAtMs: number | undefined

  /** Listens, and looks for the leading engine. Throws the system's error if the port is not available. */
  constructor(options: LinkedGatewayOptions) {
    this.#options = options
    const { config, secretBox, log, parts, tls, name, links } = options
    this.#other.promise.catch(() => {})
    this.clock = new ServerClock(
      { read: () => this.#link?.clock() },
      { wall: () => Date.now() as TimeMs, monotonicMs: () => performance.now() },
    )
    this.#gateway = createGateway({
      ...parts,
      config,
      clock: this.clock,
      secretBox,
      logger: log,
      staleMs: () => this.staleMs,
    })
    const untilFresh = (): Promise<void> => this.#link?.untilFresh() ?? Promise.resolve()
    this.#server = openServer(options.server, this.#gateway, tls, untilFresh)
    this.#binance = options.openBinance?.(options.server, this.#gateway.shared, tls, untilFresh)
    this.#historians = new HistorianLinks({ links, name, journal: () => this.#journal, log })
    this.#history = chosenHistory(this.#historians.able, this.#ports.history)
    this.#keeper = new LinkKeeper<NodeViews>({
      open: () => this.#openLink(),
      begin: (link) => this.#begin(link),
      onBegun: (views) => this.#begun(views),
      onUnlinked: (cause, pauseMs) => this.#unlinked(cause, pauseMs),
      pauseMsMax: PAUSE_MS_MAX,
    })
  }

  get port(): number {
    return this.#server.port
  }

  /** `http://host:port` or `https://host:port` */
  get url(): string {
    return this.#server.url
  }

  /** The port for Binance's clients. */
  get binancePort(): number | undefined {
    return this.#binance?.port
  }

  /** Resolves when clients are served. */
  get opened(): Promise<void> {
    return this.#opened.promise
  }

  /**
   * Rejects when the engines have a journal other than the one that was served: the process must restart.
   * Never resolves.
   */
  get otherJournal(): Promise<never> {
    return this.#other.promise
  }

  /**
   * Time since the last engine was reachable, in whole milliseconds; undefined if one is reachable, or none
   * ever was.
   */
  get staleMs(): number | undefined {
    return this.#lostAtMs === undefined ? undefined : Math.round(performance.now() - this.#lostAtMs)
  }

  /** The engine that it is linked to. */
  get leader(): LeaderSeen | undefined {
    const welcome = this.#link?.welcome
    return welcome && { name: welcome.leader, epoch: welcome.epoch }
  }

  /** The reasons why it has no link to an engine, from their last answers; empty if it has one. */
  get refusals(): readonly LinkRefusal[] {
    return this.#link === undefined && this.#refusal !== undefined ? [this.#refusal] : []
  }

  /** The last command that its views show; undefined if there are no views yet. */
  get seq(): number | undefined {
    return this.#views?.market.seq
  }

  /** Number of historians that can be asked now. */
  get linkedHistorians(): number {
    return this.#historians.able().length
  }

  /** The last end of the journal that is known to be confirmed. */
  get remembered(): JournalPosition | undefined {
    return laterPosition(this.#remembered, this.#link?.confirmed())
  }

  /** New connections get this certificate. */
  renewTls(tls: TlsMaterial): void {
    this.#server.renewTls(tls)
    this.#binance?.renewTls(tls)
  }

  announceStop(inMs: number): void {
    this.#stream?.announceStop(inMs)
  }

  /** Answers pending requests, closes every connection, calls `last`, and closes the links. */
  async stop(last: () => void = () => {}): Promise<void> {
    this.#isStopping = true
    await Promise.all([this.#server.stop(), this.#binance?.stop()])
    last()
    await this.#link?.untilFresh()
    await this.#keeper.stop()
    await this.#historians.stop()
  }

  /** Stops serving: from now on every answer is STOPPING. */
  close(): void {
    this.#gateway.close()
  }

  async #openLink(): Promise<Link> {
    const { links, name, begin } = this.#options
    await begin
    const position = this.remembered
    const remembered = position && { ...position, journal: this.#journal }
    const { engines, secret } = links()
    return openLeaderLink({
      ...{ engines, secret, name, remembered, epochMin: this.#epochMin },
      ...{ silenceMs: SILENCE_MS, goneAs: 'NO_LEADER' },
    })
  }

  async #begin(link: Link): Promise<NodeViews> {
    const { journal, epoch } = link.welcome
    this.#journal ??= journal
    if (journal !== this.#journal) {
      const message = `the engines have journal ${journal}, and this gateway served ${this.#journal}`
      this.#other.reject(new LinkFault('WITNESS', message))
      throw new LinkFault('WITNESS', message)
    }
    this.#epochMin = Math.max(this.#epochMin, epoch)
    // The position counts from the time at which it was received, even if this link is lost.
    this.#remembered = laterPosition(this.#remembered, link.confirmed())
    this.#options.onLinked?.(link)
    if (this.#views === undefined) {
      const views = await startViews(link.engine, link.history)
      this.#beginning = link
      return views
    }
    this.#beginning = link
    await this.#views.restart(link.engine, link.history)
    return this.#views
  }

  /** Called for the first link; for later ones the views have announced that they were rebuilt. */
  #begun(views: NodeViews): void {
    if (this.#views !== undefined) return
    this.#views = views
    const { market, backOffice, batches, passed, restarts } = views
    const { stream: config, log, peers, onOpened } = this.#options
    const { engine } = this.#ports
    const history = this.#history
    const stream = createStream({
      ...{ market, history, config, logger: log },
      clock: { now: () => this.clock.steady() },
      addressOf: this.#gateway.addressOf.bind(this.#gateway),
      addresses: this.#gateway.addressCounts,
      entry: this.#gateway.entry,
      ...(peers === undefined ? {} : { peers }),
    })
    this.#stream = stream
    batches.subscribe((batch) => stream.publish(batch))
    const binance = this.#binance
    if (binance !== undefined) batches.subscribe((batch) => binance.publish(batch))
    passed.subscribe((time) => stream.pass(time))
    restarts.subscribe((seq) => {
      this.#attach()
      stream.restart(seq, backOffice.banByAddress.keys())
      binance?.restart()
      this.#options.onLive?.(true)
    })
    this.#attach()
    const journal = this.#journal ?? ''
    this.#server.open({ engine, history, market, journal, ...backOffice }, stream)
    onOpened?.(stream)
    this.#options.onLive?.(true)
    this.#opened.resolve()
  }

  /** From here on the views are up to date, and requests go to this engine. */
  #attach(): void {
    const link = this.#beginning
    if (link === undefined) return
    this.#beginning = undefined
    this.#link = link
    this.#lostAtMs = undefined
    this.#lastProblem = ''
    this.#ports.lead(link)
    const { leader, epoch } = link.welcome
    this.#options.log.info({ leader, epoch, journal: this.#journal }, 'connected to the leading engine')
    void link.lost.then((fault) => this.#detach(link, fault))
  }

  #detach(link: Link, fault: LinkFault): void {
    this.#remembered = laterPosition(this.#remembered, link.confirmed())
    if (this.#link !== link || this.#isStopping) return
    // The clock must not jump: without a link it continues from its last value.
    const since = this.clock.steady()
    this.#link = undefined
    this.#lostAtMs = performance.now()
    this.#ports.lead(undefined)
    this.#stream?.stall(since)
    this.#options.log.warn(
      { problem: fault.message },
      'the link to the engine is lost: market data is not updated',
    )
    this.#options.onLive?.(false)
  }

  #unlinked(cause: unknown, pauseMs: number): void {
    const message = cause instanceof Error ? cause.message : String(cause)
    const { log } = this.#options
    const kind = cause instanceof LinkFault ? cause.kind : 'UNREACHABLE'
    this.#refusal = { peer: 'engines', kind, problem: message }
    // A link is tried several times a second, so the same message is logged only once.
    const isAlarming =
      cause instanceof LinkFault && ALARMING.includes(cause.kind) && message !== this.#lastProblem
    this.#lastProblem = message
    if (isAlarming) log.error({ problem: message, pauseMs }, 'no engine accepts this gateway')
    else log.debug({ problem: message, pauseMs }, 'no leading engine was found')
  }
}
