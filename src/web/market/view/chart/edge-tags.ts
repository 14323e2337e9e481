/**
 * Orders beyond the scale, as tags at its upper and lower edge: the scale is that of the candles, which
 * distant orders must not compress.
 */
import type {
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'

export type EdgeLine = { readonly price: number; readonly color: string }

export type EdgeTag = { readonly y: number; readonly text: string; readonly color: string }

/** Maximum number at each edge; if there are more, the nearest ones and the number of the others. */
const TAGS_MAX = 3
const FIRST = 10
const APART = 18

export type EdgeView = {
  /** Height of the pane in pixels. */
  readonly height: number
  readonly heightOf: (price: number) => number | undefined
  readonly priceText: (price: number) => string
}

/** Tags for the lines that are not visible, nearest first. */
export function edgeTags(lines: readonly EdgeLine[], { height, heightOf, priceText }: EdgeView): EdgeTag[] {
  const placed = lines.flatMap((line) => {
    const y = heightOf(line.price)
    return y === undefined ? [] : [{ ...line, y }]
  })
  const above = placed.filter(({ y }) => y < 0).sort((one, other) => other.y - one.y)
  const below = placed.filter(({ y }) => y > height).sort((one, other) => one.y - other.y)
  const tags = (beyond: typeof above, arrow: string, yOf: (index: number) => number): EdgeTag[] => {
    const isMore = beyond.length > TAGS_MAX
    return beyond.slice(0, isMore ? TAGS_MAX - 1 : TAGS_MAX).map(({ price, color }, index, shown) => ({
      y: yOf(index),
      text: `${arrow} ${priceText(price)}${isMore && index === shown.length - 1 ? ` +${beyond.length - shown.length}` : ''}`,
      color,
    }))
  }
  return [
    ...tags(above, '▲', (index) => FIRST + index * APART),
    ...tags(below, '▼', (index) => height - FIRST - index * APART),
  ]
}

/** Draws tags on the price axis. */
export class EdgeTags implements ISeriesPrimitive<Time> {
  readonly #priceText: (price: number) => string
  readonly #textColor: () => string
  #attached: SeriesAttachedParameter<Time> | undefined
  #lines: readonly EdgeLine[] = []
  #views: readonly ISeriesPrimitiveAxisView[] = []

  constructor(priceText: (price: number) => string, textColor: () => string) {
    this.#priceText = priceText
    this.#textColor = textColor
  }

  attached(parameter: SeriesAttachedParameter<Time>): void {
    this.#attached = parameter
  }

  detached(): void {
    this.#attached = undefined
  }

  set(lines: readonly EdgeLine[]): void {
    this.#lines = lines
    this.#attached?.requestUpdate()
  }

  updateAllViews(): void {
    const { chart, series } = this.#attached ?? {}
    if (chart === undefined || series === undefined) return
    const tags = edgeTags(this.#lines, {
      height: chart.panes()[0]?.getHeight() ?? 0,
      heightOf: (price) => series.priceToCoordinate(price) ?? undefined,
      priceText: this.#priceText,
    })
    this.#views = tags.map(({ y, text, color }) => ({
      coordinate: () => y,
      fixedCoordinate: () => y,
      text: () => text,
      textColor: this.#textColor,
      backColor: () => color,
      tickVisible: () => false,
    }))
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#views
  }
}
