/**
 * On a phone only one panel is visible, chosen by the bar at the bottom; on other screens there is no bar,
 * and all panels are visible.
 */
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { byId, setText } from './dom.ts'

const VIEWS = ['chart', 'book', 'tape', 'trade', 'account'] as const

type View = (typeof VIEWS)[number]

export class PhoneViews {
  readonly #buttons: ReadonlyMap<View, HTMLButtonElement>

  constructor() {
    this.#buttons = new Map(VIEWS.map((view) => [view, this.#makeButton(view)]))
    byId('views', HTMLElement).append(...this.#buttons.values())
    onLanguage(() => {
      for (const [view, button] of this.#buttons) setText(button, TEXTS.layout.view[view])
    })
    document.querySelector('.skip')?.addEventListener('click', () => this.show('book'))
    this.show('chart')
  }

  show(view: View): void {
    document.body.dataset.view = view
    for (const [each, button] of this.#buttons) button.ariaPressed = String(each === view)
  }

  #makeButton(view: View): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.addEventListener('click', () => this.show(view))
    return button
  }
}
