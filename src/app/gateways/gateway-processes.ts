/**
 * Keeps a fixed number of gateways running, each in a separate process. A process that ends is replaced: at
 * once if it had run for a while, otherwise after a growing pause, so that one that cannot start costs
 * nothing. This module is independent of the function of a gateway.
 */
import type { Scheduler } from '../../engine/writer/loop.ts'

/** A gateway's process. */
export type KeptGateway = {
  /** Resolves with its exit code. */
  readonly exited: Promise<number>
  /** Tells it to end: it answers pending requests. */
  stop(): void
  /** Ends it at once. */
  kill(): void
}

export type GatewayProcessesOptions = {
  readonly count: number
  /** Starts the process of a gateway of this name. */
  readonly start: (name: string) => KeptGateway
  readonly onNote: (note: GatewayProcessNote) => void
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Milliseconds since some moment. */
  readonly now: () => number
}

export type GatewayProcessNote =
  | { readonly kind: 'GatewayStarted'; readonly gateway: string }
  /** It is replaced after the pause. */
  | {
      readonly kind: 'GatewayEnded'
      readonly gateway: string
      readonly exitCode: number
      readonly pauseMs: number
    }

/** A process that has run for this long is replaced at once. */
export const STEADY_MS = 10_000
/** Pauses before one that has not: twice as long each time. */
export const REPLACE_PAUSE_MS_MIN = 100
export const REPLACE_PAUSE_MS_MAX = 5_000
/** A shorter pause for the last gateway: without it no gateway would serve clients. */
export const LAST_PAUSE_MS_MAX = 1_000
/** Time limit for processes that were asked to end. */
export const STOP_MS_MAX = 10_000

/** The gateways of one machine are numbered from 1. */
export function gatewayName(number: number): string {
  return `gateway-${number}`
}

export class GatewayProcesses {
  readonly #options: GatewayProcessesOptions
  readonly #running = new Map<string, KeptGateway>()
  readonly #kept: Promise<void>[]
  readonly #endPauseByName = new Map<string, () => void>()
  #isStopping = false

  /** Starts them. */
  constructor(options: GatewayProcessesOptions) {
    this.#options = options
    this.#kept = Array.from({ length: options.count }, (_, i) => this.#keep(gatewayName(i + 1)))
  }

  /** Names of those that run. */
  get running(): readonly string[] {
    return [...this.#running.keys()]
  }

  /**
   * Stops replacing processes, asks all to end, and kills those that have not ended after a while; resolves
   * when none is running.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const endPause of this.#endPauseByName.values()) endPause()
    for (const process of this.#running.values()) process.stop()
    const cancel = this.#options.scheduler.later(() => {
      for (const process of this.#running.values()) process.kill()
    }, STOP_MS_MAX)
    await Promise.all(this.#kept)
    cancel()
  }

  /** One gateway and its successors. */
  async #keep(gateway: string): Promise<void> {
    const { start, onNote, now } = this.#options
    let pauseMs = 0
    while (!this.#isStopping) {
      const startedAt = now()
      const process = start(gateway)
      this.#running.set(gateway, process)
      onNote({ kind: 'GatewayStarted', gateway })
      const exitCode = await process.exited
      this.#running.delete(gateway)
      if (this.#isStopping) return
      const isSteady = now() - startedAt >= STEADY_MS
      const pauseMsMax = this.#running.size === 0 ? LAST_PAUSE_MS_MAX : REPLACE_PAUSE_MS_MAX
      pauseMs = isSteady ? 0 : Math.min(pauseMsMax, Math.max(REPLACE_PAUSE_MS_MIN, pauseMs * 2))
      onNote({ kind: 'GatewayEnded', gateway, exitCode, pauseMs })
      if (pauseMs > 0) await this.#pause(gateway, pauseMs)
    }
  }

  #pause(gateway: string, pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#endPauseByName.delete(gateway)
        resolve()
      }
      const cancel = this.#options.scheduler.later(end, pauseMs)
      this.#endPauseByName.set(gateway, () => {
        cancel()
        end()
      })
    })
  }
}
