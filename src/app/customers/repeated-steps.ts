/**
 * Steps that the customers process repeats until the exchange accepts them. A step that is refused is tried
 * again after a pause of its own, which grows, and delays no other step.
 */
import { ExchangeFault, type World } from '../../customers/ports.ts'

export type Step = {
  /** For the log. */
  readonly name: string
  /** Rejects with `ExchangeFault`. */
  readonly run: () => Promise<void>
}

/** Pauses after refusals: twice as long each time. */
export const PAUSE_MS_MIN = 1_000
export const PAUSE_MS_MAX = 60_000

export class RepeatedSteps {
  readonly #steps: { readonly step: Step; refusals: number; dueMs: number }[]
  readonly #world: Pick<World, 'monotonicMs' | 'log'>

  constructor(steps: readonly Step[], world: Pick<World, 'monotonicMs' | 'log'>) {
    this.#steps = steps.map((step) => ({ step, refusals: 0, dueMs: Number.NEGATIVE_INFINITY }))
    this.#world = world
  }

  /**
   * Runs the steps that are due, one after the other; called at intervals. Rejects with `ExchangeFault` if
   * the exchange does not answer: then the remaining steps are not tried.
   */
  async run(): Promise<void> {
    const { monotonicMs, log } = this.#world
    for (const each of this.#steps) {
      if (monotonicMs() < each.dueMs) continue
      try {
        await each.step.run()
        each.refusals = 0
      } catch (cause) {
        if (!(cause instanceof ExchangeFault) || cause.refusal === undefined) throw cause
        each.dueMs = monotonicMs() + Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** each.refusals)
        // Logged once, however long it is refused.
        if (each.refusals++ === 0)
          log.warn(
            { step: each.step.name, problem: cause.message },
            'the exchange refused a step of the customers process, which is retried',
          )
      }
    }
  }
}
