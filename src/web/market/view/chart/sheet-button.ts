/**
 * A button in the chart's header, and the sheet that it opens. The content of the sheet is created, or
 * loaded, when it is first opened.
 */
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { setText } from '../dom.ts'
import { button, element } from './elements.ts'

/** Distance between the button and its sheet, and between the sheet and the edges of the window. */
const APART = 6

export type SheetButtonOptions = {
  readonly id: string
  /** In the current language. */
  readonly text: () => string
  readonly fill: () => HTMLElement | Promise<HTMLElement>
}

export class SheetButton {
  readonly button: HTMLButtonElement
  readonly sheet: HTMLElement
  readonly #fill: SheetButtonOptions['fill']
  #isFilled = false

  constructor({ id, text, fill }: SheetButtonOptions) {
    this.#fill = fill
    this.sheet = element('div', { className: 'sheet', id })
    this.sheet.classList.add('chart-sheet')
    this.sheet.popover = 'auto'
    this.sheet.role = 'dialog'
    this.button = button(text, () => {})
    this.button.popoverTargetElement = this.sheet
    onLanguage(() => {
      this.sheet.ariaLabel = text()
    })
    this.sheet.addEventListener('toggle', ({ newState }) => {
      if (newState === 'open') void this.#opened()
    })
    addEventListener('resize', () => this.place())
  }

  open(): void {
    if (!this.#isOpen) this.sheet.showPopover({ source: this.button })
  }

  close(): void {
    if (this.#isOpen) this.sheet.hidePopover()
  }

  /** Places the sheet; must be called when the size of its content changes. */
  place(): void {
    if (!this.#isOpen) return
    const [at, { width, height }] = [this.button.getBoundingClientRect(), this.sheet.getBoundingClientRect()]
    const within = (from: number, size: number, room: number) =>
      `${Math.max(APART, Math.min(from, room - size - APART))}px`
    this.sheet.style.left = within(at.left, width, innerWidth)
    this.sheet.style.top = within(at.bottom + APART, height, innerHeight)
  }

  get #isOpen(): boolean {
    return this.sheet.matches(':popover-open')
  }

  async #opened(): Promise<void> {
    if (!this.#isFilled) await this.#load()
    this.place()
    const first = this.sheet.querySelector<HTMLElement>('input, select, button:enabled')
    if (this.#isOpen && !this.sheet.contains(document.activeElement)) first?.focus()
  }

  async #load(): Promise<void> {
    const state = element('p')
    state.role = 'status'
    setText(state, TEXTS.chartTools.loading)
    this.sheet.replaceChildren(state)
    this.place()
    try {
      this.sheet.replaceChildren(await this.#fill())
      this.#isFilled = true
    } catch {
      setText(state, TEXTS.chartTools.failed)
    }
  }
}
