/**
 * The part of a node behind its servers: engine, follower and views, connected. The same code connects the
 * threads of a running node and those of the simulator; they differ in the channels.
 */

import type { StopReport } from '../../engine/writer/compose.ts'
import type { RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import type { ThreadEngine } from '../../transport/thread/engine-client.ts'
import type { FollowerHandle } from '../../transport/thread/follower-handle.ts'
import type { HistoryClient } from '../../transport/thread/history-client.ts'
import { type NodeViews, startNodeViews } from './views.ts'

export type ExchangeThreads = {
  readonly engine: ThreadEngine
  readonly follower: FollowerHandle
  readonly history: HistoryClient
}

export class NodeExchange {
  readonly engine: ThreadEngine['port']
  /** The origin of its initial state. */
  readonly recovery: RecoveryReport
  readonly history: HistoryClient
  readonly views: NodeViews
  /** Rejects with the cause when engine or follower has failed. Never resolves. */
  readonly failed: Promise<never>
  /** Settles when the engine has ended, and rejects with the cause if the end was not requested. */
  readonly engineEnded: Promise<unknown>
  readonly #thread: ThreadEngine
  readonly #follower: FollowerHandle

  /**
   * Waits for the follower's history, and starts the views of an engine that has recovered; then the engine
   * continues with due work. Rejects with the cause of the part that fails in the meantime.
   */
  static async start(threads: ExchangeThreads): Promise<NodeExchange> {
    const recovery = await threads.engine.ready
    const views = await startNodeViews(threads)
    threads.engine.begin()
    return new NodeExchange(threads, recovery, views)
  }

  private constructor(
    { engine, follower, history }: ExchangeThreads,
    recovery: RecoveryReport,
    views: NodeViews,
  ) {
    this.engine = engine.port
    this.engineEnded = engine.ended
    this.#thread = engine
    this.recovery = recovery
    this.history = history
    this.views = views
    this.#follower = follower
    const failed = Promise.withResolvers<never>()
    engine.ended.catch(failed.reject)
    follower.ended.catch(failed.reject)
    // The owner of the exchange awaits it; a failure before that must not end the process by itself.
    failed.promise.catch(() => {})
    this.failed = failed.promise
  }

  /**
   * Called when the servers are open: the follower reads its state, which occupies a core for seconds if it
   * is large.
   */
  begin(): void {
    this.#follower.begin()
  }

  /** Refuses new commands; resolves once the journal no longer changes. Rejects like `failed` does. */
  settle(): Promise<void> {
    return Promise.race([this.#thread.settle(), this.failed])
  }

  /**
   * Answers accepted commands, brings history and snapshots up to date, closes the journal. Rejects as
   * `failed` does.
   */
  async stop(): Promise<StopReport> {
    await Promise.race([this.#follower.finish(this.views.market.seq), this.failed])
    this.history.close('STOPPING')
    return this.#thread.stop()
  }

  /** Called when a part has failed: queries to the history are answered with that error. */
  abandon(): void {
    this.history.close('ENGINE_DOWN')
  }
}
