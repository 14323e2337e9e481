/**
 * `bourse historian`: keeps a history of its own, follows the leading engine, and answers history queries of
 * gateways. It never leads, and has no role in the database.
 */

import type { LeaderLink } from '../../../engine/leadership/cluster-ports.ts'
import type { ClusterUse } from '../../../server/monitoring/cluster-metrics.ts'
import { ensureDirectory, fileFault } from '../../../storage/files/directory.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { LinkServer } from '../../../transport/link/serving/link-server.ts'
import { serveBatches } from '../../../transport/thread/follower-feed.ts'
import { openCopyMonitoring } from '../../node/serving/copy-monitoring.ts'
import type { Monitoring } from '../../node/serving/monitoring.ts'
import { holdClusterDirectory } from '../../node/storage/cluster-storage.ts'
import type { Taken } from '../../node/taken.ts'
import type { FollowerThread } from '../../node/threads.ts'
import { backgroundScheduler } from '../../process/background.ts'
import type { RunningProcess } from '../../process/run-node.ts'
import { type ClusterProcessOptions, peerLinksOf } from './engine-options.ts'
import { startHistory } from './history-stage.ts'
import { linkLogger, renewServer } from './lead-links.ts'
import { LeaderFeed } from './leader-feed.ts'
import { PeerRefusals } from './peer-refusals.ts'
import { searchLeader } from './peer-search.ts'

export class HistorianProcess implements RunningProcess {
  readonly #options: ClusterProcessOptions
  readonly #monitoring: Monitoring
  readonly #links: LinkServer
  readonly #refusals: PeerRefusals
  readonly #feed: LeaderFeed
  readonly #failed = Promise.withResolvers<never>()
  #leader: LeaderLink | undefined
  #epoch = 0
  #thread: FollowerThread | undefined

  /** Opens ports, and adds them to `taken`. Throws if one is not available. */
  constructor(options: ClusterProcessOptions, taken: Taken) {
    const { settings, version, log, links, name } = options
    this.#options = options
    this.#failed.promise.catch(() => {})
    try {
      ensureDirectory(settings.dataDirectory)
    } catch (cause) {
      throw fileFault(cause, `cannot create the data directory ${settings.dataDirectory}`)
    }
    holdClusterDirectory(settings.dataDirectory)
    this.#monitoring = openCopyMonitoring({ settings, version, log, cluster: () => this.#use() })
    taken.add('the port for probes', () => this.#monitoring.stop())
    const { listen, secrets } = links.current
    this.#links = new LinkServer({
      ...{ listen, secrets, onNote: linkLogger(log) },
      scheduler: backgroundScheduler(log, 'a link'),
    })
    taken.add('the port for links', () => this.#links.stop())
    this.#refusals = new PeerRefusals(log)
    this.#feed = new LeaderFeed({
      search: (remembered) =>
        searchLeader({
          links: () => peerLinksOf(links.current),
          ...{ name, remembered, scheduler: runtimeScheduler },
          onAnswer: (answer) => this.#refusals.take(answer),
        }),
      onLinked: (link) => this.#linked(link),
      onLost: (why) => {
        this.#leader = undefined
        log.warn({ why }, 'looking for the leader')
      },
    })
    taken.add('the link to the leader', () => this.#feed.stop())
  }

  /** Resolves when its history is open, and gateways are served. Rejects if that will never happen. */
  async begin(taken: Taken): Promise<void> {
    const { settings, log, name } = this.#options
    const { confirmed, journal } = await this.#feed.linked
    const batches = new MessageChannel()
    serveBatches(batches.port1, this.#feed)
    const thread = startHistory({
      ...{ settings, log, monitoring: this.#monitoring, journalEnd: confirmed.seq, batches: batches.port2 },
      onAlarm: ({ code, problem, seq }) =>
        log.error(
          { alarm: 'BOOKS_OFF', asset: code, problem, seq },
          'the balances of an asset do not add up',
        ),
      onFailed: this.#failed.reject,
    })
    this.#thread = thread
    taken.add('the follower thread', () => thread.end())
    await Promise.race([thread.follower.started, thread.follower.ended])
    thread.follower.begin()
    const { history, meter } = thread
    const reached = () => meter.seq.value as typeof confirmed.seq
    this.#links.serve({ kind: 'historian', journal, name, history, reached })
    this.#monitoring.health.enter('READY')
  }

  get failed(): Promise<never> {
    return this.#failed.promise
  }

  get monitoringUrl(): string {
    return this.#monitoring.url
  }

  renewCertificate(): void {
    const { links, log } = this.#options
    const renewed = links.renew(log)
    if (renewed !== undefined) renewServer(this.#links, renewed)
  }

  async drain(): Promise<void> {
    this.#monitoring.health.enter('STOPPING')
  }

  async stop(): Promise<void> {
    this.#links.unserve()
    this.#feed.stop()
    await this.#links.stop()
    this.#thread?.history.close('STOPPING')
    await this.#thread?.follower.ended
  }

  async abandon(): Promise<void> {
    this.#monitoring.health.enter('FAILED')
    await this.#links.stop()
  }

  #linked(link: LeaderLink): void {
    this.#leader = link
    this.#epoch = link.epoch
    this.#options.log.info({ leader: link.name, epoch: link.epoch }, 'another engine leads: following it')
  }

  #use(): ClusterUse {
    const leader = this.#leader?.name
    const role = leader === undefined ? 'SEEKING' : 'FOLLOWING'
    const leads = { role, leader, epoch: this.#epoch, leadingSinceMs: undefined } as const
    const none = { replicas: [], databaseStandbysMissing: undefined }
    return { ...leads, refusals: this.#refusals.of(role), gateways: this.#links.readers.length, ...none }
  }
}
