/**
 * Client order ids as the second bookkeeper remembers them (docs/reference/client-order-ids.md): the request
 * under each id, its answer, and the order in which the ids will be forgotten.
 */
import type { ReplaceOrder } from '../../src/core/commands/order-changes.ts'
import type { PlaceList } from '../../src/core/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { ListAccepted, OrderAccepted, OrderReplaced } from '../../src/core/questions/reply.ts'
import type { AccountId } from '../../src/units/ids.ts'

/**
 * Number of remembered ids, and the time for which they are remembered: so small that a run reaches both
 * limits.
 */
export const IDS_LIMITS = { perAccount: 18, inAll: 60, lifetimeMs: 2_000 }

/** Largest number of ids that one command forgets. */
const FORGOTTEN_MOST = 2

/** The object with this id: a single order, an order of a list, or a list. */
export type ShadowId = IdOfOrder | IdOfLeg | IdOfList

export type IdOfOrder = Named & {
  readonly kind: 'ORDER'
  readonly command: PlaceOrder
  /** The symbol's self-trade mode when the order was placed. */
  readonly symbolMode: string
  readonly answer: OrderAccepted
  /** For an order that replaced another one: the complete request and its answer. */
  readonly replacement: { readonly command: ReplaceOrder; readonly reply: OrderReplaced } | undefined
}

/** No later placement can have the same meaning as an order of a list. */
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
  /** Number of the order or of the list: orders and lists share one sequence. */
  readonly number: number
  readonly time: number
}

export class ShadowIds {
  readonly #known = new Map<string, ShadowId>()
  /** Keys of the open orders and lists, by number. */
  readonly #keyOfOpen = new Map<number, string>()
  /** Orders and lists that ended, first ended first. */
  readonly #ended: { readonly key: string; readonly at: number }[] = []

  find(named: {
    readonly accountId: AccountId
    readonly clientOrderId?: string | undefined
  }): ShadowId | undefined {
    return this.#known.get(keyOf(named))
  }

  /** Whether there is room for `count` more ids of an account. */
  hasRoom(account: number, count = 1): boolean {
    let own = count
    for (const { accountId } of this.#known.values()) if (accountId === account) own++
    return own <= IDS_LIMITS.perAccount && this.#known.size + count <= IDS_LIMITS.inAll
  }

  /** Called when an order or a list was placed under an id; `isOpen` is false if it ended at once. */
  add(id: ShadowId, isOpen: boolean): void {
    const key = keyOf(id)
    this.#known.set(key, id)
    if (isOpen) this.#keyOfOpen.set(id.number, key)
    else this.#ended.push({ key, at: id.time })
  }

  /** Called when an order or a list, with or without an id, is no longer open. */
  end(number: number, at: number): void {
    const key = this.#keyOfOpen.get(number)
    if (key === undefined) return
    this.#keyOfOpen.delete(number)
    this.#ended.push({ key, at })
  }

  /** Forgets the first ids that ended long enough before `now`. Called by every command. */
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
