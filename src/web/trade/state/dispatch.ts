/** Every order's way out of the page: what keeps it back, what is asked before, and that it is sent once. */
import { computed, effect, signal } from '@preact/signals'
import { TEXTS } from '../../texts/texts.ts'
import { type Desk, PROBLEM } from './desk.ts'
import type { Outgoing, Wait } from './outgoing.ts'
import { neverText, placedText, refusedText } from './outgoing-text.ts'

export class Dispatch {
  readonly #desk: Desk
  readonly isSending = signal(false)
  /** What waits for a yes. */
  readonly asked = signal<Outgoing | undefined>(undefined)
  readonly waitsFor = computed((): Wait | undefined => this.#wait())

  constructor(desk: Desk) {
    this.#desk = desk
    // A yes is for the key under which it was asked: another one is never asked for it.
    effect(() => {
      void desk.trader.value
      this.asked.value = undefined
    })
  }

  /** Asks where there is something to ask, and sends otherwise. */
  async offer(outgoing: Outgoing): Promise<void> {
    if (this.waitsFor.value !== undefined || this.asked.value !== undefined) return
    const isAsked = this.#desk.consent.asksAlways.value && outgoing.isAgreed !== true
    if (isAsked || outgoing.questions.length > 0) this.asked.value = outgoing
    else await this.#send(outgoing)
  }

  /** Yes to what is asked. */
  async confirm(): Promise<void> {
    const outgoing = this.asked.value
    this.asked.value = undefined
    if (outgoing === undefined) return
    const wait = this.waitsFor.value
    if (wait === undefined) await this.#send(outgoing)
    else this.#desk.notify(() => TEXTS.sending.waits[wait], PROBLEM)
  }

  decline(): void {
    this.asked.value = undefined
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
          this.#desk.notify(() => placedText(subject), { orderId: placement.id })
          outgoing.onPlaced?.()
          break
        case 'NEVER':
          this.#desk.notify(() => neverText(subject), PROBLEM)
          break
        case 'REFUSED':
          outgoing.onRefused?.(placement.error)
          this.#desk.notify(() => refusedText(subject, placement.error), PROBLEM)
          break
      }
    } finally {
      this.isSending.value = false
    }
  }

  #wait(): Wait | undefined {
    const { trader, isMarketLive, isTrading } = this.#desk
    const { value } = trader
    if (value === undefined) return 'KEY'
    if (value.login.value?.kind === 'refused') return 'LOGIN'
    if (!isMarketLive.value) return 'MARKET'
    if (!value.account.isLive.value) return 'ACCOUNT'
    if (!isTrading.value) return 'HALTED'
    if (value.unknown.value !== undefined) return 'OUTCOME'
    return this.isSending.value ? 'SENDING' : undefined
  }
}
