/**
 * The exchange's forecast for orders: requested shortly after the last key, and periodically while the market
 * moves.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { RepeatedOrder, TestedOrder } from '../../../../client/interface/orders.ts'
import { shownLanguage } from '../../../shared/texts/texts.ts'
import type { TradingState } from '../trading-state.ts'
import type { CheckedDraft } from './draft.ts'

/** The pause after typing before a request, and the interval of repeated requests. */
const TEST_DELAY_MS = 350
const TEST_EVERY_MS = 5_000

export type Forecast =
  | { readonly kind: 'none' }
  | { readonly kind: 'tested'; readonly order: TestedOrder | RepeatedOrder }
  | { readonly kind: 'refused'; readonly error: unknown }

/** One for each of the orders, requested in turn; none while they are incomplete or not live. */
export class Forecasts {
  readonly #trading: TradingState
  readonly #orders: ReadonlySignal<readonly CheckedDraft[]>
  readonly all = signal<readonly Forecast[]>([])

  constructor(trading: TradingState, orders: ReadonlySignal<readonly CheckedDraft[]>) {
    this.#trading = trading
    this.#orders = orders
    effect(() => this.#testSoon())
  }

  /** Called when the exchange has refused the sent order. */
  refuse(error: unknown): void {
    this.all.value = [{ kind: 'refused', error }]
  }

  #testSoon(): (() => void) | undefined {
    const [orders, trader, isLive] = [
      this.#orders.value,
      this.#trading.trader.value,
      this.#trading.isLive.value,
    ]
    // After a change of the language the forecast is requested again, because the exchange's refusal is a
    // text.
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
