/** A running node: how it admits clients, how it stops, and how it reacts when a part fails. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_FILE } from '../../contract/admin/admin.ts'
import type { SecretBox } from '../../server/access/auth/secret-box.ts'
import type { AdminServer } from '../../server/admin/admin-server.ts'
import type { Logger } from '../../server/common/logger.ts'
import { writeWhole } from '../../storage/files/directory.ts'
import type { Settings } from '../settings/defaults.ts'
import type { NodeExchange } from './exchange.ts'
import { raceFailures } from './race-failures.ts'
import type { ClientService } from './serving/client-service.ts'
import type { Monitoring } from './serving/monitoring.ts'
import { reachableUrl } from './serving/port.ts'
import { renewTls } from './serving/tls.ts'
import type { Taken } from './taken.ts'
import { waitForStorage } from './upkeep/wait-for-storage.ts'
import type { NodeViews } from './views.ts'

/** Interval at which a start on a full disk checks for space. */
const ROOM_RETRY_MS = 250

export type NodeParts = {
  readonly settings: Settings
  readonly log: Logger
  readonly secretBox: SecretBox
  readonly exchange: NodeExchange
  /** The name of its journal. */
  readonly journal: string
  readonly clients: ClientService
  readonly admin: AdminServer
  /** Undefined if operators can only connect from this machine. */
  readonly remoteAdmin: AdminServer | undefined
  /** Services that send data to other machines. */
  readonly webhooks: { stop(): Promise<void> }
  readonly monitoring: Monitoring
  /** Service for standbys; undefined if there are none. */
  readonly replication: NodeReplication | undefined
  /** Service that archives older commands; undefined if there is none. */
  readonly archiveRule: { readonly hasFailed: boolean; stop(): Promise<void> } | undefined
  /** Everything that its start has acquired: ports, threads, and their periodic checks. */
  readonly taken: Pick<Taken, 'releaseAll'>
}

/** Part of `Replication`, which is loaded where it is used. */
export type NodeReplication = {
  /** Rejects when another node is found to have taken over. */
  readonly superseded: Promise<never>
  /** Resolves when its standbys have the whole journal, or take too long. */
  drain(): Promise<void>
  /** Stops serving standbys. */
  stop(): Promise<void>
}

/** A running node, with the functions for the composition that started it. */
export class Node {
  readonly #parts: NodeParts
  /** Rejects when a part has failed: the process must end. Never resolves. */
  readonly failed: Promise<never>
  /** Whether its servers are closed: the file with their addresses must then no longer be written. */
  #isClosed = false

  constructor(parts: NodeParts) {
    this.#parts = parts
    const { exchange, replication } = parts
    this.failed =
      replication === undefined ? exchange.failed : Promise.race([exchange.failed, replication.superseded])
    this.failed.catch(() => parts.monitoring.health.enter('FAILED'))
  }

  /** `http://host:port`, the address for a program on this machine. */
  get baseUrl(): string {
    return reachableUrl(this.#parts.clients.url)
  }

  /** The same for the port for clients of Binance; undefined if there is none. */
  get binanceUrl(): string | undefined {
    const { binanceUrl } = this.#parts.clients
    return binanceUrl === undefined ? undefined : reachableUrl(binanceUrl)
  }

  /** Number of gateways that serve clients. */
  get gateways(): number {
    return this.#parts.clients.gateways
  }

  /** `http://127.0.0.1:port` */
  get adminUrl(): string {
    return this.#parts.admin.url
  }

  /** `http://host:port` of health and metrics. */
  get monitoringUrl(): string {
    return this.#parts.monitoring.url
  }

  get engine(): NodeExchange['engine'] {
    return this.#parts.exchange.engine
  }

  get views(): NodeViews {
    return this.#parts.exchange.views
  }

  get secretBox(): SecretBox {
    return this.#parts.secretBox
  }

  /**
   * Puts a small private file into the data directory, durably; on a full disk it waits for space. Rejects
   * when a part of the node fails in the meantime.
   */
  async writeFile(name: string, text: string): Promise<void> {
    await this.#write(name, text, () => Bun.sleep(ROOM_RETRY_MS))
  }

  /**
   * Writes a file that is not awaited: on a full disk it resolves at once, and the file is written once there
   * is space.
   */
  async writeFileSoon(name: string, text: string): Promise<void> {
    const full = Promise.withResolvers<void>()
    const writing = this.#write(name, text, () => {
      full.resolve()
      return Bun.sleep(ROOM_RETRY_MS)
    })
    await Promise.race([writing, full.promise])
    writing.catch((err) => this.#parts.log.error({ name, err }, 'a file of the data directory is missing'))
  }

  /**
   * Writes the address for operators' programs into the data directory; the file is removed when the servers
   * are closed.
   */
  writeAdminFile(text: string): Promise<void> {
    return this.writeFileSoon(ADMIN_FILE, text)
  }

  async #write(name: string, text: string, untilRetry: () => Promise<void>): Promise<void> {
    const { settings, log } = this.#parts
    const file = path.join(settings.dataDirectory, name)
    const write = (): void => {
      if (this.#isClosed) return
      writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(text)])
    }
    await Promise.race([waitForStorage(file, write, { log, untilRetry }), this.failed])
  }

  /**
   * Admits clients; until then every answer is STARTING. The follower reads its state afterwards: a start
   * takes half the time where states are large (`npm run bench -- recovery`). Resolves when clients are
   * served; rejects when a part has failed in the meantime.
   */
  async open(): Promise<void> {
    const { clients, exchange, journal, monitoring } = this.#parts
    const opening = clients.open(exchange, journal)
    if (opening === undefined) {
      monitoring.health.enter('READY')
      exchange.begin()
      return
    }
    // Gateways of other processes read the history before they serve.
    exchange.begin()
    await raceFailures(opening, [this.failed])
    monitoring.health.enter('READY')
  }

  /** Applies the certificate in the files. */
  renewCertificate(): void {
    const { clients, remoteAdmin, settings, log, monitoring } = this.#parts
    const renewed = renewTls(clients, settings.tls, log)
    if (renewed === undefined) return
    remoteAdmin?.renewTls(renewed)
    monitoring.certificateRenewed(renewed.expiresAtMs)
  }

  /**
   * Reports from now on that it is not ready, and continues serving for as long as a load balancer may need
   * to notice. Called before `stop`.
   */
  async drain(): Promise<void> {
    const { settings, monitoring, clients } = this.#parts
    monitoring.health.enter('STOPPING')
    clients.announceStop(settings.drainDelayMs)
    if (settings.drainDelayMs > 0) await Promise.race([Bun.sleep(settings.drainDelayMs), this.failed])
  }

  /**
   * Refuses new commands, answers accepted ones, brings history and snapshots up to date, closes the journal.
   * No part of the node runs in this process afterwards, even if the stop failed on the way. Rejects as
   * `failed` does.
   */
  async stop(): Promise<void> {
    try {
      await this.#stopInOrder()
    } finally {
      await this.#parts.taken.releaseAll()
    }
  }

  async #stopInOrder(): Promise<void> {
    const { exchange, log, clients, replication, archiveRule } = this.#parts
    // Notifies clients that connected after the drain began.
    clients.announceStop(0)
    await archiveRule?.stop()
    await this.#closeServers()
    if (replication !== undefined) {
      // A later command of the engine itself would not be sent to standbys.
      await exchange.settle()
      await replication.drain()
    }
    const { snapshotProblem } = await exchange.stop()
    await replication?.stop()
    if (snapshotProblem !== undefined)
      log.warn({ problem: snapshotProblem }, 'no snapshot was written while stopping')
  }

  /**
   * Called when a part fails: answers the pending requests where possible, so that no client waits in vain.
   */
  async abandon(): Promise<void> {
    this.#parts.exchange.abandon()
    const { replication, archiveRule } = this.#parts
    await Promise.all([this.#closeServers(), replication?.stop(), archiveRule?.stop()])
  }

  async #closeServers(): Promise<void> {
    const { settings, clients, admin, remoteAdmin, webhooks } = this.#parts
    this.#isClosed = true
    rmSync(path.join(settings.dataDirectory, ADMIN_FILE), { force: true })
    await Promise.all([clients.stop(), admin.stop(), remoteAdmin?.stop(), webhooks.stop()])
  }
}
