/**
 * The depth of the page's book: redrawn at most ten times a second as the book changes, and described in
 * words. The middle price stays in the middle; the visible width is chosen, and at first follows the book.
 */
import type { BookLevel } from '../../../../client/stream/book-side.ts'
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import type { ListedSymbol } from '../../connection/symbols.ts'
import { type DepthCurve, depthCurve, fittingZoom, middleOf, ZOOMS } from '../../state/depth-curve.ts'
import { depthFigures, neighbour, pointedDepth } from '../../state/depth-figures.ts'
import type { MarketState } from '../../state/market-state.ts'
import { grouped } from '../../state/number-text.ts'
import { setText } from '../dom.ts'
import { onColorsChanged } from './chart-colors.ts'
import type { ChartView, Condition, OwnPrices } from './chart-view.ts'
import { DepthCanvas } from './depth-canvas.ts'
import { crossText, summaryText } from './depth-text.ts'
import { button, element } from './elements.ts'

/** Maximum number of levels of a side, which limits the cost of a frame. */
const LEVELS_MAX = 2_000
/** Redraw interval of a book that changes constantly; user actions show in one of the next frames. */
const DRAWN_EVERY_MS = 100
const { depth: WORDS } = TEXTS

export type DepthViewOptions = {
  readonly panel: HTMLElement
  readonly own: OwnPrices
  readonly onCondition: (condition: Condition) => void
  /** Called when something other than the book changes: requests a drawing in one of the next frames. */
  readonly onChange: () => void
}

type Shown = {
  readonly bids: DepthCurve
  readonly asks: DepthCurve
  readonly from: number
  readonly to: number
}

export class DepthChartView implements ChartView {
  readonly controls = element('fieldset', { className: 'intervals' })
  readonly #options: DepthViewOptions
  readonly #figures = element('p', { className: 'chart-figures', id: 'depth-figures' })
  readonly #body = element('div', { className: 'chart-body', id: 'depth-body' })
  readonly #canvas = new DepthCanvas()
  readonly #nearer = button(
    () => '+',
    () => this.#zoomBy(-1),
  )
  readonly #farther = button(
    () => '−',
    () => this.#zoomBy(1),
  )
  #symbol: ListedSymbol | undefined
  /** Undefined to fit the book when it arrives. */
  #zoom: number | undefined
  #cross: number | undefined
  #shown: Shown | undefined
  #own: ReturnType<OwnPrices> = []
  /** The last drawn state; a different state is drawn. */
  #drawn: { readonly market: MarketState; readonly seq: number | undefined; readonly at: number } | undefined
  /** Draws a change that came too soon after the previous drawing. */
  #timer: number | undefined

  constructor(options: DepthViewOptions) {
    this.#options = options
    this.controls.append(this.#farther, this.#nearer)
    this.#body.tabIndex = 0
    this.#body.role = 'group'
    this.#canvas.element.role = 'img'
    this.#canvas.element.setAttribute('aria-describedby', this.#figures.id)
    this.#body.append(this.#canvas.element)
    options.panel.append(this.#figures, this.#body)
    this.#listen()
    onLanguage(() => this.#writeNames())
  }

  choose(symbol: ListedSymbol): void {
    this.#symbol = symbol
    this.#zoom = undefined
    this.#cross = undefined
    this.#shown = undefined
    this.#writeNames()
    setText(this.#figures, '')
    this.accountChanged()
  }

  accountChanged(): void {
    this.#own = this.#symbol === undefined ? [] : this.#options.own(this.#symbol)
    this.#changed()
  }

  /** Called when something other than the book changes: own orders, colors, size. */
  #changed(): void {
    this.#drawn = undefined
    this.#options.onChange()
  }

  /** Must be called in a frame of the browser. */
  render(market: MarketState, isLive: boolean): void {
    if (market.symbol.name !== this.#symbol?.name) return
    this.#options.onCondition({ isLive, text: () => (isLive ? WORDS.live : WORDS.stale) })
    // While invisible there is nothing to draw on; a change of its size shows when it becomes visible.
    if (!this.#canvas.hasRoom) return
    const { seq } = market.book
    const [drawn, now] = [this.#drawn, performance.now()]
    if (drawn?.market === market) {
      if (drawn.seq === seq) return
      const waitMs = drawn.at + DRAWN_EVERY_MS - now
      if (waitMs > 0) {
        this.#timer ??= window.setTimeout(() => this.#drawLater(), waitMs)
        return
      }
    }
    this.#drawn = { market, seq, at: now }
    this.#draw(market)
  }

  #drawLater(): void {
    this.#timer = undefined
    this.#options.onChange()
  }

  #writeNames(): void {
    this.#nearer.ariaLabel = WORDS.nearer
    this.#farther.ariaLabel = WORDS.farther
    this.controls.ariaLabel = WORDS.zoom
    if (this.#symbol === undefined) return
    this.#body.ariaLabel = WORDS.keys(this.#symbol.name)
    this.#canvas.element.ariaLabel = WORDS.of(this.#symbol.name)
    this.#changed()
  }

  #draw({ book, symbol }: MarketState): void {
    const [bids, asks] = [book.bids(LEVELS_MAX), book.asks(LEVELS_MAX)]
    const shown = this.#window(bids, asks)
    this.#shown = shown
    const listed = this.#symbol
    if (listed === undefined) return
    const isPointed = this.#cross !== undefined && shown !== undefined
    const words = isPointed
      ? crossText(pointedDepth(shown.bids, shown.asks, this.#cross as number), listed)
      : summaryText(depthFigures(bids, asks), listed)
    setText(this.#figures, words)
    this.#canvas.draw({
      ...(shown ?? { bids: [], asks: [], from: 0, to: 1 }),
      isCut: bids.length === LEVELS_MAX || asks.length === LEVELS_MAX,
      own: this.#own,
      cross: this.#cross,
      priceText: (ticks) => (shown === undefined ? '' : grouped(Math.max(ticks, 0), symbol.quoteFraction)),
      quantityText: (lots) => compact(lots / 10 ** symbol.baseFraction),
    })
  }

  #window(bids: readonly BookLevel[], asks: readonly BookLevel[]): Shown | undefined {
    const middle = middleOf(bids[0]?.ticks, asks[0]?.ticks)
    if (middle === undefined) return undefined
    this.#zoom ??= fittingZoom(bids, asks)
    const half = Math.max(middle * (this.#zoom ?? 1), 1)
    const [from, to] = [middle - half, middle + half]
    return { bids: depthCurve(bids, 'bids', from), asks: depthCurve(asks, 'asks', to), from, to }
  }

  #zoomBy(steps: number): void {
    const at = ZOOMS.indexOf(this.#zoom ?? 0)
    const next = at < 0 ? undefined : ZOOMS[at + steps]
    if (next === undefined) return
    this.#zoom = next
    this.#changed()
  }

  #point(cross: number | undefined): void {
    if (cross === this.#cross) return
    this.#cross = cross
    this.#changed()
  }

  #listen(): void {
    new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? { width: 0, height: 0 }
      if (this.#canvas.resize(width, height)) this.#changed()
    }).observe(this.#body)
    onColorsChanged(() => {
      this.#canvas.repaint()
      this.#changed()
    })
    this.#body.addEventListener('pointermove', ({ offsetX }) => {
      if (this.#shown !== undefined) this.#point(Math.round(this.#canvas.ticksAt(offsetX, this.#shown)))
    })
    this.#body.addEventListener('pointerleave', () => this.#point(undefined))
    this.#body.addEventListener('wheel', (event) => {
      // With the Ctrl key, the wheel zooms the page.
      if (event.ctrlKey || event.deltaY === 0) return
      event.preventDefault()
      this.#zoomBy(Math.sign(event.deltaY))
    })
    this.#body.addEventListener('keydown', (event) => this.#press(event))
  }

  #press(event: KeyboardEvent): void {
    const { bids = [], asks = [] } = this.#shown ?? {}
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight': {
        const next = neighbour(bids, asks, this.#cross, event.key === 'ArrowLeft' ? -1 : 1)
        if (next !== undefined) this.#point(next)
        break
      }
      case '+':
        this.#zoomBy(-1)
        break
      case '-':
        this.#zoomBy(1)
        break
      case 'Escape':
        this.#point(undefined)
        break
      default:
        return
    }
    event.preventDefault()
  }
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

/** Only for display. */
function compact(quantity: number): string {
  return COMPACT.format(quantity)
}
