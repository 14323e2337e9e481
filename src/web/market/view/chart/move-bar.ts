/**
 * The row above the chart: buttons for the account's own orders, or the order being moved with its new price.
 * The price is a spin button: arrow keys move it by one step, with Shift by ten; Enter confirms, Escape
 * cancels. The focus is never lost: it returns to the order's button, or to the chart.
 */
import type { Side } from '../../../../client/interface/words.ts'
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { setData, setText } from '../dom.ts'
import { button, element } from './elements.ts'

export type Chip = { readonly id: string; readonly side: Side; readonly text: string }

export type ShownMove = {
  readonly line: { readonly id: string }
  readonly price: string
  readonly by: 'pointer' | 'keys'
  readonly name: string
  /** The price and the effect of the move. */
  readonly text: string
}

export type MoveBarOptions = {
  readonly onBegin: (id: string) => void
  readonly onStep: (steps: number) => void
  readonly onConfirm: () => void
  readonly onLeave: () => void
  /** Called when the button that had the focus has disappeared. */
  readonly onLost: () => void
}

const MANY_STEPS = 10

export class MoveBar {
  readonly element = element('div', { className: 'chart-orders' })
  readonly said = element('p', { className: 'chart-said', id: 'chart-said' })
  readonly #options: MoveBarOptions
  readonly #chips = element('div', { className: 'chart-chips' })
  readonly #move = element('div', { className: 'chart-move' })
  readonly #price = element('span', { className: 'chart-price' })
  readonly #buttons = new Map<string, HTMLButtonElement>()
  #movedId: string | undefined

  constructor(options: MoveBarOptions) {
    this.#options = options
    this.said.role = 'status'
    this.#chips.role = 'group'
    this.#price.role = 'spinbutton'
    this.#price.tabIndex = 0
    const confirm = button(() => TEXTS.moves.confirm, options.onConfirm)
    const leave = button(() => TEXTS.moves.leave, options.onLeave)
    this.#move.append(this.#price, confirm, leave)
    this.#move.addEventListener('keydown', (event) => this.#press(event))
    this.#move.hidden = true
    this.element.append(this.#chips, this.#move)
    onLanguage(() => {
      this.#chips.ariaLabel = TEXTS.moves.orders
    })
  }

  /** Shows why nothing can be moved; an empty text removes it. */
  say(text: string): void {
    setText(this.said, text)
  }

  showOrders(chips: readonly Chip[]): void {
    const hadFocus = this.#move.contains(document.activeElement)
    this.#move.hidden = true
    this.#chips.hidden = chips.length === 0
    this.#showChips(chips)
    const moved = this.#movedId
    this.#movedId = undefined
    if (!hadFocus) return
    const back = this.#buttons.get(moved ?? '')
    if (back === undefined) this.#options.onLost()
    else back.focus()
  }

  showMove({ line, price, by, name, text }: ShownMove): void {
    const isNew = this.#movedId !== line.id
    this.#movedId = line.id
    this.#chips.hidden = true
    this.#move.hidden = false
    this.#price.ariaLabel = TEXTS.moves.newPrice(name)
    this.#price.setAttribute('aria-valuenow', price)
    this.#price.setAttribute('aria-valuetext', text)
    setText(this.#price, text)
    if (isNew && by === 'keys') this.#price.focus()
  }

  #showChips(chips: readonly Chip[]): void {
    const focused = document.activeElement
    const ids = new Set(chips.map(({ id }) => id))
    let isLost = false
    for (const [id, chip] of this.#buttons) {
      if (ids.has(id)) continue
      isLost ||= chip === focused
      chip.remove()
      this.#buttons.delete(id)
    }
    for (const [index, { id, side, text }] of chips.entries()) {
      const chip = this.#buttons.get(id) ?? this.#makeChip(id)
      setText(chip, text)
      setData(chip, 'side', side)
      const name = TEXTS.moves.begin(text)
      if (chip.ariaLabel !== name) chip.ariaLabel = name
      if (this.#chips.children[index] !== chip)
        this.#chips.insertBefore(chip, this.#chips.children[index] ?? null)
    }
    if (isLost) this.#options.onLost()
  }

  #makeChip(id: string): HTMLButtonElement {
    const chip = element('button')
    chip.type = 'button'
    chip.dataset.line = id
    chip.addEventListener('click', () => this.#options.onBegin(id))
    this.#buttons.set(id, chip)
    return chip
  }

  #press(event: KeyboardEvent): void {
    const { onStep, onConfirm, onLeave } = this.#options
    const steps = event.shiftKey ? MANY_STEPS : 1
    if (event.key === 'Escape') onLeave()
    else if (event.target !== this.#price) return
    else if (event.key === 'ArrowUp' || event.key === 'ArrowRight') onStep(steps)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowLeft') onStep(-steps)
    else if (event.key === 'Enter' && !event.repeat) onConfirm()
    else return
    event.preventDefault()
  }
}
