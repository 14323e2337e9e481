/**
 * Lines over the candles, on the candles' scale in each of its modes: with a percentage scale, a separate
 * series would begin at its own first value.
 */
import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'

export type OverlayLine = {
  readonly color: string
  readonly isFaint: boolean
  /** At a candle; NaN if there is no value. */
  readonly valueAt: (index: number) => number
}

type Point = { readonly x: number; readonly y: number }

type DrawTarget = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0]

export class OverlayLines implements ISeriesPrimitive<Time> {
  #attached: SeriesAttachedParameter<Time> | undefined
  #lines: readonly OverlayLine[] = []
  #size = 0
  readonly #views: readonly IPrimitivePaneView[] = [
    { zOrder: () => 'normal', renderer: () => ({ draw: (target) => this.#draw(target) }) },
  ]

  attached(parameter: SeriesAttachedParameter<Time>): void {
    this.#attached = parameter
  }

  detached(): void {
    this.#attached = undefined
  }

  /** `size`: the number of candles. */
  set(lines: readonly OverlayLine[], size: number): void {
    this.#lines = lines
    this.#size = size
    this.#attached?.requestUpdate()
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }

  #draw(target: DrawTarget): void {
    if (this.#lines.length === 0) return
    target.useMediaCoordinateSpace(({ context }) => {
      for (const line of this.#lines) {
        context.beginPath()
        for (const piece of this.#piecesOf(line))
          for (const [index, { x, y }] of piece.entries())
            if (index === 0) context.moveTo(x, y)
            else context.lineTo(x, y)
        context.strokeStyle = line.color
        context.lineWidth = line.isFaint ? 1 : 1.5
        context.lineJoin = 'round'
        context.stroke()
      }
    })
  }

  /** The visible parts of a line, without candles that have no value. */
  #piecesOf({ valueAt }: OverlayLine): readonly (readonly Point[])[] {
    const { chart, series } = this.#attached ?? {}
    const scale = chart?.timeScale()
    const range = scale?.getVisibleLogicalRange() ?? null
    if (scale === undefined || series === undefined || range === null) return []
    const pieces: Point[][] = [[]]
    const [first, last] = [Math.max(0, Math.floor(range.from)), Math.min(this.#size - 1, Math.ceil(range.to))]
    for (let index = first; index <= last; index++) {
      const value = valueAt(index)
      const x = scale.logicalToCoordinate(index as Logical)
      const y = Number.isNaN(value) ? null : series.priceToCoordinate(value)
      if (x === null || y === null) pieces.push([])
      else pieces.at(-1)?.push({ x, y })
    }
    return pieces
  }
}
