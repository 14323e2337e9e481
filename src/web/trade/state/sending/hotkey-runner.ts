/** What a key of the keyboard does: nothing in a field or a dialog, nothing while it is held down. Escape ends one-click trading, in a field too; where it closes something, it does that first. */
import { effect, signal } from '@preact/signals'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { type Desk, PROBLEM } from '../desk.ts'
import { cancelAll, cancelOrder } from './cancels.ts'
import { type HotkeyAction, type Hotkeys, keyOf } from './hotkeys.ts'
import type { PointedPrice, QuickOrders } from './quick-orders.ts'

export type HotkeyRunnerOptions = {
  readonly desk: Desk
  readonly hotkeys: Hotkeys
  readonly quick: QuickOrders
  /** So many percent of what is free. */
  readonly take: (percent: number) => void
  /** The price of the book that the pointer is on. */
  readonly pointed: () => PointedPrice | undefined
  /** The market after the one that is looked at, or before it. */
  readonly onMarket: (step: 1 | -1) => void
  /** Puts the keyboard's place into a field of the form. */
  readonly focus: (field: 'price' | 'quantity') => void
}

/** The place of the keyboard, as far as keys depend on it. */
export type KeyPlace = 'PAGE' | 'FIELD' | 'DIALOG'

export class HotkeyRunner {
  readonly #options: HotkeyRunnerOptions
  /** The dialog of the keys is open. */
  readonly isShown = signal(false)
  /** Whether all orders are to be canceled is asked. */
  readonly asksCancelAll = signal(false)

  constructor(options: HotkeyRunnerOptions) {
    this.#options = options
    // Asked for one key, it is never answered for another one.
    effect(() => {
      void options.desk.trader.value
      this.asksCancelAll.value = false
    })
  }

  get hotkeys(): Hotkeys {
    return this.#options.hotkeys
  }

  /** True: the key was for this. */
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
    void cancelAll(this.#options.desk, undefined)
  }

  #escape(): boolean {
    const { consent } = this.#options.desk
    if (!consent.isOneClick.value) return false
    consent.endOneClick()
    this.#options.desk.notify(() => TEXTS.quick.ended)
    return true
  }

  #run(action: HotkeyAction): void {
    const { desk, take, pointed, onMarket, focus } = this.#options
    const { bid, ask } = desk.best.peek()
    const acts: { readonly [Action in HotkeyAction]: () => void } = {
      BUY_BEST: () => this.#place(ask === undefined ? undefined : { side: 'BUY', price: ask }, 'noBest'),
      SELL_BEST: () => this.#place(bid === undefined ? undefined : { side: 'SELL', price: bid }, 'noBest'),
      PLACE_AT_POINTER: () => this.#place(pointed(), 'noPointed'),
      TOGGLE_SIDE: () => desk.setSide(desk.draft.peek().side === 'BUY' ? 'SELL' : 'BUY'),
      FOCUS_PRICE: () => focus('price'),
      FOCUS_QUANTITY: () => focus('quantity'),
      SHARE_25: () => take(25),
      SHARE_50: () => take(50),
      SHARE_75: () => take(75),
      SHARE_100: () => take(100),
      CANCEL_LAST: () =>
        void desk.attempt(async (trader) => {
          const [last] = trader.account.orders.peek()
          if (last !== undefined) await cancelOrder(desk, last)
        }),
      CANCEL_ALL: () =>
        void desk.cancel(async () => {
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

  /** `missing`: what is said where there is no price. */
  #place(choice: PointedPrice | undefined, missing: 'noBest' | 'noPointed'): void {
    if (choice === undefined) this.#options.desk.notify(() => TEXTS.quick[missing], PROBLEM)
    else void this.#options.quick.place(choice)
  }
}
