/**
 * Actions at a price of the chart: an order for the form, which is never sent from here, an alert, a line.
 * The price can be typed.
 */

import { Decimal } from '../../../../../client/decimal.ts'
import type { Side } from '../../../../../client/interface/words.ts'
import { groupedText } from '../../../../shared/grouped-text.ts'
import { onLanguage, TEXTS } from '../../../../shared/texts/texts.ts'
import type { OrderAtPrice } from '../../../../trade/account/chart-account.ts'
import { setText } from '../../dom.ts'
import { element } from '../elements.ts'
import type { Spot } from './drawn-lines.ts'

const NUMBER = /^\d{1,20}(?:\.\d{1,20})?$/
const ACTIONS = ['BUY', 'SELL', 'STOP', 'ALERT', 'LEVEL'] as const
/** Distance from the edges of the window. */
const APART = 6

type Action = (typeof ACTIONS)[number]

export type PriceMenuOptions = {
  readonly hasKey: () => boolean
  readonly last: () => string | undefined
  readonly onOrder: (order: OrderAtPrice) => void
  readonly onAlert: (price: string) => void
  readonly onLevel: (price: string) => void
}

export class PriceMenu {
  readonly element = element('div', { className: 'sheet', id: 'chart-price-menu' })
  readonly #options: PriceMenuOptions
  readonly #price = element('input')
  readonly #label = element('span')
  readonly #said = element('p')
  readonly #buttons: ReadonlyMap<Action, HTMLButtonElement>

  constructor(options: PriceMenuOptions) {
    this.#options = options
    this.element.classList.add('chart-sheet')
    this.element.popover = 'auto'
    this.element.role = 'dialog'
    this.#said.role = 'status'
    this.#price.inputMode = 'decimal'
    this.#price.addEventListener('input', () => this.#write())
    this.#buttons = new Map(ACTIONS.map((action) => [action, this.#button(action)]))
    const fields = element('div', { className: 'chart-fields' })
    const label = element('label')
    label.append(this.#label, this.#price)
    const list = element('div', { className: 'chart-adders' })
    list.append(...this.#buttons.values())
    fields.append(label, list, this.#said)
    this.element.append(fields)
    onLanguage(() => this.#write())
  }

  /** `at`: in the window. */
  open(at: Spot, price: string): void {
    this.#price.value = price
    this.#write()
    if (!this.element.matches(':popover-open')) this.element.showPopover()
    const { width, height } = this.element.getBoundingClientRect()
    const within = (from: number, size: number, room: number) =>
      `${Math.max(APART, Math.min(from, room - size - APART))}px`
    this.element.style.left = within(at.x, width, innerWidth)
    this.element.style.top = within(at.y, height, innerHeight)
    const [first] = [...this.#buttons.values()].filter(({ disabled }) => !disabled)
    first?.focus()
  }

  get #typed(): string | undefined {
    const text = this.#price.value.trim()
    return NUMBER.test(text) && Number(text) > 0 ? text : undefined
  }

  /**
   * A stop waits for a price that the market has not reached: above the last price it buys, below it sells.
   */
  #stopSide(price: string): Side {
    const last = this.#options.last()
    return last !== undefined && Decimal.from(price).compare(last) > 0 ? 'BUY' : 'SELL'
  }

  #write(): void {
    const { drawings: words } = TEXTS
    const price = this.#typed
    const [hasKey, last] = [this.#options.hasKey(), this.#options.last()]
    this.element.ariaLabel = words.atPrice
    setText(this.#label, words.price)
    this.#price.ariaInvalid = String(price === undefined)
    for (const [action, button] of this.#buttons) {
      const shown = groupedText(price ?? this.#price.value)
      const stop = price === undefined ? 'SELL' : this.#stopSide(price)
      setText(button, action === 'STOP' ? words.stop[stop](shown) : words.at[action](shown))
      const isOrder = action !== 'ALERT' && action !== 'LEVEL'
      const isKnown = action === 'LEVEL' || action === 'BUY' || action === 'SELL' || last !== undefined
      button.disabled = price === undefined || (isOrder && !hasKey) || !isKnown
    }
    setText(this.#said, price === undefined ? words.badPrice : hasKey ? words.onlyForm : words.needsKey)
  }

  #button(action: Action): HTMLButtonElement {
    const made = element('button')
    made.type = 'button'
    made.dataset.action = action
    made.addEventListener('click', () => {
      const price = this.#typed
      if (price === undefined) return
      this.element.hidePopover()
      this.#do(action, price)
    })
    return made
  }

  #do(action: Action, price: string): void {
    const { onOrder, onAlert, onLevel } = this.#options
    if (action === 'ALERT') onAlert(price)
    else if (action === 'LEVEL') onLevel(price)
    else if (action === 'STOP') onOrder({ side: this.#stopSide(price), type: 'STOP_LOSS', price })
    else onOrder({ side: action, type: 'LIMIT', price })
  }
}
