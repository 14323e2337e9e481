/**
 * Indicators of the chart: their choice, their drawing and their values in words. This file, and the files
 * that only it imports, are loaded with the first indicator.
 */
import type { BrowserStorage } from '../../../../shared/browser-storage.ts'
import { onLanguage } from '../../../../shared/texts/texts.ts'
import { type Chosen, indicatorsEntry, withAnother } from '../../../indicators/kinds.ts'
import { withFrame } from '../../dom.ts'
import type { CandleChart } from '../candle-chart.ts'
import { IndicatorLayer } from './indicator-layer.ts'
import { IndicatorSheet } from './indicator-sheet.ts'
import { Legend } from './legend.ts'

/** Interval at which figures are updated. */
const FIGURES_EVERY_MS = 100

export type IndicatorsOptions = {
  readonly chart: CandleChart
  readonly storage: BrowserStorage
  /** The element for their values. */
  readonly place: HTMLElement
  /** Decimals of prices. */
  readonly places: number
  /** Must open the sheet. */
  readonly onOpen: () => void
  /** Called when the height of the sheet changes. */
  readonly onSize: () => void
}

export class Indicators {
  readonly #options: IndicatorsOptions
  readonly #layer: IndicatorLayer
  readonly #legend: Legend
  readonly #sheet: IndicatorSheet
  readonly #entry: ReturnType<typeof indicatorsEntry>
  readonly #write = withFrame(() => this.#writeFigures(), FIGURES_EVERY_MS)
  #chosen: readonly Chosen[]
  #places: number
  #pointedAt: number | undefined

  constructor(options: IndicatorsOptions) {
    const { chart, storage, place, places, onOpen } = options
    this.#options = options
    this.#places = places
    this.#entry = indicatorsEntry(storage)
    this.#chosen = this.#entry.read()
    this.#layer = new IndicatorLayer(chart)
    this.#legend = new Legend({ place, onChange: onOpen, onRemove: (id) => this.#remove(id) })
    this.#sheet = new IndicatorSheet({
      chosen: () => this.#chosen,
      onAdd: (kind) => this.#set(withAnother(this.#chosen, kind)),
      onValues: (id, values) =>
        this.#set(this.#chosen.map((one) => (one.id === id ? { ...one, values } : one))),
      onRemove: (id) => this.#remove(id),
    })
    onLanguage(() => this.paint())
  }

  get element(): HTMLElement {
    return this.#sheet.element
  }

  /** Sets the decimals of another market's prices. */
  setPlaces(places: number): void {
    this.#places = places
    this.paint()
  }

  /** Called when colors or texts change. */
  paint(): void {
    this.#layer.set(this.#chosen, this.#places)
    this.#legend.set(this.#layer.figuresAt(undefined))
    this.#write()
  }

  draw(): void {
    this.#layer.draw()
    this.#write()
  }

  update(): void {
    this.#layer.update()
    this.#write()
  }

  /** Notes the candle under the pointer; undefined if there is none. */
  point(openTime: number | undefined): void {
    this.#pointedAt = openTime
    this.#write()
  }

  #remove(id: number): void {
    this.#set(this.#chosen.filter((one) => one.id !== id))
  }

  #set(chosen: readonly Chosen[]): void {
    this.#chosen = chosen
    this.#entry.write(chosen)
    this.paint()
    this.#sheet.show()
    this.#options.onSize()
  }

  #writeFigures(): void {
    this.#legend.write(this.#layer.figuresAt(this.#pointedAt), this.#places)
  }
}
