/**
 * Replication: a node sends its journal to standbys, and finds out whether another node has taken over.
 * Loaded only if the settings request it.
 */

import { POSITION_BOARD_BYTES, PositionBoard } from '../../../engine/leadership/position-board.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import { endOf, type JournalPosition } from '../../../engine/port/journal.ts'
import { firstHashOf, markText } from '../../../engine/standby/journal-relation.ts'
import type { ClockBoard } from '../../../engine/writer/clock-board.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { PeersUse, StandbysUse } from '../../../server/monitoring/cluster-metrics.ts'
import type { Seq } from '../../../units/quantities.ts'
import { DataDirectoryFault } from '../../node/exchange-directory.ts'
import type { Taken } from '../../node/taken.ts'
import { backgroundScheduler } from '../../process/background.ts'
import type { Settings } from '../../settings/defaults.ts'
import { readPromotedMark, writeSupersededMark } from '../standby-file.ts'
import { type CustomersSource, type Listener, openListener } from './listener.ts'
import { nodeName } from './node-name.ts'
import { addressOf, listenerOf, secretsOf } from './places.ts'
import { checkTakeover, type OwnJournal, type TakeoverCheck } from './takeover-check.ts'

export type ReplicationOptions = {
  readonly settings: Settings
  readonly log: Logger
  /** Undefined if there are no customers. */
  readonly customers: CustomersSource | undefined
}

/** The engine, once it has recovered. */
export type ReplicatedEngine = {
  readonly feed: BatchFeed
  readonly clockBoard: Pick<ClockBoard, 'read'>
}

/** Interval of the checks of the other addresses at which the exchange may be served. */
const PROBE_EVERY_MS = 5_000
/** The longest time for which a stopping node waits for its standbys. */
const DRAIN_MS_MAX = 3_000
const DRAIN_CHECK_MS = 20

export class Replication {
  /** The shared memory in which the engine publishes the end of its journal. */
  readonly positionBoard = new SharedArrayBuffer(POSITION_BOARD_BYTES)
  readonly #options: ReplicationOptions
  readonly #superseded = Promise.withResolvers<never>()
  readonly #peers: readonly string[]
  readonly #background: Scheduler
  #own: OwnJournal | undefined
  #listener: Listener | undefined
  #isStopped = false
  /** The last result at each address, so that it is logged once. */
  readonly #foundAt = new Map<string, string>()
  #superseding = 0

  /** Throws `SettingsError`, `DataDirectoryFault`. */
  constructor(options: ReplicationOptions) {
    this.#options = options
    this.#superseded.promise.catch(() => {})
    this.#background = backgroundScheduler(options.log, 'the search for other nodes')
    const { dataDirectory, replication } = options.settings
    const promoted = readPromotedMark(dataDirectory)
    const { peers } = replication
    const isKnown = promoted === undefined || peers.includes(promoted.from)
    this.#peers = isKnown ? peers : [...peers, promoted.from]
    for (const peer of this.#peers) addressOf(peer, replication)
    if (replication.listen !== undefined) listenerOf(options.settings)
  }

  /** Rejects when another node is found to have taken over. Never resolves. */
  get superseded(): Promise<never> {
    return this.#superseded.promise
  }

  get standbys(): StandbysUse {
    return this.#listener?.use() ?? []
  }

  get peers(): PeersUse {
    const found = [...this.#foundAt.values()]
    return { servedTwice: found.filter((kind) => kind === 'SAME').length, superseded: this.#superseding }
  }

  /**
   * Before this node serves, checks once all addresses at which the exchange may also be served. Rejects with
   * `DataDirectoryFault` if it is served at one. `endSeq`: the journal's end; 0 means that there is nothing
   * to take over.
   */
  async look({ feed }: ReplicatedEngine, endSeq: Seq): Promise<void> {
    if (endSeq === 0) return
    await this.#know(feed, endSeq)
    await Promise.race([Promise.all(this.#peers.map((peer) => this.#probe(peer))), this.superseded])
  }

  /**
   * Serves the journal to standbys from here on, if it is configured to, and continues to check for other
   * nodes.
   */
  async begin({ feed, clockBoard }: ReplicatedEngine, taken: Taken): Promise<void> {
    const { settings, log, customers } = this.#options
    const positions = new PositionBoard(this.positionBoard)
    const { firstHash } = await this.#know(feed, positions.read().seq)
    taken.add('the port for standbys', () => this.stop())
    if (settings.replication.listen !== undefined) {
      this.#listener = await openListener({
        ...{ settings, log, feed, firstHash, positions, customers, clock: () => clockBoard.read() },
        onSuperseded: (position, by) => this.#supersede(position, by),
      })
      log.info({ listen: settings.replication.listen }, 'standbys can follow')
    }
    this.#probeLater()
  }

  /**
   * Resolves when every standby has everything in the journal and in the customers' store, or when this takes
   * too long. A standby that is still copying the whole store is not waited for.
   */
  async drain(): Promise<void> {
    const startMs = performance.now()
    const untilMs = startMs + DRAIN_MS_MAX
    const standbys = () => this.#listener?.use() ?? []
    const isBehind = ({ behindCommands, customersMs = startMs }: ReturnType<Listener['use']>[number]) =>
      behindCommands > 0 || customersMs < startMs
    while (standbys().some(isBehind)) {
      if (performance.now() >= untilMs) {
        const fields = { standbys: standbys().filter(isBehind) }
        this.#options.log.warn(fields, 'a standby lacks the end of the journal, or changes of customers')
        return
      }
      await Bun.sleep(DRAIN_CHECK_MS)
    }
  }

  /** Stops the checks, and stops sending to standbys. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#listener?.stop()
  }

  async #know(feed: BatchFeed, endSeq: Seq): Promise<OwnJournal> {
    if (this.#own !== undefined) return this.#own
    const { settings } = this.#options
    const [last] = await feed.next((endSeq - 1) as Seq, 1)
    const firstHash = await firstHashOf(feed)
    if (last === undefined || firstHash === undefined) throw new Error('expected a journal that has begun')
    const [secret = ''] = secretsOf(settings.replication)
    this.#own = { name: nodeName(), secret, end: endOf(last), firstHash }
    return this.#own
  }

  #probeLater(): void {
    if (this.#peers.length === 0) return
    this.#background.later(() => {
      if (this.#isStopped) return undefined
      const probes = Promise.all(this.#peers.map((peer) => this.#probe(peer)))
      return probes.finally(() => this.#probeLater())
    }, PROBE_EVERY_MS)
  }

  async #probe(peer: string): Promise<void> {
    const { settings, log } = this.#options
    if (this.#own === undefined || this.#isStopped) return
    const takeover = await checkTakeover(addressOf(peer, settings.replication), this.#own)
    if (takeover.kind === 'NEWER') this.#supersede(takeover.position, `${takeover.name} at ${peer}`)
    const found = takeover.kind === 'UNREACHABLE' ? takeover.problem : takeover.kind
    if (takeover.kind === 'OLDER') this.#superseding++
    if (this.#foundAt.get(peer) === found) return
    this.#foundAt.set(peer, found)
    logTakeoverCheck(log, peer, takeover)
  }

  #supersede(position: JournalPosition, by: string): void {
    if (this.#isStopped) return
    this.#isStopped = true
    const { settings, log } = this.#options
    const fields = {
      alarm: 'SUPERSEDED',
      by,
      theirs: markText(position),
      ours: this.#own && markText(this.#own.end),
    }
    log.error(fields, 'another node has taken over: this node has stopped serving')
    writeSupersededMark(settings.dataDirectory, { position, by, atMs: Date.now() })
    this.#superseded.reject(
      new DataDirectoryFault(
        `another node has taken over (${by}): its journal ${markText(position)}. This node does not serve`,
      ),
    )
  }
}

function logTakeoverCheck(log: Logger, peer: string, takeover: TakeoverCheck): void {
  switch (takeover.kind) {
    case 'UNREACHABLE':
      log.warn({ peer, problem: takeover.problem }, 'no node of this exchange was found there')
      break
    case 'OTHER_EXCHANGE':
      log.error({ peer }, 'another exchange is served there: check replication.peers')
      break
    case 'SAME':
      log.error(
        { alarm: 'SERVED_TWICE', peer, name: takeover.name },
        'the same exchange is also served there, without a promotion: stop one of the two nodes',
      )
      break
    case 'OLDER':
      log.warn({ peer, name: takeover.name }, 'the replaced node was found there and notified')
      break
    case 'NEWER':
      // The failure ends this node, which reports it.
      break
  }
}
