/**
 * The number of the database's declared standbys that do not follow it, checked by the leading engine every
 * 15 seconds. While enough of them confirm, orders continue and nothing else shows that one more loss stops
 * the exchange.
 */
import type { Scheduler } from '../../../engine/writer/loop.ts'
import type { Logger } from '../../../server/common/logger.ts'

const EVERY_MS = 15_000

export type StandbyWatchOptions = {
  /** Names of declared standbys that do not follow. */
  readonly look: () => Promise<readonly string[]>
  /** While the database does not answer, all declared standbys count as missing. */
  readonly declared: readonly string[]
  readonly leads: () => boolean
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly scheduler: Scheduler
}

export class StandbyWatch {
  readonly #options: StandbyWatchOptions
  /** Undefined if it does not lead, or has not checked yet. */
  #missing: readonly string[] | undefined
  #told = ''
  #isStopped = false
  #cancel: () => void = () => {}

  constructor(options: StandbyWatchOptions) {
    this.#options = options
    this.#wait()
  }

  get missing(): number | undefined {
    return this.#options.leads() ? this.#missing?.length : undefined
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #wait(): void {
    if (!this.#isStopped) this.#cancel = this.#options.scheduler.later(() => this.#next(), EVERY_MS)
  }

  async #next(): Promise<void> {
    const { leads, look, declared } = this.#options
    try {
      if (leads()) this.#take(await look(), undefined)
      else this.#missing = undefined
    } catch (cause) {
      this.#take(declared, cause instanceof Error ? cause.message : String(cause))
    } finally {
      this.#wait()
    }
  }

  /** Changes are logged once. */
  #take(missing: readonly string[], problem: string | undefined): void {
    this.#missing = missing
    const now = missing.join(', ')
    if (now === this.#told) return
    this.#told = now
    const { log } = this.#options
    if (missing.length === 0) {
      log.info({}, 'all declared standbys of the database are connected again')
      return
    }
    const text = 'declared standbys of the database are not connected: one more failure may stop the exchange'
    log.error({ alarm: 'DATABASE_STANDBY_LOST', standbys: missing, problem }, text)
  }
}
