/** The links of an engine process: it listens from its start on, and serves links while it leads. */

import type { ServerClock } from '../../../engine/writer/server-clock.ts'
import { MemoryNonces } from '../../../server/access/auth/memory-nonces.ts'
import type { SessionKeys } from '../../../server/access/auth/session-keys.ts'
import type { LimitsConfig } from '../../../server/access/limits/limits-config.ts'
import { type OrderTerms, orderTermsIn } from '../../../server/access/limits/order-limits.ts'
import type { Logger } from '../../../server/common/logger.ts'
import type { ClusterUse } from '../../../server/monitoring/cluster-metrics.ts'
import type { LinkNote, LinkServer, LinkServerOptions } from '../../../transport/link/serving/link-server.ts'
import type { HistoryClient } from '../../../transport/thread/history-client.ts'
import { CountHub } from '../../gateways/count-hub.ts'
import { SessionKeyHub } from '../../gateways/session-key-hub.ts'
import { snapshotPieces } from '../../node/storage/cluster-storage.ts'
import { backgroundScheduler } from '../../process/background.ts'
import type { ClusterThread } from './cluster-thread.ts'
import type { ClusterLinks } from './engine-options.ts'
import type { Lead } from './lead.ts'

/** Time limit for a gateway to confirm a change of keys: the customers process waits for its answer. */
const CONFIRM_MS = 3_000
/** A gateway notices within 3 seconds that its engine is silent, and then accepts no key. */
const LINGER_MS = 4_000

export type LeadLinksOptions = {
  /** The name of this engine. */
  readonly name: string
  readonly dataDirectory: string
  readonly thread: ClusterThread
  readonly clock: ServerClock
  readonly limits: LimitsConfig
  readonly log: Logger
  readonly openServer: (more: Pick<LinkServerOptions, 'onRemembered' | 'onNote' | 'openCounts'>) => LinkServer
}

export class LeadLinks {
  readonly #options: LeadLinksOptions
  readonly #server: LinkServer
  /** Counts shared by the gateways; they start from zero with each lead. */
  #counts: CountHub
  #sessionKeys: SessionKeyHub | undefined

  /** Listens. Throws the system's error if that is not possible. */
  constructor(options: LeadLinksOptions) {
    this.#options = options
    // No engine leads yet, so no order is placed.
    this.#counts = this.#newCounts(() => undefined)
    this.#server = options.openServer({
      onRemembered: (remembered) => void options.thread.present(remembered),
      onNote: linkLogger(options.log),
      openCounts: (gateway, send) => this.#counts.open(gateway, send),
    })
  }

  /**
   * Serves gateways and replicas from now on; returns the counts that gateways share. `keys`: the keys of
   * customers' sessions; undefined if there are no customers.
   */
  serve({ engine, report, views }: Lead, history: HistoryClient, keys: SessionKeys | undefined): CountHub {
    const { name, thread, dataDirectory } = this.#options
    this.#sessionKeys = keys && this.#share(keys)
    this.#counts = this.#newCounts(orderTermsIn(views.market.registry))
    this.#server.serve({
      kind: 'leader',
      ...{ name, journal: report.journal, epoch: report.epoch, engine, history },
      clock: () => thread.clockBoard.read(),
      confirmed: () => thread.positions.read(),
      lacks: (remembered) => thread.present(remembered),
      replicas: { feed: thread.feed, snapshots: snapshotPieces(dataDirectory) },
    })
    return this.#counts
  }

  /** Reports to every connected process, now and later, which engine leads, if that is known. */
  unserve(leader: string | undefined): void {
    this.#server.unserve(leader)
    this.#sessionKeys?.stop()
    this.#sessionKeys = undefined
  }

  /** Called when certificates or secrets change: applies them to new links. */
  take(links: Pick<ClusterLinks, 'listen' | 'secrets'>): void {
    renewServer(this.#server, links)
  }

  use(): Pick<ClusterUse, 'gateways' | 'replicas'> {
    const { gateways, replicas } = this.#server
    const { seq } = this.#options.thread.positions.read()
    return {
      gateways: gateways.length,
      replicas: replicas.map(({ name, pulledSeq }) => ({
        name,
        behindCommands: Math.max(0, seq - pulledSeq),
      })),
    }
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  #share(keys: SessionKeys): SessionKeyHub {
    const { log } = this.#options
    const problem = 'it does not confirm that a session has ended'
    return new SessionKeyHub({
      ...{ keys, confirmMs: CONFIRM_MS, lingerMs: LINGER_MS },
      cut: (gateway) => {
        log.error({ gateway, problem }, 'a gateway is cut off')
        this.#server.cutGateway(gateway, problem)
      },
      scheduler: backgroundScheduler(log, 'session keys'),
    })
  }

  #newCounts(orderTerms: OrderTerms): CountHub {
    const { limits, clock } = this.#options
    return new CountHub({
      ...{ limits, orderTerms, nonces: new MemoryNonces(clock.now()), now: () => clock.now() },
      sessionKeys: this.#sessionKeys,
      onServing: () => {},
      onMeters: () => {},
      onGone: () => {},
    })
  }
}

/** Replaces a server's certificates and secrets. */
export function renewServer(
  server: LinkServer,
  { listen, secrets }: Pick<ClusterLinks, 'listen' | 'secrets'>,
): void {
  server.takeSecrets(secrets)
  if ('tls' in listen && listen.tls !== undefined) server.renewTls(listen.tls)
}

/** Logs opened and closed links. */
export function linkLogger(log: Logger): (note: LinkNote) => void {
  return (note) => {
    if (note.kind === 'LinkOpened') log.info({ name: note.name, role: note.role }, 'a link was opened')
    // A process that looks for the leader asks every engine, repeatedly.
    else if (note.name !== undefined && note.fault.kind !== 'NOT_LEADER')
      log.warn({ name: note.name, problem: note.fault.message }, 'a link has ended')
  }
}
