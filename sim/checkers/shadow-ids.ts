/**
 * Client order ids as the second bookkeeper remembers them (docs/reference/client-order-ids.md): what was asked for under each,
 * what was answered, and in which order they will be forgotten.
 */
import type { ReplaceOrder } from '../../src/core/exchange/commands/order-changes.ts'
import type { PlaceList } from '../../src/core/exchange/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import type { ListAccepted, OrderAccepted, OrderReplaced } from '../../src/core/exchange/reply.ts'
import type { AccountId } from '../../src/units/ids.ts'

/** How many are remembered, and how long: so few, for so short a time, that a run comes to both ends. */
export const IDS_LIMITS = { perAccount: 18, inAll: 60, lifetimeMs: 2_000 }

/** Most that one command forgets. */
const FORGOTTEN_MOST = 2

/** What stands under an id: an order of its own, one of a list, or a list. */
export type ShadowId = IdOfOrder | IdOfLeg | IdOfList

export type IdOfOrder = Named & {
  readonly kind: 'ORDER'
  readonly command: PlaceOrder
  /** The symbol's self-trade mode when the order was placed. */
  readonly symbolMode: string
  readonly answer: OrderAccepted
  /** Of an order that replaced another one: all that was asked, and answered. */
  readonly replacement: { readonly command: ReplaceOrder; readonly reply: OrderReplaced } | undefined
}

/** Nothing that is placed later means the same. */
export type IdOfLeg = Named & { readonly kind: 'LEG' }

export type IdOfList = Named & {
  readonly kind: 'LIST'
  readonly command: PlaceList
  /** The symbol's self-trade mode when the list was placed. */
  readonly symbolMode: string
  readonly answer: ListAccepted
}

type Named = {
  readonly accountId: AccountId
  readonly clientOrderId: string
  /** Of the order or the list: one sequence. */
  readonly number: number
  readonly time: number
}

export class ShadowIds {
  readonly #known = new Map<string, ShadowId>()
  /** By number, of those that are open. */
  readonly #keyOfOpen = new Map<number, string>()
  /** Those that have ended, first ended first. */
  readonly #ended: { readonly key: string; readonly at: number }[] = []

  find(named: {
    readonly accountId: AccountId
    readonly clientOrderId?: string | undefined
  }): ShadowId | undefined {
    return this.#known.get(keyOf(named))
  }

  /** Whether so many more ids of an account find room. */
  hasRoom(account: number, count = 1): boolean {
    let own = count
    for (const { accountId } of this.#known.values()) if (accountId === account) own++
    return own <= IDS_LIMITS.perAccount && this.#known.size + count <= IDS_LIMITS.inAll
  }

  /** An order or a list was placed under an id; `isOpen` false: it has ended at once. */
  add(id: ShadowId, isOpen: boolean): void {
    const key = keyOf(id)
    this.#known.set(key, id)
    if (isOpen) this.#keyOfOpen.set(id.number, key)
    else this.#ended.push({ key, at: id.time })
  }

  /** An order or a list, under an id or not, is open no more. */
  end(number: number, at: number): void {
    const key = this.#keyOfOpen.get(number)
    if (key === undefined) return
    this.#keyOfOpen.delete(number)
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

function keyOf({
  accountId,
  clientOrderId,
}: {
  readonly accountId: AccountId
  readonly clientOrderId?: string | undefined
}): string {
  return `${accountId} ${clientOrderId}`
}
