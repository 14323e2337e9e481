/** Draws drawings and the prices of alerts over the candles, with a tag on the scale for each level. */
import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'

export type Spot = { readonly x: number; readonly y: number }

/** A line by its two ends, in pixels; a level extends from edge to edge. */
export type DrawnLine = {
  readonly from: Spot
  readonly to: Spot
  readonly color: string
  readonly isDashed: boolean
  readonly isSelected: boolean
  /** The tag on the scale; undefined if there is none. */
  readonly tag: string | undefined
}

export type DrawnLinesOptions = {
  /** The lines to draw at the current position of the chart. */
  readonly lines: () => readonly DrawnLine[]
  readonly textColor: () => string
}

const HANDLE = 4
const DASH = [5, 4]

type DrawTarget = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0]

export class DrawnLines implements ISeriesPrimitive<Time> {
  readonly #options: DrawnLinesOptions
  #attached: SeriesAttachedParameter<Time> | undefined
  #lines: readonly DrawnLine[] = []
  #tags: readonly ISeriesPrimitiveAxisView[] = []
  readonly #views: readonly IPrimitivePaneView[] = [
    { zOrder: () => 'top', renderer: () => ({ draw: (target) => this.#draw(target) }) },
  ]

  constructor(options: DrawnLinesOptions) {
    this.#options = options
  }

  attached(parameter: SeriesAttachedParameter<Time>): void {
    this.#attached = parameter
  }

  detached(): void {
    this.#attached = undefined
  }

  /** Called when anything changes. */
  refresh(): void {
    this.#attached?.requestUpdate()
  }

  updateAllViews(): void {
    this.#lines = this.#options.lines()
    this.#tags = this.#lines.flatMap(({ tag, from, color }) =>
      tag === undefined
        ? []
        : [
            {
              coordinate: () => from.y,
              text: () => tag,
              textColor: this.#options.textColor,
              backColor: () => color,
            },
          ],
    )
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#tags
  }

  #draw(target: DrawTarget): void {
    target.useMediaCoordinateSpace(({ context }) => {
      for (const { from, to, color, isDashed, isSelected } of this.#lines) {
        context.beginPath()
        context.setLineDash(isDashed ? DASH : [])
        context.moveTo(from.x, from.y)
        context.lineTo(to.x, to.y)
        context.strokeStyle = color
        context.lineWidth = isSelected ? 2.5 : 1.5
        context.stroke()
        context.setLineDash([])
        context.fillStyle = color
        if (!isSelected) continue
        for (const { x, y } of [from, to]) context.fillRect(x - HANDLE, y - HANDLE, HANDLE * 2, HANDLE * 2)
      }
    })
  }
}
