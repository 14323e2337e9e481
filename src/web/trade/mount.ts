/**
 * Mounts the part of the page that needs a key (the private half). The page passes it the displayed market
 * data; the private half returns the prices of the account's own orders.
 */

import { effect, signal } from '@preact/signals'
import { options as drawing, h, render } from 'preact'
import { importSecret } from '../../client/access/signer.ts'
import type { Side } from '../../client/interface/words.ts'
import type { LocalBook } from '../../client/stream/local-book.ts'
import { pageText } from '../../units/printable.ts'
import { browserStorage } from '../shared/browser-storage.ts'
import { showTexts } from '../shared/shown-text.ts'
import { TEXTS } from '../shared/texts/texts.ts'
import type { ChartAccount } from './account/chart-account.ts'
import type { MailLink } from './customer/mail-link.ts'
import { KeyHolder } from './key/key-holder.ts'
import { keyName } from './key/key-name.ts'
import { browserKeyStore } from './key/key-store.ts'
import type { TradedMarket } from './state/draft/draft.ts'
import { kindEntry } from './state/draft/kind-entry.ts'
import { limitEntry } from './state/draft/limit-store.ts'
import { ListTicket } from './state/draft/list-ticket.ts'
import { Ticket } from './state/draft/ticket.ts'
import { keyPlace } from './state/key-place.ts'
import { browserAttempts } from './state/sending/attempt-store.ts'
import { consentEntry } from './state/sending/consent.ts'
import { Dispatch } from './state/sending/dispatch.ts'
import { HotkeyRunner } from './state/sending/hotkey-runner.ts'
import { Hotkeys, hotkeyEntry } from './state/sending/hotkeys.ts'
import { MenuQuestions } from './state/sending/menu-questions.ts'
import { type PointedPrice, QuickOrders } from './state/sending/quick-orders.ts'
import { TradingState } from './state/trading-state.ts'
import { AccountMenu } from './view/account-menu.tsx'
import { OneClickMark } from './view/form/quick-trading.tsx'
import { TradePanel } from './view/trade-panel.tsx'

export type TradeOptions = {
  readonly place: HTMLElement
  /** The account's part of the menu, the button that opens it, and its label. */
  readonly menu: HTMLElement
  readonly menuButton: HTMLElement
  readonly menuName: HTMLElement
  /** Must scroll the form into view. */
  readonly onForm: () => void
  readonly isSandbox: boolean
  /** Whether people sign up and sign in by themselves. */
  readonly hasCustomers: boolean
  /** The email link that opened the page; undefined if there was none. */
  readonly mailLink: MailLink | undefined
  /** The panel of the book: it shows whether a click on a price places orders. */
  readonly book: HTMLElement
  /** The price of the book under the pointer. */
  readonly pointed: () => PointedPrice | undefined
  /** Switches to the next or previous market. */
  readonly onMarket: (step: 1 | -1) => void
  /** Called when the prices of own orders change. */
  readonly onOwnOrders: () => void
  /**
   * Called when an order was filled; `say`: the text in the current language, evaluated when it is displayed.
   */
  readonly onFill: (say: () => string) => void
}

/** The displayed market, as exact decimal texts. */
export type Seen = {
  readonly market: TradedMarket
  readonly bid: string | undefined
  readonly ask: string | undefined
  readonly book: Pick<LocalBook, 'asks' | 'bids'> | undefined
  /** The price of the last trade. */
  readonly last: string | undefined
  /** Whether the market accepts orders. */
  readonly isTrading: boolean
}

export class TradeMount {
  readonly #trading: TradingState
  readonly #dispatch: Dispatch
  readonly #ticket: Ticket
  readonly #quick: QuickOrders
  readonly #options: TradeOptions
  readonly #isTapeShown = signal(true)

  constructor(options: TradeOptions) {
    this.#options = options
    const { place, isSandbox, hasCustomers, book, pointed, onMarket, onOwnOrders, onFill } = options
    showTexts(drawing, pageText)
    const holder = new KeyHolder({
      subtle: isSecureContext ? crypto.subtle : undefined,
      store: browserKeyStore(indexedDB),
      tabs: new BroadcastChannel('bourse-key'),
      importSecret,
    })
    const storage = browserStorage(window)
    const trading = new TradingState({
      holder,
      url: location.origin,
      consent: consentEntry(storage),
      attempts: browserAttempts(storage),
      lastKind: kindEntry(storage),
      onFill,
    })
    this.#trading = trading
    const dispatch = new Dispatch(trading, () => Date.now())
    const ticket = new Ticket({ trading, dispatch, limits: limitEntry(storage) })
    const listTicket = new ListTicket({ trading, dispatch, limits: ticket.limits, canTrail: ticket.canTrail })
    this.#dispatch = dispatch
    this.#ticket = ticket
    const quick = new QuickOrders({ trading, dispatch, limits: ticket.limits })
    this.#quick = quick
    const hotkeys = new Hotkeys(hotkeyEntry(storage))
    const focus = (field: string) => place.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
    const take = (percent: number) => (trading.list.peek() === undefined ? ticket : listTicket).take(percent)
    const runner = new HotkeyRunner({
      trading,
      hotkeys,
      quick,
      take,
      pointed,
      onMarket,
      focus,
    })
    document.addEventListener('keydown', (event) => {
      if (runner.press(event, keyPlace(document, event.target))) event.preventDefault()
    })
    const questions = new MenuQuestions(options.mailLink)
    const parts = { trading, dispatch, ticket, listTicket, quick, runner, questions, isSandbox, hasCustomers }
    render(h(TradePanel, { ...parts, isTapeShown: this.#isTapeShown }), place)
    const onAddKey = () => {
      options.onForm()
      place.querySelector<HTMLElement>('.trade-key input')?.focus()
    }
    render(h(AccountMenu, { trading, ticket, runner, questions, hasCustomers, onAddKey }), options.menu)
    options.menu.hidden = false
    const mark = document.createElement('div')
    book.append(mark)
    render(h(OneClickMark, { trading, quick }), mark)
    place.hidden = false
    // For the style sheets: with a `:has()` rule the browser would search all rows whenever one is added or
    // removed.
    effect(() => {
      document.body.setAttribute('data-key', holder.state.value.kind)
    })
    effect(() => nameMenu(options, holder))
    effect(() => {
      book.toggleAttribute('data-one-click', trading.consent.isOneClick.value)
    })
    effect(() => {
      void trading.trader.value?.account.orders.value
      onOwnOrders()
    })
    void holder.start()
  }

  /** Sets the listed markets. */
  offer(markets: readonly TradedMarket[]): void {
    this.#trading.markets.value = markets
  }

  see({ market, bid, ask, book, last, isTrading }: Seen): void {
    this.#trading.show(market)
    this.#trading.book.value = book
    const { best } = this.#trading
    this.#trading.isTrading.value = isTrading
    this.#trading.lastPrice.value = last
    if (best.peek().bid !== bid || best.peek().ask !== ask) best.value = { bid, ask }
  }

  setLive(isLive: boolean): void {
    this.#trading.isMarketLive.value = isLive
  }

  connect(): void {
    this.#trading.trader.peek()?.connect()
  }

  /** Messages of the current connection no longer count: a new one is opened. */
  reconnect(): void {
    this.#trading.trader.peek()?.reconnect()
  }

  /** Notices are shown over the trades, or in the bar if that panel is hidden. */
  setTapeShown(isShown: boolean): void {
    this.#isTapeShown.value = isShown
  }

  /** Loaded with the chart. */
  async chartAccount(): Promise<ChartAccount> {
    const { ChartAccount } = await import('./account/chart-account.ts')
    const { onForm, place } = this.#options
    return new ChartAccount({
      ...{ trading: this.#trading, dispatch: this.#dispatch, ticket: this.#ticket },
      onForm: () => {
        onForm()
        // By the next frame the form shows the fields of its order type.
        const fields = '[data-field="quantity"], [data-field="total"]'
        requestAnimationFrame(() => place.querySelector<HTMLElement>(fields)?.focus())
      },
    })
  }

  /** Sets the side of the form. */
  chooseSide(side: Side): void {
    this.#trading.setSide(side)
  }

  /**
   * Called when the user chooses a price of the book: it is put into the form, or an order is placed at it if
   * the user has consented to that.
   */
  takePrice(choice: PointedPrice): void {
    if (this.#trading.consent.isOneClick.peek()) void this.#quick.click(choice)
    else this.#trading.takePrice(choice.price)
  }

  /** The prices of the account's orders that rest on a side of the book of a symbol. */
  ownPrices(symbol: string, side: Side): ReadonlySet<string> {
    return this.#trading.trader.peek()?.account.ownPrices(symbol, side) ?? new Set()
  }
}

/** Shows the owner of the account on the menu's button. */
function nameMenu({ menuName, menuButton }: TradeOptions, holder: KeyHolder): void {
  const state = holder.state.value
  const { layout } = TEXTS
  const name = state.kind === 'held' ? keyName(state.key) : undefined
  menuName.textContent = pageText(name ?? layout.noAccount)
  menuButton.ariaLabel = pageText(name === undefined ? layout.menu : layout.menuOf(name))
}
