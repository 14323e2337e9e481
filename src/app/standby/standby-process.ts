/**
 * `bourse standby`: follows the journal of a node outside a cluster over a link. Each batch is verified, made
 * durable in a separate data directory, and replayed there by the same thread that keeps a node's history,
 * which compares the state with the node's. It serves only health and metrics.
 */

import type { ProgramVersion } from '../../contract/program-version.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { type Batch, EMPTY_TAIL, JournalFault } from '../../engine/port/journal.ts'
import { EXCHANGE_FACTORY } from '../../engine/port/state-machine.ts'
import { StandbyJournal } from '../../engine/standby/standby-journal.ts'
import { StandbyLag } from '../../engine/standby/standby-lag.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { StandbyUse } from '../../server/monitoring/cluster-metrics.ts'
import { ensureDirectory, fileFault } from '../../storage/files/directory.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { ReplicaLink } from '../../transport/link/asking/replica-link.ts'
import { PULL_BYTES_MAX } from '../../transport/link/serving/replica-questions.ts'
import { serveBatches } from '../../transport/thread/follower-feed.ts'
import { guarded } from '../../units/guarded.ts'
import type { Seq } from '../../units/quantities.ts'
import { startHistory } from '../cluster/engine/history-stage.ts'
import { openCopyMonitoring } from '../node/serving/copy-monitoring.ts'
import type { Monitoring } from '../node/serving/monitoring.ts'
import { openStandbyStorage, type StandbyStorage } from '../node/storage/standby-storage.ts'
import type { Taken } from '../node/taken.ts'
import type { FollowerThread } from '../node/threads.ts'
import { faultsOf } from '../process/background.ts'
import { RestartFault, type RunningProcess } from '../process/run-node.ts'
import type { Settings } from '../settings/defaults.ts'
import { CustomersCopying } from './customers-copying.ts'
import { openNodeLink } from './node-link.ts'
import { addressOf, secretsOf } from './replication/places.ts'
import { writeStandbyMark } from './standby-file.ts'

export type StandbyOptions = {
  readonly settings: Settings
  /** The address of the node, as given with `--from`. */
  readonly from: string
  readonly name: string
  readonly version: ProgramVersion
  readonly log: Logger
}

/** Memory for batches that the history has not requested yet. */
const RECENT_BYTES_MAX = 8 * 1024 * 1024
/** A standby that is further behind is not ready: after a takeover more would be lost. */
const READY_LAG_MS_MAX = 5_000
/** Interval of the checks of messages on the link. */
const LISTEN_EVERY_MS = 250
/** Pause before storing is retried on a full disk. */
const ROOM_RETRY_MS = 250

export class StandbyProcess implements RunningProcess {
  readonly #options: StandbyOptions
  readonly #storage: StandbyStorage
  readonly #journal: StandbyJournal
  readonly #monitoring: Monitoring
  readonly #lag = new StandbyLag()
  readonly #failed = Promise.withResolvers<never>()
  readonly #listening: ReturnType<typeof setInterval>
  readonly #customers: CustomersCopying
  #following: Promise<void> = Promise.resolve()
  #link: ReplicaLink | undefined
  #heard: unknown
  #thread: FollowerThread | undefined
  #verifiedSeq = 0
  #isStopped = false

  /** Locks the directory, opens ports, and adds them to `taken`. Throws if one is not available. */
  constructor(options: StandbyOptions, taken: Taken) {
    const { settings, version, log } = options
    const { dataDirectory } = settings
    this.#options = options
    this.#failed.promise.catch(() => {})
    try {
      ensureDirectory(dataDirectory)
    } catch (cause) {
      throw fileFault(cause, `cannot create the data directory ${dataDirectory}`)
    }
    this.#storage = openStandbyStorage(dataDirectory)
    this.#journal = new StandbyJournal({
      ...{ store: this.#storage.store, witness: this.#storage.witness, digest: sha256 },
      machines: EXCHANGE_FACTORY,
      recentBytesMax: RECENT_BYTES_MAX,
      nodeStateHash: (seq) => this.#nodeStateHash(seq),
    })
    taken.add('the data directory', () => this.#journal.close())
    this.#customers = new CustomersCopying({
      ...{ dataDirectory, log },
      storedSeq: () => this.#journal.tail.seq,
      isStopped: () => this.#isStopped,
    })
    taken.add('the copy of the customer store', () => this.#customers.close())
    this.#lag.stored(this.#journal.tail.seq)
    this.#monitoring = openCopyMonitoring({ settings, version, log, standby: () => this.use() })
    taken.add('the port for probes', () => this.#monitoring.stop())
    this.#listening = setInterval(
      guarded(() => this.#listen(), faultsOf(log, 'the link monitor')),
      LISTEN_EVERY_MS,
    )
    taken.add('the link to the node', () => this.#leave())
  }

  /** Resolves when the standby follows the node. Rejects with `DataDirectoryFault` if it cannot follow. */
  async begin(taken: Taken): Promise<void> {
    await this.#journal.requireFloor()
    const link = await this.#open()
    if (link === undefined) return
    const { settings, from } = this.#options
    const isEmpty = this.#journal.tail.position === 0
    writeStandbyMark(settings.dataDirectory, { from, node: link.welcome.leader })
    this.#journal.begin()
    if (isEmpty) await this.#copySnapshot(link)
    await this.#passOver(link)
    this.#startHistory(link, taken)
    this.#following = this.#follow(link)
    this.#following.catch((cause: unknown) => this.#failed.reject(cause))
    await Promise.race([this.#thread?.follower.started, this.failed])
    this.#thread?.follower.begin()
    const { health } = this.#monitoring
    health.require(() => (this.use().lagMs ?? Number.POSITIVE_INFINITY) <= READY_LAG_MS_MAX)
    health.enter('READY')
  }

  get failed(): Promise<never> {
    return this.#failed.promise
  }

  get monitoringUrl(): string {
    return this.#monitoring.url
  }

  use(): StandbyUse {
    this.#listen()
    return {
      ...this.#lag.read(performance.now()),
      from: this.#options.from,
      isLinked: this.#link !== undefined,
      storedSeq: this.#journal.tail.seq,
      verifiedSeq: this.#verifiedSeq,
      customers: this.#customers.use,
    }
  }

  renewCertificate(): void {
    this.#options.log.info({}, 'a standby has no certificate of its own')
  }

  async drain(): Promise<void> {
    this.#monitoring.health.enter('STOPPING')
  }

  async stop(): Promise<void> {
    this.#leave()
    await this.#following.catch(() => {})
    this.#customers.close()
    this.#journal.stop()
    await this.#thread?.follower.ended
    this.#thread?.history.close('STOPPING')
    await this.#journal.close()
  }

  async abandon(): Promise<void> {
    this.#monitoring.health.enter('FAILED')
    this.#leave()
  }

  #leave(): void {
    this.#isStopped = true
    clearInterval(this.#listening)
    this.#link?.close()
  }

  /** Resolves when the process must end, and no work is in progress any more. */
  async #follow(first: ReplicaLink): Promise<void> {
    let link: ReplicaLink | undefined = first
    while (link !== undefined) {
      const copying = this.#customers.follow(link)
      await this.#pull(link)
      await copying
      this.#link = undefined
      this.#lag.lost()
      if (this.#isStopped) return
      const { message } = await link.lost
      this.#options.log.warn({ problem: message, ...this.#lag.read(performance.now()) }, 'the link is lost')
      link = await this.#open()
      if (link === undefined) return
      const isNew = await this.#passOver(link)
      if (isNew)
        throw new RestartFault(
          'the node has since quarantined a command: the history must be rebuilt without it',
        )
    }
  }

  async #open(): Promise<ReplicaLink | undefined> {
    const { settings, from, name, log } = this.#options
    const { replication } = settings
    const link = await openNodeLink(
      {
        address: addressOf(from, replication),
        secrets: secretsOf(replication),
        name,
        log,
        journal: this.#journal,
      },
      () => this.#isStopped,
    )
    if (link === undefined) return undefined
    this.#link = link
    this.#listen()
    log.info({ node: link.welcome.leader, from, stored: this.#journal.tail.seq }, 'following the node')
    return link
  }

  /** Copies the node's data until the link is lost or the process must end. Rejects with `JournalFault`. */
  async #pull(link: ReplicaLink): Promise<void> {
    while (!this.#isStopped) {
      let batches: readonly Batch[]
      try {
        batches = await link.feed.next(this.#journal.tail.seq, PULL_BYTES_MAX)
      } catch (cause) {
        if (!(cause instanceof EngineFault)) throw cause
        // The link to a node that cannot answer is dropped, and the search for the node begins again.
        link.close()
        return
      }
      this.#listen()
      await this.#store(batches)
      this.#lag.stored(this.#journal.tail.seq)
    }
  }

  /** On a full disk, waits for space: the node still has everything. */
  async #store(batches: readonly Batch[]): Promise<void> {
    let isLogged = false
    while (!this.#isStopped) {
      try {
        return await this.#journal.take(batches)
      } catch (cause) {
        const isFull = cause instanceof JournalFault && cause.kind === 'STORAGE_FULL'
        if (!isFull) throw cause
        if (!isLogged)
          this.#options.log.error({ problem: cause.message }, 'the standby waits for free storage')
        isLogged = true
        await Bun.sleep(ROOM_RETRY_MS)
      }
    }
  }

  #passOver(link: ReplicaLink): Promise<boolean> {
    return link.feed.quarantined().then((seqs) => this.#journal.passOver(seqs))
  }

  /** Saves the node's newest snapshot: the replay passes its position, and must have the same state there. */
  async #copySnapshot(link: ReplicaLink): Promise<void> {
    const snapshot = await link.newestSnapshot()
    if (snapshot !== undefined) await this.#storage.snapshots.save(snapshot)
  }

  #startHistory(link: ReplicaLink, taken: Taken): void {
    const { settings, log } = this.#options
    const { confirmed = () => EMPTY_TAIL } = link
    const journalEnd = Math.max(confirmed.call(link)?.seq ?? 0, this.#journal.tail.seq) as Seq
    const batches = new MessageChannel()
    serveBatches(batches.port1, this.#journal)
    const thread = startHistory({
      ...{ settings, log, monitoring: this.#monitoring, journalEnd, batches: batches.port2 },
      onAlarm: ({ code, problem, seq }) =>
        log.error(
          { alarm: 'BOOKS_OFF', asset: code, problem, seq },
          'the balances of an asset do not add up',
        ),
      onFailed: this.#failed.reject,
    })
    thread.notes.subscribe((note) => {
      if (note.kind === 'EngineConfirmed' || note.kind === 'StateHashConfirmed') this.#verifiedSeq = note.seq
    })
    this.#thread = thread
    taken.add('the follower thread', () => thread.end())
  }

  async #nodeStateHash(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#link?.feed.stateHash(seq).catch(() => undefined)
  }

  /** The latest message on the link: the confirmed end, or the time, every second. */
  #listen(): void {
    const link = this.#link
    if (link === undefined) return
    const confirmed = link.confirmed() ?? EMPTY_TAIL
    const clock = link.clock()
    const heard = `${confirmed.position} ${clock?.wall}`
    if (heard === this.#heard) return
    this.#heard = heard
    this.#lag.heard(confirmed.seq, performance.now())
  }
}
