/**
 * The state that the views of the private half share: the market of the page, the trader of the key, the
 * order in the form, and the notices.
 */
import { computed, effect, signal } from '@preact/signals'
import { BourseError, RefusedError } from '../../../client/errors.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import type { OrderType, Side } from '../../../client/interface/words.ts'
import type { LocalBook } from '../../../client/stream/local-book.ts'
import type { Entry } from '../../shared/browser-entry.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { KeyHolder } from '../key/key-holder.ts'
import { AccountNotices } from './account-notices.ts'
import {
  type Draft,
  EMPTY_DRAFT,
  hasPrice,
  type TradedMarket,
  withField,
  withoutDeadline,
} from './draft/draft.ts'
import {
  emptyList,
  isListKind,
  type LegName,
  type ListDraft,
  type ListKind,
  withoutNumbers,
  withPrice,
  withSide,
} from './draft/list-draft.ts'
import { foundText } from './found-text.ts'
import { type NewNotice, NoticeLog } from './notice-log.ts'
import { refusalText } from './refusal-text.ts'
import type { AttemptStore } from './sending/attempt-store.ts'
import type { OppositeSide } from './sending/book-questions.ts'
import { Consent, type KeptConsent } from './sending/consent.ts'
import type { OrderSurroundings } from './sending/questions.ts'
import { Trader } from './trader.ts'

/** A notice that something went wrong. */
export const PROBLEM = { isProblem: true } as const

export type BestPrices = { readonly bid: string | undefined; readonly ask: string | undefined }

export type TradingStateOptions = {
  readonly holder: KeyHolder
  /** The address of the exchange. */
  readonly url: string
  readonly consent: Entry<KeptConsent>
  readonly attempts: AttemptStore
  /** The last chosen type. */
  readonly lastKind: Entry<OrderType | ListKind>
  /** Called with the text about a fill. */
  readonly onFill: (say: () => string) => void
}

const NOTICE_CLOCK = {
  now: () => Date.now(),
  schedule: (delayMs: number, callback: () => void) => setTimeout(callback, delayMs),
}

export class TradingState {
  readonly holder: KeyHolder
  readonly market = signal<TradedMarket | undefined>(undefined)
  /** The listed markets; empty while unknown. */
  readonly markets = signal<readonly TradedMarket[]>([])
  readonly best = signal<BestPrices>({ bid: undefined, ask: undefined })
  /** The book of the market; undefined until it has arrived. */
  readonly book = signal<Pick<LocalBook, 'asks' | 'bids'> | undefined>(undefined)
  /** Whether book and trades are live. */
  readonly isMarketLive = signal(false)
  /** Whether the market accepts orders: it is neither halted nor closed. */
  readonly isTrading = signal(true)
  readonly trader = signal<Trader | undefined>(undefined)
  readonly draft = signal<Draft>(EMPTY_DRAFT)
  /** Linked orders; undefined if the form is for one order. */
  readonly list = signal<ListDraft | undefined>(undefined)
  /** The field of a list that receives a price of the book: the one that last had the focus. */
  listField: { readonly leg: LegName; readonly field: 'price' | 'stopPrice' } | undefined
  /** The price of the last trade. */
  readonly lastPrice = signal<string | undefined>(undefined)
  readonly notices = new NoticeLog(NOTICE_CLOCK)
  /** All data on which an order depends is live. */
  readonly isLive = computed(
    () => this.isMarketLive.value && this.trader.value?.account.isLive.value === true,
  )
  readonly consent: Consent
  readonly #lastKind: Entry<OrderType | ListKind>
  /** The price that was set with the side; undefined if the user has entered one. */
  #offeredPrice: string | undefined

  constructor({ holder, url, consent, attempts, lastKind, onFill }: TradingStateOptions) {
    this.holder = holder
    this.#lastKind = lastKind
    this.#showKind(lastKind.read())
    const apiKey = computed(() => {
      const state = holder.state.value
      return state.kind === 'held' ? state.key.apiKey : undefined
    })
    this.consent = new Consent(consent, apiKey)
    let lastKey: string | undefined
    effect(() => {
      const key = apiKey.value
      // The form and its messages belonged to the previous account.
      if (lastKey !== undefined && key !== lastKey) {
        this.#clearNumbers()
        this.notices.reset()
      }
      lastKey = key
    })
    effect(() => {
      const state = holder.state.value
      if (state.kind === 'none') this.consent.endOneClick()
      if (state.kind !== 'held') return
      const news = new AccountNotices({ log: this.notices, now: NOTICE_CLOCK.now, onFill })
      const trader = new Trader({
        url,
        key: state.key,
        attempts,
        news,
        onFound: (found) =>
          this.notify(() => foundText(found), {
            isProblem: found.kind !== 'PLACED',
            orderId: found.kind === 'PLACED' ? found.placed.id : undefined,
          }),
        onNotKept: () => this.notify(() => TEXTS.notKept, PROBLEM),
      })
      this.trader.value = trader
      return () => {
        trader.close()
        this.trader.value = undefined
      }
    })
  }

  /** Switches to another market: the content of the form belonged to the previous one. */
  show(market: TradedMarket): void {
    if (this.market.peek()?.name !== market.name) this.#clearNumbers()
    this.market.value = market
  }

  #clearNumbers(): void {
    const { side, type, timeInForce } = this.draft.peek()
    this.draft.value = withoutDeadline({ ...EMPTY_DRAFT, side, type, timeInForce })
    const list = this.list.peek()
    if (list !== undefined) this.list.value = withoutNumbers(list)
  }

  setSide(side: Side): void {
    this.draft.value = { ...this.draft.value, side }
    this.#offerPrice(side)
    if (this.list.value !== undefined) this.list.value = withSide(this.list.value, side)
  }

  /**
   * Sets the best price for the side: that of the opposite side, or for a post-only order that of its own
   * side. It never replaces a price that the user has typed or chosen, and does nothing during one-click
   * trading, in which the user does not look at the price in the form.
   */
  #offerPrice(side: Side): void {
    const [market, draft] = [this.market.peek(), this.draft.peek()]
    const isOffered = draft.type === 'LIMIT' || draft.type === 'LIMIT_MAKER'
    if (market === undefined || !isOffered || this.list.peek() !== undefined) return
    if (!this.isMarketLive.peek() || this.consent.isOneClick.peek()) return
    if (draft.price !== '' && draft.price !== this.#offeredPrice) return
    const { bid, ask } = this.best.peek()
    const price = (side === 'BUY') === (draft.type === 'LIMIT') ? ask : bid
    if (price === undefined) return
    this.#offeredPrice = price
    this.draft.value = withField(draft, 'price', price, market)
  }

  /** Called when the user has typed or chosen a price, which then stays. */
  ownPrice(): void {
    this.#offeredPrice = undefined
  }

  /** Selects one type of order, or a list. The form starts with it on the next visit. */
  setKind(kind: OrderType | ListKind): void {
    this.#showKind(kind)
    this.#lastKind.write(kind)
  }

  #showKind(kind: OrderType | ListKind): void {
    this.list.value = isListKind(kind) ? emptyList(kind, this.draft.value.side) : undefined
    this.listField = undefined
    if (!isListKind(kind)) this.draft.value = { ...this.draft.value, type: kind }
  }

  /** The free balance of the asset that an order of this side spends; undefined if unknown. */
  freeFor(side: Side): string | undefined {
    const market = this.market.value
    const account = this.trader.value?.account
    if (market === undefined || account === undefined || !account.isLive.value) return undefined
    const code = side === 'BUY' ? market.quoteCode : market.baseCode
    return account.balances.value.get(code)?.free ?? '0'
  }

  /**
   * The data against which an order is checked before it is sent; undefined if its market is not displayed.
   */
  surroundingsOf(symbol: string, side: Side): OrderSurroundings | undefined {
    const market = this.market.value
    if (market?.name !== symbol) return undefined
    const { baseCode, quoteCode } = market
    const { bid: bestBid, ask: bestAsk } = this.best.value
    const [last, free, opposite] = [this.lastPrice.value, this.freeFor(side), this.#oppositeOf(symbol, side)]
    return { baseCode, quoteCode, bestBid, bestAsk, last, free, opposite }
  }

  /** The orders that an order of this side would match, from the page's book and account. */
  #oppositeOf(symbol: string, side: Side): OppositeSide | undefined {
    const book = this.book.value
    if (book === undefined) return undefined
    const own = (this.trader.value?.account.orders.value ?? []).filter(
      (order) => order.symbol === symbol && order.side !== side && order.isWorking === true,
    )
    return { levels: () => (side === 'BUY' ? book.asks() : book.bids()), own }
  }

  /**
   * The same for an order that replaces another: the funds that the old order holds are available to it, so
   * its share of the balance is not checked.
   */
  surroundingsOfReplacement({ symbol, side }: NewOrderParameters): OrderSurroundings | undefined {
    const surroundings = this.surroundingsOf(symbol, side)
    return surroundings && { ...surroundings, free: undefined }
  }

  /**
   * Fills the form with one order at a price chosen elsewhere: a limit order or a stop order at that price.
   */
  prepare(side: Side, type: 'LIMIT' | 'STOP_LOSS', price: string): void {
    const market = this.market.peek()
    if (market === undefined) return
    this.#showKind(type)
    this.ownPrice()
    const draft = { ...this.draft.peek(), side, type }
    this.draft.value = withField(draft, type === 'LIMIT' ? 'price' : 'stopPrice', price, market)
  }

  /** Puts a price of the book into the form. */
  takePrice(price: string): void {
    const market = this.market.peek()
    if (market === undefined) return
    const list = this.list.peek()
    if (list !== undefined) {
      this.list.value = withPrice(list, this.listField, price)
      return
    }
    const draft = this.draft.peek()
    this.ownPrice()
    const priced = hasPrice(draft.type) ? draft : { ...draft, type: 'LIMIT' as const }
    this.draft.value = withField(priced, 'price', price, market)
  }

  /**
   * Runs an action that depends on the open orders, and shows its error, if any. Nothing is done while the
   * account is not live: the displayed orders may be outdated.
   */
  async attempt(act: (trader: Trader) => Promise<void>): Promise<void> {
    const trader = this.trader.peek()
    if (trader?.account.isLive.peek() !== true) {
      this.notify(() => TEXTS.sending.waits.ACCOUNT, PROBLEM)
      return
    }
    await this.#doing(trader, act)
  }

  /**
   * Cancels orders at the user's request, even while the account is not live: for orders that have ended in
   * the meantime, this has no effect.
   */
  async cancel(act: (trader: Trader) => Promise<void>): Promise<void> {
    const trader = this.trader.peek()
    if (trader === undefined) {
      this.notify(() => TEXTS.sending.waits.KEY, PROBLEM)
      return
    }
    await this.#doing(trader, act)
  }

  async #doing(trader: Trader, act: (trader: Trader) => Promise<void>): Promise<void> {
    try {
      await act(trader)
    } catch (error) {
      this.notifyOf(trader, () => messageOf(error), PROBLEM)
    }
  }

  /** The outcome of a request sent with a key: shown while the page trades with it. */
  notifyOf(trader: Trader, say: NewNotice['say'], about: Omit<NewNotice, 'say'> = {}): void {
    if (this.trader.peek() === trader) this.notify(say, about)
  }

  /** `say`: evaluated when the notice is drawn, in the language chosen at that time. */
  notify(say: NewNotice['say'], about: Omit<NewNotice, 'say'> = {}): void {
    this.notices.add({ say, ...about })
  }
}

/** The message of an error, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof RefusedError) return refusalText(error)
  if (error instanceof BourseError && error.kind !== 'REFUSED') return TEXTS.errors[error.kind](error.message)
  return error instanceof Error ? error.message : String(error)
}
