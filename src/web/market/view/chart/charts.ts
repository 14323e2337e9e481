/**
 * The views of the chart's panel, as tabs. This file, and the files that only it imports, are loaded when the
 * panel is first visible. A view is created when it is first shown.
 */
import type { MarketStream } from '../../../../client/stream/market-stream.ts'
import { parseDecimal } from '../../../../units/decimal.ts'
import { browserStorage } from '../../../shared/browser-storage.ts'
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import type { ChartAccount } from '../../../trade/account/chart-account.ts'
import type { CandleSource } from '../../connection/older-candles.ts'
import type { ListedSymbol } from '../../connection/symbols.ts'
import { CHART_VIEWS, type ChartChoice, type ChartViewName, chartEntry } from '../../state/chart-choice.ts'
import type { MarketState, MarketSymbol } from '../../state/market-state.ts'
import { ALERTS_ENTRY, isKept } from '../../state/part-entries.ts'
import { byId, setData, setText } from '../dom.ts'
import { CandleView } from './candle-view.ts'
import type { ChartView, Condition, OwnPrices } from './chart-view.ts'
import { DepthChartView } from './depth-view.ts'
import type { AlertWatch } from './drawings/alert-watch.ts'
import { element } from './elements.ts'
import { Tabs } from './tabs.ts'

const MAKER = 'https://www.tradingview.com/'

export type ChartsOptions = {
  readonly stream: Pick<MarketStream, 'subscribe'>
  readonly candles: CandleSource
  readonly account: ChartAccount
  /** Requests a drawing in one of the next frames of the browser. */
  readonly onChange: () => void
}

export class Charts {
  readonly #options: ChartsOptions
  readonly #panel = byId('chart', HTMLElement)
  readonly #head = byId('chart-head', HTMLElement)
  readonly #state = byId('chart-state', HTMLElement)
  readonly #tabs: Tabs<ChartViewName>
  readonly #views = new Map<ChartViewName, ChartView>()
  readonly #conditions = new Map<ChartViewName, Condition>()
  readonly #storage = browserStorage(window)
  readonly #entry = chartEntry(this.#storage)
  #choice = this.#entry.read()
  #alerts: Promise<AlertWatch> | undefined
  #symbol: ListedSymbol | undefined
  /** The visible view has not been updated after the last change of the account. */
  #isAccountNew = false

  constructor(options: ChartsOptions) {
    this.#options = options
    this.#tabs = new Tabs({
      names: CHART_VIEWS,
      text: (view) => TEXTS.chart.views[view],
      label: () => TEXTS.chart.title,
      onChoice: (view) => this.#show(view),
    })
    byId('chart-title', HTMLElement).className = 'unseen'
    this.#head.append(this.#tabs.list)
    byId('chart-place', HTMLElement).append(...this.#tabs.panels)
    byId('chart-notice', HTMLElement).append(notice())
    this.#tabs.choose(this.#choice.view)
    onLanguage(() => this.#showCondition())
    // Alerts are watched in every view.
    if (isKept(this.#storage, ALERTS_ENTRY)) this.#alertWatch().catch(() => {})
    options.account.watch(() => {
      this.#isAccountNew = true
      options.onChange()
    })
  }

  choose(symbol: ListedSymbol): void {
    this.#symbol = symbol
    for (const view of this.#views.values()) view.choose(symbol)
  }

  /** Must be called in a frame of the browser. */
  render(market: MarketState, isLive: boolean): void {
    const view = this.#views.get(this.#choice.view)
    // Once for any number of changes between two frames.
    if (this.#isAccountNew) view?.accountChanged()
    this.#isAccountNew = false
    view?.render(market, isLive)
  }

  #show(name: ChartViewName): void {
    this.#keep({ view: name })
    const view = this.#views.get(name) ?? this.#make(name)
    this.#head.replaceChildren(...[...this.#head.children].slice(0, 2), view.controls)
    this.#showCondition()
    this.#isAccountNew = true
    this.#options.onChange()
  }

  #make(name: ChartViewName): ChartView {
    const view = this.#makeView(name)
    this.#views.set(name, view)
    if (this.#symbol !== undefined) view.choose(this.#symbol)
    return view
  }

  #makeView(name: ChartViewName): ChartView {
    const common = {
      panel: this.#tabs.panelOf(name),
      onCondition: (condition: Condition) => {
        this.#conditions.set(name, condition)
        this.#showCondition()
      },
    }
    const { account, onChange } = this.#options
    if (name === 'depth')
      return new DepthChartView({ ...common, own: (symbol) => ownPrices(account, symbol), onChange })
    return new CandleView({
      ...common,
      stream: this.#options.stream,
      candles: this.#options.candles,
      interval: this.#choice.interval,
      onInterval: (interval) => this.#keep({ interval }),
      account,
      storage: this.#storage,
      alerts: () => this.#alertWatch(),
      look: this.#choice,
      onLook: ({ style, scale }) => this.#keep({ style, scale }),
    })
  }

  #alertWatch(): Promise<AlertWatch> {
    const { stream, account } = this.#options
    this.#alerts ??= import('./drawings/alert-watch.ts').then(
      ({ AlertWatch }) =>
        new AlertWatch({ stream, storage: this.#storage, notify: (say) => account.notify(say) }),
      (error: unknown) => {
        this.#alerts = undefined
        throw error
      },
    )
    return this.#alerts
  }

  #keep(chosen: Partial<ChartChoice>): void {
    this.#choice = { ...this.#choice, ...chosen }
    this.#entry.write(this.#choice)
  }

  #showCondition(): void {
    const condition = this.#conditions.get(this.#choice.view)
    if (condition === undefined) return
    setData(this.#panel, 'state', condition.isLive ? 'live' : 'stale')
    setText(this.#state, condition.text())
  }
}

function ownPrices(account: ChartAccount, { name, quoteFraction }: MarketSymbol): ReturnType<OwnPrices> {
  return account.orders(name).flatMap(({ price, side, isWorking }) => {
    if (price === undefined || isWorking !== true) return []
    const ticks = parseDecimal(price, quoteFraction)
    return typeof ticks === 'string' ? [] : [{ ticks: Number(ticks), side: side === 'BUY' ? 'bids' : 'asks' }]
  })
}

function notice(): HTMLElement {
  const link = element('a', { text: 'TradingView Lightweight Charts™' })
  link.href = MAKER
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  const made = element('span')
  made.append(link, ' Copyright © 2026 TradingView, Inc.')
  return made
}
