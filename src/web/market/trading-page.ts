/**
 * The page, on the typed client as any program has it: what comes from the stream goes into the market's state at once, and on to the screen with one of the next
 * frames that the browser draws, however many messages came in between.
 */
import { createMarketClient } from '../../client/market-client.ts'
import type { ConnectionState } from '../../client/stream/stream-connection.ts'
import { fixedDecimal } from '../../units/decimal.ts'
import { browserStorage } from '../shared/browser-storage.ts'
import { LIVE_WITHIN_MS } from '../shared/live-within.ts'
import { onLanguage, TEXTS } from '../shared/texts/texts.ts'
import { TradeDesk } from '../trade/mount.ts'
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

/** How soon the list of symbols is asked for again: when there was none, and to learn of new ones. */
const SYMBOLS_RETRY_MS = 3_000
const SYMBOLS_REFRESH_MS = 60_000

/** What changes more often than that cannot be read, and leaves no room for the other parts. The first change after a pause is drawn at once. */
const BOOK_EVERY_MS = 80
const TRADES_EVERY_MS = 120
const CHART_EVERY_MS = 100

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
    account: () => this.#desk.chartAccount(),
    onChange: () => this.#refresh(),
  })
  #watch: MarketWatch | undefined
  #hasNoSymbols = false
  /** What is shown of the market is what is. */
  #isLive = false
  #cancelSymbols: () => void = () => {}
  /** Counts connections made and lost, so that an answer that was asked for before is passed over. */
  #connections = 0
  // Last of all: it says at once which prices are of own orders, and the page draws them.
  readonly #desk = new TradeDesk({
    place: byId('trade', HTMLElement),
    menu: byId('menu-account', HTMLElement),
    menuButton: byId('menu-button', HTMLElement),
    menuName: byId('menu-name', HTMLElement),
    onForm: () => this.#phoneViews.show('trade'),
    isSandbox: this.#demoView.isOffered,
    book: byId('book', HTMLElement),
    pointed: () => this.#bookLink.pointed,
    onMarket: (step) => this.#picker.step(step),
    onOwnOrders: () => this.#refresh(),
    onFill: (say) => this.#title.showFill(say),
  })
  readonly #bookLink = new BookLink(this.#desk)

  start(): void {
    new MenuView()
    new PhoneSides((side) => {
      this.#phoneViews.show('trade')
      this.#desk.chooseSide(side)
    })
    watchScreenKeyboard()
    new ThemeView()
    new ZoneView(() => this.#refresh())
    onLanguage(() => this.#refresh())
    startLayout({
      storage: browserStorage(window),
      onTape: (isShown) => this.#desk.setTapeShown(isShown),
    })
    window.addEventListener('offline', () => this.#offline())
    window.addEventListener('online', () => {
      this.#connectionView.setOffline(false)
      this.#connect()
    })
    this.#client.stream.connect()
  }

  /** Now instead of later. */
  #connect(): void {
    this.#client.stream.connect()
    this.#desk.connect()
  }

  /** A connection without a network may look open for a while: nothing of it counts as live any more, and others are made until one has something to say. */
  #offline(): void {
    this.#connections++
    this.#cancelSymbols()
    this.#client.stream.disconnect()
    this.#setHealth('reconnecting')
    this.#connectionView.setOffline(true)
    this.#client.stream.connect()
    this.#desk.reconnect()
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

  /** Learns the symbols, and listens to the chosen one where that is not so already. */
  async #loadSymbols(connection: number): Promise<void> {
    let symbols: readonly ListedSymbol[] | undefined
    try {
      symbols = await fetchSymbols(this.#client)
    } catch {
      // Said on the page: the state stays "connecting" or "reconnecting" until an attempt goes well.
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
    this.#desk.offer(symbols)
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
    // The one before was live; of this one nothing is known until its book comes, and nothing is sent in it.
    this.#setLive(false)
    this.#refresh()
  }

  /** The node knows the symbol no more: what it lists says what can be chosen. */
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
    this.#desk.setLive(isLive)
  }

  #refresh(): void {
    for (const draw of this.#parts) draw()
  }

  /** The book, and what the private half decides by: what is shown is what it knows. */
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
    // What is not known yet keeps nothing back: the exchange refuses what it does not take.
    const isTrading = status === undefined || (status.state === 'TRADING' && status.phase === 'TRADING')
    this.#desk.see({
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
