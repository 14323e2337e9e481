/** What the views of the private half share: the market of the page, the trader of the key, the order in the form, and notices. */
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

/** A notice of something that has gone wrong. */
export const PROBLEM = { isProblem: true } as const

export type BestPrices = { readonly bid: string | undefined; readonly ask: string | undefined }

export type DeskOptions = {
  readonly holder: KeyHolder
  /** The address of the exchange. */
  readonly url: string
  readonly consent: Entry<KeptConsent>
  readonly attempts: AttemptStore
  /** The type that was chosen last. */
  readonly lastKind: Entry<OrderType | ListKind>
  /** Called with what is said of a fill. */
  readonly onFill: (say: () => string) => void
}

const NOTICE_CLOCK = {
  now: () => Date.now(),
  schedule: (delayMs: number, callback: () => void) => setTimeout(callback, delayMs),
}

export class Desk {
  readonly holder: KeyHolder
  readonly market = signal<TradedMarket | undefined>(undefined)
  /** Those that the exchange lists; none: not known yet. */
  readonly markets = signal<readonly TradedMarket[]>([])
  readonly best = signal<BestPrices>({ bid: undefined, ask: undefined })
  /** Of the market; undefined: it has not come yet. */
  readonly book = signal<Pick<LocalBook, 'asks' | 'bids'> | undefined>(undefined)
  /** Whether book and trades are live. */
  readonly isMarketLive = signal(false)
  /** Whether the market takes orders: it is neither halted nor closed. */
  readonly isTrading = signal(true)
  readonly trader = signal<Trader | undefined>(undefined)
  readonly draft = signal<Draft>(EMPTY_DRAFT)
  /** Orders that belong together; undefined: the form is for one order. */
  readonly list = signal<ListDraft | undefined>(undefined)
  /** The field of a list that a price of the book goes into: the one that had the focus last. */
  listField: { readonly leg: LegName; readonly field: 'price' | 'stopPrice' } | undefined
  /** Of the last trade. */
  readonly lastPrice = signal<string | undefined>(undefined)
  readonly notices = new NoticeLog(NOTICE_CLOCK)
  /** Everything that an order is decided by is live. */
  readonly isLive = computed(
    () => this.isMarketLive.value && this.trader.value?.account.isLive.value === true,
  )
  readonly consent: Consent
  readonly #lastKind: Entry<OrderType | ListKind>
  /** The price that came with the side; undefined: it is of somebody's own. */
  #offeredPrice: string | undefined

  constructor({ holder, url, consent, attempts, lastKind, onFill }: DeskOptions) {
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
      // What is in the form was meant for the account before, and what is said was said of it.
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

  /** Another market: what is in the form belongs to the one before. */
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
   * With the side the price is the best that there is: that of the other side, of a post-only order that of its own. Never over what somebody has typed or
   * taken, and never while one click places orders: what stands in the form then was not read.
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

  /** Somebody has typed a price, or taken one: it is theirs. */
  ownPrice(): void {
    this.#offeredPrice = undefined
  }

  /** One order of a type, or a list. It is what the form begins with at the next visit. */
  setKind(kind: OrderType | ListKind): void {
    this.#showKind(kind)
    this.#lastKind.write(kind)
  }

  #showKind(kind: OrderType | ListKind): void {
    this.list.value = isListKind(kind) ? emptyList(kind, this.draft.value.side) : undefined
    this.listField = undefined
    if (!isListKind(kind)) this.draft.value = { ...this.draft.value, type: kind }
  }

  /** What is free of the asset that an order of this side gives away; undefined: not known. */
  freeFor(side: Side): string | undefined {
    const market = this.market.value
    const account = this.trader.value?.account
    if (market === undefined || account === undefined || !account.isLive.value) return undefined
    const code = side === 'BUY' ? market.quoteCode : market.baseCode
    return account.balances.value.get(code)?.free ?? '0'
  }

  /** What an order is held against before it is sent, as the page knows it now; undefined: its market is not looked at. */
  surroundingsOf(symbol: string, side: Side): OrderSurroundings | undefined {
    const market = this.market.value
    if (market?.name !== symbol) return undefined
    const { baseCode, quoteCode } = market
    const { bid: bestBid, ask: bestAsk } = this.best.value
    const [last, free, opposite] = [this.lastPrice.value, this.freeFor(side), this.#oppositeOf(symbol, side)]
    return { baseCode, quoteCode, bestBid, bestAsk, last, free, opposite }
  }

  /** What an order of this side would meet, by the book and the account that the page has. */
  #oppositeOf(symbol: string, side: Side): OppositeSide | undefined {
    const book = this.book.value
    if (book === undefined) return undefined
    const own = (this.trader.value?.account.orders.value ?? []).filter(
      (order) => order.symbol === symbol && order.side !== side && order.isWorking === true,
    )
    return { levels: () => (side === 'BUY' ? book.asks() : book.bids()), own }
  }

  /** The same of an order that takes another one's place: what that one holds is free for it, so no share of the balance is asked about. */
  surroundingsOfReplacement({ symbol, side }: NewOrderParameters): OrderSurroundings | undefined {
    const surroundings = this.surroundingsOf(symbol, side)
    return surroundings && { ...surroundings, free: undefined }
  }

  /** One order at a price that was chosen elsewhere goes into the form: a limit at it, or a stop that waits for it. */
  prepare(side: Side, type: 'LIMIT' | 'STOP_LOSS', price: string): void {
    const market = this.market.peek()
    if (market === undefined) return
    this.#showKind(type)
    this.ownPrice()
    const draft = { ...this.draft.peek(), side, type }
    this.draft.value = withField(draft, type === 'LIMIT' ? 'price' : 'stopPrice', price, market)
  }

  /** A price of the book goes into the form. */
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

  /** Does something that depends on which orders are open, and says what has gone wrong. Nothing is done while the account is not live: what is shown may be out of date. */
  async attempt(act: (trader: Trader) => Promise<void>): Promise<void> {
    const trader = this.trader.peek()
    if (trader?.account.isLive.peek() !== true) {
      this.notify(() => TEXTS.sending.waits.ACCOUNT, PROBLEM)
      return
    }
    await this.#doing(trader, act)
  }

  /**
   * Cancels what somebody wants to be canceled, while the account is not live too: of what has ended meanwhile there is nothing to cancel, and
   * that is all that comes of it.
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

  /** What became of something that was sent with a key: said while the page trades with it. */
  notifyOf(trader: Trader, say: NewNotice['say'], about: Omit<NewNotice, 'say'> = {}): void {
    if (this.trader.peek() === trader) this.notify(say, about)
  }

  /** `say`: read when the notice is drawn, in the language that is shown then. */
  notify(say: NewNotice['say'], about: Omit<NewNotice, 'say'> = {}): void {
    this.notices.add({ say, ...about })
  }
}

/** What has gone wrong, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof RefusedError) return refusalText(error)
  if (error instanceof BourseError && error.kind !== 'REFUSED') return TEXTS.errors[error.kind](error.message)
  return error instanceof Error ? error.message : String(error)
}
