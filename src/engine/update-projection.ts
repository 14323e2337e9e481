/**
 * From the events of a replay to what each command changed for each account. What an order has become is asked of the machine once the
 * command has been applied, so that whatever changed it is shown without being known here. All commands pass here: nothing is made for
 * one but its bytes, and what it concerns is kept in lists that are used again.
 */
import type { ExchangeEvent } from '../core/exchange/event.ts'
import type { TradingSymbol } from '../core/registry/records.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../units/ids.ts'
import type { StateMachine } from './state-machine.ts'
import { type UpdateBlock, UpdateWriter } from './update-codec.ts'

export type UpdateMachine = Pick<StateMachine, 'seq' | 'time' | 'balance' | 'isOpen' | 'openOrder'>

/** A list of at most so many is searched from its begin; a longer one has a set. */
const SHORT_LIST = 8

/** Numbers, each once, in the order in which they were added. */
class Numbers<Id extends number> {
  readonly list: Id[] = []
  readonly #known = new Set<Id>()

  add(id: Id): void {
    const { list } = this
    if (list.length < SHORT_LIST) {
      if (!list.includes(id)) list.push(id)
      return
    }
    if (this.#known.size === 0) for (const each of list) this.#known.add(each)
    if (this.#known.has(id)) return
    this.#known.add(id)
    list.push(id)
  }

  has(id: Id): boolean {
    return this.#known.size === 0 ? this.list.includes(id) : this.#known.has(id)
  }

  clear(): void {
    this.list.length = 0
    if (this.#known.size > 0) this.#known.clear()
  }
}

/** What the command under way concerns of one account. */
class Concerned {
  accountId = 0 as AccountId
  readonly placed = new Numbers<OrderNumber>()
  /** Of which something else has become since, those placed by this command among them. */
  readonly changed = new Numbers<OrderNumber>()
  readonly assets = new Numbers<AssetId>()
  readonly trades = new Numbers<TradeNumber>()

  begin(accountId: AccountId): void {
    this.accountId = accountId
    this.placed.clear()
    this.changed.clear()
    this.assets.clear()
    this.trades.clear()
  }
}

export class UpdateProjection {
  readonly #machine: UpdateMachine
  readonly #symbolOf: (id: SymbolId) => TradingSymbol
  readonly #writer = new UpdateWriter()
  /** Of the command under way are the first `#count`; the rest was used before. */
  readonly #concerned: Concerned[] = []
  #count = 0
  /** Where an account is in the list, once that is long. */
  readonly #placeByAccount = new Map<AccountId, number>()

  constructor(machine: UpdateMachine, symbolOf: (id: SymbolId) => TradingSymbol) {
    this.#machine = machine
    this.#symbolOf = symbolOf
  }

  /** Where the events go, in order. */
  take(event: ExchangeEvent): void {
    if (event.kind === 'LevelChanged') return
    if (event.kind === 'OrdersMatched') {
      const { base, quote } = this.#symbolOf(event.symbolId)
      for (const { accountId, orderNumber } of [event.maker, event.taker]) {
        const concerned = this.#of(accountId)
        concerned.changed.add(orderNumber)
        concerned.trades.add(event.tradeNumber)
        concerned.assets.add(base)
        concerned.assets.add(quote)
      }
    } else if (event.kind === 'WithdrawalChanged') {
      const { accountId, assetId } = event.withdrawal
      this.#of(accountId).assets.add(assetId)
    } else if ('orderNumber' in event) {
      const { placed, changed, assets } = this.#of(event.accountId)
      if (event.kind === 'OrderPlaced') placed.add(event.orderNumber)
      else changed.add(event.orderNumber)
      const { base, quote } = this.#symbolOf(event.symbolId)
      assets.add(event.side === 'BUY' ? quote : base)
    } else if ('accountId' in event) this.#of(event.accountId).assets.add(event.assetId)
  }

  /** The command under way has been applied, and none begun after it. */
  endCommand(): void {
    if (this.#count === 0) return
    for (let i = 0; i < this.#count; i++) this.#write(this.#concerned[i] as Concerned)
    this.#count = 0
    if (this.#placeByAccount.size > 0) this.#placeByAccount.clear()
  }

  /** All since the last call; undefined: none. */
  drain(): UpdateBlock | undefined {
    return this.#writer.take()
  }

  #write({ accountId, placed, changed, assets, trades }: Concerned): void {
    const { seq, time } = this.#machine
    const writer = this.#writer
    writer.begin(seq, time, accountId)
    let unchanged = 0
    for (const orderNumber of placed.list) if (!changed.has(orderNumber)) unchanged++
    writer.count(unchanged + changed.list.length)
    for (const orderNumber of placed.list) if (!changed.has(orderNumber)) this.#writePlaced(orderNumber)
    for (const orderNumber of changed.list) this.#writeChanged(orderNumber)
    writer.count(trades.list.length)
    for (const tradeNumber of trades.list) writer.trade(tradeNumber)
    writer.count(assets.list.length)
    for (const assetId of assets.list) writer.balance(this.#machine.balance(accountId, assetId))
    writer.end()
  }

  #writePlaced(orderNumber: OrderNumber): void {
    if (this.#machine.isOpen(orderNumber)) this.#writer.placed(orderNumber)
    else this.#writer.ended(orderNumber)
  }

  #writeChanged(orderNumber: OrderNumber): void {
    const order = this.#machine.openOrder(orderNumber)
    if (order === undefined) this.#writer.ended(orderNumber)
    else this.#writer.changed(order)
  }

  #of(accountId: AccountId): Concerned {
    const place = this.#placeOf(accountId)
    if (place !== undefined) return this.#concerned[place] as Concerned
    const at = this.#count++
    const concerned = this.#concerned[at] ?? new Concerned()
    this.#concerned[at] = concerned
    concerned.begin(accountId)
    if (this.#count > SHORT_LIST) this.#placeByAccount.set(accountId, at)
    return concerned
  }

  /** The first few are looked for one by one. */
  #placeOf(accountId: AccountId): number | undefined {
    const short = Math.min(this.#count, SHORT_LIST)
    for (let i = 0; i < short; i++) if (this.#concerned[i]?.accountId === accountId) return i
    return this.#placeByAccount.get(accountId)
  }
}
