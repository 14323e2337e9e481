/**
 * The gateway in the process of the node itself: only a channel between threads separates it from the engine.
 */
import type { ServerClock } from '../../../engine/writer/server-clock.ts'
import type { SecretBox } from '../../../server/access/auth/secret-box.ts'
import type { LimitBans } from '../../../server/admin/context.ts'
import type { BinanceServer } from '../../../server/binance/binance-server.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { TlsMaterial } from '../../../server/listener/renewable-listener.ts'
import type { Traffic } from '../../../server/monitoring/traffic.ts'
import type { ClientFront } from '../../../server/public/client-front.ts'
import { type AnsweredRequest, createGateway, type Gateway } from '../../../server/public/gateway.ts'
import { type HttpServer, openServer } from '../../../server/public/public-server.ts'
import { createStream, type Stream } from '../../../server/stream/stream.ts'
import { invariant } from '../../../units/invariant.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { Customers } from '../../customers/customers-process.ts'
import type { Settings } from '../../settings/defaults.ts'
import type { EngineStage } from '../engine-stage.ts'
import type { NodeExchange } from '../exchange.ts'
import { createPage } from '../page/create-page.ts'
import type { OpenBinance } from './binance-port.ts'
import type { ClientService } from './client-service.ts'
import type { Monitoring } from './monitoring.ts'
import { bindPort } from './port.ts'

export type LocalClientsOptions = {
  readonly settings: Settings
  readonly log: Logger
  readonly tls: TlsMaterial | undefined
  readonly secretBox: SecretBox
  readonly clock: ServerClock
  readonly times: EngineStage['times']
  readonly monitoring: Pick<Monitoring, 'pages' | 'goOn'>
  readonly traffic: Traffic
  /** The layer in front of it; undefined, as on every node except a sandbox, if there is none. */
  readonly front?: ClientFront | undefined
  /** Opens the port for clients of Binance; undefined if there is none. */
  readonly openBinance?: OpenBinance | undefined
  /** Undefined if there are no customers. */
  readonly customers?: Pick<Customers, 'service' | 'sessionKeys'> | undefined
}

export class LocalClients implements ClientService {
  readonly gateways = 1
  readonly #options: LocalClientsOptions
  readonly #gateway: Gateway
  readonly #server: HttpServer
  readonly #binance: BinanceServer | undefined
  #stream: Stream | undefined
  #isOpen = false

  /** Listens. Throws `PortFault`. */
  constructor(options: LocalClientsOptions) {
    this.#options = options
    const { settings, log, tls, secretBox, clock, monitoring, traffic, front } = options
    const { hostname, port } = settings.server
    const isLogged = settings.logLevel === 'debug'
    this.#gateway = createGateway({
      config: settings.gateway,
      clock: front?.clock(clock) ?? clock,
      ...(front === undefined ? {} : { beforeNonces: (own) => front.nonces(own) }),
      secretBox,
      logger: log,
      pages: monitoring.pages(createPage({ hasCustomers: options.customers !== undefined })),
      accounts: options.customers?.service,
      sessionKeys: options.customers?.sessionKeys,
      traffic,
      ...(tls === undefined ? { goOn: (peer) => monitoring.goOn(peer) } : {}),
      ...(isLogged ? { onAnswered: (answered: AnsweredRequest) => log.info(answered, 'answered') } : {}),
    })
    this.#server = bindPort(hostname, port, '--port', () =>
      openServer(settings.server, this.#gateway, tls, undefined, front),
    )
    try {
      this.#binance = options.openBinance?.(settings.server, this.#gateway.shared, tls)
    } catch (cause) {
      void this.#server.stop()
      throw cause
    }
  }

  get port(): number {
    return this.#server.port
  }

  get url(): string {
    return this.#server.url
  }

  get binancePort(): number | undefined {
    return this.#binance?.port
  }

  get binanceUrl(): string | undefined {
    return this.#binance?.url
  }

  get limitBans(): LimitBans {
    return this.#gateway.limitBans
  }

  lastUsed(apiKey: string): TimeMs | undefined {
    return this.#gateway.keyUse.lastUsed(apiKey)
  }

  start({ history, views: { market, batches, passed } }: NodeExchange): Stream {
    const { settings, log, times } = this.#options
    const stream = createStream({
      market,
      history,
      config: settings.stream,
      clock: times,
      logger: log,
      addressOf: this.#gateway.addressOf.bind(this.#gateway),
      addresses: this.#gateway.addressCounts,
      entry: this.#gateway.entry,
    })
    batches.subscribe((batch) => stream.publish(batch))
    const binance = this.#binance
    if (binance !== undefined) batches.subscribe((batch) => binance.publish(batch))
    passed.subscribe((time) => stream.pass(time))
    this.#stream = stream
    return stream
  }

  open({ engine, history, views }: NodeExchange, journal: string): void {
    this.#isOpen = true
    invariant(this.#stream !== undefined, 'clients are served once the exchange has started')
    const { market, backOffice } = views
    const { feeTierByName, banByAddress } = backOffice
    const { front } = this.#options
    const shown = {
      engine: front?.engine(engine) ?? engine,
      history: front?.history(history, (symbolId) => market.registry.symbol(symbolId)?.name) ?? history,
    }
    this.#server.open({ ...shown, market, journal, feeTierByName, banByAddress }, this.#stream)
  }

  renewTls(tls: TlsMaterial): void {
    this.#server.renewTls(tls)
    this.#binance?.renewTls(tls)
  }

  announceStop(inMs: number): void {
    this.#stream?.announceStop(inMs)
  }

  async stop(): Promise<void> {
    // The server does not stop a stream that never served a client.
    if (!this.#isOpen) await this.#stream?.stop()
    await Promise.all([this.#server.stop(), this.#binance?.stop()])
  }
}
