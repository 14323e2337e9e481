/**
 * From the events of a replay to orders as history keeps them. What was executed of an order is added up while it is open, in
 * memory that grows with the orders of which a part was executed: the machine keeps a record of each of them too.
 */
import type { CancelCause, ExchangeEvent, OrdersMatched, TradeParty } from '../core/exchange/event.ts'
import { amountSum } from '../core/ledger/money.ts'
import type { OrderNumber } from '../units/ids.ts'
import { notionalSum, worthOf } from '../units/notional.ts'
import { lots, NO_AMOUNT, NO_LOTS, NO_NOTIONAL } from '../units/quantities.ts'
import type { EndedOrder, OrderEnd, PlacedOrder } from './order-history.ts'
import type { StateMachine } from './state-machine.ts'

export type OrderMachine = Pick<StateMachine, 'seq' | 'time' | 'isOpen' | 'begunOrders'>

/** What has been done of an order so far. */
type Done = Pick<OrderEnd, 'executedQuantity' | 'executedNotional' | 'commission' | 'preventedQuantity'>

const NOTHING_DONE: Done = {
  executedQuantity: NO_LOTS,
  executedNotional: NO_NOTIONAL,
  commission: NO_AMOUNT,
  preventedQuantity: NO_LOTS,
}

type Placed = Omit<PlacedOrder, 'endedAtOnce'>

export class OrderProjection {
  readonly #machine: OrderMachine
  /** Of open orders of which something was done, and of those that the command under way concerns. */
  readonly #doneByNumber = new Map<OrderNumber, Done>()
  /** Those three of the command under way. */
  #placed: Placed[] = []
  readonly #concerned = new Set<OrderNumber>()
  readonly #causeByNumber = new Map<OrderNumber, CancelCause>()
  #orders: PlacedOrder[] = []
  #ends: EndedOrder[] = []

  /** The machine as it is before the first event. */
  constructor(machine: OrderMachine) {
    this.#machine = machine
    for (const order of machine.begunOrders()) {
      const { orderNumber, quantity, remaining, executedQuantity, executedNotional, commission } = order
      const preventedQuantity = lots(quantity - remaining - executedQuantity)
      const done = { executedQuantity, executedNotional, commission, preventedQuantity }
      this.#doneByNumber.set(orderNumber, done)
    }
  }

  /** Where the events go, in order. */
  take(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'OrderPlaced': {
        const { kind: _, ...placed } = event
        this.#placed.push({ seq: this.#machine.seq, ...placed })
        break
      }
      case 'OrdersMatched':
        this.#execute(event, event.maker)
        this.#execute(event, event.taker)
        break
      case 'OrderDecremented':
        this.#prevent(event.orderNumber, event.quantity)
        break
      case 'OrderCanceled':
        if (event.cause === 'SELF_TRADE') this.#prevent(event.orderNumber, event.quantity)
        this.#concerned.add(event.orderNumber)
        this.#causeByNumber.set(event.orderNumber, event.cause)
        break
    }
  }

  /** The command under way has been applied, and none begun after it. */
  endCommand(): void {
    for (const placed of this.#placed) {
      this.#orders.push({ ...placed, endedAtOnce: this.#endOf(placed.orderNumber) })
      this.#concerned.delete(placed.orderNumber)
    }
    for (const orderNumber of this.#concerned) {
      const end = this.#endOf(orderNumber)
      if (end !== undefined) this.#ends.push({ orderNumber, ...end })
    }
    if (this.#placed.length > 0) this.#placed = []
    if (this.#concerned.size > 0) this.#concerned.clear()
    if (this.#causeByNumber.size > 0) this.#causeByNumber.clear()
  }

  /** All since the last call. */
  drain(): { readonly orders: readonly PlacedOrder[]; readonly ends: readonly EndedOrder[] } {
    const [orders, ends] = [this.#orders, this.#ends]
    this.#orders = []
    this.#ends = []
    return { orders, ends }
  }

  /** The end of an order, and what was kept of it is forgotten; undefined: it is open. */
  #endOf(orderNumber: OrderNumber): OrderEnd | undefined {
    const { seq, time } = this.#machine
    if (this.#machine.isOpen(orderNumber)) return undefined
    const done = this.#doneByNumber.get(orderNumber) ?? NOTHING_DONE
    this.#doneByNumber.delete(orderNumber)
    return { seq, time, cause: this.#causeByNumber.get(orderNumber), ...done }
  }

  #execute({ price, quantity }: OrdersMatched, { orderNumber, commission }: TradeParty): void {
    const before = this.#doneByNumber.get(orderNumber) ?? NOTHING_DONE
    this.#concerned.add(orderNumber)
    this.#doneByNumber.set(orderNumber, {
      executedQuantity: lots(before.executedQuantity + quantity),
      executedNotional: notionalSum(before.executedNotional, worthOf(price, quantity)),
      commission: amountSum(before.commission, commission),
      preventedQuantity: before.preventedQuantity,
    })
  }

  #prevent(orderNumber: OrderNumber, quantity: number): void {
    const before = this.#doneByNumber.get(orderNumber) ?? NOTHING_DONE
    this.#concerned.add(orderNumber)
    const preventedQuantity = lots(before.preventedQuantity + quantity)
    this.#doneByNumber.set(orderNumber, { ...before, preventedQuantity })
  }
}
