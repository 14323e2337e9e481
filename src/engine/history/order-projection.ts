/**
 * Converts the events of a replay to orders in history. The executed part of an open order is added up in
 * memory, which grows with the number of partly executed orders: the machine also keeps a record of each of
 * them.
 */
import type {
  CancelCause,
  ExchangeEvent,
  OrderPlaced,
  OrdersMatched,
  TradeParty,
} from '../../core/events/event.ts'
import { amountSum } from '../../core/ledger/money.ts'
import type { OpenOrder } from '../../core/questions/view.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { notionalSum, worthOf } from '../../units/notional.ts'
import { isPendingRole } from '../../units/order-enums.ts'
import { lots, NO_AMOUNT, NO_LOTS, NO_NOTIONAL } from '../../units/quantities.ts'
import type { StateMachine } from '../port/state-machine.ts'
import type { EndedOrder, HistoryOrder, OrderEnd } from './order-history.ts'

export type OrderMachine = Pick<StateMachine, 'seq' | 'time' | 'isOpen' | 'begunOrders'>

/**
 * A list up to this length is searched from its beginning; further entries of a longer one are found by a
 * map.
 */
const SHORT_LIST = 8

type Figures = Omit<OrderEnd, 'seq' | 'time' | 'cause'>

/** The executed part of an order so far, accumulated in place. */
type Done = { -readonly [Name in keyof Figures]: Figures[Name] } & {
  readonly orderNumber: OrderNumber
  cause: CancelCause | undefined
}

export class OrderProjection {
  readonly #machine: OrderMachine
  /** For open orders that were partly executed or amended before the current command. */
  readonly #doneByNumber = new Map<OrderNumber, Done>()
  /**
   * In these two lists for the current command, the first `count` entries are valid; the rest are reused:
   * truncating an array needs a call.
   */
  readonly #placed: (OrderPlaced | undefined)[] = []
  #placedCount = 0
  readonly #concerned: (Done | undefined)[] = []
  #concernedCount = 0
  /** The index of an order in that list, once the list is long. */
  readonly #placeByNumber = new Map<OrderNumber, number>()
  #orders: HistoryOrder[] = []
  #ends: EndedOrder[] = []

  /** `machine` is in its state before the first event. */
  constructor(machine: OrderMachine) {
    this.#machine = machine
    for (const order of machine.begunOrders()) {
      const { orderNumber, quantity, remaining, executedQuantity, executedNotional, commission } = order
      const preventedQuantity = lots(quantity - remaining - executedQuantity)
      const isOther = order.askedQuantity !== undefined || isActivated(order)
      const amendedQuantity = isOther ? quantity : undefined
      const learnedTotal = isActivated(order) ? order.stop?.total : undefined
      const figures = { executedQuantity, executedNotional, commission, preventedQuantity }
      const learned = { amendedQuantity, learnedTotal }
      this.#doneByNumber.set(orderNumber, { ...figures, ...learned, orderNumber, cause: undefined })
    }
  }

  /** Receives the events, in order. */
  take(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'OrderPlaced':
        this.#placed[this.#placedCount++] = event
        break
      case 'OrdersMatched':
        this.#execute(event, event.maker)
        this.#execute(event, event.taker)
        break
      case 'OrderDecremented':
        this.#prevent(this.#concern(event.orderNumber), event.quantity)
        break
      case 'OrderAmended':
        this.#concern(event.orderNumber).amendedQuantity = event.quantity
        break
      case 'OrderActivated': {
        const done = this.#concern(event.orderNumber)
        done.amendedQuantity = event.quantity
        done.learnedTotal = event.total
        break
      }
      case 'OrderCanceled': {
        const done = this.#concern(event.orderNumber)
        if (event.cause === 'SELF_TRADE') this.#prevent(done, event.quantity)
        done.cause = event.cause
        break
      }
    }
  }

  /** Called after each command has been applied. */
  endCommand(): void {
    for (let i = 0; i < this.#placedCount; i++) {
      const placed = this.#placed[i] as OrderPlaced
      this.#orders.push({ ...placed, seq: this.#machine.seq, end: this.#endOf(placed.orderNumber) })
      this.#placed[i] = undefined
    }
    this.#placedCount = 0
    for (let i = 0; i < this.#concernedCount; i++) {
      const done = this.#concerned[i]
      this.#concerned[i] = undefined
      if (done !== undefined) this.#settle(done)
    }
    this.#concernedCount = 0
    if (this.#placeByNumber.size > 0) this.#placeByNumber.clear()
  }

  /** Everything since the last call. */
  drain(): { readonly orders: readonly HistoryOrder[]; readonly ends: readonly EndedOrder[] } {
    const [orders, ends] = [this.#orders, this.#ends]
    this.#orders = []
    this.#ends = []
    return { orders, ends }
  }

  /**
   * The end of an order that this command placed; in that case nothing else about it needs to be recorded.
   */
  #endOf(orderNumber: OrderNumber): OrderEnd | undefined {
    const place = this.#placeOf(orderNumber)
    const done = place === undefined ? undefined : this.#concerned[place]
    if (place === undefined || done === undefined || this.#machine.isOpen(orderNumber)) return undefined
    this.#concerned[place] = undefined
    const { seq, time } = this.#machine
    return {
      seq,
      time,
      cause: done.cause,
      executedQuantity: done.executedQuantity,
      executedNotional: done.executedNotional,
      commission: done.commission,
      preventedQuantity: done.preventedQuantity,
      amendedQuantity: done.amendedQuantity,
      learnedTotal: done.learnedTotal,
    }
  }

  /**
   * Notes the end of an order that was open before the command, or the executed part of one that is still
   * open.
   */
  #settle(done: Done): void {
    if (this.#machine.isOpen(done.orderNumber)) {
      this.#doneByNumber.set(done.orderNumber, done)
      return
    }
    if (this.#doneByNumber.size > 0) this.#doneByNumber.delete(done.orderNumber)
    const { seq, time } = this.#machine
    this.#ends.push({
      orderNumber: done.orderNumber,
      seq,
      time,
      cause: done.cause,
      executedQuantity: done.executedQuantity,
      executedNotional: done.executedNotional,
      commission: done.commission,
      preventedQuantity: done.preventedQuantity,
      amendedQuantity: done.amendedQuantity,
      learnedTotal: done.learnedTotal,
    })
  }

  /**
   * Returns the figures of an order concerned by the current command; adds it to the list if it is not there.
   */
  #concern(orderNumber: OrderNumber): Done {
    const place = this.#placeOf(orderNumber)
    if (place !== undefined) return this.#concerned[place] as Done
    const before = this.#doneByNumber.size > 0 ? this.#doneByNumber.get(orderNumber) : undefined
    const done = before ?? {
      orderNumber,
      executedQuantity: NO_LOTS,
      executedNotional: NO_NOTIONAL,
      commission: NO_AMOUNT,
      preventedQuantity: NO_LOTS,
      amendedQuantity: undefined,
      learnedTotal: undefined,
      cause: undefined,
    }
    const at = this.#concernedCount++
    this.#concerned[at] = done
    if (at >= SHORT_LIST) this.#placeByNumber.set(orderNumber, at)
    return done
  }

  /**
   * The index of an order in the list of orders that the command concerns; the first few are searched one by
   * one.
   */
  #placeOf(orderNumber: OrderNumber): number | undefined {
    const short = Math.min(this.#concernedCount, SHORT_LIST)
    for (let i = 0; i < short; i++) if (this.#concerned[i]?.orderNumber === orderNumber) return i
    return this.#concernedCount > SHORT_LIST ? this.#placeByNumber.get(orderNumber) : undefined
  }

  #execute({ price, quantity }: OrdersMatched, { orderNumber, commission }: TradeParty): void {
    const done = this.#concern(orderNumber)
    done.executedQuantity = lots(done.executedQuantity + quantity)
    done.executedNotional = notionalSum(done.executedNotional, worthOf(price, quantity))
    done.commission = amountSum(done.commission, commission)
  }

  #prevent(done: Done, quantity: number): void {
    done.preventedQuantity = lots(done.preventedQuantity + quantity)
  }
}

/** Whether an open order was pending, so that its quantity was set after it was placed. */
function isActivated({ inList, isPending }: OpenOrder): boolean {
  return inList !== undefined && isPendingRole(inList.role) && !isPending
}
