/**
 * The only way in which the page sends orders: the conditions that block it, the confirmation before it, and
 * the guarantee that an order is sent once.
 */
import { computed, effect, signal } from '@preact/signals'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { PROBLEM, type TradingState } from '../trading-state.ts'
import type { Outgoing, Wait } from './outgoing.ts'
import { neverText, placedText, refusedText } from './outgoing-text.ts'
import { isWorse, type Question } from './questions.ts'

/**
 * A question that has been open for longer is asked again: a user who confirms it may have read it long ago.
 */
const READ_WITHIN_MS = 60_000

/** The questions that the user has read, and the time at which they were shown. */
type Read = { readonly questions: readonly Question[]; readonly at: number }

export class Dispatch {
  readonly #trading: TradingState
  readonly #now: () => number
  readonly isSending = signal(false)
  /** The order that waits for a confirmation. */
  readonly asked = signal<Outgoing | undefined>(undefined)
  /** The reasons for the question, from the page's current data. */
  readonly questions = computed(() => this.asked.value?.questions() ?? [])
  /** The reason why the question is shown again. */
  readonly again = signal<'CHANGED' | 'OLD' | undefined>(undefined)
  #read: Read = { questions: [], at: 0 }
  /** For the order form, whose market is the displayed one. */
  readonly waitsFor = computed((): Wait | undefined => this.waitOf(this.#trading.market.value?.name))

  /** `now`: milliseconds since an arbitrary time. */
  constructor(trading: TradingState, now: () => number) {
    this.#trading = trading
    this.#now = now
    // A confirmation is for the key that was used when the question was shown; if the key changes, the
    // question is removed.
    effect(() => {
      void trading.trader.value
      this.asked.value = undefined
    })
    let looked: string | undefined
    effect(() => {
      const name = trading.market.value?.name
      if (name !== looked && this.asked.peek()?.symbol === looked && this.asked.peek() !== undefined) {
        this.asked.value = undefined
        trading.notify(() => TEXTS.sending.otherMarket, PROBLEM)
      }
      looked = name
    })
  }

  /** Asks if there is a question; otherwise sends. */
  async offer(outgoing: Outgoing): Promise<void> {
    if (this.waitOf(outgoing.symbol) !== undefined || this.asked.value !== undefined) return
    const isAsked = this.#trading.consent.asksAlways.value && outgoing.isAgreed !== true
    const questions = outgoing.questions()
    if (isAsked || questions.length > 0) this.#ask(outgoing, questions, undefined)
    else await this.#send(outgoing)
  }

  /** Confirms the question. If it has changed since the user read it, it is shown again. */
  async confirm(): Promise<void> {
    const outgoing = this.asked.value
    if (outgoing === undefined) return
    const wait = this.waitOf(outgoing.symbol)
    if (wait !== undefined) {
      this.asked.value = undefined
      this.#trading.notify(() => TEXTS.sending.waits[wait], PROBLEM)
      return
    }
    const questions = outgoing.questions()
    const again = this.#whyAgain(questions)
    if (again !== undefined) {
      this.#ask(outgoing, questions, again)
      return
    }
    this.asked.value = undefined
    await this.#send(outgoing)
  }

  decline(): void {
    this.asked.value = undefined
  }

  /**
   * The condition that blocks an order in this market. The state of a market that is not displayed is unknown
   * here: the user is asked instead.
   */
  waitOf(symbol: string | undefined): Wait | undefined {
    const { trader, market, isMarketLive, isTrading } = this.#trading
    const { value } = trader
    if (value === undefined) return 'KEY'
    if (value.login.value?.kind === 'refused' || value.account.refusals.value.length > 0) return 'LOGIN'
    const isHere = symbol === market.value?.name
    if (isHere && !isMarketLive.value) return 'MARKET'
    if (!value.account.isLive.value) return 'ACCOUNT'
    if (isHere && !isTrading.value) return 'HALTED'
    if (value.unknown.value !== undefined) return 'OUTCOME'
    return this.isSending.value ? 'SENDING' : undefined
  }

  #ask(outgoing: Outgoing, questions: readonly Question[], again: 'CHANGED' | 'OLD' | undefined): void {
    this.#read = { questions, at: this.#now() }
    this.again.value = again
    this.asked.value = outgoing
  }

  #whyAgain(questions: readonly Question[]): 'CHANGED' | 'OLD' | undefined {
    if (isWorse(questions, this.#read.questions)) return 'CHANGED'
    const age = this.#now() - this.#read.at
    // This also covers a clock that was set back.
    return age < 0 || age > READ_WITHIN_MS ? 'OLD' : undefined
  }

  async #send(outgoing: Outgoing): Promise<void> {
    const trader = this.#trading.trader.value
    if (trader === undefined) return
    const { subject } = outgoing
    this.isSending.value = true
    try {
      const placement = await outgoing.send(trader)
      switch (placement.kind) {
        case 'PLACED':
          this.#trading.notifyOf(trader, () => placedText(subject), { orderId: placement.id })
          outgoing.onPlaced?.()
          break
        case 'NEVER':
          this.#trading.notifyOf(trader, () => neverText(subject), PROBLEM)
          break
        case 'REFUSED':
          outgoing.onRefused?.(placement.error)
          this.#trading.notifyOf(trader, () => refusedText(subject, placement.error), PROBLEM)
          break
      }
    } finally {
      this.isSending.value = false
    }
  }
}
