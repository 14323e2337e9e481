/**
 * From the events of a replay to orders as history keeps them. What was executed of an order is added up while it is open, in
 * memory that grows with the orders of which a part was executed: the machine keeps a record of each of them too.
 */
import type {
  CancelCause,
  ExchangeEvent,
  OrderPlaced,
  OrdersMatched,
  TradeParty,
} from '../core/exchange/event.ts'
import type { OpenOrder } from '../core/exchange/view.ts'
import { amountSum } from '../core/ledger/money.ts'
import type { OrderNumber } from '../units/ids.ts'
import { notionalSum, worthOf } from '../units/notional.ts'
import { isPendingRole } from '../units/order-words.ts'
import { lots, NO_AMOUNT, NO_LOTS, NO_NOTIONAL, type Seq } from '../units/quantities.ts'
import type { EndedOrder, OrderEnd, PlacedOrder } from './order-history.ts'
import type { StateMachine } from './state-machine.ts'

export type OrderMachine = Pick<StateMachine, 'seq' | 'time' | 'isOpen' | 'begunOrders'>

type Figures = Omit<OrderEnd, 'seq' | 'time' | 'cause'>

/** What has been done of an order so far, added up in place. */
type Done = { -readonly [Name in keyof Figures]: Figures[Name] } & {
  cause: CancelCause | undefined
  /** The last command that concerned it. */
  seq: Seq | undefined
}

export class OrderProjection {
  readonly #machine: OrderMachine
  /** Of open orders of which something was done or that were amended, and of those that the command under way concerns. */
  readonly #doneByNumber = new Map<OrderNumber, Done>()
  /** These two of the command under way, the first so many of each; the rest was used before: cutting an array short is a call. */
  readonly #placed: (OrderPlaced | undefined)[] = []
  #placedCount = 0
  readonly #concerned: OrderNumber[] = []
  #concernedCount = 0
  #orders: PlacedOrder[] = []
  #ends: EndedOrder[] = []

  /** The machine as it is before the first event. */
  constructor(machine: OrderMachine) {
    this.#machine = machine
    for (const order of machine.begunOrders()) {
      const { orderNumber, quantity, remaining, executedQuantity, executedNotional, commission } = order
      const preventedQuantity = lots(quantity - remaining - executedQuantity)
      const isOther = order.askedQuantity !== undefined || isActivated(order)
      const amendedQuantity = isOther ? quantity : undefined
      const figures = { executedQuantity, executedNotional, commission, preventedQuantity, amendedQuantity }
      this.#doneByNumber.set(orderNumber, { ...figures, cause: undefined, seq: undefined })
    }
  }

  /** Where the events go, in order. */
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
      case 'OrderActivated':
        this.#concern(event.orderNumber).amendedQuantity = event.quantity
        break
      case 'OrderCanceled': {
        const done = this.#concern(event.orderNumber)
        if (event.cause === 'SELF_TRADE') this.#prevent(done, event.quantity)
        done.cause = event.cause
        break
      }
    }
  }

  /** The command under way has been applied, and none begun after it. */
  endCommand(): void {
    for (let i = 0; i < this.#placedCount; i++) {
      this.#orders.push(this.#placedOrder(this.#placed[i] as OrderPlaced))
      this.#placed[i] = undefined
    }
    this.#placedCount = 0
    for (let i = 0; i < this.#concernedCount; i++) {
      const orderNumber = this.#concerned[i] as OrderNumber
      const done = this.#takeEnded(orderNumber)
      if (done !== undefined) this.#ends.push(this.#endedOrder(orderNumber, done))
    }
    this.#concernedCount = 0
  }

  /** All since the last call. */
  drain(): { readonly orders: readonly PlacedOrder[]; readonly ends: readonly EndedOrder[] } {
    const [orders, ends] = [this.#orders, this.#ends]
    this.#orders = []
    this.#ends = []
    return { orders, ends }
  }

  /** Field by field: every order has one, and parts that are spread into one take a microsecond (`npm run bench -- history`). */
  #placedOrder(placed: OrderPlaced): PlacedOrder {
    return {
      seq: this.#machine.seq,
      time: placed.time,
      accountId: placed.accountId,
      symbolId: placed.symbolId,
      orderNumber: placed.orderNumber,
      side: placed.side,
      type: placed.type,
      timeInForce: placed.timeInForce,
      price: placed.price,
      stopPrice: placed.stopPrice,
      icebergQuantity: placed.icebergQuantity,
      expireTime: placed.expireTime,
      quantity: placed.quantity,
      total: placed.total,
      selfTradeMode: placed.selfTradeMode,
      clientOrderId: placed.clientOrderId,
      listNumber: placed.inList?.listNumber,
      listRole: placed.inList?.role,
      endedAtOnce: this.#endOf(placed.orderNumber),
    }
  }

  /** How an order ended that this command has placed. */
  #endOf(orderNumber: OrderNumber): OrderEnd | undefined {
    const done = this.#takeEnded(orderNumber)
    if (done === undefined) return undefined
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
    }
  }

  /** The same with its number. */
  #endedOrder(orderNumber: OrderNumber, done: Done): EndedOrder {
    const { seq, time } = this.#machine
    return {
      orderNumber,
      seq,
      time,
      cause: done.cause,
      executedQuantity: done.executedQuantity,
      executedNotional: done.executedNotional,
      commission: done.commission,
      preventedQuantity: done.preventedQuantity,
      amendedQuantity: done.amendedQuantity,
    }
  }

  /** What was done of an order that has ended, forgotten here; undefined: it is open, or its end was asked for before. */
  #takeEnded(orderNumber: OrderNumber): Done | undefined {
    const done = this.#doneByNumber.get(orderNumber)
    if (done === undefined || this.#machine.isOpen(orderNumber)) return undefined
    this.#doneByNumber.delete(orderNumber)
    return done
  }

  /** The command under way concerns the order. */
  #concern(orderNumber: OrderNumber): Done {
    const { seq } = this.#machine
    let done = this.#doneByNumber.get(orderNumber)
    if (done === undefined) {
      done = {
        executedQuantity: NO_LOTS,
        executedNotional: NO_NOTIONAL,
        commission: NO_AMOUNT,
        preventedQuantity: NO_LOTS,
        amendedQuantity: undefined,
        cause: undefined,
        seq: undefined,
      }
      this.#doneByNumber.set(orderNumber, done)
    }
    if (done.seq !== seq) {
      done.seq = seq
      this.#concerned[this.#concernedCount++] = orderNumber
    }
    return done
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

/** Whether an open order has been pending, and so has learned its quantity after it was placed. */
function isActivated({ inList, isPending }: OpenOrder): boolean {
  return inList !== undefined && isPendingRole(inList.role) && !isPending
}
