/**
 * The page: what comes from the stream goes into the market's state at once, and on to the screen with the next
 * frame that the browser draws, however many messages came in between.
 */
import { type ConnectionState, StreamConnection } from './connection/stream-connection.ts'
import { fetchSymbols, type ListedSymbol } from './connection/symbols.ts'
import { MarketState } from './state/market-state.ts'
import { BookView } from './view/book-view.ts'
import { ConnectionView, type Health } from './view/connection-view.ts'
import { DemoView } from './view/demo-view.ts'
import { EmptyBox } from './view/dom.ts'
import { GuideView } from './view/guide-view.ts'
import { PhaseView } from './view/phase-view.ts'
import { QuotesView } from './view/quotes-view.ts'
import { SymbolPicker } from './view/symbol-picker.ts'
import { TapeView } from './view/tape-view.ts'

/** How soon the list of symbols is asked for again: when there was none, and to learn of new ones. */
const SYMBOLS_RETRY_MS = 3_000
const SYMBOLS_REFRESH_MS = 60_000

export class TradingPage {
  readonly #market = new MarketState()
  readonly #picker = new SymbolPicker((symbol) => this.#watch(symbol))
  readonly #bookView = new BookView(() => this.#refresh())
  readonly #bookEmpty = new EmptyBox('book-empty')
  readonly #tapeView = new TapeView()
  readonly #tapeEmpty = new EmptyBox('tape-empty')
  readonly #quotesView = new QuotesView()
  readonly #guideView = new GuideView()
  readonly #phaseView = new PhaseView()
  readonly #demoView = new DemoView()
  readonly #connectionView = new ConnectionView(() => this.#stream.connect())
  readonly #stream = new StreamConnection({
    open: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/stream`),
    schedule,
    random: Math.random,
    onState: (state) => this.#connectionChanged(state),
    onText: (text) => this.#received(text),
  })
  #health: Health = 'connecting'
  #hasNoSymbols = false
  #isDrawDue = false
  #cancelSymbols: () => void = () => {}
  /** Counts connections made and lost, so that an answer that was asked for before is passed over. */
  #connections = 0

  start(): void {
    window.addEventListener('online', () => this.#stream.connect())
    this.#stream.connect()
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
      symbols = await fetchSymbols()
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
    this.#hasNoSymbols = symbols.length === 0
    const { chosen } = this.#picker
    if (chosen === undefined) this.#setHealth('live')
    else if (this.#health !== 'live' || this.#market.symbol?.name !== chosen.name) this.#watch(chosen)
    this.#refresh()
  }

  #watch(symbol: ListedSymbol): void {
    this.#market.expect(symbol)
    this.#stream.watch(symbol.name)
    this.#refresh()
  }

  #received(text: string): void {
    const outcome = this.#market.take(text)
    if (outcome === 'ignored') return
    if (outcome === 'refused' || outcome === 'broken') {
      this.#stream.drop()
      return
    }
    if (outcome === 'current') {
      this.#stream.settle()
      this.#setHealth('live')
    }
    this.#refresh()
  }

  #setHealth(health: Health): void {
    this.#health = health
    this.#connectionView.show(health)
    this.#refresh()
  }

  /** Draws with the next frame. */
  #refresh(): void {
    if (this.#isDrawDue) return
    this.#isDrawDue = true
    requestAnimationFrame(() => {
      this.#isDrawDue = false
      this.#draw()
    })
  }

  #draw(): void {
    const { symbol, book, tape } = this.#market
    this.#drawEmptiness()
    if (symbol === undefined) return
    this.#bookView.render(book, symbol)
    this.#tapeView.render(tape, symbol)
    this.#quotesView.render(this.#market)
    this.#guideView.render(this.#market)
    this.#phaseView.render(this.#market.status)
  }

  get #demoAdvice(): string {
    return this.#demoView.isOffered ? ' Or start the demo market, above: its traders make a book.' : ''
  }

  #drawEmptiness(): void {
    const { book, tape, hasBook } = this.#market
    const hasLevels = book.levelCount('SELL') + book.levelCount('BUY') > 0
    if (this.#hasNoSymbols) {
      this.#bookEmpty.show(
        'No symbols are listed yet',
        'The operator lists them with “npx bourse admin”. They appear here by themselves.',
      )
    } else if (hasBook && !hasLevels) {
      this.#bookEmpty.show(
        'No orders yet',
        `Place the first one with the curl that “npm start” printed, or with the one on this page.${this.#demoAdvice}`,
      )
    } else this.#bookEmpty.hide()
    if (hasBook && tape.last === undefined) {
      this.#tapeEmpty.show('No trades yet', 'When a buy and a sell order meet, the trade appears here.')
    } else this.#tapeEmpty.hide()
  }
}

function schedule(delayMs: number, callback: () => void): () => void {
  const timer = window.setTimeout(callback, delayMs)
  return () => window.clearTimeout(timer)
}
