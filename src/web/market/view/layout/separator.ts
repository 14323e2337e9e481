/** The line between two panels: dragged by the pointer, moved by arrow keys (WAI-ARIA, window splitter). */
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import { byId } from '../dom.ts'
import { CHART_ACROSS, changeableSizes, USUAL_SIZES } from './panel-grid.ts'
import { type PanelLayout, SIZES, type SizeName, withSize } from './panel-layout.ts'
import type { PanelView } from './panel-view.ts'

/** The step of an arrow key, in percent of the height or in rem; with Shift, five times that. */
const ROW_STEP = 2
const COLUMN_STEP = 0.5
const COARSE_STEPS = 5

/** The panel that is resized. */
const OF_PANEL: { readonly [Name in SizeName]: string } = {
  left: 'chart',
  middle: 'book',
  book: 'book',
  tape: 'tape-panel',
  trade: 'trade',
}

export class Separator {
  readonly element = document.createElement('div')
  readonly #view: PanelView
  readonly #name: SizeName
  readonly #isRow: boolean
  readonly #main = byId('main', HTMLElement)
  /** The layout before it was dragged. */
  #before: PanelLayout | undefined
  /** Distance from the start of the drag. */
  #offset = 0

  constructor(view: PanelView, name: SizeName) {
    this.#view = view
    this.#name = name
    this.#isRow = name === 'left' || name === 'middle'
    const { element } = this
    element.className = 'panel-separator'
    element.role = 'separator'
    element.tabIndex = 0
    element.dataset.size = name
    element.ariaOrientation = this.#isRow ? 'horizontal' : 'vertical'
    element.ariaValueMin = String(SIZES[name].min)
    element.ariaValueMax = String(SIZES[name].max)
    element.setAttribute('aria-controls', OF_PANEL[name])
    onLanguage(() => {
      element.ariaLabel = TEXTS.layout.sizes[name]
      element.title = TEXTS.layout.sizes[name]
    })
    element.addEventListener('keydown', (event) => this.#press(event))
    element.addEventListener('dblclick', () => this.#set(undefined))
    element.addEventListener('pointerdown', (event) => this.#take(event))
    element.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (this.#before !== undefined) this.#set(this.#sizeAt(clientX, clientY) + this.#offset, false)
    })
    element.addEventListener('pointerup', () => this.#drop())
    element.addEventListener('pointercancel', () => this.#takeBack())
    view.watch(() => this.#show())
    this.#show()
  }

  #show(): void {
    const { screen, shown } = this.#view
    this.element.hidden = !changeableSizes(screen, shown).includes(this.#name)
    this.element.ariaValueNow = String(this.#size)
    // A separator of columns is at the edge of the panel in its column.
    if (this.#name === 'book') this.element.style.gridColumn = shown.includes('book') ? 'book' : 'tape'
  }

  get #size(): number {
    const { layout, screen } = this.#view
    return layout.sizes[this.#name] ?? USUAL_SIZES[screen][this.#name]
  }

  #set(size: number | undefined, isKept = true): void {
    this.#view.set(withSize(this.#view.layout, this.#name, size), isKept)
  }

  #press(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.#before !== undefined) this.#takeBack()
    else if (event.key === 'Enter') this.#set(undefined)
    else if (event.key === 'Home') this.#set(SIZES[this.#name].min)
    else if (event.key === 'End') this.#set(SIZES[this.#name].max)
    else if (!this.#step(event)) return
    event.preventDefault()
  }

  /**
   * The separator moves in the direction of the arrow. A separator of rows enlarges the panel above it, one
   * of columns the panel on its right.
   */
  #step({ key, shiftKey }: KeyboardEvent): boolean {
    const [less, more] = this.#isRow ? ['ArrowUp', 'ArrowDown'] : ['ArrowRight', 'ArrowLeft']
    if (key !== less && key !== more) return false
    const step = (this.#isRow ? ROW_STEP : COLUMN_STEP) * (shiftKey ? COARSE_STEPS : 1)
    this.#set(this.#size + (key === more ? step : -step))
    return true
  }

  #take(event: PointerEvent): void {
    if (event.button !== 0) return
    event.preventDefault()
    this.element.focus()
    this.element.setPointerCapture(event.pointerId)
    this.#before = this.#view.layout
    this.#offset = this.#size - this.#sizeAt(event.clientX, event.clientY)
    this.element.dataset.taken = ''
  }

  #drop(): void {
    if (this.#before === undefined) return
    this.#before = undefined
    delete this.element.dataset.taken
    this.#view.set(this.#view.layout)
  }

  #takeBack(): void {
    const before = this.#before
    this.#before = undefined
    delete this.element.dataset.taken
    if (before !== undefined) this.#view.set(before, false)
  }

  #sizeAt(x: number, y: number): number {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    if (this.#isRow) return this.#shareAt(y, rem)
    return (this.#rightEdge - x) / rem
  }

  /** The height of the panel above, in percent, if it ended at that position. */
  #shareAt(y: number, rem: number): number {
    const { screen } = this.#view
    const top = byId(this.#name === 'left' ? 'chart' : 'book', HTMLElement).getBoundingClientRect().top
    // On a small tablet the chart above the other panels has its own height.
    if (screen === 'SMALL_TABLET' && this.#name === 'left')
      return (USUAL_SIZES.SMALL_TABLET.left * (y - top)) / (CHART_ACROSS * rem)
    if (screen === 'TABLET' || screen === 'SMALL_TABLET') {
      const below = this.#view.shown.includes('book') && this.#name === 'left' ? 'book' : 'tape-panel'
      const { bottom } = byId(below, HTMLElement).getBoundingClientRect()
      return (100 * (y - top)) / (bottom - top)
    }
    const whole = this.#main.getBoundingClientRect()
    return (100 * (y - whole.top)) / whole.height
  }

  /** The width of the column to the right. */
  get #rightEdge(): number {
    // The form's panel is inside a region without a box.
    if (this.#name === 'trade') {
      const padding = Number.parseFloat(getComputedStyle(this.#main).paddingRight)
      return this.#main.getBoundingClientRect().right - padding
    }
    const isBook = this.#name === 'book' && this.#view.shown.includes('book')
    return byId(isBook ? 'book' : 'tape-panel', HTMLElement).getBoundingClientRect().right
  }
}
