/**
 * Client order ids as the second bookkeeper remembers them (docs/reference/client-order-ids.md): what was asked for under each,
 * what was answered, and in which order they will be forgotten.
 */
import type { ReplaceOrder } from '../../src/core/exchange/commands/order-changes.ts'
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import type { OrderAccepted, OrderReplaced } from '../../src/core/exchange/reply.ts'

/** How many are remembered, and how long: so few, for so short a time, that a run comes to both ends. */
export const IDS_LIMITS = { perAccount: 18, inAll: 60, lifetimeMs: 2_000 }

/** Most that one command forgets. */
const FORGOTTEN_MOST = 2

/** What is remembered under an id. */
export type ShadowId = {
  readonly command: PlaceOrder
  /** The symbol's self-trade mode when the order was placed. */
  readonly symbolMode: string
  readonly answer: OrderAccepted
  /** Of an order that replaced another one: all that was asked, and answered. */
  readonly replacement?: { readonly command: ReplaceOrder; readonly reply: OrderReplaced } | undefined
}

export class ShadowIds {
  readonly #known = new Map<string, ShadowId>()
  /** By order number, of those whose orders are open. */
  readonly #keyOfOpen = new Map<number, string>()
  /** Those whose orders have ended, first ended first. */
  readonly #ended: { readonly key: string; readonly at: number }[] = []

  find(command: Pick<PlaceOrder, 'accountId' | 'clientOrderId'>): ShadowId | undefined {
    return this.#known.get(keyOf(command))
  }

  isFull(account: number): boolean {
    let own = 0
    for (const { command } of this.#known.values()) if (command.accountId === account) own++
    return own >= IDS_LIMITS.perAccount || this.#known.size >= IDS_LIMITS.inAll
  }

  /** An order was placed under an id; `isOpen` false: it has ended at once. */
  add(id: ShadowId, isOpen: boolean): void {
    const key = keyOf(id.command)
    this.#known.set(key, id)
    if (isOpen) this.#keyOfOpen.set(id.answer.orderNumber, key)
    else this.#ended.push({ key, at: id.answer.time })
  }

  /** An order, under an id or not, is open no more. */
  end(orderNumber: number, at: number): void {
    const key = this.#keyOfOpen.get(orderNumber)
    if (key === undefined) return
    this.#keyOfOpen.delete(orderNumber)
    this.#ended.push({ key, at })
  }

  /** A command at `now`, whatever it is, forgets the first of those that ended long enough ago. */
  forget(now: number): void {
    for (let left = FORGOTTEN_MOST; left > 0; left--) {
      const [first] = this.#ended
      if (first === undefined || now - first.at < IDS_LIMITS.lifetimeMs) return
      this.#ended.shift()
      this.#known.delete(first.key)
    }
  }
}

function keyOf({ accountId, clientOrderId }: Pick<PlaceOrder, 'accountId' | 'clientOrderId'>): string {
  return `${accountId} ${clientOrderId}`
}
