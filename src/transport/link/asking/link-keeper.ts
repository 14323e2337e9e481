/**
 * Keeps a gateway linked: after a link ends, it waits for a growing pause, opens another link and starts
 * again with it. Results of an ended link are discarded.
 */
import { EngineFault } from '../../../engine/port/fault.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import type { Link } from './link-client.ts'
import type { OpenConnection } from './link-connection.ts'

/** The first pause. Each further pause is twice as long, up to the longest, until a link has been set up. */
export const PAUSE_MS_MIN = 50
export const PAUSE_MS_MAX = 2_000

/** The kept connection: a link of any role. */
type Kept = Pick<OpenConnection, 'lost' | 'close'>

export type LinkKeeperOptions<Begun, Opened extends Kept = Link> = {
  /** Opens a link. Rejects with `LinkFault`. */
  readonly open: () => Promise<Opened>
  /**
   * Builds from a link whatever serves clients: the read models. If it rejects with `EngineFault`, another
   * link is opened.
   */
  readonly begin: (link: Opened) => Promise<Begun>
  /**
   * Called when `begun` serves clients instead of its predecessor; its link may be lost again at any time.
   */
  readonly onBegun: (begun: Begun, link: Opened) => void
  /**
   * Called when there is no link; the next attempt follows after the pause. The cause is a `LinkFault` or an
   * `EngineFault`.
   */
  readonly onUnlinked?: (cause: unknown, pauseMs: number) => void
  /** Longest pause; `PAUSE_MS_MAX` by default. */
  readonly pauseMsMax?: number
  /** The runtime's by default. */
  readonly scheduler?: Scheduler
  /**
   * Returns a number from 0 to 1, so that gateways that lose the same engine do not all reconnect at once;
   * the runtime's by default.
   */
  readonly random?: () => number
}

export class LinkKeeper<Begun, Opened extends Kept = Link> {
  readonly #options: LinkKeeperOptions<Begun, Opened>
  readonly #scheduler: Scheduler
  readonly #running: Promise<void>
  #link: Opened | undefined
  #pauseMs = PAUSE_MS_MIN
  #isStopped = false
  #endPause: () => void = () => {}

  /** Opens a link at once. */
  constructor(options: LinkKeeperOptions<Begun, Opened>) {
    this.#options = options
    this.#scheduler = options.scheduler ?? runtimeScheduler
    this.#running = this.#run()
  }

  /** Closes the link and opens no other. Resolves once no attempt to open one is in progress. */
  stop(): Promise<void> {
    this.#isStopped = true
    this.#link?.close()
    this.#endPause()
    return this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const cause = await this.#useOne()
      if (!this.#isStopped) await this.#pause(cause)
    }
  }

  /** Resolves with the cause once the link is lost or could not be opened. */
  async #useOne(): Promise<unknown> {
    const { open, begin, onBegun } = this.#options
    try {
      const link = await open()
      this.#link = link
      if (this.#isStopped) link.close()
      const beginning = begin(link)
      // It rejects when its link is lost; by then no caller awaits it.
      beginning.catch(() => {})
      const begun = await Promise.race([link.lost, beginning])
      if (begun instanceof LinkFault) return begun
      this.#pauseMs = PAUSE_MS_MIN
      onBegun(begun, link)
      return await link.lost
    } catch (cause) {
      this.#link?.close()
      if (cause instanceof LinkFault || cause instanceof EngineFault) return cause
      throw cause
    }
  }

  async #pause(cause: unknown): Promise<void> {
    const { onUnlinked, random = Math.random, pauseMsMax = PAUSE_MS_MAX } = this.#options
    const pauseMs = Math.round(this.#pauseMs * (0.5 + random() / 2))
    this.#pauseMs = Math.min(pauseMsMax, this.#pauseMs * 2)
    onUnlinked?.(cause, pauseMs)
    await new Promise<void>((resolve) => {
      const cancel = this.#scheduler.later(resolve, pauseMs)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }
}
