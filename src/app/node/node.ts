/**
 * One node, all in one process: this file is the diagram.
 *
 *   clients ──> HTTP, stream ─┐             ┌──> engine (worker) ──> journal
 *   operator ─> admin server ─┴─ commands ──┘      │         │
 *               views <──────── events, replies ───┘         │ durable batches
 *               history questions ──> follower (worker) <────┘──> history, snapshots
 *   probes ───> monitoring ─ reads what all of them count
 */
import { randomBytes } from 'node:crypto'
import type { EventBatch } from '../../core/exchange/event.ts'
import { ensureDirectory, fileFault } from '../../drivers/files/directory.ts'
import { storageUse } from '../../drivers/files/usage.ts'
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { ClockSources } from '../../engine/journal-clock.ts'
import type { EngineMeter } from '../../engine/meters.ts'
import { ServerClock } from '../../engine/server-clock.ts'
import { KeyRing } from '../../gateway/access/auth/key-ring.ts'
import type { SecretBox } from '../../gateway/access/auth/secret-box.ts'
import {
  type AdminServer,
  type AdminServerOptions,
  openAdminServer,
} from '../../gateway/admin/admin-server.ts'
import type { Clock } from '../../gateway/common/clock.ts'
import type { Logger } from '../../gateway/common/logger.ts'
import { type AnsweredRequest, createGateway } from '../../gateway/public/gateway.ts'
import { openServer } from '../../gateway/public/public-server.ts'
import { isLoopback } from '../../gateway/server/loopback.ts'
import type { TlsMaterial } from '../../gateway/server/renewable-listener.ts'
import { createStream } from '../../gateway/stream/stream.ts'
import { invariant } from '../../units/invariant.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { ADMIN_FILE, type AdminAddress } from '../../wire/admin.ts'
import { settleSecrets } from '../master-key/keeper.ts'
import { loadMasterKey } from '../master-key/load.ts'
import { createPage } from '../page/create-page.ts'
import type { Settings } from '../settings/defaults.ts'
import { acceptClock, clockLogger } from './clock-watch.ts'
import { logRecovery, noteLogger } from './log-notes.ts'
import { Monitoring } from './monitoring.ts'
import { bindPort } from './port.ts'
import { settleRules } from './rules.ts'
import { Node } from './running-node.ts'
import { StorageWatch, watchEngineStorage } from './storage-watch.ts'
import {
  type FollowerThread,
  type FollowerWorkerNote,
  type FollowerWorkerStart,
  startEngineThread,
  startFollowerThread,
} from './threads.ts'
import { readTls } from './tls.ts'
import { TradingGuard } from './trading-guard.ts'
import { startNodeViews } from './views.ts'

/** Random bytes of the admin server's token. */
const TOKEN_BYTES = 32
/** How long an engine that could not take a command of the node's own is left alone. */
const RETRY_MS = 500

const CLOCK: ClockSources = { wall: () => Date.now() as TimeMs, monotonicMs: () => performance.now() }

export type NodeOptions = { readonly settings: Settings; readonly version: string; readonly log: Logger }

/**
 * Recovers from the data directory and starts every part; clients get in with `open`. Rejects with the fault of
 * the part that could not start, after which the process must end.
 */
export async function startNode({ settings, version, log }: NodeOptions): Promise<Node> {
  const { dataDirectory } = settings
  const tls = settings.tls === undefined ? undefined : readTls(settings.tls)
  makeDataDirectory(dataDirectory)
  const masterKey = loadMasterKey(dataDirectory, settings)
  const secretBox = new KeyRing(masterKey, (size) => randomBytes(size))

  const { engine, batches, feed, meter, clock, replaying, storage } = startEngine(settings, log)
  // An engine that replays has the directory; only then may ports be taken. Clients get STARTING meanwhile.
  await Promise.race([engine.ready, replaying])
  const certificateEndMs = tls?.expiresAtMs
  const monitoring = new Monitoring({ settings, version, log, engineMeter: meter, certificateEndMs, clock })
  const { gateway, server } = openPublicServer({ settings, secretBox, tls, log, monitoring, clock })
  const recovery = await engine.ready
  logRecovery(log, recovery)

  const guard = new TradingGuard(log)
  let isStarted = false
  const feeding = { journalEnd: recovery.seq, batches }
  const told = { log, storage, monitoring, guard, isStarted: () => isStarted }
  const thread = startFollower({ settings, feeding, ...told })
  let publish = (_batch: EventBatch): void => {}
  const views = await startNodeViews(engine, thread, (batch) => publish(batch))
  const { market, accounts, backOffice } = views
  const sealing = settleSecrets({ settings, log, masterKey, secretBox, accounts })
  const addressOf = gateway.addressOf.bind(gateway)
  const onCut = gateway.noteFlood.bind(gateway)
  const times = { now: () => clock.steady(), clock: () => clock.status() }
  const streaming = { market, config: settings.stream, clock: times, logger: log, addressOf, onCut }
  const stream = createStream(streaming)
  publish = (batch) => {
    monitoring.market.count(batch)
    stream.publish(batch)
  }
  monitoring.start({ engine, market, accounts, stream, followerMeter: thread.meter })
  const untilRetry = () => Bun.sleep(RETRY_MS)
  guard.start({ engine, registry: market.registry, untilRetry })
  await settleRules({ engine, recovery, log, untilRetry })

  const lastUsed = gateway.keyUse.lastUsed.bind(gateway.keyUse)
  const reading = { registry: market.registry, accounts, backOffice, seq: () => market.seq, lastUsed }
  const { limitBans } = gateway
  const running = { engine, feed, history: thread.history, limitBans, ...times }
  const context = { ...reading, ...running, ...sealing, version }
  if (settings.acceptClock) await acceptClock(engine, times.clock, log)
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  const adminServers = openAdmin(settings, tls, { context, token, log })
  isStarted = true
  const node = new Node({
    ...thread,
    ...views,
    settings,
    log,
    engine,
    secretBox,
    server,
    stream,
    ...adminServers,
    monitoring,
  })
  const address = { url: adminServers.admin.url, token, monitoringUrl: monitoring.url, pid: process.pid }
  await node.writeFile(ADMIN_FILE, adminFileText(address))
  return node
}

/** The engine's thread; `replaying` resolves when it has begun to replay the journal. */
function startEngine(settings: Settings, log: Logger) {
  const { dataDirectory, acceptJournalTail, engine: limits, clock: clockLimits } = settings
  const replaying = Promise.withResolvers<void>()
  const onProgress = (progress: object): void => {
    log.info(progress, 'replaying the journal')
    replaying.resolve()
  }
  const onClock = clockLogger(log, dataDirectory)
  const told = { onProgress, onClock }
  const thread = startEngineThread({ dataDirectory, acceptJournalTail, limits, clockLimits, ...told })
  const clock = new ServerClock(thread.clockBoard, CLOCK)
  const storage = watchStorage(dataDirectory, thread.meter, log)
  return { ...thread, clock, storage, replaying: replaying.promise }
}

type FollowerParts = {
  readonly settings: Settings
  readonly log: Logger
  readonly storage: StorageWatch
  readonly monitoring: Monitoring
  readonly guard: TradingGuard
  readonly feeding: Pick<FollowerWorkerStart, 'journalEnd' | 'batches'>
  readonly isStarted: () => boolean
}

/** The follower's thread; what it says goes to those whom it concerns. */
function startFollower({
  settings,
  log,
  storage,
  monitoring,
  guard,
  feeding,
  isStarted,
}: FollowerParts): FollowerThread {
  const { dataDirectory, acceptJournalTail, follower: limits } = settings
  const logNote = noteLogger(log, storage)
  const onNote = (note: FollowerNote | FollowerWorkerNote): void => {
    // At a start it is the death of the node, and told as such.
    if (note.kind === 'HistoryFileDamaged' && !isStarted()) return
    logNote(note)
    monitoring.note(note)
    if (note.kind === 'AuditFailed') guard.alarm(note)
  }
  return startFollowerThread({ dataDirectory, acceptJournalTail, limits, ...feeding, onNote })
}

type ServerParts = {
  readonly settings: Settings
  readonly secretBox: SecretBox
  readonly tls: TlsMaterial | undefined
  readonly log: Logger
  readonly monitoring: Monitoring
  readonly clock: Clock
}

function watchStorage(dataDirectory: string, meter: EngineMeter, log: Logger): StorageWatch {
  const freeBytes = (): number => storageUse(dataDirectory).freeBytes
  const watch = new StorageWatch({ log, dataDirectory, freeBytes, now: () => performance.now() })
  watchEngineStorage(watch, meter)
  return watch
}

/** The public port. Until it is told of an exchange, every answer is STARTING. */
function openPublicServer({ settings, secretBox, tls, log, monitoring, clock }: ServerParts) {
  const { hostname, port } = settings.server
  const isTold = settings.logLevel === 'debug'
  const gateway = createGateway({
    config: settings.gateway,
    clock,
    secretBox,
    logger: log,
    pages: monitoring.pages(createPage()),
    traffic: monitoring.traffic,
    ...(isTold ? { onAnswered: (answered: AnsweredRequest) => log.info(answered, 'answered') } : {}),
  })
  const server = bindPort(hostname, port, '--port', () => openServer(settings.server, gateway, tls))
  return { gateway, server }
}

/** Only who may read the data directory's private files may use the server. */
function adminFileText(address: AdminAddress): string {
  return `${JSON.stringify(address)}\n`
}

/** The server for this machine, and beside it one for others when the settings name an address that they reach. */
function openAdmin(
  { adminHost, adminPort }: Settings,
  tls: TlsMaterial | undefined,
  parts: Pick<AdminServerOptions, 'context' | 'token' | 'log'>,
): { readonly admin: AdminServer; readonly remoteAdmin: AdminServer | undefined } {
  const open = (hostname: string, port: number, more: Partial<AdminServerOptions> = {}): AdminServer =>
    bindPort(hostname, port, '--admin-port', () => openAdminServer({ ...parts, ...more, hostname, port }))
  if (isLoopback(adminHost)) return { admin: open(adminHost, adminPort), remoteAdmin: undefined }
  invariant(tls !== undefined, 'settings with an admin server for others have a certificate')
  const remoteAdmin = open(adminHost, adminPort, { token: undefined, tls })
  parts.log.info({ url: remoteAdmin.url }, 'the admin server is open to other machines, with named tokens')
  return { admin: open('127.0.0.1', 0), remoteAdmin }
}

function makeDataDirectory(dataDirectory: string): void {
  try {
    ensureDirectory(dataDirectory)
  } catch (cause) {
    throw fileFault(cause, `cannot make the data directory ${dataDirectory}`)
  }
}
