/**
 * The order lists with an open order: the relations of their orders, and the lists whose pending orders are
 * due (docs/reference/order-lists.md). The orders themselves are open orders like all others.
 */
import type { AccountId, ListNumber, OrderNumber, SymbolId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { LinkedQueue, type QueuePlace } from '../../../units/linked-queue.ts'
import { type ListKind, type ListRole, ROLES_BY_KIND } from '../../../units/order-enums.ts'
import { type Amount, type Seq, seq, type TimeMs } from '../../../units/quantities.ts'
import type { ListPlace } from '../../questions/view.ts'

/**
 * The state of a list's pending orders. `WORKING`: they wait for the working order to be filled. `DUE`: they
 * wait for their turn. `ASIDE`: placing them is a known bug. `ENDING`: they end with the current command.
 * `PLACED`: there are none any more, or there never were. `PARTED`: as `PLACED`, and one order of an OCO pair
 * has ended.
 */
export type ListStage = 'WORKING' | 'DUE' | 'ASIDE' | 'ENDING' | 'PLACED' | 'PARTED'

export type OrderList = {
  readonly number: ListNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly kind: ListKind
  readonly stage: ListStage
  /**
   * The amount that the working order received after commission, in ledger units, while the list is `DUE` or
   * `ASIDE`; else undefined.
   */
  readonly received: Amount | undefined
  /**
   * The number of the command that filled the working order, while the list is `DUE`; otherwise, or if it is
   * not recorded, 0.
   */
  readonly dueSince: Seq
}

/** In place of a command's number: the list is not due, or the command is not recorded. */
export const NOT_DATED = seq(0)

/** Maximum number of orders of a list. */
const LEGS_MAX = 3

export class OrderLists {
  readonly #listByNumber = new Map<ListNumber, OrderList>()
  readonly #dueBySymbol = new Map<SymbolId, LinkedQueue<ListNumber>>()
  readonly #placeByNumber = new Map<ListNumber, QueuePlace<ListNumber>>()
  readonly #pendingBySymbol = new Map<SymbolId, number>()

  get count(): number {
    return this.#listByNumber.size
  }

  get(number: ListNumber): OrderList | undefined {
    return this.#listByNumber.get(number)
  }

  /** The list of an order, which is one of the latest numbers before the order's own. */
  of(order: OrderNumber): OrderList | undefined {
    if (this.#listByNumber.size === 0) return undefined
    for (let after = 1; after <= LEGS_MAX; after++) {
      const list = this.#listByNumber.get((order - after) as ListNumber)
      if (list !== undefined) return after <= ROLES_BY_KIND[list.kind].length ? list : undefined
    }
    return undefined
  }

  /**
   * Whether an order is pending and still to be placed: it holds nothing, and is only among the open orders.
   */
  isPending(order: OrderNumber): boolean {
    const list = this.of(order)
    return list !== undefined && isPendingIn(list, order)
  }

  /** Number of pending orders of a symbol. */
  pendingCount(symbolId: SymbolId): number {
    return this.#pendingBySymbol.get(symbolId) ?? 0
  }

  add(list: OrderList): void {
    invariant(!this.#listByNumber.has(list.number), () => `list ${list.number} already exists`)
    this.#listByNumber.set(list.number, list)
    this.#countPending(list, 1)
    if (list.stage === 'DUE') this.#queue(list)
  }

  /** Forgets a list of which no order is open any more. */
  remove(list: OrderList): void {
    this.#leaveQueue(list)
    this.#countPending(list, -1)
    this.#listByNumber.delete(list.number)
  }

  /**
   * Makes a list due, after all due lists of its symbol: command `dueSince` has filled its working order,
   * which has received this amount.
   */
  fill(list: OrderList, received: Amount, dueSince: Seq): void {
    const due: OrderList = { ...list, stage: 'DUE', received, dueSince }
    this.#listByNumber.set(list.number, due)
    this.#queue(due)
  }

  /** Sets a list aside: its pending orders are never placed. */
  setAside(list: OrderList): void {
    this.#leaveQueue(list)
    this.#listByNumber.set(list.number, { ...list, stage: 'ASIDE', dueSince: NOT_DATED })
  }

  /** Records that the pending orders of a list were placed. */
  place(list: OrderList): void {
    this.#leaveQueue(list)
    this.#countPending(list, -1)
    this.#listByNumber.set(list.number, {
      ...list,
      stage: 'PLACED',
      received: undefined,
      dueSince: NOT_DATED,
    })
  }

  /** Records that the orders of a list are being ended, one after another. */
  end(list: OrderList): void {
    this.#leaveQueue(list)
    this.#listByNumber.set(list.number, { ...list, stage: 'ENDING' })
  }

  /** Records that one order of a list's OCO pair ends, and the other stays. */
  part(list: OrderList): void {
    this.#listByNumber.set(list.number, { ...list, stage: 'PARTED' })
  }

  /** Sets the command that made a list due. */
  date(list: OrderList, dueSince: Seq): void {
    this.#listByNumber.set(list.number, { ...list, dueSince })
  }

  get hasDue(): boolean {
    return this.#dueBySymbol.size > 0
  }

  /** The symbols that have due lists. */
  dueSymbols(): SymbolId[] {
    return [...this.#dueBySymbol.keys()].sort((a, b) => a - b)
  }

  /** The list whose turn it is in a symbol. */
  firstDue(symbolId: SymbolId): ListNumber | undefined {
    return this.#dueBySymbol.get(symbolId)?.first?.value
  }

  /**
   * The due lists of a symbol, in the order of their turns. No list may be added or removed during the
   * iteration.
   */
  *dueIn(symbolId: SymbolId): Generator<ListNumber, void> {
    yield* this.#dueBySymbol.get(symbolId) ?? []
  }

  /** All lists, by number. */
  byNumber(): OrderList[] {
    return [...this.#listByNumber.values()].sort((a, b) => a.number - b.number)
  }

  /** The orders, open or not, that were pending and no longer are. */
  activated(): OrderNumber[] {
    return this.byNumber().flatMap((list) =>
      hasPlaced(list) && list.kind !== 'OCO' ? ordersOf(list).slice(1) : [],
    )
  }

  #queue({ number, symbolId }: OrderList): void {
    const queue = this.#dueBySymbol.get(symbolId) ?? new LinkedQueue()
    this.#dueBySymbol.set(symbolId, queue)
    this.#placeByNumber.set(number, queue.add(number))
  }

  #leaveQueue({ number, symbolId }: OrderList): void {
    const place = this.#placeByNumber.get(number)
    const queue = this.#dueBySymbol.get(symbolId)
    if (place === undefined || queue === undefined) return
    this.#placeByNumber.delete(number)
    queue.remove(place)
    if (queue.isEmpty) this.#dueBySymbol.delete(symbolId)
  }

  #countPending(list: OrderList, sign: 1 | -1): void {
    if (hasPlaced(list)) return
    const { symbolId, kind } = list
    const count = this.pendingCount(symbolId) + sign * (ROLES_BY_KIND[kind].length - 1)
    if (count === 0) this.#pendingBySymbol.delete(symbolId)
    else this.#pendingBySymbol.set(symbolId, count)
  }
}

/** The number of an order of a list; the first one has place 0. */
export function orderNumberIn(number: ListNumber, place: number): OrderNumber {
  return (number + 1 + place) as unknown as OrderNumber
}

/** The orders of a list, open or not. */
export function ordersOf({ number, kind }: Pick<OrderList, 'number' | 'kind'>): OrderNumber[] {
  return ROLES_BY_KIND[kind].map((_, place) => orderNumberIn(number, place))
}

/** The role of an order in its list. */
export function roleIn({ number, kind }: OrderList, order: OrderNumber): ListRole {
  const role = ROLES_BY_KIND[kind][order - number - 1]
  invariant(role !== undefined, () => `order ${order} must belong to list ${number}`)
  return role
}

/** An order's place in its list, as it is shown to clients. */
export function placeIn(list: OrderList, order: OrderNumber): ListPlace {
  return { listNumber: list.number, role: roleIn(list, order) }
}

/** Whether an open order of a list is pending. */
export function isPendingIn(list: OrderList, order: OrderNumber): boolean {
  return !hasPlaced(list) && roleIn(list, order) !== 'WORKING'
}

/** Whether a list no longer has pending orders, or never had any. */
export function hasPlaced({ stage }: OrderList): boolean {
  return stage === 'PLACED' || stage === 'PARTED'
}

/** Whether other orders of a list may stay open when `order` no longer is. */
export function mayOutlive(list: OrderList, order: OrderNumber): boolean {
  const { stage } = list
  return stage === 'PARTED' || stage === 'ENDING' || (stage === 'DUE' && roleIn(list, order) === 'WORKING')
}

/**
 * The other order of an OCO pair whose orders are placed, open or not; undefined if the order has no such
 * partner.
 */
export function partnerIn(list: OrderList, order: OrderNumber): OrderNumber | undefined {
  const role = roleIn(list, order)
  if (list.stage !== 'PLACED' || list.kind === 'OTO' || role === 'WORKING') return undefined
  const isAbove = role === 'ABOVE' || role === 'PENDING_ABOVE'
  return (isAbove ? order + 1 : order - 1) as OrderNumber
}
