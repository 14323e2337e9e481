/**
 * `bourse engine`: one engine of a cluster, all in one process without a public port.
 *
 *   gateways, engines, historians ──links──> main thread ──> engine (worker) ──> journal in the database
 *   operators ──> admin server ─────────────────┘  │              │ batches
 *   probes ──> monitoring                          └─ questions ─> follower (worker) ──> history, snapshots
 *
 * Threads, listeners and monitoring run as long as the process; links and operators are served while the
 * engine leads.
 */

import { randomBytes } from 'node:crypto'
import type { AuditAlarm } from '../../../engine/follower/self-audit.ts'
import type { ClusterNote, LeadReport } from '../../../engine/leadership/cluster-ports.ts'
import { ServerClock } from '../../../engine/writer/server-clock.ts'
import { KeyRing } from '../../../server/access/auth/key-ring.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { ClusterUse } from '../../../server/monitoring/cluster-metrics.ts'
import { Traffic } from '../../../server/monitoring/traffic.ts'
import { ensureDirectory, fileFault } from '../../../storage/files/directory.ts'
import { LinkServer } from '../../../transport/link/serving/link-server.ts'
import type { ThreadEngine } from '../../../transport/thread/engine-client.ts'
import type { Seq } from '../../../units/quantities.ts'
import { clockLogger } from '../../node/clock-watch.ts'
import { type LoadedMasterKey, loadSharedMasterKey } from '../../node/load-master-key.ts'
import { Monitoring } from '../../node/serving/monitoring.ts'
import { missingFrom } from '../../node/storage/cluster-database.ts'
import { storageOf } from '../../node/storage/storage.ts'
import type { Taken } from '../../node/taken.ts'
import type { FollowerThread } from '../../node/threads.ts'
import { backgroundScheduler } from '../../process/background.ts'
import { RestartFault, type RunningProcess } from '../../process/run-node.ts'
import { announce } from './announce.ts'
import { ClusterThread } from './cluster-thread.ts'
import { EngineAdminServer } from './engine-admin-server.ts'
import { EnginesCustomers } from './engine-customers.ts'
import { type EngineProcessOptions, peerLinksOf } from './engine-options.ts'
import { startHistory } from './history-stage.ts'
import { Lead } from './lead.ts'
import { LeadLinks } from './lead-links.ts'
import { isLost } from './lead-loss.ts'
import { PeerRefusals } from './peer-refusals.ts'
import { RoleStatus } from './role-status.ts'
import { StandbyWatch } from './standby-watch.ts'
import { waitingText } from './waiting-text.ts'

export class EngineProcess implements RunningProcess {
  readonly #options: EngineProcessOptions
  readonly #log: Logger
  readonly #status: RoleStatus
  readonly #refusals: PeerRefusals
  readonly #standbys: StandbyWatch
  readonly #thread: ClusterThread
  readonly #clock: ServerClock
  readonly #monitoring: Monitoring
  readonly #links: LeadLinks
  readonly #adminServer: EngineAdminServer
  /** Undefined if the cluster has no customers. */
  readonly #customers: EnginesCustomers | undefined
  readonly #masterKey: LoadedMasterKey
  readonly #failed = Promise.withResolvers<never>()
  readonly #followed = Promise.withResolvers<FollowerThread>()
  #alarms: AuditAlarm[] = []
  #lead: Lead | undefined
  /**
   * The end of the journal when its follower started: the follower's list of quarantined commands is complete
   * up to there.
   */
  #followedFrom = 0 as Seq

  /** Opens ports and threads, and adds them to `taken`. Throws if one is not available. */
  constructor(options: EngineProcessOptions, taken: Taken) {
    const { settings, cluster, version, log, links } = options
    this.#options = options
    this.#log = log
    for (const { promise } of [this.#failed, this.#followed]) promise.catch(() => {})
    this.#masterKey = loadSharedMasterKey(cluster.masterKeyFile)
    makeDirectory(settings.dataDirectory)
    this.#status = new RoleStatus(options.name, log, Date.now)
    this.#refusals = new PeerRefusals(log)
    this.#thread = this.#startThread()
    taken.add('the engine thread', () => this.#thread.end())
    this.#standbys = this.#watchStandbys()
    taken.add('the standby monitor', () => this.#standbys.stop())
    this.#clock = new ServerClock(this.#thread.clockBoard, {
      wall: () => Date.now() as ReturnType<ServerClock['now']>,
      monotonicMs: () => performance.now(),
    })
    this.#monitoring = new Monitoring({
      ...{ settings, version, log, engineMeter: this.#thread.meter, clock: this.#clock },
      certificateEndMs: undefined,
      storage: storageOf(settings).use,
      // The gateways of this engine count their own traffic.
      traffic: new Traffic(),
      gateways: undefined,
      cluster: () => this.#use(),
      member: () => ({
        ...{ name: options.name, members: options.members },
        customers: this.#customers?.processes ?? [],
      }),
    })
    taken.add('the port for probes', () => this.#monitoring.stop())
    this.#links = new LeadLinks({
      ...{ name: options.name, log, limits: settings.gateway.limits },
      ...{ thread: this.#thread, clock: this.#clock, dataDirectory: settings.dataDirectory },
      openServer: (more) => {
        const { listen, secrets } = links.current
        return new LinkServer({ listen, secrets, scheduler: backgroundScheduler(log, 'a link'), ...more })
      },
    })
    taken.add('the port for links', () => this.#links.stop())
    this.#adminServer = new EngineAdminServer({
      ...{ settings, version, log, feed: this.#thread.feed, clock: this.#clock },
      monitoring: this.#monitoring,
      statusText: () => waitingText(options, this.#status),
    })
    taken.add('the port for operators', () => this.#adminServer.stop())
    const { customers } = options
    if (customers !== undefined) {
      const opened = new EnginesCustomers(customers, log)
      taken.add('the port for customers processes', () => opened.stop())
      this.#customers = opened
    }
  }

  /** Resolves when the engine follows or leads and its history is open. Rejects if that will never happen. */
  async begin(taken: Taken): Promise<void> {
    const { settings, log } = this.#options
    const journalEnd = await this.#thread.caughtUp
    this.#followedFrom = journalEnd
    const thread = startHistory({
      ...{ settings, log, monitoring: this.#monitoring, journalEnd, batches: this.#thread.batches },
      onAlarm: (alarm) => this.#alarm(alarm),
      onFailed: this.#failed.reject,
    })
    taken.add('the follower thread', () => thread.end())
    await Promise.race([thread.follower.started, thread.follower.ended, this.#thread.ended])
    thread.follower.begin()
    this.#followed.resolve(thread)
    this.#thread.ended.catch(this.#failed.reject)
    this.#monitoring.health.enter('READY')
  }

  get failed(): Promise<never> {
    return this.#failed.promise
  }

  get urls(): { readonly admin: string; readonly monitoring: string } {
    return { admin: this.#adminServer.url, monitoring: this.#monitoring.url }
  }

  renewCertificate(): void {
    const renewed = this.#options.links.renew(this.#log)
    if (renewed === undefined) return
    this.#links.take(renewed)
    this.#thread.takeLinks(peerLinksOf(renewed))
    this.#customers?.renew()
  }

  async drain(): Promise<void> {
    this.#monitoring.health.enter('STOPPING')
  }

  /**
   * Hands over leadership at once and leaves a snapshot of the current state. History stops at its current
   * position: the next start continues from there.
   */
  async stop(): Promise<void> {
    const { snapshotProblem } = await this.#thread.stop()
    const problem = { problem: snapshotProblem }
    if (snapshotProblem !== undefined) this.#log.warn(problem, 'no snapshot was written while stopping')
    await this.#links.stop()
    await this.#customers?.stop()
    await this.#adminServer.stop()
    const { follower, history } = await this.#followed.promise
    history.close('STOPPING')
    await follower.ended
  }

  /** Gives up leadership before the links end: a follower claims as soon as it has lost its link. */
  async abandon(): Promise<void> {
    this.#monitoring.health.enter('FAILED')
    await this.#thread.halt('another part of the process failed')
    await this.#links.stop()
    await this.#adminServer.stop()
  }

  #startThread(): ClusterThread {
    const { settings, cluster, name, links, database, acceptsDatabase } = this.#options
    const { dataDirectory, engine: limits, clock: clockLimits } = settings
    const { leadership, durability } = cluster
    return new ClusterThread({
      ...{ name, leadership, limits, clockLimits, links: peerLinksOf(links.current) },
      storage: { dataDirectory, database, durability, acceptsDatabase },
      onNote: (note) => this.#note(note),
      onPeer: (answer) => this.#refusals.take(answer),
      onLead: (engine, report) => void this.#leads(engine, report),
      onClock: clockLogger(this.#log, dataDirectory),
    })
  }

  #watchStandbys(): StandbyWatch {
    const { database, cluster, log } = this.#options
    const { durability } = cluster
    return new StandbyWatch({
      look: () => missingFrom(database, durability),
      declared: durability.kind === 'quorum' ? durability.standbys : [],
      leads: () => this.#status.role === 'LEADING',
      log,
      scheduler: backgroundScheduler(log, 'the standby monitor'),
    })
  }

  #alarm(alarm: AuditAlarm): void {
    this.#alarms = [...this.#alarms.filter(({ assetId }) => assetId !== alarm.assetId), alarm]
    this.#lead?.alarm(alarm)
  }

  #note(note: ClusterNote): void {
    this.#status.note(note)
    if (note.kind === 'Following') this.#links.unserve(note.leader)
  }

  /** Never rejects: `failed` has the error that ends the process. */
  async #leads(engine: ThreadEngine, report: LeadReport): Promise<void> {
    const over = (): void => this.#leadIsOver(engine)
    engine.ended.then(over, over)
    try {
      const { history, meter: followerMeter } = await this.#followed.promise
      this.#requireKnownQuarantine(report)
      const lead = await Lead.begin({ engine, report, history, alarms: this.#alarms, log: this.#log })
      this.#lead = lead
      const { market, accounts, backOffice, batches } = lead.views
      this.#monitoring.start({
        engine: lead.engine,
        market,
        accounts,
        backOffice,
        stream: undefined,
        followerMeter,
      })
      batches.subscribe((batch) => this.#monitoring.market.count(batch))
      const customers = this.#customers?.newControl()
      const counts = this.#links.serve(lead, history, customers?.sessionKeys)
      announce(this.#options, { ...report.tail, journal: report.journal })
      const secretBox = new KeyRing(this.#masterKey, (size) => randomBytes(size))
      await this.#adminServer.open({
        ...{ lead, history, counts, masterKey: this.#masterKey, secretBox, customers },
      })
      const { journal, epoch } = report
      if (this.#lead === lead)
        this.#customers?.lead({
          name: this.#options.name,
          journal,
          epoch,
          admin: this.#adminServer.ofCustomers,
        })
    } catch (cause) {
      // Losing leadership while the lead begins is not a fault: the thread continues without it.
      if (!(await isLost(engine))) this.#failed.reject(cause)
    }
  }

  #leadIsOver(engine: ThreadEngine): void {
    const { leader } = this.#status
    this.#links.unserve(leader === this.#options.name ? undefined : leader)
    this.#customers?.lead(undefined)
    void this.#adminServer.close()
    this.#monitoring.pause()
    if (this.#lead?.engine === engine.port) this.#lead = undefined
  }

  /** Checks that the follower received the list of quarantined commands at its start. */
  #requireKnownQuarantine({ quarantined }: LeadReport): void {
    const later = [...quarantined].filter((seq) => seq > this.#followedFrom)
    if (later.length === 0) return
    throw new RestartFault(`commands ${later.join(', ')} are quarantined: the history restarts without them`)
  }

  #use(): ClusterUse {
    const { role, leader, epoch, leadingSinceMs } = this.#status
    const { missing } = this.#standbys
    const leads = { role, leader, epoch, leadingSinceMs, databaseStandbysMissing: missing }
    return { ...leads, refusals: this.#refusals.of(role), ...this.#links.use() }
  }
}

/** Throws `JournalFault`. */
function makeDirectory(directory: string): void {
  try {
    ensureDirectory(directory)
  } catch (cause) {
    throw fileFault(cause, `cannot create the data directory ${directory}`)
  }
}
