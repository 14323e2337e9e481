/**
 * Several gateways, each in a process of its own, in front of this process's engine: they share the public
 * port, and reach the engine and the history over links. This process serves no clients then: it decodes each
 * batch once for its own views and encodes it once for all links.
 *
 *   clients ──> gateway-1 ─┐
 *   clients ──> gateway-2 ─┼─ links ──> main process ──> engine, follower
 *   clients ──> gateway-N ─┘   (the counts of all are added up here)
 */

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { ProgramVersion } from '../../contract/program-version.ts'
import type { KeyRing, KeyRingChange } from '../../server/access/auth/key-ring.ts'
import { MemoryNonces } from '../../server/access/auth/memory-nonces.ts'
import { orderTermsIn } from '../../server/access/limits/order-limits.ts'
import type { LimitBans } from '../../server/admin/context.ts'
import type { Logger } from '../../server/common/logger.ts'
import { hostInUrl } from '../../server/listener/loopback.ts'
import type { TlsMaterial } from '../../server/listener/renewable-listener.ts'
import type { StreamUse } from '../../server/monitoring/metrics.ts'
import { FORWARDED_MAX } from '../../server/stream/transport/peer-sessions.ts'
import { ensureDirectory } from '../../storage/files/directory.ts'
import { type LinkNote, LinkServer } from '../../transport/link/serving/link-server.ts'
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { Customers } from '../customers/customers-process.ts'
import type { EngineStage } from '../node/engine-stage.ts'
import type { NodeExchange } from '../node/exchange.ts'
import type { LoadedMasterKey } from '../node/load-master-key.ts'
import { BINANCE_PORT_OPTION } from '../node/serving/binance-port.ts'
import type { ClientService } from '../node/serving/client-service.ts'
import { backgroundScheduler } from '../process/background.ts'
import { type KeptProcess, KeptProcesses, type KeptProcessNote } from '../process/kept-processes.ts'
import { ownProgram, plainEnvironment } from '../process/own-program.ts'
import type { Settings } from '../settings/defaults.ts'
import { GATEWAY_COMMAND } from '../settings/gateway-count.ts'
import { SettingsError } from '../settings/load.ts'
import { type GatewayOrder, writeOrder } from './control.ts'
import { CountHub } from './count-hub.ts'
import type { GatewaysMeter } from './gateway-meters.ts'
import { HangWatch, HUNG_MS } from './hang-watch.ts'
import { type ReservedPort, reservePort } from './reserve-port.ts'
import { SessionKeyHub } from './session-key-hub.ts'

/** The sockets of links, in the data directory, accessible only to its owner. */
export const GATEWAYS_DIRECTORY = 'gateways'
/** The limit of a socket path, including its terminator, is 108 bytes; 104 on some systems. */
const SOCKET_PATH_BYTES_MAX = 103
const SECRET_BYTES = 32
/** A start fails if gateways end this many times before all of them serve. */
const FAILED_STARTS_MAX = 5

/** The gateways ended right after they had started. */
export class GatewaysFault extends Error {
  override readonly name = 'GatewaysFault'
}

export type GatewayFleetOptions = {
  readonly settings: Settings
  readonly version: ProgramVersion
  readonly log: Logger
  readonly tls: TlsMaterial | undefined
  readonly masterKey: LoadedMasterKey
  readonly secretBox: KeyRing
  readonly times: EngineStage['times']
  readonly clockBoard: EngineStage['clockBoard']
  readonly count: number
  readonly meter: GatewaysMeter
  /** Undefined if there are no customers. */
  readonly customers?: Pick<Customers, 'place' | 'sessionKeys'> | undefined
}

type Child = KeptProcess & { readonly send: (order: GatewayOrder) => void }

export class GatewayFleet implements ClientService {
  readonly url: string
  readonly #options: GatewayFleetOptions
  readonly #reserved: ReservedPort
  readonly #reservedBinance: ReservedPort | undefined
  readonly #directory: string
  readonly #socketPath: string
  readonly #peerSockets: Readonly<Record<string, string>>
  readonly #secret = randomBytes(SECRET_BYTES).toString('hex')
  readonly #childByName = new Map<string, Child>()
  readonly #processes: KeptProcesses
  readonly #hangs: HangWatch
  readonly #allServe = Promise.withResolvers<void>()
  /** In hexadecimal digits, the newest first. */
  #masterKeys: readonly string[]
  #tls: TlsMaterial | undefined
  #hub: CountHub | undefined
  #links: LinkServer | undefined
  /** The engine can be reached. */
  #isOpen = false
  #isStarted = false

  /**
   * Binds the port, and starts the gateways. Throws `PortFault`, or `SettingsError` if the data directory's
   * path is too long.
   */
  constructor(options: GatewayFleetOptions) {
    this.#options = options
    const { settings, tls, masterKey, secretBox, count } = options
    this.#tls = tls
    this.#masterKeys = [masterKey.newest, masterKey.previous].flatMap((key) => key ?? []).map(digitsOf)
    this.#directory = path.join(settings.dataDirectory, GATEWAYS_DIRECTORY)
    this.#socketPath = socketPath(this.#directory, 'engine.sock')
    const names = Array.from({ length: count }, (_, i) => `gateway-${i + 1}`)
    this.#peerSockets = Object.fromEntries(
      names.map((name) => [name, socketPath(this.#directory, `${name}.sock`)]),
    )
    const { hostname, port } = settings.server
    this.#reserved = reservePort(hostname, port)
    const { port: binancePort } = settings.binance
    if (binancePort !== undefined)
      this.#reservedBinance = reservePort(hostname, binancePort, BINANCE_PORT_OPTION)
    this.url = `${tls === undefined ? 'http' : 'https'}://${hostInUrl(hostname)}:${this.#reserved.port}`
    // The socket left by a killed process cannot be reused.
    rmSync(this.#directory, { recursive: true, force: true })
    ensureDirectory(this.#directory)
    secretBox.onChanged = (change) => this.#masterKeyChanged(change)
    this.#hangs = new HangWatch({
      onHung: (gateway) => this.#hung(gateway),
      scheduler: backgroundScheduler(options.log, 'the gateway monitor'),
      now: () => performance.now(),
    })
    // Nothing awaits this promise if the start fails earlier.
    this.#allServe.promise.catch(() => {})
    this.#processes = new KeptProcesses({
      names,
      start: (name) => this.#startChild(name),
      onNote: (note) => this.#noted(note),
      scheduler: backgroundScheduler(options.log, 'keeping gateways'),
      now: () => performance.now(),
    })
  }

  get binanceUrl(): string | undefined {
    const reserved = this.#reservedBinance
    return reserved && this.url.replace(/:\d+$/, `:${reserved.port}`)
  }

  get gateways(): number {
    return this.#options.count
  }

  get limitBans(): LimitBans {
    return this.#started().limitBans
  }

  lastUsed(apiKey: string): TimeMs | undefined {
    return this.#started().keyUse.lastUsed(apiKey)
  }

  start({ views: { market } }: NodeExchange): StreamUse {
    const { settings, times, meter } = this.#options
    const hub = new CountHub({
      sessionKeys: this.#shareSessionKeys(),
      limits: settings.gateway.limits,
      orderTerms: orderTermsIn(market.registry),
      // The journal's time counts too: after a restart with the clock set back, requests that were carried
      // out before it stay refused.
      nonces: new MemoryNonces(Math.max(times.now(), market.startedAt)),
      now: times.now,
      onServing: (gateway) => this.#serves(gateway),
      onMeters: (gateway, meters) => {
        meter.take(gateway, meters)
        this.#hangs.heard(gateway)
      },
      onGone: (gateway) => this.#linkLost(gateway),
    })
    this.#hub = hub
    this.#links = new LinkServer({
      listen: { socketPath: this.#socketPath },
      secrets: [this.#secret],
      onNote: (note) => this.#linkNoted(note),
      openCounts: (gateway, send) => hub.open(gateway, send),
      scheduler: backgroundScheduler(this.#options.log, 'a link'),
    })
    return meter
  }

  /** Resolves when all gateways serve. Rejects with `GatewaysFault`. */
  open({ engine, history }: NodeExchange, journal: string): Promise<void> {
    const { clockBoard } = this.#options
    const clock = () => clockBoard.read()
    this.#links?.serve({ kind: 'leader', journal, name: 'engine', epoch: 0, engine, history, clock })
    this.#isOpen = true
    this.#send({ kind: 'serve' })
    return this.#allServe.promise
  }

  renewTls(tls: TlsMaterial): void {
    this.#tls = tls
    this.#send({ kind: 'renewTls', tls })
  }

  announceStop(inMs: number): void {
    this.#send({ kind: 'announceStop', inMs })
  }

  async stop(): Promise<void> {
    this.#hangs.stop()
    await this.#processes.stop()
    this.#reserved.release()
    this.#reservedBinance?.release()
    await this.#links?.stop()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #shareSessionKeys(): SessionKeyHub | undefined {
    const { customers, log } = this.#options
    if (customers === undefined) return undefined
    return new SessionKeyHub({
      keys: customers.sessionKeys,
      cut: (gateway) => {
        log.error({ gateway }, 'a gateway does not confirm that a session has ended, and is stopped')
        this.#childByName.get(gateway)?.kill()
      },
      scheduler: backgroundScheduler(log, 'session keys'),
    })
  }

  #started(): CountHub {
    invariant(this.#hub !== undefined, 'the admin server opens once the exchange has started')
    return this.#hub
  }

  #send(order: GatewayOrder): void {
    for (const child of this.#childByName.values()) child.send(order)
  }

  #startChild(name: string): Child {
    const child = spawnChild()
    this.#childByName.set(name, child)
    const { settings, version, count } = this.#options
    child.send({
      kind: 'start',
      name,
      gateways: count,
      version,
      logLevel: settings.logLevel,
      server: { ...settings.server, port: this.#reserved.port, sharesPort: true },
      binancePort: this.#reservedBinance?.port,
      config: settings.gateway,
      stream: settings.stream,
      tls: this.#tls,
      masterKeys: this.#masterKeys,
      socketPath: this.#socketPath,
      peerSockets: this.#peerSockets,
      secret: this.#secret,
      customers: this.#options.customers?.place,
    })
    if (this.#isOpen) child.send({ kind: 'serve' })
    return child
  }

  #serves(gateway: string): void {
    const { count, meter, log } = this.#options
    meter.serves(gateway)
    this.#hangs.serves(gateway)
    log.info({ gateway }, 'the gateway serves clients')
    if (meter.serving < count) return
    this.#isStarted = true
    this.#reserved.release()
    this.#reservedBinance?.release()
    this.#allServe.resolve()
  }

  #linkLost(gateway: string): void {
    // It is watched until its process has ended: a process that hangs loses its link because it does not
    // read, or does not answer in time.
    this.#options.meter.gone(gateway)
  }

  #hung(gateway: string): void {
    this.#options.log.error(
      { gateway, silentMs: HUNG_MS },
      'a gateway has not responded for too long and is stopped',
    )
    this.#childByName.get(gateway)?.kill()
  }

  #noted(note: KeptProcessNote): void {
    const { log, meter } = this.#options
    const { kind, name: gateway, ...others } = note
    const fields = { gateway, ...others }
    if (kind === 'ProcessStarted') {
      log.debug(fields, 'a gateway process started')
      return
    }
    meter.ended++
    this.#hangs.gone(gateway)
    log.error(fields, 'a gateway process exited and is replaced')
    if (!this.#isStarted && meter.ended >= FAILED_STARTS_MAX) {
      const problem = `gateways exited ${meter.ended} times before all of them served clients; see the log`
      this.#allServe.reject(new GatewaysFault(problem))
    }
  }

  #linkNoted(note: LinkNote): void {
    const { log } = this.#options
    if (note.kind === 'LinkOpened') log.debug({ gateway: note.name }, 'a link was opened')
    else log.debug({ gateway: note.name, problem: note.fault.message }, 'a link has ended')
  }

  #masterKeyChanged(change: KeyRingChange): void {
    if (change.kind === 'begun') {
      const newest = digitsOf(change.newest)
      this.#masterKeys = [newest, ...this.#masterKeys.slice(0, 1)]
      this.#send({ kind: 'masterKey', newest })
    } else {
      this.#masterKeys = this.#masterKeys.slice(0, 1)
      this.#send({ kind: 'retireMasterKey' })
    }
  }
}

function digitsOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

/** Throws `SettingsError`. */
function socketPath(directory: string, name: string): string {
  const whole = path.resolve(directory, name)
  if (Buffer.byteLength(whole) <= SOCKET_PATH_BYTES_MAX) return whole
  const expected = `expected a data directory in which a socket has a path of at most ${SOCKET_PATH_BYTES_MAX} bytes`
  throw new SettingsError(`gateways: ${expected}, found ${whole}`)
}

/** Starts this program again, with nothing secret in its arguments. */
function spawnChild(): Child {
  const child = Bun.spawn([...ownProgram(), GATEWAY_COMMAND], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
    // The runtime's own bound, 256, would let polls of other gateways' sessions wait for each other.
    env: plainEnvironment({ BUN_CONFIG_MAX_HTTP_REQUESTS: String(FORWARDED_MAX) }),
  })
  const { stdin } = child
  const send = (order: GatewayOrder): void => {
    // A gateway that has ended gets no messages; its successor gets the full state.
    if (child.exitCode === null && child.signalCode === null) writeOrder(stdin, order)
  }
  return {
    exited: child.exited,
    send,
    stop: () => send({ kind: 'stop' }),
    kill: () => child.kill('SIGKILL'),
  }
}
