/** Puts the private half into the page. The page reports what it shows; the private half reports which prices are of own orders. */

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
import { KeyHolder } from './key/key-holder.ts'
import { keyName } from './key/key-name.ts'
import { browserKeyStore } from './key/key-store.ts'
import { Desk } from './state/desk.ts'
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
import { AccountMenu } from './view/account-menu.tsx'
import { OneClickMark } from './view/form/quick-trading.tsx'
import { TradePanel } from './view/trade-panel.tsx'

export type TradeOptions = {
  readonly place: HTMLElement
  /** The account's part of the menu, the button that opens it, and what is written on that. */
  readonly menu: HTMLElement
  readonly menuButton: HTMLElement
  readonly menuName: HTMLElement
  /** The form is to be in sight. */
  readonly onForm: () => void
  readonly isSandbox: boolean
  /** The panel of the book: it says while a click in it places orders. */
  readonly book: HTMLElement
  /** The price of the book that the pointer is on. */
  readonly pointed: () => PointedPrice | undefined
  /** The market after the one that is looked at, or before it. */
  readonly onMarket: (step: 1 | -1) => void
  /** The prices of own orders have changed. */
  readonly onOwnOrders: () => void
  /** Something was filled; `say`: its words, in the language that is shown when they are read. */
  readonly onFill: (say: () => string) => void
}

/** What the page looks at, as texts that are exact decimals. */
export type Seen = {
  readonly market: TradedMarket
  readonly bid: string | undefined
  readonly ask: string | undefined
  readonly book: Pick<LocalBook, 'asks' | 'bids'> | undefined
  /** Of the last trade. */
  readonly last: string | undefined
  /** Whether the market takes orders. */
  readonly isTrading: boolean
}

export class TradeDesk {
  readonly #desk: Desk
  readonly #dispatch: Dispatch
  readonly #ticket: Ticket
  readonly #quick: QuickOrders
  readonly #options: TradeOptions
  readonly #isTapeShown = signal(true)

  constructor(options: TradeOptions) {
    this.#options = options
    const { place, isSandbox, book, pointed, onMarket, onOwnOrders, onFill } = options
    showTexts(drawing, pageText)
    const holder = new KeyHolder({
      subtle: isSecureContext ? crypto.subtle : undefined,
      store: browserKeyStore(indexedDB),
      tabs: new BroadcastChannel('bourse-key'),
      importSecret,
    })
    const storage = browserStorage(window)
    this.#desk = new Desk({
      holder,
      url: location.origin,
      consent: consentEntry(storage),
      attempts: browserAttempts(storage),
      lastKind: kindEntry(storage),
      onFill,
    })
    const dispatch = new Dispatch(this.#desk, () => Date.now())
    const ticket = new Ticket({ desk: this.#desk, dispatch, limits: limitEntry(storage) })
    const listTicket = new ListTicket({ desk: this.#desk, dispatch, limits: ticket.limits })
    this.#dispatch = dispatch
    this.#ticket = ticket
    const quick = new QuickOrders({ desk: this.#desk, dispatch, limits: ticket.limits })
    this.#quick = quick
    const hotkeys = new Hotkeys(hotkeyEntry(storage))
    const focus = (field: string) => place.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
    const take = (percent: number) =>
      (this.#desk.list.peek() === undefined ? ticket : listTicket).take(percent)
    const runner = new HotkeyRunner({ desk: this.#desk, hotkeys, quick, take, pointed, onMarket, focus })
    document.addEventListener('keydown', (event) => {
      if (runner.press(event, keyPlace(document, event.target))) event.preventDefault()
    })
    const desk = this.#desk
    const questions = new MenuQuestions()
    const isTapeShown = this.#isTapeShown
    const trading = { desk, dispatch, ticket, listTicket, quick, runner, questions, isSandbox, isTapeShown }
    render(h(TradePanel, trading), place)
    const onAddKey = () => {
      options.onForm()
      place.querySelector<HTMLElement>('.trade-key input')?.focus()
    }
    render(h(AccountMenu, { desk, ticket, runner, questions, onAddKey }), options.menu)
    options.menu.hidden = false
    const mark = document.createElement('div')
    book.append(mark)
    render(h(OneClickMark, { desk: this.#desk, quick }), mark)
    place.hidden = false
    // For the styles. A rule with `:has()` would have the browser look through them all whenever a row comes or goes.
    effect(() => {
      document.body.setAttribute('data-key', holder.state.value.kind)
    })
    effect(() => {
      const state = holder.state.value
      const { layout } = TEXTS
      const name = state.kind === 'held' ? keyName(state.key) : undefined
      options.menuName.textContent = pageText(name ?? layout.noAccount)
      options.menuButton.ariaLabel = pageText(name === undefined ? layout.menu : layout.menuOf(name))
    })
    effect(() => {
      book.toggleAttribute('data-one-click', this.#desk.consent.isOneClick.value)
    })
    effect(() => {
      void this.#desk.trader.value?.account.orders.value
      onOwnOrders()
    })
    void holder.start()
  }

  /** The markets that there are. */
  offer(markets: readonly TradedMarket[]): void {
    this.#desk.markets.value = markets
  }

  see({ market, bid, ask, book, last, isTrading }: Seen): void {
    this.#desk.show(market)
    this.#desk.book.value = book
    const { best } = this.#desk
    this.#desk.isTrading.value = isTrading
    this.#desk.lastPrice.value = last
    if (best.peek().bid !== bid || best.peek().ask !== ask) best.value = { bid, ask }
  }

  setLive(isLive: boolean): void {
    this.#desk.isMarketLive.value = isLive
  }

  connect(): void {
    this.#desk.trader.peek()?.connect()
  }

  /** Nothing that the account's connection says counts any more: another one is made. */
  reconnect(): void {
    this.#desk.trader.peek()?.reconnect()
  }

  /** Over the trades is the place of notices; without it, in the bar. */
  setTapeShown(isShown: boolean): void {
    this.#isTapeShown.value = isShown
  }

  /** For the chart, with which it is loaded. */
  async chartAccount(): Promise<ChartAccount> {
    const { ChartAccount } = await import('./account/chart-account.ts')
    const { onForm, place } = this.#options
    return new ChartAccount({
      ...{ desk: this.#desk, dispatch: this.#dispatch, ticket: this.#ticket },
      onForm: () => {
        onForm()
        // With the next frame the form has the fields of its type.
        const fields = '[data-field="quantity"], [data-field="total"]'
        requestAnimationFrame(() => place.querySelector<HTMLElement>(fields)?.focus())
      },
    })
  }

  /** The form is for this side. */
  chooseSide(side: Side): void {
    this.#desk.setSide(side)
  }

  /** A price of the book was chosen: it goes into the form, or, where somebody has agreed to that, an order goes out. */
  takePrice(choice: PointedPrice): void {
    if (this.#desk.consent.isOneClick.peek()) void this.#quick.click(choice)
    else this.#desk.takePrice(choice.price)
  }

  /** The prices of the account's orders that rest on a side of the book of a symbol. */
  ownPrices(symbol: string, side: Side): ReadonlySet<string> {
    return this.#desk.trader.peek()?.account.ownPrices(symbol, side) ?? new Set()
  }
}
