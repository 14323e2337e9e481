/**
 * What a node does for and with other nodes of its exchange: it gives its journal to standbys, and finds out whether another one has taken over. Loaded where the
 * settings ask for it.
 */

import { POSITION_BOARD_BYTES, PositionBoard } from '../../../engine/leadership/position-board.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import { endOf, type JournalPosition } from '../../../engine/port/journal.ts'
import { firstHashOf, markText } from '../../../engine/standby/standing.ts'
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
import { type Listener, openListener } from './listener.ts'
import { type Meeting, meet, type OwnJournal } from './meeting.ts'
import { nodeName } from './node-name.ts'
import { addressOf, listenerOf, secretsOf } from './places.ts'

export type ReplicationOptions = { readonly settings: Settings; readonly log: Logger }

/** The engine, once it has recovered. */
export type ReplicatedEngine = {
  readonly feed: BatchFeed
  readonly clockBoard: Pick<ClockBoard, 'read'>
}

/** Between two looks at the places where the exchange may be served besides. */
const LOOK_EVERY_MS = 5_000
/** How long a node that stops waits for its standbys. */
const DRAIN_MS_MAX = 3_000
const DRAIN_LOOK_MS = 20

export class Replication {
  /** Where the engine shows the end of its journal. */
  readonly positionBoard = new SharedArrayBuffer(POSITION_BOARD_BYTES)
  readonly #options: ReplicationOptions
  readonly #superseded = Promise.withResolvers<never>()
  readonly #peers: readonly string[]
  readonly #background: Scheduler
  #own: OwnJournal | undefined
  #listener: Listener | undefined
  #isStopped = false
  /** What was found at each place, so that it is said once. */
  readonly #foundAt = new Map<string, string>()
  #superseding = 0

  /** Throws `SettingsError`, `DataDirectoryFault`. */
  constructor(options: ReplicationOptions) {
    this.#options = options
    this.#superseded.promise.catch(() => {})
    this.#background = backgroundScheduler(options.log, 'the look for other nodes')
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
   * Looks once at all places where the exchange may be served besides, before anything is served here. Rejects with `DataDirectoryFault` where it is. `endSeq`: the
   * journal's end; 0: there is nothing that anybody could have taken over.
   */
  async look({ feed }: ReplicatedEngine, endSeq: Seq): Promise<void> {
    if (endSeq === 0) return
    await this.#know(feed, endSeq)
    await Promise.race([Promise.all(this.#peers.map((peer) => this.#lookAt(peer))), this.superseded])
  }

  /** Gives the journal to standbys from here on, where the settings say so, and goes on looking. */
  async begin({ feed, clockBoard }: ReplicatedEngine, taken: Taken): Promise<void> {
    const { settings, log } = this.#options
    const positions = new PositionBoard(this.positionBoard)
    const { firstHash } = await this.#know(feed, positions.read().seq)
    taken.add('the port for standbys', () => this.stop())
    if (settings.replication.listen !== undefined) {
      this.#listener = await openListener({
        ...{ settings, log, feed, firstHash, positions, clock: () => clockBoard.read() },
        onSuperseded: (position, by) => this.#supersede(position, by),
      })
      log.info({ listen: settings.replication.listen }, 'standbys can follow')
    }
    this.#lookLater()
  }

  /** Resolves when every standby has all that the journal holds, or takes too long. */
  async drain(): Promise<void> {
    const untilMs = performance.now() + DRAIN_MS_MAX
    while (this.standbys.some(({ behindCommands }) => behindCommands > 0)) {
      if (performance.now() >= untilMs) {
        this.#options.log.warn({ standbys: this.standbys }, 'a standby lacks the end of the journal')
        return
      }
      await Bun.sleep(DRAIN_LOOK_MS)
    }
  }

  /** Looks no more, and standbys get nothing more. */
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

  #lookLater(): void {
    if (this.#peers.length === 0) return
    this.#background.later(() => {
      if (this.#isStopped) return undefined
      const looks = Promise.all(this.#peers.map((peer) => this.#lookAt(peer)))
      return looks.finally(() => this.#lookLater())
    }, LOOK_EVERY_MS)
  }

  async #lookAt(peer: string): Promise<void> {
    const { settings, log } = this.#options
    if (this.#own === undefined || this.#isStopped) return
    const meeting = await meet(addressOf(peer, settings.replication), this.#own)
    if (meeting.kind === 'NEWER') this.#supersede(meeting.position, `${meeting.name} at ${peer}`)
    const found = meeting.kind === 'UNREACHABLE' ? meeting.problem : meeting.kind
    if (meeting.kind === 'OLDER') this.#superseding++
    if (this.#foundAt.get(peer) === found) return
    this.#foundAt.set(peer, found)
    logMeeting(log, peer, meeting)
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
    log.error(fields, 'another node has taken over: this one serves no more')
    writeSupersededMark(settings.dataDirectory, { position, by, atMs: Date.now() })
    this.#superseded.reject(
      new DataDirectoryFault(
        `another node has taken over (${by}): its journal ${markText(position)}. Nothing is served from here`,
      ),
    )
  }
}

function logMeeting(log: Logger, peer: string, meeting: Meeting): void {
  switch (meeting.kind) {
    case 'UNREACHABLE':
      log.warn({ peer, problem: meeting.problem }, 'nobody of this exchange was met there')
      break
    case 'OTHER_EXCHANGE':
      log.error({ peer }, 'another exchange is served there: look at replication.peers')
      break
    case 'SAME':
      log.error(
        { alarm: 'SERVED_TWICE', peer, name: meeting.name },
        'the same exchange is served there too, and nobody was promoted: stop one of them',
      )
      break
    case 'OLDER':
      log.warn({ peer, name: meeting.name }, 'the node there was taken over from, and was told so')
      break
    case 'NEWER':
      // It ends this node, which says so.
      break
  }
}
