/**
 * Client order ids of the reference exchange, written from docs/reference/client-order-ids.md: a map of
 * requests and answers, and a list of the ids whose orders have ended.
 */
import type { ReplaceOrder } from '../../src/core/commands/order-changes.ts'
import type { PlaceList } from '../../src/core/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { ListAccepted, OrderAccepted, OrderReplaced } from '../../src/core/questions/reply.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import type { SelfTradeMode } from '../../src/units/order-enums.ts'
import type { TimeMs } from '../../src/units/quantities.ts'

/** Small numbers and a short time, so that random runs reach the limits and reuse ids. */
export const IDS_LIMITS = { perAccount: 4, inAll: 8, lifetimeMs: 100 }

/** Largest number of ids that one command forgets. */
const FORGOTTEN_MOST = 2

/** The record under an id. */
export type ReferenceId = {
  readonly command: PlaceOrder
  /** The symbol's self-trade mode when the order was placed. */
  readonly symbolMode: SelfTradeMode
  readonly answer: OrderAccepted
  /** For an order that replaced another one: the complete request and its answer. */
  readonly replacement?: { readonly command: ReplaceOrder; readonly reply: OrderReplaced } | undefined
}

/** A list that is remembered under an id, or one of its orders that has an id. */
export type ReferenceListId = {
  readonly command: PlaceList
  readonly symbolMode: SelfTradeMode
  readonly answer: ListAccepted
  /** Undefined for the list itself. */
  readonly orderNumber: OrderNumber | undefined
  readonly clientOrderId: string
}

export class ReferenceIds {
  /** By account and id. */
  readonly known = new Map<string, ReferenceId>()
  /** Lists and their orders, by account and id. */
  readonly listed = new Map<string, ReferenceListId>()
  /** Keys of the ids whose orders have ended, with the time; first ended first. */
  #ended: { readonly key: string; readonly at: number }[] = []

  /** Whether a command at `now` forgets any. */
  forgetsAt(now: TimeMs): boolean {
    return this.#ended.some(({ at }) => at + IDS_LIMITS.lifetimeMs <= now)
  }

  /**
   * Each command forgets at most two of the ids whose orders ended a lifetime ago or earlier, the first ended
   * first.
   */
  forget(now: TimeMs): void {
    const due = this.#ended.filter(({ at }) => at + IDS_LIMITS.lifetimeMs <= now).slice(0, FORGOTTEN_MOST)
    for (const { key } of due) if (!this.known.delete(key)) this.listed.delete(key)
    this.#ended = this.#ended.slice(due.length)
  }

  /** The id under which the order with this number is remembered, if any. */
  nameOf(orderNumber: number): string | undefined {
    const leg = [...this.listed.values()].find((one) => one.orderNumber === orderNumber)
    if (leg !== undefined) return leg.clientOrderId
    return [...this.known.values()].find(({ answer }) => answer.orderNumber === orderNumber)?.command
      .clientOrderId
  }

  /** Called when the order or list of this number is no longer open. */
  end(orderNumber: number, now: TimeMs): void {
    for (const [key, { answer }] of this.known) {
      if (answer.orderNumber === orderNumber) this.#ended.push({ key, at: now })
    }
    for (const [key, one] of this.listed) {
      if ((one.orderNumber ?? one.answer.listNumber) === orderNumber) this.#ended.push({ key, at: now })
    }
  }
}
