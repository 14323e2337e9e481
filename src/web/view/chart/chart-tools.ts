/** What the chart is worked with, in its head: style and scale, indicators, full screen. Indicators are loaded when they are first used. */
import type { BrowserStorage } from '../../common/browser-storage.ts'
import { INDICATORS_ENTRY } from '../../state/chart-choice.ts'
import { TEXTS } from '../../texts/texts.ts'
import { byId } from '../dom.ts'
import type { CandleChart } from './candle-chart.ts'
import { element } from './elements.ts'
import { FullScreen } from './full-screen.ts'
import type { Indicators } from './indicators/indicators.ts'
import { SheetButton } from './sheet-button.ts'
import { type Look, styleSheet } from './style-sheet.ts'

export type ChartToolsOptions = {
  readonly chart: CandleChart
  readonly storage: BrowserStorage
  readonly look: Look
  readonly onLook: (look: Look) => void
}

export class ChartTools {
  readonly element = element('div', { className: 'chart-tools' })
  /** Indicators in words. */
  readonly legend = element('div', { className: 'chart-legend', id: 'chart-legend' })
  readonly #options: ChartToolsOptions
  readonly #indicatorSheet: SheetButton
  #indicators: Indicators | undefined
  #loading: Promise<Indicators> | undefined
  #places = 0

  constructor(options: ChartToolsOptions) {
    this.#options = options
    this.legend.hidden = true
    const style = new SheetButton({
      id: 'chart-style',
      text: () => TEXTS.chartTools.style,
      fill: () => styleSheet(options.look, (look) => options.onLook(look)),
    })
    this.#indicatorSheet = new SheetButton({
      id: 'chart-indicators',
      text: () => TEXTS.indicators.title,
      fill: async () => (await this.#load()).element,
    })
    const sheets = [style, this.#indicatorSheet]
    const full = new FullScreen(byId('chart', HTMLElement))
    this.element.append(...sheets.flatMap(({ button, sheet }) => [button, sheet]), full.button)
    // What was kept and is nothing weighs nothing.
    if ((options.storage.read(INDICATORS_ENTRY) ?? '[]') !== '[]') this.#load().catch(() => {})
  }

  /** Another market. */
  choose(places: number): void {
    this.#places = places
    this.#indicators?.setPlaces(places)
  }

  /** Colours are others. */
  paint(): void {
    this.#indicators?.paint()
  }

  /** All candles are others. */
  draw(): void {
    this.#indicators?.draw()
  }

  /** The last candle is another, or new ones have come. */
  update(): void {
    this.#indicators?.update()
  }

  point(openTime: number | undefined): void {
    this.#indicators?.point(openTime)
  }

  #load(): Promise<Indicators> {
    this.#loading ??= this.#made().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #made(): Promise<Indicators> {
    const { Indicators } = await import('./indicators/indicators.ts')
    const { chart, storage } = this.#options
    this.#indicators = new Indicators({
      ...{ chart, storage, place: this.legend, places: this.#places },
      onOpen: () => this.#indicatorSheet.open(),
      onSize: () => this.#indicatorSheet.place(),
    })
    return this.#indicators
  }
}
