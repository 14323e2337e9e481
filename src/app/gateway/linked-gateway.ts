/**
 * A gateway in a process of its own: the public port, before an engine that it has over a link. Until it has one, and has views of what
 * is there, every answer is STARTING. When it loses the link, every answer is STOPPING, and the process is to end and to be replaced: nobody is
 * served from views that stand still, and clients that come back find another gateway, or this one's successor.
 *
 * Whoever reads sees what was answered before, by any gateway.
 */
import { type Link, type LinkOptions, openLink } from '../../drivers/link/link-client.ts'
import { LinkKeeper } from '../../drivers/link/link-keeper.ts'
import { ServerClock } from '../../engine/server-clock.ts'
import type { SecretBox } from '../../gateway/access/auth/secret-box.ts'
import type { Logger } from '../../gateway/common/logger.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../gateway/public/gateway.ts'
import type { GatewayConfig } from '../../gateway/public/gateway-config.ts'
import { type HttpServer, openServer, type ServerConfig } from '../../gateway/public/public-server.ts'
import type { TlsMaterial } from '../../gateway/server/renewable-listener.ts'
import type { StreamConfig } from '../../gateway/stream/config.ts'
import type { PeerSessions } from '../../gateway/stream/peer-sessions.ts'
import { createStream, type Stream } from '../../gateway/stream/stream.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type NodeViews, startViews } from '../node/views.ts'

/** Of a gateway's process that has lost its link: it is to be replaced (EX_TEMPFAIL in sysexits.h). */
export const LINK_LOST_EXIT_CODE = 75

export type LinkedGatewayOptions = {
  readonly link: LinkOptions
  readonly server: ServerConfig
  readonly config: GatewayConfig
  readonly stream: StreamConfig
  /** Opens the secrets of API keys. */
  readonly secretBox: SecretBox
  /** The name of the engine's journal; no link is opened before it is known. */
  readonly journal: string | Promise<string>
  readonly log: Logger
  readonly tls?: TlsMaterial | undefined
  /** What the gateway shares with others, or is asked about. */
  readonly parts?: Omit<GatewayOptions, 'config' | 'clock' | 'secretBox' | 'logger'>
  readonly peers?: PeerSessions
  /** A link has been opened, and nothing has been asked over it. */
  readonly onLinked?: (link: Link) => void
  /** Clients are served. */
  readonly onOpened?: (stream: Stream) => void
}

export class LinkedGateway {
  readonly #options: LinkedGatewayOptions
  readonly #server: HttpServer
  readonly #gateway: Gateway
  readonly clock: ServerClock
  readonly #keeper: LinkKeeper<NodeViews>
  readonly #opened = Promise.withResolvers<void>()
  readonly #lost = Promise.withResolvers<void>()
  #link: Link | undefined
  #journal = ''

  /** Listens, and opens a link. Throws what the system says when the port cannot be had. */
  constructor(options: LinkedGatewayOptions) {
    this.#options = options
    const { config, secretBox, log, parts, tls, onLinked } = options
    this.clock = new ServerClock(
      { read: () => this.#link?.clock() },
      { wall: () => Date.now() as TimeMs, monotonicMs: () => performance.now() },
    )
    this.#gateway = createGateway({ ...parts, config, clock: this.clock, secretBox, logger: log })
    const untilFresh = (): Promise<void> => this.#link?.untilFresh() ?? Promise.resolve()
    this.#server = openServer(options.server, this.#gateway, tls, untilFresh)
    this.#keeper = new LinkKeeper<NodeViews>({
      open: async () => {
        this.#journal = await options.journal
        return openLink(options.link)
      },
      begin: (link) => {
        onLinked?.(link)
        return startViews(link.engine, link.history)
      },
      onBegun: (views, link) => this.#open(views, link),
      onUnlinked: (cause, pauseMs) => log.warn({ err: cause, pauseMs }, 'there is no link to the engine'),
    })
  }

  /** `http://host:port` */
  get url(): string {
    return this.#server.url
  }

  /** Resolves when clients are served. */
  get opened(): Promise<void> {
    return this.#opened.promise
  }

  /** Resolves when a gateway that has served clients has lost its link: it is to be stopped. */
  get lost(): Promise<void> {
    return this.#lost.promise
  }

  /** New connections get this certificate. */
  renewTls(tls: TlsMaterial): void {
    this.#server.renewTls(tls)
  }

  /** Answers what is under way, closes every connection, does `last`, and closes the link. */
  async stop(last: () => void = () => {}): Promise<void> {
    await this.#server.stop()
    last()
    await this.#link?.untilFresh()
    await this.#keeper.stop()
  }

  #open({ market, backOffice, batches, passed }: NodeViews, link: Link): void {
    // Its successor begins with the next one.
    if (this.#link !== undefined) return
    this.#link = link
    const { stream: config, log, peers, onOpened } = this.#options
    const journal = this.#journal
    const { engine, history } = link
    const stream = createStream({
      market,
      history,
      config,
      clock: { now: () => this.clock.steady() },
      logger: log,
      addressOf: this.#gateway.addressOf.bind(this.#gateway),
      onCut: this.#gateway.noteFlood.bind(this.#gateway),
      entry: this.#gateway.entry,
      ...(peers === undefined ? {} : { peers }),
    })
    batches.subscribe((batch) => stream.publish(batch))
    passed.subscribe((time) => stream.pass(time))
    this.#server.open({ engine, history, market, journal, ...backOffice }, stream)
    void link.lost.then(() => {
      this.#gateway.close()
      this.#lost.resolve()
    })
    onOpened?.(stream)
    this.#opened.resolve()
  }
}
