/**
 * Draws the depth of a book on a canvas: bids on the left, asks on the right, each price with the sum over
 * all better ones. Figures in words are written elsewhere.
 */
import type { DepthCurve, DepthSide } from '../../state/depth-curve.ts'
import { roundTicks } from '../../state/round-ticks.ts'
import { type ChartColors, readColors } from './chart-colors.ts'
import { atReadersSize } from './text-size.ts'

export type DepthPicture = {
  readonly bids: DepthCurve
  readonly asks: DepthCurve
  /** The book continues beyond the curves, which end with their last points. */
  readonly isCut: boolean
  /** The visible range, in ticks. */
  readonly from: number
  readonly to: number
  /** Prices of own orders, in ticks. */
  readonly own: readonly { readonly ticks: number; readonly side: DepthSide }[]
  /** The position of the crosshair, in ticks; undefined if it is not shown. */
  readonly cross: number | undefined
  readonly priceText: (ticks: number) => string
  readonly quantityText: (lots: number) => string
}

/** In pixels at the default font size; the prices are below the curves. */
const FOOT = 20
const HEAD = 14
const PRICES_EVERY = 110
const FONT = 11
const MARK = 5

export class DepthCanvas {
  readonly element = document.createElement('canvas')
  #colors: ChartColors = readColors()
  readonly #font = `${atReadersSize(FONT)}px ${getComputedStyle(document.body).fontFamily}`
  readonly #foot = atReadersSize(FOOT)
  readonly #head = atReadersSize(HEAD)
  readonly #pricesEvery = atReadersSize(PRICES_EVERY)
  #width = 0
  #height = 0

  get hasRoom(): boolean {
    return this.#width > 0 && this.#height > 0
  }

  /** Called when the colors change. */
  repaint(): void {
    this.#colors = readColors()
  }

  /** In pixels. True if the size has changed. */
  resize(width: number, height: number): boolean {
    if (width === this.#width && height === this.#height) return false
    this.#width = width
    this.#height = height
    this.element.width = Math.round(width * devicePixelRatio)
    this.element.height = Math.round(height * devicePixelRatio)
    // Once per size: a browser processes the styles of the page for it.
    const context = this.element.getContext('2d')
    if (context !== null) context.font = this.#font
    return true
  }

  ticksAt(x: number, { from, to }: Pick<DepthPicture, 'from' | 'to'>): number {
    return from + (x / Math.max(this.#width, 1)) * (to - from)
  }

  draw(picture: DepthPicture): void {
    const context = this.element.getContext('2d')
    if (context === null || this.#width === 0) return
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    context.clearRect(0, 0, this.#width, this.#height)
    const largest = Number(max(picture.bids.at(-1)?.lots ?? 0n, picture.asks.at(-1)?.lots ?? 0n))
    this.#drawPrices(context, picture)
    if (largest > 0) {
      this.#drawSide(context, picture, 'bids', largest)
      this.#drawSide(context, picture, 'asks', largest)
      this.#drawSums(context, picture, largest)
    }
    this.#drawOwn(context, picture)
    this.#drawCross(context, picture)
  }

  get #bottom(): number {
    return this.#height - this.#foot
  }

  #x(ticks: number, { from, to }: DepthPicture): number {
    return ((ticks - from) / (to - from)) * this.#width
  }

  #drawPrices(context: CanvasRenderingContext2D, picture: DepthPicture): void {
    const { line, soft } = this.#colors
    const { from, to, priceText } = picture
    const count = Math.max(2, Math.floor(this.#width / this.#pricesEvery))
    context.strokeStyle = line
    context.fillStyle = soft
    context.textBaseline = 'middle'
    context.textAlign = 'center'
    context.beginPath()
    for (const ticks of roundTicks(from, to, count)) {
      const x = Math.round(this.#x(ticks, picture)) + 0.5
      const text = priceText(ticks)
      context.moveTo(x, 0)
      context.lineTo(x, this.#bottom)
      // A price is written completely, or not at all.
      const half = context.measureText(text).width / 2
      if (x >= half && x + half <= this.#width) context.fillText(text, x, this.#height - this.#foot / 2)
    }
    context.moveTo(0, this.#bottom + 0.5)
    context.lineTo(this.#width, this.#bottom + 0.5)
    context.stroke()
  }

  /** A step curve: the quantity at a price counts from this price on. */
  #drawSide(context: CanvasRenderingContext2D, picture: DepthPicture, side: DepthSide, largest: number) {
    const curve = picture[side]
    const [first] = curve
    if (first === undefined) return
    const room = this.#bottom - this.#head
    const start = this.#x(first.ticks, picture)
    let [x, y] = [start, this.#bottom]
    context.beginPath()
    context.moveTo(x, y)
    for (const { ticks, lots } of curve) {
      const nextX = this.#x(ticks, picture)
      // Levels within one pixel are one step: the cost of a long book is limited by the width of the screen.
      if (Math.abs(nextX - x) >= 0.5) {
        context.lineTo(x, y)
        context.lineTo(nextX, y)
        x = nextX
      }
      y = this.#bottom - (Number(lots) / largest) * room
    }
    context.lineTo(x, y)
    const edge = picture.isCut ? x : side === 'bids' ? 0 : this.#width
    context.lineTo(edge, y)
    const { up, down } = this.#colors
    context.strokeStyle = side === 'bids' ? up : down
    context.lineWidth = 1.5
    context.stroke()
    context.lineWidth = 1
    context.lineTo(edge, this.#bottom)
    context.lineTo(start, this.#bottom)
    context.fillStyle = this.#colors[side === 'bids' ? 'up-fill' : 'down-fill']
    context.fill()
  }

  #drawSums(context: CanvasRenderingContext2D, { quantityText }: DepthPicture, largest: number): void {
    context.fillStyle = this.#colors.soft
    context.textAlign = 'right'
    for (const part of [1, 0.5]) {
      const y = this.#bottom - part * (this.#bottom - this.#head)
      context.fillText(quantityText(largest * part), this.#width - 4, y - this.#head / 2)
    }
  }

  #drawOwn(context: CanvasRenderingContext2D, picture: DepthPicture): void {
    const { up, down } = this.#colors
    const marked = new Set<number>()
    for (const { ticks, side } of picture.own) {
      if (ticks < picture.from || ticks > picture.to) continue
      const x = Math.round(this.#x(ticks, picture)) + 0.5
      // One mark per pixel, for any number of orders.
      if (marked.has(x)) continue
      marked.add(x)
      context.fillStyle = context.strokeStyle = side === 'bids' ? up : down
      context.beginPath()
      context.setLineDash([2, 3])
      context.moveTo(x, this.#head)
      context.lineTo(x, this.#bottom)
      context.stroke()
      context.setLineDash([])
      context.beginPath()
      context.moveTo(x - MARK, this.#bottom)
      context.lineTo(x + MARK, this.#bottom)
      context.lineTo(x, this.#bottom - MARK * 1.6)
      context.fill()
    }
  }

  #drawCross(context: CanvasRenderingContext2D, picture: DepthPicture): void {
    if (picture.cross === undefined) return
    const x = Math.round(this.#x(picture.cross, picture)) + 0.5
    context.strokeStyle = this.#colors.faint
    context.setLineDash([4, 4])
    context.beginPath()
    context.moveTo(x, 0)
    context.lineTo(x, this.#bottom)
    context.stroke()
    context.setLineDash([])
  }
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
