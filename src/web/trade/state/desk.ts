/** What the views of the private half share: the market of the page, the trader of the key, the order in the form, and notices. */
import { computed, effect, signal } from '@preact/signals'
import type { Fill } from '../../../client/interface/orders.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { KeyHolder } from '../key/key-holder.ts'
import type { AttemptStore } from './attempt-store.ts'
import type { Entry } from './browser-entry.ts'
import { Consent, type KeptConsent } from './consent.ts'
import { type Draft, EMPTY_DRAFT, hasPrice, type TradedMarket, withField } from './draft.ts'
import { Trader } from './trader.ts'

export type BestPrices = { readonly bid: string | undefined; readonly ask: string | undefined }

export type Notice = { readonly id: number; readonly text: string; readonly isProblem: boolean }

const NOTICES_MAX = 4

export type DeskOptions = {
  readonly holder: KeyHolder
  /** The address of the exchange. */
  readonly url: string
  readonly consent: Entry<KeptConsent>
  readonly attempts: AttemptStore
}

export class Desk {
  readonly holder: KeyHolder
  readonly market = signal<TradedMarket | undefined>(undefined)
  readonly best = signal<BestPrices>({ bid: undefined, ask: undefined })
  /** Whether book and trades are live. */
  readonly isMarketLive = signal(false)
  /** Whether the market takes orders: it is neither halted nor closed. */
  readonly isTrading = signal(true)
  readonly trader = signal<Trader | undefined>(undefined)
  readonly draft = signal<Draft>(EMPTY_DRAFT)
  readonly notices = signal<readonly Notice[]>([])
  /** Everything that an order is decided by is live. */
  readonly isLive = computed(
    () => this.isMarketLive.value && this.trader.value?.account.isLive.value === true,
  )
  readonly consent: Consent
  #notices = 0

  constructor({ holder, url, consent, attempts }: DeskOptions) {
    this.holder = holder
    const apiKey = computed(() => {
      const state = holder.state.value
      return state.kind === 'held' ? state.key.apiKey : undefined
    })
    this.consent = new Consent(consent, apiKey)
    effect(() => {
      const state = holder.state.value
      if (state.kind === 'none') this.consent.endOneClick()
      if (state.kind !== 'held') return
      const trader = new Trader({
        url,
        key: state.key,
        attempts,
        onFills: (fills) => this.#tellFills(fills),
        onFound: ({ attempt, kind }) =>
          this.tell(TEXTS.found[kind](attempt.clientOrderId), kind !== 'PLACED'),
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
    if (this.market.peek()?.name !== market.name) {
      const { side, type, timeInForce } = this.draft.peek()
      this.draft.value = { ...EMPTY_DRAFT, side, type, timeInForce }
    }
    this.market.value = market
  }

  /** A price of the book goes into the form. */
  takePrice(price: string): void {
    const market = this.market.peek()
    if (market === undefined) return
    const draft = this.draft.peek()
    const priced = hasPrice(draft.type) ? draft : { ...draft, type: 'LIMIT' as const }
    this.draft.value = withField(priced, 'price', price, market)
  }

  tell(text: string, isProblem = false): void {
    const notice = { id: ++this.#notices, text, isProblem }
    this.notices.value = [notice, ...this.notices.peek()].slice(0, NOTICES_MAX)
  }

  #tellFills(fills: readonly Fill[]): void {
    for (const { side, quantity, symbol, price } of fills)
      this.tell(TEXTS.fills.notice(TEXTS.side[side], quantity, symbol, price))
  }
}

/** A refusal's own words, for people. */
export function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'messages' in error && Array.isArray(error.messages))
    return error.messages.join(' ')
  return error instanceof Error ? error.message : String(error)
}
