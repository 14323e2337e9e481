/**
 * `bourse customers`: a process for customers of a cluster. Gateways pass requests under `/account` on to it;
 * it changes the exchange through the engine that leads, and engines pass operators' queries on to it.
 */
import { timingSafeEqual } from 'node:crypto'
import { OPERATORS_PATH } from '../../contract/customers/operator-questions.ts'
import { ACCOUNT_ROOT } from '../../contract/customers/row.ts'
import type { ProgramVersion } from '../../contract/program-version.ts'
import { Store } from '../../customers/store/store.ts'
import { LASTING } from '../../customers/terms.ts'
import { LoopMeter } from '../../engine/writer/meters.ts'
import { digestOf } from '../../server/admin/callers.ts'
import { WrongTokens } from '../../server/admin/roles/wrong-tokens.ts'
import type { Logger } from '../../server/common/logger.ts'
import { RenewableListener } from '../../server/listener/renewable-listener.ts'
import { customersMetrics } from '../../server/monitoring/customers-process-metrics.ts'
import { Health } from '../../server/monitoring/health.ts'
import { type MonitoringServer, openMonitoringServer } from '../../server/monitoring/monitoring-server.ts'
import { ensureDirectory } from '../../storage/files/directory.ts'
import { watchLoop } from '../../transport/thread/loop-watch.ts'
import { bindPort, reachableUrl } from '../node/serving/port.ts'
import { prepareStorage } from '../node/storage/storage.ts'
import type { Taken } from '../node/taken.ts'
import { faultsOf } from '../process/background.ts'
import { processUse } from '../process/process-use.ts'
import type { RunningProcess } from '../process/run-node.ts'
import type { CustomersProcessSettings } from './cluster-options.ts'
import { openClusterStore } from './cluster-store.ts'
import { smtpOf } from './customers-config.ts'
import { CustomersService, randomOf } from './customers-service.ts'
import { ExchangeClient } from './exchange-client.ts'
import { LeaderAccess } from './leader-access.ts'
import { CHANGES_PATH, MAILS_PATH, PROBE_PATH, SECRET_HEADER } from './order.ts'
import type { ProbeAnswer } from './probe-answer.ts'

/** Gateways limit the bodies of customers' requests; operators' queries are short. */
const BODY_BYTES_MAX = 64 * 1024
/** Maximum number of concurrent requests of all gateways and engines. */
const UNDER_WAY_MAX = 512

export type ClusterCustomersOptions = CustomersProcessSettings & {
  readonly version: ProgramVersion
  readonly log: Logger
}

export class ClusterCustomers implements RunningProcess {
  /** Never settles: the process has no part whose end would end it. */
  readonly failed: Promise<never> = new Promise(() => {})
  readonly #options: ClusterCustomersOptions
  readonly #access: LeaderAccess
  readonly #service: CustomersService
  readonly #health: Health
  readonly #monitoring: MonitoringServer
  readonly #opened = Promise.withResolvers<void>()
  readonly #wrong = new WrongTokens()
  #listener: RenewableListener | undefined
  #underWay = 0

  /** Opens the store and looks for the exchange. Throws `StoreFault`, `PortFault`, `SettingsError`. */
  constructor(options: ClusterCustomersOptions, taken: Taken) {
    this.#options = options
    const { settings, terms, log } = options
    prepareStorage()
    this.#health = new Health(() => performance.timeOrigin + performance.now())
    this.#health.joinCluster(() => {
      const { name: leader, epoch = 0 } = this.#access.seen ?? {}
      return { leader, epoch, refusals: [] }
    })
    const loop = new LoopMeter()
    taken.add('the event loop monitor', watchLoop(loop))
    this.#monitoring = this.#openMonitoring(loop)
    taken.add('the port for probes', () => this.#monitoring.stop())
    const { name, rpId = '', origins, signUp, termsVersion } = settings.customers
    const [origin = ''] = origins
    const store = openStore(options)
    const links = () => {
      const { engines, exchange } = terms.current
      return { engines, secret: exchange.secrets[0] ?? '' }
    }
    this.#access = new LeaderAccess(links, log)
    taken.add('the search for the leader', () => this.#access.stop())
    this.#service = new CustomersService({
      config: {
        ...{ name, rpId, origin, origins, isSandbox: false, signUp, termsVersion, ...LASTING },
        processName: options.name,
      },
      ...{ store, log, mail: smtpOf(settings.customers, log) },
      exchange: new ExchangeClient(this.#access.call),
      lead: () => this.#access.lead(),
      listen: (service) => this.#listen(service),
    })
    taken.add('the customer store', () => this.#service.stop())
  }

  /** Resolves when it answers gateways. */
  get opened(): Promise<void> {
    return this.#opened.promise
  }

  get monitoringUrl(): string {
    return reachableUrl(this.#monitoring.url)
  }

  renewCertificate(): void {
    const renewed = this.#options.terms.renew(this.#options.log)
    const tls = renewed !== undefined && 'tls' in renewed.listen ? renewed.listen.tls : undefined
    if (tls !== undefined) this.#listener?.renew({ ...tls, expiresAtMs: 0 })
  }

  async drain(): Promise<void> {
    this.#health.enter('STOPPING')
  }

  async stop(): Promise<void> {
    await this.#service.stop()
    this.#access.stop()
    await this.#monitoring.stop()
  }

  async abandon(): Promise<void> {
    this.#health.enter('FAILED')
    await this.stop()
  }

  #listen(service: CustomersService): { stop(): Promise<void> } {
    const { listen } = this.#options.terms.current
    const { log } = this.#options
    const handlers = {
      development: false,
      maxRequestBodySize: BODY_BYTES_MAX,
      error: (err: Error) => {
        log.error({ err }, 'a request from a customer failed')
        return new Response(null, { status: 500 })
      },
      fetch: (request: Request) => this.#answer(service, request),
    }
    this.#health.enter('READY')
    this.#opened.resolve()
    if ('socketPath' in listen) return Bun.serve({ unix: listen.socketPath, ...handlers })
    const { hostname, tls } = listen
    this.#listener = new RenewableListener(
      (port, material) =>
        Bun.serve({
          ...{ hostname, port, ...handlers },
          // Outside of development the runtime would let a second server share the port.
          reusePort: false,
          ...(material === undefined ? {} : { tls: { cert: material.cert, key: material.key } }),
        }),
      listen.port,
      tls && { ...tls, expiresAtMs: 0 },
    )
    return this.#listener
  }

  async #answer(service: CustomersService, request: Request): Promise<Response> {
    const { exchange, gateways } = this.#options.terms.current
    const shown = request.headers.get(SECRET_HEADER) ?? ''
    const [isExchange, isGateway] = [isOne(exchange.secrets, shown), isOne(gateways.secrets, shown)]
    if (!isExchange && !isGateway) return this.#refused()
    const { pathname } = new URL(request.url)
    // Answered even at the limit, so that a process that is only busy does not count as unavailable.
    if (pathname === PROBE_PATH)
      return isExchange ? this.#probed(service) : new Response(null, { status: 204 })
    if (this.#underWay >= UNDER_WAY_MAX) return new Response(null, { status: 503 })
    this.#underWay++
    try {
      if (isGateway && pathname.startsWith(ACCOUNT_ROOT)) return await service.answerCustomer(request)
      const isOfNode = pathname === MAILS_PATH || pathname === CHANGES_PATH
      if (isExchange && pathname.startsWith(OPERATORS_PATH) && !isOfNode)
        return await service.answerExchange(request)
      return new Response(null, { status: 404 })
    } finally {
      this.#underWay--
    }
  }

  #probed({ lacks }: CustomersService): Response {
    const { number: version, commit } = this.#options.version
    const startedAtMs = Math.round(performance.timeOrigin)
    return Response.json({ version, commit, startedAtMs, lacks } satisfies ProbeAnswer)
  }

  /** The header distinguishes this refusal from an answer to a customer. */
  #refused(): Response {
    if (!this.#wrong.isOneTooMany(Date.now()))
      this.#options.log.warn({}, 'a request had none of the secrets of this process')
    return new Response(null, { status: 403, headers: { [SECRET_HEADER]: 'unknown' } })
  }

  #openMonitoring(loop: LoopMeter): MonitoringServer {
    const { settings, version, log } = this.#options
    const { host, port } = settings.monitoring
    const metrics = customersMetrics({
      ...{ version, health: this.#health, loop, process: processUse },
      lead: () => this.#access.seen,
      read: async () => {
        if (!this.#service.isOpen) return { isUp: false, use: undefined }
        const use = await this.#service.use()
        return { isUp: use !== undefined, use }
      },
      onFault: faultsOf(log, 'reading a metric'),
    })
    return bindPort(host, port, 'customers.processes[].monitoring', () =>
      openMonitoringServer({ hostname: host, port, health: this.#health, metrics, log }),
    )
  }
}

/** Opens the store: in the databases if there are any, otherwise in the directory. Throws `StoreFault`. */
function openStore({ settings, place }: ClusterCustomersOptions): Store {
  const options = { randomBytes: randomOf, rpId: settings.customers.rpId ?? '' }
  if (place.kind === 'DATABASES') return openClusterStore({ ...options, ...place })
  ensureDirectory(place.directory)
  return Store.open({ ...options, directory: place.directory })
}

/** Compares with all secrets, in constant time. */
function isOne(secrets: readonly string[], shown: string): boolean {
  const digest = digestOf(shown)
  return secrets.filter((secret) => timingSafeEqual(digestOf(secret), digest)).length > 0
}
