/**
 * Converts the events of a replay to the changes of each command for each account. The new state of an order
 * is read from the machine after the command was applied, so every cause of a change is covered without being
 * listed. Every command is processed here, so a command creates nothing but bytes, and the ids that it
 * concerns are kept in reused lists.
 */
import type { ExchangeEvent, TradeParty } from '../../core/events/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import type { StateMachine } from '../port/state-machine.ts'
import { type UpdateBlock, UpdateWriter } from './update-codec.ts'

export type UpdateMachine = Pick<StateMachine, 'seq' | 'time' | 'balance' | 'isOpen' | 'openOrder'>

/** A list up to this length is searched from its beginning; a longer one has a set. */
const SHORT_LIST = 8

/**
 * Unique numbers, in the order of their insertion. Clearing keeps the memory: truncating an array needs a
 * call.
 */
class Numbers<Id extends number> {
  /** The first `#count` entries are valid; the rest are reused. */
  readonly #list: Id[] = []
  readonly #known = new Set<Id>()
  #count = 0

  get count(): number {
    return this.#count
  }

  at(index: number): Id {
    return this.#list[index] as Id
  }

  add(id: Id): void {
    const count = this.#count
    if (this.has(id)) return
    if (count < SHORT_LIST) {
      this.#list[count] = id
    } else {
      if (count === SHORT_LIST) for (let i = 0; i < count; i++) this.#known.add(this.#list[i] as Id)
      this.#known.add(id)
      this.#list[count] = id
    }
    this.#count = count + 1
  }

  has(id: Id): boolean {
    const count = this.#count
    if (count > SHORT_LIST) return this.#known.has(id)
    for (let i = 0; i < count; i++) if (this.#list[i] === id) return true
    return false
  }

  clear(): void {
    if (this.#count > SHORT_LIST) {
      this.#known.clear()
      this.#list.length = 0
    }
    this.#count = 0
  }
}

/** The effects of the current command on one account. */
class Concerned {
  accountId = 0 as AccountId
  readonly placed = new Numbers<OrderNumber>()
  /** Orders with later changes, including those placed by this command. */
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
  /** The first `#count` entries belong to the current command; the rest are reused. */
  readonly #concerned: Concerned[] = []
  #count = 0
  /** The index of an account in the list, once the list is long. */
  readonly #placeByAccount = new Map<AccountId, number>()

  constructor(machine: UpdateMachine, symbolOf: (id: SymbolId) => TradingSymbol) {
    this.#machine = machine
    this.#symbolOf = symbolOf
  }

  /** Receives the events, in order. */
  take(event: ExchangeEvent): void {
    // Nearly all events are of these three kinds: checking all others takes as long as everything that
    // follows.
    switch (event.kind) {
      case 'LevelChanged':
        break
      case 'OrderPlaced': {
        const { placed, assets } = this.#of(event.accountId)
        placed.add(event.orderNumber)
        const { base, quote } = this.#symbolOf(event.symbolId)
        assets.add(event.side === 'BUY' ? quote : base)
        break
      }
      case 'OrdersMatched': {
        const { base, quote } = this.#symbolOf(event.symbolId)
        this.#trade(event.maker, event.tradeNumber, base, quote)
        this.#trade(event.taker, event.tradeNumber, base, quote)
        break
      }
      default:
        this.#takeRare(event)
    }
  }

  #takeRare(event: Exclude<ExchangeEvent, { kind: 'LevelChanged' | 'OrderPlaced' | 'OrdersMatched' }>): void {
    if (event.kind === 'WithdrawalChanged') {
      const { accountId, assetId } = event.withdrawal
      this.#of(accountId).assets.add(assetId)
    } else if ('orderNumber' in event) {
      const { changed, assets } = this.#of(event.accountId)
      changed.add(event.orderNumber)
      const { base, quote } = this.#symbolOf(event.symbolId)
      assets.add(event.side === 'BUY' ? quote : base)
    } else if ('assetId' in event) this.#of(event.accountId).assets.add(event.assetId)
  }

  /** Called after each command has been applied. */
  endCommand(): void {
    if (this.#count === 0) return
    for (let i = 0; i < this.#count; i++) this.#write(this.#concerned[i] as Concerned)
    this.#count = 0
    if (this.#placeByAccount.size > 0) this.#placeByAccount.clear()
  }

  /** All updates since the last call; undefined if there are none. */
  drain(): UpdateBlock | undefined {
    return this.#writer.take()
  }

  #write({ accountId, placed, changed, assets, trades }: Concerned): void {
    const { seq, time } = this.#machine
    const writer = this.#writer
    writer.begin(seq, time, accountId)
    let unchanged = 0
    for (let i = 0; i < placed.count; i++) if (!changed.has(placed.at(i))) unchanged++
    writer.count(unchanged + changed.count)
    for (let i = 0; i < placed.count; i++) if (!changed.has(placed.at(i))) this.#writePlaced(placed.at(i))
    for (let i = 0; i < changed.count; i++) this.#writeChanged(changed.at(i))
    writer.count(trades.count)
    for (let i = 0; i < trades.count; i++) writer.trade(trades.at(i))
    writer.count(assets.count)
    for (let i = 0; i < assets.count; i++) writer.balance(this.#machine.balance(accountId, assets.at(i)))
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

  #trade(
    { accountId, orderNumber }: TradeParty,
    tradeNumber: TradeNumber,
    base: AssetId,
    quote: AssetId,
  ): void {
    const concerned = this.#of(accountId)
    concerned.changed.add(orderNumber)
    concerned.trades.add(tradeNumber)
    concerned.assets.add(base)
    concerned.assets.add(quote)
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

  /** The index of an account in the list; the first few entries are searched one by one. */
  #placeOf(accountId: AccountId): number | undefined {
    const short = Math.min(this.#count, SHORT_LIST)
    for (let i = 0; i < short; i++) if (this.#concerned[i]?.accountId === accountId) return i
    return this.#placeByAccount.get(accountId)
  }
}
