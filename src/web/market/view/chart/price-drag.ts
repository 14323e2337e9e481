/**
 * Dragging a line of the chart to another price, by mouse, pen or finger. The chart's own gestures are
 * disabled in the meantime.
 */
import { nearestWithin, type OrderLine, snappedPrice } from '../../state/order-lines.ts'
import { setData } from '../dom.ts'
import type { CandleChart } from './candle-chart.ts'

/** Distance in pixels within which a line is hit. */
const REACH = { fine: 7, coarse: 22 }
/** A pointer that has moved less is a click. */
const MOVED_LEAST = 3

export type PriceDragOptions = {
  readonly body: HTMLElement
  readonly chart: CandleChart
  readonly lines: () => readonly OrderLine[]
  readonly tickSize: () => string
  /** The next press belongs to something else. */
  readonly isOff: () => boolean
  /** False if this line cannot be dragged. */
  readonly onBegin: (line: OrderLine) => boolean
  readonly onPrice: (price: string) => void
  readonly onEnd: () => void
  readonly onCancel: () => void
}

export class PriceDrag {
  readonly #options: PriceDragOptions
  #drag: { readonly pointer: number; readonly from: number; isMoved: boolean } | undefined

  constructor(options: PriceDragOptions) {
    this.#options = options
    const { body } = options
    const captured = { capture: true, passive: false }
    body.addEventListener('pointerdown', (event) => this.#down(event), captured)
    body.addEventListener('pointermove', (event) => this.#move(event), captured)
    body.addEventListener('pointerup', (event) => this.#up(event), captured)
    body.addEventListener('pointercancel', () => this.#cancel(), captured)
    // The chart scrolls on these events, and a browser on the second one.
    for (const name of ['mousedown', 'touchstart', 'touchmove'])
      body.addEventListener(name, (event) => this.#keep(event), captured)
    window.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#cancel()
    })
  }

  /** Whether a line is being dragged, or is under the pointer. */
  takes(): boolean {
    return this.#drag !== undefined || this.#options.body.dataset.over !== undefined
  }

  #down(event: PointerEvent): void {
    const line = event.isPrimary && event.button === 0 ? this.#lineAt(event) : undefined
    if (line === undefined || !this.#options.onBegin(line)) return
    this.#drag = { pointer: event.pointerId, from: event.clientY, isMoved: false }
    this.#options.body.setPointerCapture(event.pointerId)
    event.stopPropagation()
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag
    if (drag === undefined) {
      const isOver = event.buttons === 0 && this.#lineAt(event) !== undefined
      setData(this.#options.body, 'over', isOver ? '' : undefined)
      return
    }
    event.stopPropagation()
    if (event.pointerId !== drag.pointer) return
    drag.isMoved ||= Math.abs(event.clientY - drag.from) >= MOVED_LEAST
    const pointed = this.#options.chart.priceAt(this.#placeOf(event).y)
    const price = pointed === undefined ? undefined : snappedPrice(pointed, this.#options.tickSize())
    if (drag.isMoved && price !== undefined) this.#options.onPrice(price)
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag
    if (drag === undefined || event.pointerId !== drag.pointer) return
    event.stopPropagation()
    this.#drag = undefined
    if (drag.isMoved) this.#options.onEnd()
    else this.#options.onCancel()
  }

  #cancel(): void {
    if (this.#drag === undefined) return
    this.#drag = undefined
    this.#options.onCancel()
  }

  #keep(event: Event): void {
    if (this.#drag === undefined) return
    event.stopPropagation()
    if (event.cancelable) event.preventDefault()
  }

  #placeOf({ clientX, clientY }: PointerEvent): { readonly x: number; readonly y: number } {
    const { left, top } = this.#options.body.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }

  #lineAt(event: PointerEvent): OrderLine | undefined {
    const { chart, lines, isOff } = this.#options
    const all = lines()
    if (all.length === 0 || isOff()) return undefined
    const { x, y } = this.#placeOf(event)
    // Outside the candles: over the prices, or below, where an indicator may have a pane.
    if (x > chart.width || y > chart.height) return undefined
    const places = all.flatMap((line) => {
      const height = chart.heightOf(Number(line.price))
      return height === undefined ? [] : [{ y: height, line }]
    })
    const reach = event.pointerType === 'mouse' ? REACH.fine : REACH.coarse
    return nearestWithin(places, y, reach)?.line
  }
}
