/**
 * Lines that the user draws, and actions at a price of the chart. This file, and the files that only it
 * imports, are loaded when they are first used.
 */
import type { BrowserStorage } from '../../../../shared/browser-storage.ts'
import { groupedText } from '../../../../shared/grouped-text.ts'
import { onLanguage, TEXTS } from '../../../../shared/texts/texts.ts'
import type { ChartAccount } from '../../../../trade/account/chart-account.ts'
import type { ListedSymbol } from '../../../connection/symbols.ts'
import {
  DRAWINGS_MAX,
  type Drawing,
  DrawingStore,
  moved,
  type NewDrawing,
  type Place,
} from '../../../state/drawings.ts'
import { snappedPrice } from '../../../state/order-lines.ts'
import { ALERT_MARKETS_MAX, ALERTS_MAX } from '../../../state/price-alerts.ts'
import type { CandleChart } from '../candle-chart.ts'
import type { AlertWatch } from './alert-watch.ts'
import { endsOf, type Hit, hitAt } from './drawing-places.ts'
import { DrawingPointer } from './drawing-pointer.ts'
import { DrawingSheet, type Tool } from './drawing-sheet.ts'
import { type DrawnLine, DrawnLines, type Spot } from './drawn-lines.ts'
import { PriceMenu } from './price-menu.ts'

export type DrawingsOptions = {
  readonly chart: CandleChart
  readonly body: HTMLElement
  readonly storage: BrowserStorage
  readonly account: ChartAccount
  readonly alerts: AlertWatch
  /** The pointer is moving an order. */
  readonly isMoving: () => boolean
  /** The last price of the displayed market. */
  readonly last: () => string | undefined
  /** Shows a text above the chart; an empty one removes it. */
  readonly say: (text: string) => void
  readonly onClose: () => void
  /** Called when an order is put into the form: nothing may cover the form. */
  readonly onForm: () => void
}

export class Drawings {
  readonly sheet: DrawingSheet
  readonly #options: DrawingsOptions
  readonly #store: DrawingStore
  readonly #lines: DrawnLines
  readonly #menu: PriceMenu
  #symbol: ListedSymbol | undefined
  #drawings: readonly Drawing[] = []
  #selected: Hit | undefined
  /** The selected drawing has moved since it was stored. */
  #isMoved = false
  /** The drawing in progress; `from`: the first point of a trend line. */
  #placing: { readonly tool: Tool; readonly from?: Place } | undefined
  #pointed: Spot | undefined

  constructor(options: DrawingsOptions) {
    const { chart, body, storage, account, alerts, isMoving, last } = options
    this.#options = options
    this.#store = new DrawingStore(storage)
    this.#lines = new DrawnLines({ lines: () => this.#shown(), textColor: () => chart.colors.panel })
    chart.attach(this.#lines)
    this.#menu = new PriceMenu({
      ...{ hasKey: () => account.hasKey, last },
      onOrder: (order) => {
        options.onForm()
        account.prepare(order)
      },
      onAlert: (price) => this.#setAlert(price),
      onLevel: (price) => this.#add({ kind: 'LEVEL', price: Number(price) }),
    })
    body.after(this.#menu.element)
    this.sheet = new DrawingSheet({
      drawings: () => this.#drawings,
      alerts: () => alerts.alerts,
      priceText: (price) => this.#priceText(price),
      onTool: (tool) => this.#begin(tool),
      onPrice: () => this.openMenu(undefined),
      onSelect: (id) => this.#select({ id, part: 'whole' }, true),
      onDelete: (id) => this.#delete(id),
      onRemoveAlert: (id) => alerts.remove(id),
    })
    new DrawingPointer({
      ...{ body, isTaken: isMoving, isPlacing: () => this.isPlacing, selected: () => this.#selected },
      hitAt: (spot, reach) => this.#hitAt(spot, reach),
      onPlace: (spot) => this.#place(spot),
      onPoint: (spot) => this.#pointTo(spot),
      onSelect: (hit) => this.#select(hit, false),
      onMove: (from, to) => this.#move(from, to),
      onMoved: () => this.#keepMoved(),
      onNudge: (dx, dy) => this.#nudge(dx, dy),
      onDelete: () => this.#delete(this.#selected?.id),
      onLeave: () => this.#leave(),
    })
    alerts.watch(() => this.#changed())
    this.#store.watch(() => this.#takeOthers())
    onLanguage(() => this.#lines.refresh())
  }

  /** Whether the next press draws something, and does not drag an order. */
  get isPlacing(): boolean {
    return this.#placing !== undefined
  }

  choose(symbol: ListedSymbol): void {
    this.#leave()
    this.#selected = undefined
    this.#symbol = symbol
    this.#read()
  }

  /** Called when candles or colors change. */
  refresh(): void {
    this.#lines.refresh()
  }

  /** `at`: a position in the window. If it is undefined or outside the prices, the last price is used. */
  openMenu(at: Spot | undefined): void {
    const { chart, body, last } = this.#options
    const { left, top, width, height } = body.getBoundingClientRect()
    const y = at === undefined ? Number.NaN : at.y - top
    const pointed = y >= 0 && y <= chart.height ? this.#priceAt(y) : undefined
    const price = pointed ?? last() ?? ''
    this.#options.onClose()
    this.#menu.open(at ?? { x: left + width / 3, y: top + height / 4 }, price)
  }

  #setAlert(price: string): void {
    const last = this.#options.last()
    if (this.#symbol === undefined || last === undefined) return
    const why = this.#options.alerts.add(this.#symbol.name, price, last)
    const { noAlert, alertThere, alertSet } = TEXTS.drawings
    const most = String(why === 'MANY_MARKETS' ? ALERT_MARKETS_MAX : ALERTS_MAX)
    if (why === undefined) this.#options.say(alertSet(groupedText(price)))
    else this.#options.say(why === 'THERE' ? alertThere : noAlert[why](most))
    this.#options.body.focus()
  }

  #begin(tool: Tool): void {
    this.#options.onClose()
    this.#select(undefined, false)
    if (this.#drawings.length >= DRAWINGS_MAX) {
      this.#options.say(TEXTS.drawings.full(String(DRAWINGS_MAX)))
      return
    }
    this.#placing = { tool }
    this.#options.body.focus()
    this.#options.say(TEXTS.drawings.place[tool])
  }

  #leave(): void {
    if (this.#placing === undefined) return
    this.#placing = undefined
    this.#pointed = undefined
    this.#options.say('')
    this.#lines.refresh()
  }

  #place(spot: Spot): void {
    const [placing, place] = [this.#placing, this.#placeAt(spot)]
    if (placing === undefined || place === undefined) return
    if (placing.tool === 'LEVEL') {
      this.#leave()
      this.#add({ kind: 'LEVEL', price: place.price })
    } else if (placing.from === undefined) {
      this.#placing = { ...placing, from: place }
      this.#options.say(TEXTS.drawings.placeEnd)
    } else {
      this.#leave()
      this.#add({ kind: 'TREND', from: placing.from, to: place })
    }
  }

  #pointTo(spot: Spot): void {
    this.#pointed = spot
    this.#lines.refresh()
  }

  #add(drawing: NewDrawing): void {
    if (this.#symbol === undefined) return
    const added = this.#store.add(this.#symbol.name, drawing)
    if (added === undefined) this.#options.say(TEXTS.drawings.full(String(DRAWINGS_MAX)))
    else this.#select({ id: added.id, part: 'whole' }, true)
    this.#read()
  }

  #select(hit: Hit | undefined, isFocused: boolean): void {
    const had = this.#selected
    this.#selected = hit
    if (isFocused) {
      this.#options.onClose()
      this.#options.body.focus()
    }
    if (hit !== undefined) this.#options.say(TEXTS.drawings.selected[hit.part])
    else if (had !== undefined) this.#options.say('')
    this.#lines.refresh()
  }

  #delete(id: number | undefined): void {
    if (this.#symbol !== undefined && id !== undefined) this.#store.remove(this.#symbol.name, id)
    this.#select(undefined, false)
    this.#read()
  }

  #move(from: Spot, to: Spot): void {
    const [begin, end] = [this.#placeAt(from), this.#placeAt(to)]
    if (begin === undefined || end === undefined) return
    this.#shift(end.time - begin.time, end.price - begin.price)
  }

  #nudge(dx: number, dy: number): void {
    const { chart } = this.#options
    const middle = { x: chart.width / 2, y: chart.height / 2 }
    this.#move(middle, { x: middle.x + dx, y: middle.y + dy })
    this.#keepMoved()
  }

  #shift(time: number, price: number): void {
    const hit = this.#selected
    if (hit === undefined) return
    this.#isMoved = true
    this.#drawings = this.#drawings.map((drawing) =>
      drawing.id === hit.id ? moved(drawing, hit.part, time, price) : drawing,
    )
    this.#lines.refresh()
  }

  /** Stores the selected drawing after a move. */
  #keepMoved(): void {
    const moved = this.#drawings.find(({ id }) => id === this.#selected?.id)
    this.#isMoved = false
    if (this.#symbol !== undefined && moved !== undefined) this.#store.change(this.#symbol.name, moved)
    this.#read()
  }

  /** Called when another tab has changed something. The drawing being moved here stays under the pointer. */
  #takeOthers(): void {
    const moved = this.#isMoved ? this.#drawings.find(({ id }) => id === this.#selected?.id) : undefined
    this.#read()
    if (moved !== undefined)
      this.#drawings = this.#drawings.map((drawing) => (drawing.id === moved.id ? moved : drawing))
    const isGone = !this.#drawings.some(({ id }) => id === this.#selected?.id)
    if (this.#selected !== undefined && isGone) this.#select(undefined, false)
  }

  #read(): void {
    if (this.#symbol !== undefined) this.#drawings = this.#store.read(this.#symbol.name)
    this.#changed()
  }

  #changed(): void {
    this.sheet.show()
    this.#lines.refresh()
  }

  #hitAt(spot: Spot, reach: number): Hit | undefined {
    const { chart } = this.#options
    if (spot.x > chart.width || spot.y > chart.height) return undefined
    return hitAt(
      this.#drawings.map((drawing) => ({ drawing, ends: endsOf(chart, drawing) })),
      spot,
      reach,
    )
  }

  #placeAt({ x, y }: Spot): Place | undefined {
    const { chart } = this.#options
    const [time, price] = [chart.timeAt(x), chart.priceAt(y)]
    return time === undefined || price === undefined || price <= 0 ? undefined : { time, price }
  }

  #priceAt(y: number): string | undefined {
    const pointed = this.#options.chart.priceAt(y)
    if (pointed === undefined || this.#symbol === undefined) return undefined
    const { name, quoteFraction } = this.#symbol
    return snappedPrice(pointed, this.#options.account.tickSize(name, quoteFraction))
  }

  #priceText(price: number): string {
    return groupedText(price.toFixed(this.#symbol?.quoteFraction ?? 0))
  }

  #shown(): readonly DrawnLine[] {
    const { chart, alerts } = this.#options
    const { focus, warn } = chart.colors
    const drawings: readonly Drawing[] = [...this.#drawings, ...this.#ghost()]
    const lines = drawings.flatMap((drawing) => {
      const ends = endsOf(chart, drawing)
      if (ends === undefined) return []
      const tag = drawing.kind === 'LEVEL' ? this.#priceText(drawing.price) : undefined
      return [{ ...ends, color: focus, isDashed: false, isSelected: drawing.id === this.#selected?.id, tag }]
    })
    const own = alerts.alerts.filter(({ market }) => market === this.#symbol?.name)
    return [
      ...lines,
      ...own.flatMap(({ price }) => {
        const ends = endsOf(chart, { id: 0, kind: 'LEVEL', price: Number(price) })
        if (ends === undefined) return []
        return [{ ...ends, color: warn, isDashed: true, isSelected: false, tag: `! ${groupedText(price)}` }]
      }),
    ]
  }

  /** A trend line whose second point follows the pointer. */
  #ghost(): readonly Drawing[] {
    const from = this.#placing?.from
    const to = this.#pointed === undefined ? undefined : this.#placeAt(this.#pointed)
    return from === undefined || to === undefined ? [] : [{ id: -1, kind: 'TREND', from, to }]
  }
}
