/**
 * From the events of a replay to what each command changed for each account. An order's state is asked of the machine once the command
 * has been applied, so that whatever changed it is shown without being known here.
 */
import type { ExchangeEvent } from '../core/exchange/event.ts'
import { type OpenOrder, ORDERS_BY_NUMBER_MAX, type OrdersByNumberQuery } from '../core/exchange/view.ts'
import type { TradingSymbol } from '../core/registry/records.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../units/ids.ts'
import type { HistoryTrade, PartyRecord } from './history.ts'
import type { StoredUpdate, TradeRecord } from './ports.ts'
import type { StateMachine } from './state-machine.ts'

export type UpdateMachine = Pick<StateMachine, 'seq' | 'time' | 'balance'> & {
  ordersByNumber(query: OrdersByNumberQuery): readonly OpenOrder[]
}

/** What the command under way concerns of one account. */
type Concerned = {
  readonly orders: Set<OrderNumber>
  readonly assets: Set<AssetId>
  readonly fills: TradeRecord[]
}

export class UpdateProjection {
  readonly #machine: UpdateMachine
  readonly #symbolOf: (id: SymbolId) => TradingSymbol
  readonly #concernedByAccount = new Map<AccountId, Concerned>()
  #updates: StoredUpdate[] = []

  constructor(machine: UpdateMachine, symbolOf: (id: SymbolId) => TradingSymbol) {
    this.#machine = machine
    this.#symbolOf = symbolOf
  }

  /** Where the events go, in order; trades as `trade`. */
  take(event: ExchangeEvent): void {
    if (event.kind === 'WithdrawalChanged') {
      const { accountId, assetId } = event.withdrawal
      this.#of(accountId).assets.add(assetId)
    } else if ('orderNumber' in event) {
      const { orders, assets } = this.#of(event.accountId)
      const { base, quote } = this.#symbolOf(event.symbolId)
      orders.add(event.orderNumber)
      assets.add(event.side === 'BUY' ? quote : base)
    } else if ('accountId' in event) this.#of(event.accountId).assets.add(event.assetId)
  }

  trade({ symbolId, maker, taker }: HistoryTrade): void {
    const symbol = this.#symbolOf(symbolId)
    this.#fill(maker, symbol)
    this.#fill(taker, symbol)
  }

  /** The command under way has been applied, and none begun after it. */
  endCommand(): void {
    if (this.#concernedByAccount.size === 0) return
    const { seq, time } = this.#machine
    for (const [accountId, { orders, assets, fills }] of this.#concernedByAccount) {
      const open = this.#open(accountId, orders)
      for (const { orderNumber } of open) orders.delete(orderNumber)
      const balances = [...assets].map((assetId) => this.#machine.balance(accountId, assetId))
      this.#updates.push({ seq, time, accountId, open, ended: [...orders], fills, balances })
    }
    this.#concernedByAccount.clear()
  }

  /** All since the last call, in the order of their commands. */
  drain(): readonly StoredUpdate[] {
    const updates = this.#updates
    this.#updates = []
    return updates
  }

  #fill({ accountId, record }: PartyRecord, { base, quote }: TradingSymbol): void {
    const { orders, assets, fills } = this.#of(accountId)
    orders.add(record.orderNumber)
    assets.add(base)
    assets.add(quote)
    fills.push(record)
  }

  /** Those of the account's orders that are open. */
  #open(accountId: AccountId, orders: ReadonlySet<OrderNumber>): readonly OpenOrder[] {
    if (orders.size === 0) return []
    const orderNumbers = [...orders]
    if (orderNumbers.length <= ORDERS_BY_NUMBER_MAX) {
      return this.#machine.ordersByNumber({ accountId, orderNumbers })
    }
    const open: OpenOrder[] = []
    for (let from = 0; from < orderNumbers.length; from += ORDERS_BY_NUMBER_MAX) {
      const some = orderNumbers.slice(from, from + ORDERS_BY_NUMBER_MAX)
      open.push(...this.#machine.ordersByNumber({ accountId, orderNumbers: some }))
    }
    return open
  }

  #of(accountId: AccountId): Concerned {
    const known = this.#concernedByAccount.get(accountId)
    if (known !== undefined) return known
    const concerned: Concerned = { orders: new Set(), assets: new Set(), fills: [] }
    this.#concernedByAccount.set(accountId, concerned)
    return concerned
  }
}
