/**
 * The page, built on the typed client like any program: data from the stream updates the market's state at
 * once, and the screen in one of the next frames of the browser, for any number of messages in between.
 */
import { createMarketClient } from '../../client/market-client.ts'
import type { ConnectionState } from '../../client/stream/stream-connection.ts'
import { fixedDecimal } from '../../units/decimal.ts'
import { browserStorage } from '../shared/browser-storage.ts'
import { LIVE_WITHIN_MS } from '../shared/live-within.ts'
import { onLanguage, TEXTS } from '../shared/texts/texts.ts'
import { takeMailLink } from '../trade/customer/mail-link.ts'
import { TradeMount } from '../trade/mount.ts'
import { MarketWatch } from './connection/market-watch.ts'
import { fetchSymbols, type ListedSymbol } from './connection/symbols.ts'
import { Favorites } from './state/favorites.ts'
import type { MarketState, MarketSymbol } from './state/market-state.ts'
import { BookLink } from './view/book-link.ts'
import { OrderBookView } from './view/book-view.ts'
import { ChartPanel } from './view/chart-panel.ts'
import { type ConnectionHealth, ConnectionView } from './view/connection-view.ts'
import { DemoView } from './view/demo-view.ts'
import { byId, EmptyBox, withFrame } from './view/dom.ts'
import { FavoriteButton } from './view/favorite-button.ts'
import { GroupingView } from './view/grouping-view.ts'
import { GuideView } from './view/guide-view.ts'
import { startLayout } from './view/layout/start-layout.ts'
import { MarketListView } from './view/market-list-view.ts'
import { MenuView } from './view/menu-view.ts'
import { PhaseView } from './view/phase-view.ts'
import { PhoneSides } from './view/phone-sides.ts'
import { PhoneViews } from './view/phone-views.ts'
import { QuotesView } from './view/quotes-view.ts'
import { watchScreenKeyboard } from './view/screen-keyboard.ts'
import { SymbolPicker } from './view/symbol-picker.ts'
import { TabTitle } from './view/tab-title.ts'
import { TapeView } from './view/tape-view.ts'
import { ThemeView } from './view/theme-view.ts'
import { ZoneView } from './view/zone-view.ts'

/** Interval of requests for the list of symbols: while there is none, and to find new ones. */
const SYMBOLS_RETRY_MS = 3_000
const SYMBOLS_REFRESH_MS = 60_000

/**
 * Faster changes cannot be read, and would leave no time for the other parts. The first change after a pause
 * is drawn at once.
 */
const BOOK_EVERY_MS = 80
const TRADES_EVERY_MS = 120
const CHART_EVERY_MS = 100

/** Read before any other code reads the address. */
const MAIL_LINK = takeMailLink(window)

export class TradingPage {
  readonly #parts = [
    withFrame(() => this.#drawBook(), BOOK_EVERY_MS),
    withFrame(() => this.#drawTrades(), TRADES_EVERY_MS),
    withFrame(() => this.#drawChart(), CHART_EVERY_MS),
  ]
  readonly #picker = new SymbolPicker((symbol) => this.#choose(symbol))
  readonly #groupingView = new GroupingView(() => this.#refresh())
  readonly #bookView = new OrderBookView(() => this.#refresh())
  readonly #bookEmpty = new EmptyBox('book-empty')
  readonly #tapeView = new TapeView()
  readonly #tapeEmpty = new EmptyBox('tape-empty')
  readonly #title = new TabTitle(document, schedule)
  readonly #phoneViews = new PhoneViews()
  readonly #quotesView = new QuotesView((title) => this.#title.showMarket(title))
  readonly #guideView = new GuideView()
  readonly #phaseView = new PhaseView()
  readonly #demoView = new DemoView()
  readonly #connectionView = new ConnectionView(() => this.#connect())
  readonly #client = createMarketClient({
    url: location.origin,
    onState: (state) => this.#connectionChanged(state),
    liveWithinMs: LIVE_WITHIN_MS,
  })
  readonly #favorites = new Favorites(browserStorage(window), () => {
    this.#marketList.showFavorites()
    this.#favoriteButton.write()
  })
  readonly #favoriteButton = new FavoriteButton(this.#favorites)
  readonly #marketList = new MarketListView({
    client: this.#client,
    favorites: this.#favorites,
    schedule,
    onChoice: (name) => this.#picker.choose(name),
  })
  readonly #chartPanel = new ChartPanel({
    stream: this.#client.stream,
    candles: this.#client.klines,
    account: () => this.#trading.chartAccount(),
    onChange: () => this.#refresh(),
  })
  #watch: MarketWatch | undefined
  #hasNoSymbols = false
  /** The displayed market data is current. */
  #isLive = false
  #cancelSymbols: () => void = () => {}
  /**
   * Number of connections made and lost, so that the answer to a request of an earlier connection is ignored.
   */
  #connections = 0
  // Created last: it reports the prices of own orders at once, and the page draws them.
  readonly #trading = new TradeMount({
    place: byId('trade', HTMLElement),
    menu: byId('menu-account', HTMLElement),
    menuButton: byId('menu-button', HTMLElement),
    menuName: byId('menu-name', HTMLElement),
    onForm: () => this.#phoneViews.show('trade'),
    isSandbox: this.#demoView.isOffered,
    hasCustomers: document.body.dataset.customers !== undefined,
    mailLink: MAIL_LINK,
    book: byId('book', HTMLElement),
    pointed: () => this.#bookLink.pointed,
    onMarket: (step) => this.#picker.step(step),
    onOwnOrders: () => this.#refresh(),
    onFill: (say) => this.#title.showFill(say),
  })
  readonly #bookLink = new BookLink(this.#trading)

  start(): void {
    if (MAIL_LINK !== undefined) this.#phoneViews.show('trade')
    new MenuView()
    new PhoneSides((side) => {
      this.#phoneViews.show('trade')
      this.#trading.chooseSide(side)
    })
    watchScreenKeyboard()
    new ThemeView()
    new ZoneView(() => this.#refresh())
    onLanguage(() => this.#refresh())
    startLayout({
      storage: browserStorage(window),
      onTape: (isShown) => this.#trading.setTapeShown(isShown),
    })
    window.addEventListener('offline', () => this.#offline())
    window.addEventListener('online', () => {
      this.#connectionView.setOffline(false)
      this.#connect()
    })
    this.#client.stream.connect()
  }

  /** Connects now instead of later. */
  #connect(): void {
    this.#client.stream.connect()
    this.#trading.connect()
  }

  /**
   * After the network is lost, a connection may seem open for a while: its data no longer counts as live, and
   * new connections are opened until one receives data.
   */
  #offline(): void {
    this.#connections++
    this.#cancelSymbols()
    this.#client.stream.disconnect()
    this.#setHealth('reconnecting')
    this.#connectionView.setOffline(true)
    this.#client.stream.connect()
    this.#trading.reconnect()
  }

  #connectionChanged(state: ConnectionState): void {
    if (state.kind === 'open') {
      this.#connections++
      this.#demoView.refresh()
      void this.#loadSymbols(this.#connections)
    } else if (state.kind === 'waiting') {
      this.#connections++
      this.#cancelSymbols()
      this.#setHealth('reconnecting')
    }
  }

  /** Loads the symbols, and follows the chosen one unless it is followed already. */
  async #loadSymbols(connection: number): Promise<void> {
    let symbols: readonly ListedSymbol[] | undefined
    try {
      symbols = await fetchSymbols(this.#client)
    } catch {
      // Shown on the page: the state stays "connecting" or "reconnecting" until an attempt succeeds.
      symbols = undefined
    }
    if (connection !== this.#connections) return
    if (symbols !== undefined) this.#offer(symbols)
    const isEmpty = symbols === undefined || symbols.length === 0
    this.#cancelSymbols = schedule(isEmpty ? SYMBOLS_RETRY_MS : SYMBOLS_REFRESH_MS, () => {
      void this.#loadSymbols(connection)
    })
  }

  #offer(symbols: readonly ListedSymbol[]): void {
    this.#picker.offer(symbols)
    this.#marketList.offer(symbols)
    this.#trading.offer(symbols)
    this.#hasNoSymbols = symbols.length === 0
    const { chosen } = this.#picker
    if (chosen === undefined) this.#setHealth('live')
    else if (!isSame(this.#watch?.market.symbol, chosen)) this.#choose(chosen)
    this.#refresh()
  }

  #choose(symbol: ListedSymbol): void {
    this.#watch?.close()
    this.#marketList.showChosen(symbol.name)
    this.#favoriteButton.choose(symbol.name)
    this.#chartPanel.choose(symbol)
    this.#watch = new MarketWatch({
      stream: this.#client.stream,
      symbol,
      onChange: () => this.#refresh(),
      onLive: (isLive) => this.#setHealth(isLive ? 'live' : 'reconnecting'),
      onRefused: () => this.#chooseAnew(),
    })
    // The previous market was live; the new one is not until its book arrives, and no order is sent in it
    // before.
    this.#setLive(false)
    this.#refresh()
  }

  /** Called when the node no longer lists the symbol: the user must choose from the current list. */
  #chooseAnew(): void {
    this.#watch?.close()
    this.#watch = undefined
    this.#setHealth('reconnecting')
    this.#cancelSymbols()
    const connection = ++this.#connections
    this.#cancelSymbols = schedule(SYMBOLS_RETRY_MS, () => void this.#loadSymbols(connection))
  }

  #setHealth(health: ConnectionHealth): void {
    this.#connectionView.show(health)
    this.#setLive(health === 'live')
    this.#refresh()
  }

  #setLive(isLive: boolean): void {
    this.#isLive = isLive
    this.#trading.setLive(isLive)
  }

  #refresh(): void {
    for (const draw of this.#parts) draw()
  }

  /** Draws the book, and passes it to the private half, so that its decisions use the displayed data. */
  #drawBook(): void {
    const market = this.#watch?.market
    this.#drawEmptiness(market)
    if (market === undefined) return
    this.#bookView.render(market.book, market.symbol, this.#groupingView.stepOf(market))
    this.#updateDesk(market)
    this.#bookLink.mark(market.symbol.name)
  }

  #drawTrades(): void {
    const market = this.#watch?.market
    if (market === undefined) return
    this.#tapeView.render(market.tape, market.symbol)
    this.#quotesView.render(market)
    this.#guideView.render(market)
    this.#phaseView.render(market.status)
  }

  #drawChart(): void {
    const market = this.#watch?.market
    if (market !== undefined) this.#chartPanel.render(market, this.#isLive)
  }

  #updateDesk({ symbol, book, hasBook, tape, status }: MarketState): void {
    const { chosen } = this.#picker
    if (chosen?.name !== symbol.name) return
    const text = (ticks: number | undefined) =>
      ticks === undefined ? undefined : fixedDecimal(ticks, symbol.quoteFraction)
    // An unknown state does not block orders: the exchange refuses those that it does not accept.
    const isTrading = status === undefined || (status.state === 'TRADING' && status.phase === 'TRADING')
    this.#trading.see({
      market: chosen,
      bid: text(book.bestBid?.ticks),
      ask: text(book.bestAsk?.ticks),
      book: hasBook ? book : undefined,
      last: text(tape.last?.price),
      isTrading,
    })
  }

  #drawEmptiness(market: MarketState | undefined): void {
    const { book, tape } = TEXTS
    if (this.#hasNoSymbols) this.#bookEmpty.show(book.noSymbols, book.noSymbolsAdvice)
    else if (market?.hasBook && market.book.size === 0) {
      const advice = [book.noOrdersAdvice, ...(this.#demoView.isOffered ? [book.demoAdvice] : [])]
      this.#bookEmpty.show(book.noOrders, advice.join(' '))
    } else this.#bookEmpty.hide()
    if (market?.hasTrades && market.tape.last === undefined) {
      this.#tapeEmpty.show(tape.none, tape.noneAdvice)
    } else this.#tapeEmpty.hide()
  }
}

function isSame(one: MarketSymbol | undefined, other: MarketSymbol): boolean {
  return (
    one?.name === other.name &&
    one.baseFraction === other.baseFraction &&
    one.quoteFraction === other.quoteFraction
  )
}

function schedule(delayMs: number, callback: () => void): () => void {
  const timer = window.setTimeout(callback, delayMs)
  return () => window.clearTimeout(timer)
}
