/**
 * The operators' server of an engine process: while the engine leads it is the admin server; otherwise it
 * reports which engine leads. Both share one port.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_FILE, type AdminAddress } from '../../../contract/admin/admin.ts'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import type { ServerClock } from '../../../engine/writer/server-clock.ts'
import type { KeyRing } from '../../../server/access/auth/key-ring.ts'
import { type AdminServer, openAdminServer } from '../../../server/admin/admin-server.ts'
import type { CustomerControl } from '../../../server/admin/context.ts'
import { ReferenceTurns } from '../../../server/admin/reference-turns.ts'
import { TokenUse } from '../../../server/admin/roles/token-use.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { writeWhole } from '../../../storage/files/directory.ts'
import type { HistoryClient } from '../../../transport/thread/history-client.ts'
import type { CountHub } from '../../gateways/count-hub.ts'
import { reportRunner } from '../../maintenance/reports/report-maker.ts'
import type { LoadedMasterKey } from '../../node/load-master-key.ts'
import { settleSecrets } from '../../node/master-key-keeper.ts'
import { createOperatorPage } from '../../node/page/create-page.ts'
import type { Monitoring } from '../../node/serving/monitoring.ts'
import { bindPort } from '../../node/serving/port.ts'
import type { Settings } from '../../settings/defaults.ts'
import type { Lead } from './lead.ts'
import { adminUrl, openWaitingAdminServer, type WaitingAdminServer } from './waiting-admin-server.ts'

/** Number of random bytes in the token that the process itself issues. */
const TOKEN_BYTES = 32

export type EngineAdminServerOptions = {
  readonly settings: Settings
  readonly version: ProgramVersion
  readonly log: Logger
  readonly feed: BatchFeed
  readonly clock: ServerClock
  readonly monitoring: Pick<Monitoring, 'read' | 'load' | 'url' | 'orderStops'>
  /** The message to operators while the engine does not lead. */
  readonly statusText: () => string
}

export type EngineAdminServerLead = {
  readonly lead: Lead
  readonly history: HistoryClient
  readonly counts: CountHub
  readonly masterKey: LoadedMasterKey
  readonly secretBox: KeyRing
  /** Undefined if there are no customers. */
  readonly customers: CustomerControl | undefined
}

export class EngineAdminServer {
  readonly #options: EngineAdminServerOptions
  readonly #token = randomBytes(TOKEN_BYTES).toString('hex')
  /** The token of the customers processes, whose requests this process passes on. */
  readonly #customersToken = randomBytes(TOKEN_BYTES).toString('hex')
  readonly #port: number
  readonly #tokenUse = new TokenUse()
  readonly #page = createOperatorPage()
  #server: AdminServer | WaitingAdminServer | undefined
  /** Changes run one after another. */
  #turn: Promise<void> = Promise.resolve()
  #isStopped = false

  /** Binds the port, and writes its address into the data directory. Throws `PortFault`, `JournalFault`. */
  constructor(options: EngineAdminServerOptions) {
    this.#options = options
    const { settings, monitoring } = options
    const server = this.#wait(settings.adminPort)
    this.#port = server.port
    this.#server = server
    const address: AdminAddress = {
      url: this.url,
      token: this.#token,
      monitoringUrl: monitoring.url,
      pid: process.pid,
    }
    const text = new TextEncoder().encode(`${JSON.stringify(address)}\n`)
    writeWhole(this.#file, `${this.#file}.tmp`, [text])
  }

  /** `http://host:port` */
  get url(): string {
    return adminUrl(this.#options.settings.adminHost, this.#port)
  }

  /** For the customers processes. */
  get ofCustomers(): { readonly url: string; readonly token: string } {
    return { url: this.url, token: this.#customersToken }
  }

  /** Called when the engine leads. Rejects with `MasterKeyFault` if the secrets cannot be decrypted. */
  open(opened: EngineAdminServerLead): Promise<void> {
    const { settings, log, feed, clock, version, monitoring } = this.#options
    const { lead, history, counts, masterKey, secretBox, customers } = opened
    const { market, accounts, backOffice } = lead.views
    const sealing = settleSecrets({ settings, log, masterKey, secretBox, accounts })
    const context = {
      ...{ registry: market.registry, accounts, backOffice, engine: lead.engine, feed, history, version },
      journal: lead.report.journal,
      seq: () => market.seq,
      tokenUse: this.#tokenUse,
      referenceTurns: new ReferenceTurns(),
      lastUsed: counts.keyUse.lastUsed.bind(counts.keyUse),
      limitBans: counts.limitBans,
      now: () => clock.steady(),
      clock: () => clock.status(),
      measures: monitoring,
      ...sealing,
      customers,
      // Another leader would not have the positions of the webhooks.
      webhooks: undefined,
      reports: reportRunner({
        dataDirectory: settings.dataDirectory,
        address: () => ({ url: this.url, token: this.#token }),
      }),
    }
    const hostname = settings.adminHost
    return this.#replace(() =>
      openAdminServer({
        ...{ context, token: this.#token, page: this.#page, log, hostname, port: this.#port },
        customersToken: customers && this.#customersToken,
      }),
    )
  }

  /** Called when the engine no longer leads. */
  close(): Promise<void> {
    return this.#replace(() => this.#wait(this.#port))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    rmSync(this.#file, { force: true })
    await this.#turn
    await this.#server?.stop()
    this.#server = undefined
  }

  get #file(): string {
    return path.join(this.#options.settings.dataDirectory, ADMIN_FILE)
  }

  #wait(port: number): WaitingAdminServer {
    const { settings, statusText } = this.#options
    const { adminHost: hostname } = settings
    const waiting = { hostname, port, statusText, page: this.#page }
    return bindPort(hostname, port, 'engines[].admin', () => openWaitingAdminServer(waiting))
  }

  #replace(open: () => AdminServer | WaitingAdminServer): Promise<void> {
    const replaced = this.#turn.then(async () => {
      if (this.#isStopped) return
      await this.#server?.stop()
      this.#server = undefined
      this.#server = open()
    })
    this.#turn = replaced.catch(() => {})
    return replaced
  }
}
