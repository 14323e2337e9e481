/**
 * The demo market of a sandbox, on or off: switched by the command line at the start, by the page at any
 * time.
 */
import { randomInt } from 'node:crypto'
import type { Logger } from '../../../server/common/logger.ts'
import type { Node } from '../../node/running-node.ts'
import type { Settings } from '../../settings/defaults.ts'
import type { LivingMarket } from './living-market.ts'
import { type DemoTerms, PACE_DEFAULT } from './terms.ts'

/** Random seeds are below this: short enough to be typed. */
const DRAWN_SEED_END = 1_000_000

export type DemoSwitchOptions = { readonly node: Node; readonly settings: Settings; readonly log: Logger }

export class DemoSwitch {
  readonly #options: DemoSwitchOptions
  #market: LivingMarket | undefined
  /** The last requested state; one change is made at a time. */
  #last: Promise<unknown> = Promise.resolve()
  #hasEnded = false

  constructor(options: DemoSwitchOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#market !== undefined
  }

  /**
   * Starts the market unless it runs; terms that are not given are random or default. Returns its terms once
   * it runs.
   */
  start({
    seed = randomInt(DRAWN_SEED_END),
    pace = PACE_DEFAULT,
  }: Partial<DemoTerms> = {}): Promise<DemoTerms> {
    return this.#next(async () => {
      if (this.#market !== undefined || this.#hasEnded) return this.#market ?? { seed, pace }
      const { startDemo } = await import('./start-demo.ts')
      this.#market = await startDemo({ ...this.#options, seed, pace })
      this.#options.log.info({ seed, pace }, 'the demo market runs')
      return { seed, pace }
    })
  }

  /** Stops the market and cancels its orders. */
  stop(): Promise<void> {
    return this.#next(async () => {
      const market = this.#market
      if (market === undefined) return
      this.#market = undefined
      await market.stop()
      this.#options.log.info({}, 'the demo market has ended')
    })
  }

  /** Called when the node stops: stops the market, and does not start it again. */
  end(): Promise<void> {
    this.#hasEnded = true
    return this.stop()
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}
