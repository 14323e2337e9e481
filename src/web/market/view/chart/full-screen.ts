/**
 * The chart over the whole page, and the page over the whole screen if the browser allows it. Escape, or the
 * button, ends both. The page behind the chart cannot be used in the meantime. Questions appear over it; the
 * newest notice has its own strip below it, so that it covers no order of the chart.
 */
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { setData } from '../dom.ts'
import { element } from './elements.ts'

const BEHIND = ['.top', '#phase', 'main > *', '#trade > .panel', '#views', '.phone-sides']
const SVG = 'http://www.w3.org/2000/svg'
const CORNERS = 'M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4'

export class FullScreen {
  readonly button = element('button', { className: 'chart-full' })
  readonly #panel: HTMLElement
  #inert: readonly HTMLElement[] = []

  constructor(panel: HTMLElement) {
    this.#panel = panel
    const icon = document.createElementNS(SVG, 'svg')
    icon.setAttribute('viewBox', '0 0 16 16')
    icon.ariaHidden = 'true'
    const corners = document.createElementNS(SVG, 'path')
    corners.setAttribute('d', CORNERS)
    icon.append(corners)
    this.button.type = 'button'
    this.button.append(icon)
    this.button.addEventListener('click', () => (this.#isFull ? this.leave() : this.#enter()))
    onLanguage(() => this.#write())
    document.addEventListener('fullscreenchange', () => {
      if (document.fullscreenElement === null) this.leave()
    })
    // A dialog, a menu or a move of an order has already handled the key.
    addEventListener('keydown', (event) => {
      const isTaken = event.defaultPrevented || document.querySelector(':popover-open, dialog[open]') !== null
      if (event.key === 'Escape' && !isTaken) this.leave()
    })
  }

  leave(): void {
    if (!this.#isFull) return
    setData(this.#panel, 'full', undefined)
    setData(document.body, 'full', undefined)
    for (const each of this.#inert) each.inert = false
    this.#inert = []
    if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {})
    this.#write()
  }

  get #isFull(): boolean {
    return this.#panel.dataset.full !== undefined
  }

  #enter(): void {
    setData(this.#panel, 'full', '')
    setData(document.body, 'full', '')
    const behind = [...document.querySelectorAll<HTMLElement>(BEHIND.join())]
    this.#inert = behind.filter((each) => !each.contains(this.#panel) && each.id !== 'trade' && !each.inert)
    for (const each of this.#inert) each.inert = true
    // If the browser does not allow it, the chart fills the window.
    void document.documentElement.requestFullscreen?.().catch(() => {})
    this.#write()
  }

  #write(): void {
    const { fullScreen, leaveFullScreen } = TEXTS.chartTools
    const name = this.#isFull ? leaveFullScreen : fullScreen
    this.button.ariaLabel = name
    this.button.title = name
    this.button.ariaPressed = String(this.#isFull)
  }
}
