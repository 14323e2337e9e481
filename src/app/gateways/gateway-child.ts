/** The process of one gateway of several. */

import { randomBytes } from 'node:crypto'
import { LoopMeter } from '../../engine/writer/meters.ts'
import { KeyRing } from '../../server/access/auth/key-ring.ts'
import { SessionKeys } from '../../server/access/auth/session-keys.ts'
import type { Logger } from '../../server/common/logger.ts'
import { Health } from '../../server/monitoring/health.ts'
import { healthAnswers } from '../../server/monitoring/health-answers.ts'
import { Traffic } from '../../server/monitoring/traffic.ts'
import type { AnsweredRequest, Pages } from '../../server/public/gateway.ts'
import type { Stream, StreamSocketData } from '../../server/stream/stream.ts'
import { openPeerListener } from '../../server/stream/transport/peer-listener.ts'
import { PeerSessions } from '../../server/stream/transport/peer-sessions.ts'
import { pollSecondsOf } from '../../server/stream/transport/socket-io-transport.ts'
import { watchLoop } from '../../transport/thread/loop-watch.ts'
import { AccountForward } from '../customers/account-forward.ts'
import { createPage } from '../node/page/create-page.ts'
import { loadBinance, type OpenBinance } from '../node/serving/binance-port.ts'
import { backgroundScheduler } from '../process/background.ts'
import { type ChildHost, EXIT_REPLACE, EXIT_STOPPED, runChild } from '../process/child.ts'
import { ConnectionWatch, connectionTerms } from '../process/connection-watch.ts'
import { GATEWAY_COMMAND } from '../settings/gateway-count.ts'
import type { GatewayOrder, StartGateway } from './control.ts'
import { readMeters } from './gateway-meters.ts'
import { LinkedGateway } from './linked-gateway.ts'
import { SharedCounts } from './shared-counts.ts'

/** Resolves with the exit code. */
export const runGatewayChild = (host: ChildHost): Promise<number> =>
  runChild<GatewayOrder>(host, {
    command: GATEWAY_COMMAND,
    startedBy: 'bourse serve --gateways N',
    logFields: ({ name }) => ({ gateway: name }),
    died: 'the gateway failed',
    run: async (start, log, orders) =>
      new GatewayChild(start, log, await loadBinance(start.binancePort)).run(orders),
  })

class GatewayChild {
  readonly #log: Logger
  readonly #keys: KeyRing
  readonly #gateway: LinkedGateway
  readonly #health: Health
  readonly #counts: SharedCounts
  readonly #served = Promise.withResolvers<void>()
  readonly #peerSocket: string
  #peers: Bun.Server<StreamSocketData> | undefined
  #stream: Stream | undefined

  constructor(start: StartGateway, log: Logger, openBinance: OpenBinance | undefined) {
    this.#log = log
    this.#peerSocket = start.peerSockets[start.name] ?? ''
    const [newest = '', previous] = start.masterKeys.map(keyOf)
    this.#keys = new KeyRing({ newest: newest as Uint8Array, previous }, (size) => randomBytes(size))
    const traffic = new Traffic()
    const connections: ConnectionWatch = new ConnectionWatch({
      ...{ log, clientPort: () => this.#gateway?.port, otherClientPort: () => this.#gateway?.binancePort },
      ...connectionTerms({ server: start.server, gateway: start.config }),
    })
    const loop = new LoopMeter()
    watchLoop(loop)
    const ofCustomers = customersOf(start)
    const counts: SharedCounts = new SharedCounts({
      limits: start.config.limits,
      gateways: start.gateways,
      now: () => this.#gateway.clock.steady(),
      meters: () =>
        readMeters({
          ...{ traffic, stream: () => this.#stream, loop },
          descriptors: () => connections.use,
        }),
      scheduler: backgroundScheduler(log, 'the report of counts'),
      sessionKeys: ofCustomers.sessionKeys,
    })
    this.#counts = counts
    this.#health = new Health(
      () => performance.timeOrigin + performance.now(),
      () => this.#gateway.clock.status().isTrusted,
    )
    const isLogged = start.logLevel === 'debug'
    this.#gateway = new LinkedGateway({
      name: start.name,
      links: () => ({
        engines: [{ name: 'the main process', address: { socketPath: start.socketPath } }],
        historians: [],
        secret: start.secret,
      }),
      begin: this.#served.promise,
      server: start.server,
      config: start.config,
      stream: start.stream,
      secretBox: this.#keys,
      log,
      tls: start.tls,
      openBinance,
      parts: {
        ...{ traffic, pages: this.#pages(ofCustomers.accounts !== undefined), ...ofCustomers },
        ...(start.tls === undefined ? { goOn: (peer) => connections.goOn(peer) } : {}),
        ...{
          nonces: counts.nonces,
          addresses: counts.addresses,
          orders: counts.orders,
          keyUse: counts.keyUse,
        },
        ...(isLogged ? { onAnswered: (answered: AnsweredRequest) => log.info(answered, 'answered') } : {}),
      },
      peers: new PeerSessions({
        name: start.name,
        socketByName: new Map(Object.entries(start.peerSockets).filter(([name]) => name !== start.name)),
        config: start.stream,
        pollSeconds: pollSecondsOf(start.stream),
      }),
      onLinked: (link) => counts.join(link),
      onOpened: (stream) => this.#opened(stream),
      onLive: (isLive) => {
        if (isLive) counts.serving()
      },
    })
    log.debug({ url: this.#gateway.url }, 'the gateway listens')
  }

  /** Resolves with the exit code. */
  async run(orders: AsyncIterable<GatewayOrder>): Promise<number> {
    const other = this.#gateway.otherJournal.catch((err: unknown) => {
      this.#log.error({ err }, 'the gateway failed')
      return EXIT_REPLACE
    })
    return Promise.race([other, this.#obey(orders)])
  }

  async #obey(orders: AsyncIterable<GatewayOrder>): Promise<number> {
    for await (const order of orders) {
      if (order.kind === 'stop') {
        await this.#stop()
        return EXIT_STOPPED
      }
      this.#carryOut(order)
    }
    // The main process has ended: no request can be answered.
    return EXIT_REPLACE
  }

  #carryOut(order: Exclude<GatewayOrder, { kind: 'stop' }>): void {
    switch (order.kind) {
      case 'start':
        this.#log.error({}, 'the gateway received a second start message')
        break
      case 'serve':
        this.#served.resolve()
        break
      case 'renewTls':
        this.#gateway.renewTls(order.tls)
        break
      case 'masterKey':
        this.#keys.begin(keyOf(order.newest))
        break
      case 'retireMasterKey':
        this.#keys.retire()
        break
      case 'announceStop':
        this.#health.enter('STOPPING')
        this.#stream?.announceStop(order.inMs)
        break
    }
  }

  #pages(hasCustomers: boolean): Pages {
    const health = healthAnswers(this.#health, 'plain')
    const page = createPage({ hasCustomers })
    return (request, path) => health(request, path) ?? page(request, path)
  }

  #opened(stream: Stream): void {
    this.#stream = stream
    this.#peers = openPeerListener(this.#peerSocket, stream)
    this.#health.enter('READY')
  }

  /** Stops. The last counts are sent over the link before it closes. */
  async #stop(): Promise<void> {
    this.#health.enter('STOPPING')
    await this.#gateway.stop(() => this.#counts.stop())
    await this.#peers?.stop(true)
  }
}

function keyOf(digits: string): Uint8Array {
  return new Uint8Array(Buffer.from(digits, 'hex'))
}

/** The parts of a gateway for customers; undefined where there are none. */
function customersOf({ customers }: StartGateway) {
  if (customers === undefined) return { sessionKeys: undefined, accounts: undefined }
  // The main process ends sessions that no gateway uses.
  const sessionKeys = new SessionKeys(() => performance.now(), Number.POSITIVE_INFINITY)
  return { sessionKeys, accounts: new AccountForward(customers) }
}
