/** What would become of orders now, as the exchange says: asked a little after the last key, and now and then as the market moves on. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { RepeatedOrder, TestedOrder } from '../../../../client/interface/orders.ts'
import { shownLanguage } from '../../../shared/texts/texts.ts'
import type { Desk } from '../desk.ts'
import type { CheckedDraft } from './draft.ts'

/** How long nobody types before the exchange is asked, and how often it is asked again. */
const TEST_DELAY_MS = 350
const TEST_EVERY_MS = 5_000

export type Forecast =
  | { readonly kind: 'none' }
  | { readonly kind: 'tested'; readonly order: TestedOrder | RepeatedOrder }
  | { readonly kind: 'refused'; readonly error: unknown }

/** One for each of the orders, in their turn; none while they are not complete, or not live. */
export class Forecasts {
  readonly #desk: Desk
  readonly #orders: ReadonlySignal<readonly CheckedDraft[]>
  readonly all = signal<readonly Forecast[]>([])

  constructor(desk: Desk, orders: ReadonlySignal<readonly CheckedDraft[]>) {
    this.#desk = desk
    this.#orders = orders
    effect(() => this.#testSoon())
  }

  /** The exchange has refused what was sent. */
  refuse(error: unknown): void {
    this.all.value = [{ kind: 'refused', error }]
  }

  #testSoon(): (() => void) | undefined {
    const [orders, trader, isLive] = [this.#orders.value, this.#desk.trader.value, this.#desk.isLive.value]
    // In another language it is asked anew: the exchange says in words why it refuses.
    void shownLanguage()
    this.all.value = []
    if (orders.length === 0 || trader === undefined || !isLive) return
    const stop = new AbortController()
    const testOne = async (order: CheckedDraft): Promise<Forecast> => {
      try {
        const tested = await trader.test(order, stop.signal)
        return tested === undefined ? { kind: 'none' } : { kind: 'tested', order: tested }
      } catch (error) {
        return { kind: 'refused', error }
      }
    }
    const test = async () => {
      const all = await Promise.all(orders.map(testOne))
      if (stop.signal.aborted) return
      this.all.value = all
      timer = setTimeout(test, TEST_EVERY_MS)
    }
    let timer = setTimeout(test, TEST_DELAY_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }
}
