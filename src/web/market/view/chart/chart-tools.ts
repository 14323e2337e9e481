/**
 * The tools in the chart's header: style and scale, indicators, drawings, full screen. Indicators and
 * drawings are loaded when they are first used.
 */
import type { BrowserStorage } from '../../../shared/browser-storage.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { ChartAccount } from '../../../trade/account/chart-account.ts'
import type { ListedSymbol } from '../../connection/symbols.ts'
import { ALERTS_ENTRY, DRAWINGS_ENTRY, INDICATORS_ENTRY, isKept } from '../../state/part-entries.ts'
import { byId } from '../dom.ts'
import type { CandleChart } from './candle-chart.ts'
import type { AlertWatch } from './drawings/alert-watch.ts'
import type { Drawings } from './drawings/drawings.ts'
import { element } from './elements.ts'
import { FullScreen } from './full-screen.ts'
import type { Indicators } from './indicators/indicators.ts'
import { onPlaceMenu } from './place-menu.ts'
import { SheetButton } from './sheet-button.ts'
import { type Look, styleSheet } from './style-sheet.ts'

export type ChartToolsOptions = {
  readonly chart: CandleChart
  /** The element of the chart. */
  readonly body: HTMLElement
  readonly storage: BrowserStorage
  readonly account: ChartAccount
  readonly alerts: () => Promise<AlertWatch>
  readonly look: Look
  readonly onLook: (look: Look) => void
  /** The pointer is moving an order. */
  readonly isMoving: () => boolean
  readonly last: () => string | undefined
  readonly say: (text: string) => void
}

export class ChartTools {
  readonly element = element('div', { className: 'chart-tools' })
  /** The values of indicators in words. */
  readonly legend = element('div', { className: 'chart-legend', id: 'chart-legend' })
  readonly #options: ChartToolsOptions
  readonly #indicatorSheet: SheetButton
  readonly #drawSheet: SheetButton
  readonly #full = new FullScreen(byId('chart', HTMLElement))
  readonly #loadIndicators = once(() => this.#makeIndicators())
  readonly #loadDrawings = once(() => this.#makeDrawings())
  #indicators: Indicators | undefined
  #drawings: Drawings | undefined
  #symbol: ListedSymbol | undefined

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
      fill: async () => (await this.#loadIndicators()).element,
    })
    this.#drawSheet = new SheetButton({
      id: 'chart-draw',
      text: () => TEXTS.drawings.title,
      fill: async () => (await this.#loadDrawings()).sheet.element,
    })
    const sheets = [style, this.#indicatorSheet, this.#drawSheet]
    this.element.append(...sheets.flatMap(({ button, sheet }) => [button, sheet]), this.#full.button)
    onPlaceMenu(options.body, (at) => {
      this.#loadDrawings().then(
        (drawings) => drawings.openMenu(at),
        () => options.say(TEXTS.chartTools.failed),
      )
    })
    const { storage } = options
    if (isKept(storage, INDICATORS_ENTRY)) this.#loadIndicators().catch(() => {})
    if (isKept(storage, DRAWINGS_ENTRY) || isKept(storage, ALERTS_ENTRY)) this.#loadDrawings().catch(() => {})
  }

  /** Whether the next press on the chart belongs to a drawing. */
  get isPlacing(): boolean {
    return this.#drawings?.isPlacing === true
  }

  choose(symbol: ListedSymbol): void {
    this.#symbol = symbol
    this.#indicators?.setPlaces(symbol.quoteFraction)
    this.#drawings?.choose(symbol)
  }

  /** Called when the colors change. */
  paint(): void {
    this.#indicators?.paint()
    this.#drawings?.refresh()
  }

  /** Called when all candles have changed. */
  draw(): void {
    this.#indicators?.draw()
  }

  /** Called when the last candle has changed, or new ones have been added. */
  update(): void {
    this.#indicators?.update()
  }

  point(openTime: number | undefined): void {
    this.#indicators?.point(openTime)
  }

  async #makeIndicators(): Promise<Indicators> {
    const { Indicators } = await import('./indicators/indicators.ts')
    const { chart, storage } = this.#options
    this.#indicators = new Indicators({
      ...{ chart, storage, place: this.legend, places: this.#symbol?.quoteFraction ?? 0 },
      onOpen: () => this.#indicatorSheet.open(),
      onSize: () => this.#indicatorSheet.place(),
    })
    return this.#indicators
  }

  async #makeDrawings(): Promise<Drawings> {
    const { chart, body, storage, account, isMoving, last, say, alerts } = this.#options
    const [{ Drawings }, watch] = await Promise.all([import('./drawings/drawings.ts'), alerts()])
    this.#drawings = new Drawings({
      ...{ chart, body, storage, account, isMoving, last, say, alerts: watch },
      onClose: () => this.#drawSheet.close(),
      onForm: () => this.#full.leave(),
    })
    if (this.#symbol !== undefined) this.#drawings.choose(this.#symbol)
    return this.#drawings
  }
}

/** A failed load is retried with the next call. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
