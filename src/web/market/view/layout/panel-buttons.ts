/**
 * In the header of each panel: a button that maximizes the panel, and one that hides it. The sheet behind the
 * bar's button shows a hidden panel again.
 */
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { byId } from '../dom.ts'
import { type PanelName, withPanel } from './panel-layout.ts'
import type { PanelView } from './panel-view.ts'

export class PanelButtons {
  readonly #view: PanelView

  constructor(view: PanelView) {
    this.#view = view
    // A dialog, a menu, a field or a move of an order has already handled the key.
    addEventListener('keydown', ({ key, defaultPrevented, target }) => {
      if (key !== 'Escape' || defaultPrevented || view.maximized === undefined) return
      const isTaken = document.querySelector(':popover-open, dialog[open], [data-full]') !== null
      const isTyping = target instanceof Element && target.matches('input, select, textarea')
      if (!isTaken && !isTyping) view.maximize(undefined)
    })
  }

  of(panel: PanelName): HTMLElement {
    const element = document.createElement('div')
    element.className = 'panel-buttons'
    element.dataset.panel = panel
    const maximize = iconButton('panel-maximize', () => {
      this.#view.maximize(this.#view.maximized === panel ? undefined : panel)
    })
    const hide = iconButton('panel-hide', () => {
      this.#view.maximize(undefined)
      this.#view.set(withPanel(this.#view.layout, panel, false))
      byId('layout-button', HTMLElement).focus()
    })
    element.append(maximize, hide)
    const show = () => {
      const { shown, maximized } = this.#view
      const { layout } = TEXTS
      const name = layout.panels[panel]
      element.hidden = !shown.includes(panel)
      maximize.ariaPressed = String(maximized === panel)
      nameButton(maximize, maximized === panel ? layout.restore(name) : layout.maximize(name))
      nameButton(hide, layout.hide(name))
      hide.disabled = maximized === undefined && shown.length === 1
    }
    this.#view.watch(show)
    onLanguage(show)
    return element
  }
}

function iconButton(className: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = className
  made.addEventListener('click', onClick)
  return made
}

function nameButton(button: HTMLButtonElement, name: string): void {
  if (button.ariaLabel === name) return
  button.ariaLabel = name
  button.title = name
}
