/**
 * The effect of a key press: none in a field or a dialog, and none while the key is held down. Escape ends
 * one-click trading, even from a field; if Escape also closes something, it does that first.
 */
import { effect, signal } from '@preact/signals'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { PROBLEM, type TradingState } from '../trading-state.ts'
import { cancelAll, cancelOrder } from './cancels.ts'
import { type HotkeyAction, type Hotkeys, keyOf } from './hotkeys.ts'
import type { PointedPrice, QuickOrders } from './quick-orders.ts'

export type HotkeyRunnerOptions = {
  readonly trading: TradingState
  readonly hotkeys: Hotkeys
  readonly quick: QuickOrders
  /** Sets a percentage of the free balance. */
  readonly take: (percent: number) => void
  /** The price of the book under the pointer. */
  readonly pointed: () => PointedPrice | undefined
  /** Switches to the next or previous market. */
  readonly onMarket: (step: 1 | -1) => void
  /** Moves the focus into a field of the form. */
  readonly focus: (field: 'price' | 'quantity') => void
}

/** The place of the focus, as far as keys depend on it. */
export type KeyPlace = 'PAGE' | 'FIELD' | 'DIALOG'

export class HotkeyRunner {
  readonly #options: HotkeyRunnerOptions
  /** The dialog of the keys is open. */
  readonly isShown = signal(false)
  /** The question whether to cancel all orders is open. */
  readonly asksCancelAll = signal(false)

  constructor(options: HotkeyRunnerOptions) {
    this.#options = options
    // A question that was shown for one API key is never confirmed for another.
    effect(() => {
      void options.trading.trader.value
      this.asksCancelAll.value = false
    })
  }

  get hotkeys(): Hotkeys {
    return this.#options.hotkeys
  }

  /** True if the key was handled. */
  press(event: KeyboardEvent, place: KeyPlace): boolean {
    if (event.defaultPrevented || event.repeat || event.isComposing || place === 'DIALOG') return false
    if (event.key === 'Escape') return this.#escape()
    if (place === 'FIELD') return false
    const action = this.hotkeys.actionOf(keyOf(event))
    if (action === undefined) return false
    this.#run(action)
    return true
  }

  cancelAll(): void {
    this.asksCancelAll.value = false
    void cancelAll(this.#options.trading, undefined)
  }

  #escape(): boolean {
    const { consent } = this.#options.trading
    if (!consent.isOneClick.value) return false
    consent.endOneClick()
    this.#options.trading.notify(() => TEXTS.quick.ended)
    return true
  }

  #run(action: HotkeyAction): void {
    const { trading, take, pointed, onMarket, focus } = this.#options
    const { bid, ask } = trading.best.peek()
    const acts: { readonly [Action in HotkeyAction]: () => void } = {
      BUY_BEST: () => this.#place(ask === undefined ? undefined : { side: 'BUY', price: ask }, 'noBest'),
      SELL_BEST: () => this.#place(bid === undefined ? undefined : { side: 'SELL', price: bid }, 'noBest'),
      PLACE_AT_POINTER: () => this.#place(pointed(), 'noPointed'),
      TOGGLE_SIDE: () => trading.setSide(trading.draft.peek().side === 'BUY' ? 'SELL' : 'BUY'),
      FOCUS_PRICE: () => focus('price'),
      FOCUS_QUANTITY: () => focus('quantity'),
      SHARE_25: () => take(25),
      SHARE_50: () => take(50),
      SHARE_75: () => take(75),
      SHARE_100: () => take(100),
      CANCEL_LAST: () =>
        void trading.attempt(async (trader) => {
          const [last] = trader.account.orders.peek()
          if (last !== undefined) await cancelOrder(trading, last)
        }),
      CANCEL_ALL: () =>
        void trading.cancel(async () => {
          this.asksCancelAll.value = true
        }),
      NEXT_MARKET: () => onMarket(1),
      PREVIOUS_MARKET: () => onMarket(-1),
      SHOW_HOTKEYS: () => {
        this.isShown.value = true
      },
    }
    acts[action]()
  }

  /** `missing`: the message if there is no price. */
  #place(choice: PointedPrice | undefined, missing: 'noBest' | 'noPointed'): void {
    if (choice === undefined) this.#options.trading.notify(() => TEXTS.quick[missing], PROBLEM)
    else void this.#options.quick.place(choice)
  }
}
