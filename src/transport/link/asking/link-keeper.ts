/**
 * Keeps a gateway linked: opens another link whenever one has ended, after a pause that grows, and begins anew with it. What was made of
 * a link that has ended meanwhile counts for nothing.
 */
import { EngineFault } from '../../../engine/port/fault.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import type { Link } from './link-client.ts'
import type { OpenConnection } from './link-connection.ts'

/** The first pause; each next one is twice as long, up to the longest, until a link has been begun with. */
export const PAUSE_MS_MIN = 50
export const PAUSE_MS_MAX = 2_000

/** What is kept: a link of any role. */
type Kept = Pick<OpenConnection, 'lost' | 'close'>

export type LinkKeeperOptions<Begun, Opened extends Kept = Link> = {
  /** Opens a link. Rejects with `LinkFault`. */
  readonly open: () => Promise<Opened>
  /** Makes of a link what clients are served by: read models. Where it rejects with `EngineFault`, another link is opened. */
  readonly begin: (link: Opened) => Promise<Begun>
  /** From now on this serves clients, in place of what did before; its link may be lost again at any time. */
  readonly onBegun: (begun: Begun, link: Opened) => void
  /** There is no link, and the next try comes after a pause: `LinkFault` or `EngineFault`. */
  readonly onUnlinked?: (cause: unknown, pauseMs: number) => void
  /** Longest pause; `PAUSE_MS_MAX` by default. */
  readonly pauseMsMax?: number
  /** The runtime's, by default. */
  readonly scheduler?: Scheduler
  /** From 0 to 1, so that gateways that lose one engine do not all come back at once; the runtime's, by default. */
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

  /** Closes the link and opens no other; resolves when none is being opened any more. */
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

  /** Resolves with the cause when there is no link any more. */
  async #useOne(): Promise<unknown> {
    const { open, begin, onBegun } = this.#options
    try {
      const link = await open()
      this.#link = link
      if (this.#isStopped) link.close()
      const beginning = begin(link)
      // It fails with its link, and nobody waits for it then.
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
