/**
 * Lines across the chart at the prices of orders, and their tags at the edge if they are beyond the scale.
 */
import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts'
import { groupedText } from '../../../shared/grouped-text.ts'
import type { ChartColors } from './chart-colors.ts'
import { EdgeTags } from './edge-tags.ts'

/** A line across the chart. Of two with the same id the later one is drawn. */
export type ChartLine = {
  readonly id: string
  readonly price: number
  readonly title: string
  readonly color: 'up' | 'down' | 'warn'
  /** A preview: the place of a future order. */
  readonly isGhost: boolean
}

export class PriceLines {
  readonly #series: ISeriesApi<'Candlestick'>
  readonly #lines = new Map<string, { readonly line: ChartLine; readonly drawn: IPriceLine }>()
  readonly #tags: EdgeTags
  #colors: ChartColors
  places = 0

  constructor(series: ISeriesApi<'Candlestick'>, colors: ChartColors) {
    this.#series = series
    this.#colors = colors
    this.#tags = new EdgeTags(
      (price) => groupedText(price.toFixed(this.places)),
      () => this.#colors.panel,
    )
    series.attachPrimitive(this.#tags)
  }

  /** Replaces all lines. */
  set(lines: readonly ChartLine[]): void {
    const wanted = new Map(lines.map((line) => [line.id, line]))
    for (const [id, { drawn }] of this.#lines) {
      if (wanted.has(id)) continue
      this.#series.removePriceLine(drawn)
      this.#lines.delete(id)
    }
    for (const line of wanted.values()) {
      const known = this.#lines.get(line.id)
      if (known === undefined) {
        const drawn = this.#series.createPriceLine(this.#optionsOf(line))
        this.#lines.set(line.id, { line, drawn })
      } else if (!isSameLine(known.line, line)) {
        known.drawn.applyOptions(this.#optionsOf(line))
        this.#lines.set(line.id, { ...known, line })
      }
    }
    this.#tag()
  }

  setColors(colors: ChartColors): void {
    this.#colors = colors
    for (const { line, drawn } of this.#lines.values()) drawn.applyOptions(this.#optionsOf(line))
    this.#tag()
  }

  #tag(): void {
    const orders = [...this.#lines.values()].filter(({ line: { isGhost } }) => !isGhost)
    this.#tags.set(orders.map(({ line: { price, color } }) => ({ price, color: this.#colors[color] })))
  }

  #optionsOf({ price, title, color, isGhost }: ChartLine) {
    return {
      price,
      title,
      color: this.#colors[color],
      lineWidth: 1,
      lineStyle: isGhost ? LineStyle.LargeDashed : LineStyle.Solid,
      axisLabelVisible: true,
    } as const
  }
}

function isSameLine(one: ChartLine, other: ChartLine): boolean {
  const { price, title, color, isGhost } = one
  return price === other.price && title === other.title && color === other.color && isGhost === other.isGhost
}
