/**
 * From the events of a replay to what each command changed for each account. An order's state is asked of the machine once the command
 * has been applied, so that whatever changed it is shown without being known here.
 */
import type { ExchangeEvent } from '../core/exchange/event.ts'
import type { Balance, OpenOrder } from '../core/exchange/view.ts'
import type { TradingSymbol } from '../core/registry/records.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../units/ids.ts'
import type { HistoryTrade, PartyRecord } from './history.ts'
import type { StoredUpdate, TradeRecord } from './ports.ts'
import type { StateMachine } from './state-machine.ts'

export type UpdateMachine = Pick<StateMachine, 'seq' | 'time' | 'balance' | 'openOrder'>

/** Up to so many are looked through one by one: most commands concern one account or two, and few of their orders. */
const FEW = 8

/** What the command under way concerns of one account, each once. */
class Concerned {
  readonly accountId: AccountId
  readonly orders: OrderNumber[] = []
  readonly assets: AssetId[] = []
  readonly fills: TradeRecord[] = []
  /** The orders, where they are many. */
  #known: Set<OrderNumber> | undefined

  constructor(accountId: AccountId) {
    this.accountId = accountId
  }

  order(orderNumber: OrderNumber): void {
    const { orders } = this
    if (orders.length < FEW) {
      if (!orders.includes(orderNumber)) orders.push(orderNumber)
      return
    }
    this.#known ??= new Set(orders)
    if (this.#known.has(orderNumber)) return
    this.#known.add(orderNumber)
    orders.push(orderNumber)
  }

  asset(assetId: AssetId): void {
    if (!this.assets.includes(assetId)) this.assets.push(assetId)
  }
}

export class UpdateProjection {
  readonly #machine: UpdateMachine
  readonly #symbolOf: (id: SymbolId) => TradingSymbol
  readonly #concerned: Concerned[] = []
  /** The same by account, where they are many. */
  readonly #concernedByAccount = new Map<AccountId, Concerned>()
  #updates: StoredUpdate[] = []

  constructor(machine: UpdateMachine, symbolOf: (id: SymbolId) => TradingSymbol) {
    this.#machine = machine
    this.#symbolOf = symbolOf
  }

  /** Where the events go, in order; trades as `trade`. */
  take(event: ExchangeEvent): void {
    if (event.kind === 'LevelChanged' || event.kind === 'OrdersMatched') return
    if (event.kind === 'WithdrawalChanged') {
      const { accountId, assetId } = event.withdrawal
      this.#of(accountId).asset(assetId)
    } else if ('orderNumber' in event) {
      const concerned = this.#of(event.accountId)
      const { base, quote } = this.#symbolOf(event.symbolId)
      concerned.order(event.orderNumber)
      concerned.asset(event.side === 'BUY' ? quote : base)
    } else if ('accountId' in event) this.#of(event.accountId).asset(event.assetId)
  }

  trade({ symbolId, maker, taker }: HistoryTrade): void {
    const symbol = this.#symbolOf(symbolId)
    this.#fill(maker, symbol)
    this.#fill(taker, symbol)
  }

  /** The command under way has been applied, and none begun after it. */
  endCommand(): void {
    if (this.#concerned.length === 0) return
    for (const concerned of this.#concerned) this.#updates.push(this.#updateOf(concerned))
    this.#concerned.length = 0
    if (this.#concernedByAccount.size > 0) this.#concernedByAccount.clear()
  }

  /** All since the last call, in the order of their commands. */
  drain(): readonly StoredUpdate[] {
    const updates = this.#updates
    this.#updates = []
    return updates
  }

  #updateOf({ accountId, orders, assets, fills }: Concerned): StoredUpdate {
    const { seq, time } = this.#machine
    const open: OpenOrder[] = []
    const ended: OrderNumber[] = []
    for (const orderNumber of orders) {
      const order = this.#machine.openOrder(orderNumber)
      if (order === undefined) ended.push(orderNumber)
      else open.push(order)
    }
    const balances: Balance[] = []
    for (const assetId of assets) balances.push(this.#machine.balance(accountId, assetId))
    return { seq, time, accountId, open, ended, fills, balances }
  }

  #fill({ accountId, record }: PartyRecord, { base, quote }: TradingSymbol): void {
    const concerned = this.#of(accountId)
    concerned.order(record.orderNumber)
    concerned.asset(base)
    concerned.asset(quote)
    concerned.fills.push(record)
  }

  #of(accountId: AccountId): Concerned {
    const all = this.#concerned
    const isFew = all.length <= FEW
    const known = isFew
      ? all.find((concerned) => concerned.accountId === accountId)
      : this.#concernedByAccount.get(accountId)
    if (known !== undefined) return known
    const concerned = new Concerned(accountId)
    all.push(concerned)
    if (all.length === FEW + 1) for (const each of all) this.#concernedByAccount.set(each.accountId, each)
    else if (all.length > FEW) this.#concernedByAccount.set(accountId, concerned)
    return concerned
  }
}
