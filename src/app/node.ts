/**
 * One node, all in one process: this file is the diagram.
 *
 *   clients ──> HTTP, stream ─┐             ┌──> engine (worker) ──> journal
 *   operator ─> admin door ───┴─ commands ──┘      │         │
 *               views <──────── events, replies ───┘         │ durable batches
 *               history questions ──> follower (worker) <────┘──> history, snapshots
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { ensureDirectory, fileFault, writeWhole } from '../drivers/files/directory.ts'
import type { ThreadEngine } from '../drivers/thread/engine-client.ts'
import type { EventBatch } from '../engine/ports.ts'
import type { AdminContext } from '../gateway/admin/context.ts'
import { type AdminDoor, openAdminDoor } from '../gateway/admin/door.ts'
import { createSecretBox, type SecretBox } from '../gateway/auth/secret-box.ts'
import type { Clock } from '../gateway/clock.ts'
import { type AnsweredRequest, createGateway } from '../gateway/gateway.ts'
import type { Logger } from '../gateway/logger.ts'
import { type HttpServer, openServer, type TlsMaterial } from '../gateway/server.ts'
import { createStream, type Stream } from '../gateway/stream/stream.ts'
import type { TimeMs } from '../units/quantities.ts'
import { ADMIN_FILE, type AdminAddress } from '../wire/admin.ts'
import { loadMasterKey, settleMasterKey } from './master-key.ts'
import { logRecovery, noteLogger } from './node-log.ts'
import { type NodeViews, startNodeViews } from './node-views.ts'
import { createPage } from './page.ts'
import { bindPort } from './port.ts'
import type { Settings } from './settings/settings.ts'
import { type FollowerThread, startEngineThread, startFollowerThread } from './threads.ts'
import { readTls, renewTls } from './tls.ts'
import { TradingGuard } from './trading-guard.ts'
import { writeWhenRoom } from './when-room.ts'

/** Random bytes of the admin door's token. */
const TOKEN_BYTES = 32
/** How long an engine that could not take a halt is left alone. */
const HALT_RETRY_MS = 500
/** How often a start on a full disk looks for room. */
const ROOM_RETRY_MS = 250

const clock: Clock = { now: () => Date.now() as TimeMs }

export type NodeOptions = { readonly settings: Settings; readonly version: string; readonly log: Logger }

type Parts = FollowerThread &
  NodeViews & {
    readonly settings: Settings
    readonly log: Logger
    readonly engine: ThreadEngine
    readonly secretBox: SecretBox
    readonly server: HttpServer
    readonly stream: Stream
    readonly admin: AdminDoor
  }

/**
 * Recovers from the data directory and starts every part; clients get in with `open`. Rejects with the fault of
 * the part that could not start, after which the process must end.
 */
export async function startNode({ settings, version, log }: NodeOptions): Promise<Node> {
  const { dataDirectory, acceptJournalTail } = settings
  const tls = settings.tls === undefined ? undefined : readTls(settings.tls)
  makeDataDirectory(dataDirectory)
  const masterKey = loadMasterKey(dataDirectory, settings.masterKey)
  const secretBox = createSecretBox(masterKey.bytes, (size) => randomBytes(size))

  const replaying = Promise.withResolvers<void>()
  const { engine, batches, feed } = startEngineThread({
    dataDirectory,
    acceptJournalTail,
    limits: settings.engine,
    onProgress: (progress) => {
      log.info(progress, 'replaying the journal')
      replaying.resolve()
    },
  })
  // An engine that replays has the directory; only then may the port be taken. Clients get STARTING meanwhile.
  await Promise.race([engine.ready, replaying.promise])
  const { gateway, server } = openDoor(settings, secretBox, tls, log)
  const recovery = await engine.ready
  logRecovery(log, recovery)

  const guard = new TradingGuard(log)
  const logNote = noteLogger(log)
  let isStarted = false
  const thread = startFollowerThread({
    dataDirectory,
    acceptJournalTail,
    limits: settings.follower,
    journalEnd: recovery.seq,
    batches,
    onNote: (note) => {
      // At a start it is the death of the node, and told as such.
      if (note.kind === 'historyFileDamaged' && !isStarted) return
      logNote(note)
      if (note.kind === 'AuditFailed') guard.alarm(note)
    },
  })
  let publish = (_batch: EventBatch): void => {}
  const views = await startNodeViews(engine, thread, (batch) => publish(batch))
  settleMasterKey(dataDirectory, masterKey, secretBox, views.someApiKeys)
  const { market, accounts } = views
  const addressOf = gateway.addressOf.bind(gateway)
  const stream = createStream({ market, config: settings.stream, clock, logger: log, addressOf })
  publish = (batch) => stream.publish(batch)
  guard.start({ engine, registry: market.registry, untilRetry: () => Bun.sleep(HALT_RETRY_MS) })

  const lastUsed = gateway.keyUse.lastUsed.bind(gateway.keyUse)
  const reading = { registry: market.registry, accounts, seq: () => market.seq, lastUsed }
  const context = { ...reading, engine, feed, version, sealSecret: secretBox.seal }
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  const admin = openAdmin(settings, token, context, log)
  isStarted = true
  const node = new Node({ ...thread, ...views, settings, log, engine, secretBox, server, stream, admin })
  await node.writeFile(ADMIN_FILE, adminFileText({ url: admin.url, token, pid: process.pid }))
  return node
}

/** The public port. Until it is told of an exchange, every answer is STARTING. */
function openDoor(settings: Settings, secretBox: SecretBox, tls: TlsMaterial | undefined, logger: Logger) {
  const { hostname, port } = settings.server
  const isTold = settings.logLevel === 'debug'
  const gateway = createGateway({
    config: settings.gateway,
    clock,
    secretBox,
    logger,
    pages: createPage(),
    ...(isTold ? { onAnswered: (answered: AnsweredRequest) => logger.info(answered, 'answered') } : {}),
  })
  const server = bindPort(hostname, port, '--port', () => openServer(settings.server, gateway, tls))
  return { gateway, server }
}

/** Only who may read the data directory's private files may use the door. */
function adminFileText(address: AdminAddress): string {
  return `${JSON.stringify(address)}\n`
}

function openAdmin(
  { adminPort: port }: Settings,
  token: string,
  context: AdminContext,
  log: Logger,
): AdminDoor {
  return bindPort('127.0.0.1', port, '--admin-port', () => openAdminDoor({ context, token, port, log }))
}

/** A running node, as the composition that started it may use it. */
export class Node {
  readonly #parts: Parts
  /** Rejects when a part has died: the process must end. Never resolves. */
  readonly failed: Promise<never>

  constructor(parts: Parts) {
    this.#parts = parts
    const failed = Promise.withResolvers<never>()
    parts.engine.ended.catch(failed.reject)
    parts.follower.ended.catch(failed.reject)
    // Whoever runs the node watches this; a death before that must not end the process by itself.
    failed.promise.catch(() => {})
    this.failed = failed.promise
  }

  /** `http://host:port`, where a program on this machine reaches it. */
  get baseUrl(): string {
    return this.#parts.server.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  }

  /** `http://127.0.0.1:port` */
  get adminUrl(): string {
    return this.#parts.admin.url
  }

  get engine(): ThreadEngine {
    return this.#parts.engine
  }

  get views(): NodeViews {
    return this.#parts
  }

  get secretBox(): SecretBox {
    return this.#parts.secretBox
  }

  /**
   * Puts a small private file into the data directory, durably; on a full disk it waits for room. Rejects when a part of
   * the node dies meanwhile.
   */
  async writeFile(name: string, text: string): Promise<void> {
    const { settings, log } = this.#parts
    const file = path.join(settings.dataDirectory, name)
    const write = (): void => writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(text)])
    const untilRetry = (): Promise<void> => Bun.sleep(ROOM_RETRY_MS)
    await Promise.race([writeWhenRoom(file, write, { log, untilRetry }), this.failed])
  }

  /** Lets clients in; until then every answer is STARTING. */
  open(): void {
    const { server, engine, history, market, stream } = this.#parts
    server.open({ engine, history, market }, stream)
  }

  /** Takes the certificate that the files hold now. */
  renewCertificate(): void {
    const { server, settings, log } = this.#parts
    renewTls(server, settings.tls, log)
  }

  /** Refuses what is new, answers what was taken, brings history and snapshots up to date, closes the journal. */
  async stop(): Promise<void> {
    const { server, admin, follower, history, market, engine, log } = this.#parts
    await this.#closeDoors(server, admin)
    await Promise.race([follower.finish(market.seq), this.failed])
    history.close('STOPPING')
    const { snapshotProblem } = await engine.stop()
    if (snapshotProblem !== undefined) log.warn({ problem: snapshotProblem }, 'no snapshot at the stop')
  }

  /** A part has died: answers what can be answered, so that no client waits for nothing. */
  async abandon(): Promise<void> {
    const { server, admin, history } = this.#parts
    history.close('ENGINE_DOWN')
    await this.#closeDoors(server, admin)
  }

  async #closeDoors(server: HttpServer, admin: AdminDoor): Promise<void> {
    rmSync(path.join(this.#parts.settings.dataDirectory, ADMIN_FILE), { force: true })
    await Promise.all([server.stop(), admin.stop()])
  }
}

function makeDataDirectory(dataDirectory: string): void {
  try {
    ensureDirectory(dataDirectory)
  } catch (cause) {
    throw fileFault(cause, `cannot make the data directory ${dataDirectory}`)
  }
}
