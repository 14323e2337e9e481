/** Every order's way out of the page: what keeps it back, what is asked before, and that it is sent once. */
import { computed, effect, signal } from '@preact/signals'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { type Desk, PROBLEM } from '../desk.ts'
import type { Outgoing, Wait } from './outgoing.ts'
import { neverText, placedText, refusedText } from './outgoing-text.ts'
import { isWorse, type Question } from './questions.ts'

/** A question that has been open for longer is asked again: whoever says yes to it has most likely not read it now. */
const READ_WITHIN_MS = 60_000

/** What somebody has been shown, and when. */
type Read = { readonly questions: readonly Question[]; readonly at: number }

export class Dispatch {
  readonly #desk: Desk
  readonly #now: () => number
  readonly isSending = signal(false)
  /** What waits for a yes. */
  readonly asked = signal<Outgoing | undefined>(undefined)
  /** Why the page asks, by what it knows now. */
  readonly questions = computed(() => this.asked.value?.questions() ?? [])
  /** Why a yes was not taken for one. */
  readonly again = signal<'CHANGED' | 'OLD' | undefined>(undefined)
  #read: Read = { questions: [], at: 0 }
  /** Of the order form, whose market is the one that is looked at. */
  readonly waitsFor = computed((): Wait | undefined => this.waitOf(this.#desk.market.value?.name))

  /** `now`: milliseconds since any moment. */
  constructor(desk: Desk, now: () => number) {
    this.#desk = desk
    this.#now = now
    // A yes is for the key under which it was asked: another one is never asked for it.
    effect(() => {
      void desk.trader.value
      this.asked.value = undefined
    })
    let looked: string | undefined
    effect(() => {
      const name = desk.market.value?.name
      if (name !== looked && this.asked.peek()?.symbol === looked && this.asked.peek() !== undefined) {
        this.asked.value = undefined
        desk.notify(() => TEXTS.sending.otherMarket, PROBLEM)
      }
      looked = name
    })
  }

  /** Asks where there is something to ask, and sends otherwise. */
  async offer(outgoing: Outgoing): Promise<void> {
    if (this.waitOf(outgoing.symbol) !== undefined || this.asked.value !== undefined) return
    const isAsked = this.#desk.consent.asksAlways.value && outgoing.isAgreed !== true
    const questions = outgoing.questions()
    if (isAsked || questions.length > 0) this.#ask(outgoing, questions, undefined)
    else await this.#send(outgoing)
  }

  /** Yes to what is asked. Where that is not what was read any more, it is asked again. */
  async confirm(): Promise<void> {
    const outgoing = this.asked.value
    if (outgoing === undefined) return
    const wait = this.waitOf(outgoing.symbol)
    if (wait !== undefined) {
      this.asked.value = undefined
      this.#desk.notify(() => TEXTS.sending.waits[wait], PROBLEM)
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

  /** What an order of this market waits for. The state of a market that is not looked at is not known here: it is asked about instead. */
  waitOf(symbol: string | undefined): Wait | undefined {
    const { trader, market, isMarketLive, isTrading } = this.#desk
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
    // Also where somebody has put the clock back.
    return age < 0 || age > READ_WITHIN_MS ? 'OLD' : undefined
  }

  async #send(outgoing: Outgoing): Promise<void> {
    const trader = this.#desk.trader.value
    if (trader === undefined) return
    const { subject } = outgoing
    this.isSending.value = true
    try {
      const placement = await outgoing.send(trader)
      switch (placement.kind) {
        case 'PLACED':
          this.#desk.notifyOf(trader, () => placedText(subject), { orderId: placement.id })
          outgoing.onPlaced?.()
          break
        case 'NEVER':
          this.#desk.notifyOf(trader, () => neverText(subject), PROBLEM)
          break
        case 'REFUSED':
          outgoing.onRefused?.(placement.error)
          this.#desk.notifyOf(trader, () => refusedText(subject, placement.error), PROBLEM)
          break
      }
    } finally {
      this.isSending.value = false
    }
  }
}
