/**
 * The server through which standbys get a node's journal: it sends batches and snapshots, accepts no command,
 * and has a bounded cost.
 */

import type { PositionBoard } from '../../../engine/leadership/position-board.ts'
import type { BatchFeed } from '../../../engine/port/feed.ts'
import {
  hexOf,
  type JournalPosition,
  otherJournal,
  type RememberedPlace,
} from '../../../engine/port/journal.ts'
import { relationOf } from '../../../engine/standby/journal-relation.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { StandbysUse } from '../../../server/monitoring/cluster-metrics.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { removeDeadSocket } from '../../../transport/link/serving/dead-socket.ts'
import { type LinkNote, LinkServer, type ServedReplica } from '../../../transport/link/serving/link-server.ts'
import type { CustomersPage, CustomersPages } from '../../../transport/link/serving/replica-questions.ts'
import { nodeSnapshots } from '../../node/storage/standby-storage.ts'
import { backgroundScheduler } from '../../process/background.ts'
import type { Settings } from '../../settings/defaults.ts'
import { nodeName } from './node-name.ts'
import { pacedSources } from './paced-sources.ts'
import { listenerOf, secretsOf } from './places.ts'

/** The source of pages with the changes in the customers' store. */
export type CustomersSource = {
  changes(asked: Uint8Array): Promise<Omit<CustomersPage, 'seq'> | undefined>
}

export type ListenerOptions = {
  readonly settings: Settings
  readonly log: Logger
  /** The feed of the engine itself. */
  readonly feed: BatchFeed
  readonly positions: PositionBoard
  readonly clock: () => ClockReading | undefined
  readonly firstHash: Uint8Array
  /** Undefined if there are no customers. */
  readonly customers: CustomersSource | undefined
  /**
   * Called when a peer with the secret reports a later epoch of this journal: another node has taken over.
   */
  readonly onSuperseded: (position: JournalPosition, by: string) => void
}

/** Maximum number of standbys: each receives a copy of the journal, and more copies are of no use. */
const STANDBYS_MAX = 8
/** A standby has at most eight answers of 1 MiB in transit. */
const QUEUE_BYTES_MAX = 16 * 1024 * 1024
/** For all standbys together: a very busy exchange writes about 2 MiB a second. */
const BYTES_PER_SECOND = 16 * 1024 * 1024
const BURST_BYTES = 4 * 1024 * 1024
const HASH_EVERY_MS = 1_000

export type Listener = {
  readonly use: () => readonly (StandbysUse[number] & Pick<ServedReplica, 'customersMs'>)[]
  stop(): Promise<void>
}

/** Listens. Throws `SettingsError`, or the system's error if the address is not available. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { settings, log, feed, positions, clock, firstHash } = options
  const { dataDirectory, replication, follower } = settings
  const sources = { feed, snapshots: nodeSnapshots(dataDirectory), customers: customersPages(options) }
  const replicas = pacedSources(sources, {
    ...{ bytesPerSecond: BYTES_PER_SECOND, burstBytes: BURST_BYTES },
    ...{ hashEveryMs: HASH_EVERY_MS, hashedBytesMax: follower.compareBytesMax },
    waitingMax: 2 * STANDBYS_MAX,
    scheduler: runtimeScheduler,
    now: () => performance.now(),
  })
  const listen = listenerOf(settings)
  await removeDeadSocket(listen)
  const server = new LinkServer({
    listen,
    secrets: secretsOf(replication),
    limits: { linksMax: STANDBYS_MAX, queueBytesMax: QUEUE_BYTES_MAX },
    onNote: noteLogger(log),
    scheduler: backgroundScheduler(log, 'a link'),
    services: {
      ...{ kind: 'node', journal: hexOf(firstHash), name: nodeName(), clock },
      epoch: positions.read().epoch,
      confirmed: () => positions.read(),
      lacks: (remembered) => lacking(options, remembered),
      replicas,
    },
  })
  const use: Listener['use'] = () => {
    const { seq } = positions.read()
    return server.replicas.map(({ name, pulledSeq, customersMs }) => ({
      ...{ name, customersMs },
      behindCommands: Math.max(0, seq - pulledSeq),
    }))
  }
  return { use, stop: () => server.stop() }
}

/** The end of the journal, read after a page: the page depends on no later command. */
function customersPages({ customers, positions }: ListenerOptions): CustomersPages | undefined {
  if (customers === undefined) return undefined
  return async (asked) => {
    const page = await customers.changes(asked)
    return page && { ...page, seq: positions.read().seq }
  }
}

/** The problem with the position in this journal that a peer reports; undefined if there is none. */
async function lacking(
  { feed, positions, log, firstHash, onSuperseded }: ListenerOptions,
  { journal, ...remembered }: RememberedPlace,
): Promise<string | undefined> {
  const ours = hexOf(firstHash)
  if (journal !== undefined && journal !== ours) return otherJournal(journal, ours)
  const relation = await relationOf(
    { remembered, firstHash: undefined },
    { confirmed: positions.read(), feed },
  )
  switch (relation.kind) {
    case 'FITS':
      return undefined
    case 'NEWER_EPOCH':
      if (journal !== undefined) onSuperseded(remembered, 'a node or standby of a later epoch')
      else
        log.error(
          { problem: relation.problem },
          'a peer reports a later epoch without naming its journal: ignored, this node keeps serving',
        )
      return `epoch ${remembered.epoch} of this journal has begun elsewhere`
    case 'OTHER_EXCHANGE':
    case 'AHEAD':
    case 'FORKED':
      log.error(
        { problem: relation.problem },
        'a peer has a different journal, or more of this journal than this node',
      )
      return `the peer's command ${remembered.seq} of epoch ${remembered.epoch} is not in this node's journal`
  }
}

function noteLogger(log: Logger): (note: LinkNote) => void {
  return (note) => {
    if (note.kind === 'LinkOpened') log.info({ name: note.name }, 'a standby follows')
    else if (note.name !== undefined)
      log.warn({ name: note.name, problem: note.fault.message }, 'a standby has stopped following')
  }
}
