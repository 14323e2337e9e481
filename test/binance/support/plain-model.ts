/**
 * A second, small exchange for tests of Binance's wire: orders, fills and balances, written from the rules
 * and not from the program, of which it imports nothing. Prices of one decimal and quantities of four, so
 * that every amount and every commission of 0.1% is exact in eight.
 */
export type Side = 'BUY' | 'SELL'
export type TimeInForce = 'GTC' | 'IOC' | 'FOK'
export type Kind = 'LIMIT' | 'LIMIT_MAKER' | 'MARKET'

/** Amounts are in units of 10^-8. */
export type NewOrder = {
  readonly account: string
  readonly symbol: string
  readonly clientOrderId: string
  readonly side: Side
  readonly kind: Kind
  readonly timeInForce: TimeInForce
  /** 0 for a MARKET order. */
  readonly price: bigint
  readonly quantity: bigint
}

export type ModelOrder = Omit<NewOrder, 'quantity'> & {
  quantity: bigint
  executed: bigint
  total: bigint
  status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED'
  /** Why a canceled order ended. */
  endReason: 'USER' | 'IOC' | 'MARKET_REMAINDER' | undefined
}

export type ModelFill = {
  readonly number: number
  readonly order: ModelOrder
  readonly price: bigint
  readonly quantity: bigint
  readonly total: bigint
  readonly commission: bigint
  readonly commissionAsset: string
  readonly isMaker: boolean
}

export type ModelBalance = { free: bigint; locked: bigint }

export type Outcome = { readonly refused: string } | { readonly changed: ReadonlySet<ModelOrder> }

const UNIT = 100_000_000n
const COMMISSION = 1_000n

type Assets = readonly [base: string, quote: string]

export class PlainModel {
  readonly orders = new Map<string, ModelOrder>()
  /** Fills by account. */
  readonly fills = new Map<string, ModelFill[]>()
  readonly #assets: Readonly<Record<string, Assets>>
  readonly #balances = new Map<string, Map<string, ModelBalance>>()
  /** Resting orders of a symbol, oldest first. */
  readonly #resting = new Map<string, ModelOrder[]>()
  readonly #trades = new Map<string, number>()

  constructor(assets: Readonly<Record<string, Assets>>) {
    this.#assets = assets
  }

  credit(account: string, asset: string, amount: bigint): void {
    this.balance(account, asset).free += amount
    this.fills.set(account, this.fills.get(account) ?? [])
  }

  balance(account: string, asset: string): ModelBalance {
    const all = this.#balances.get(account) ?? new Map<string, ModelBalance>()
    this.#balances.set(account, all)
    const found = all.get(asset) ?? { free: 0n, locked: 0n }
    all.set(asset, found)
    return found
  }

  open(account: string, symbol?: string): ModelOrder[] {
    return [...this.orders.values()].filter(
      (order) => isOpen(order) && order.account === account && (symbol ?? order.symbol) === order.symbol,
    )
  }

  place(terms: NewOrder): Outcome {
    const reason = this.#refusal(terms)
    if (reason !== undefined) return { refused: reason }
    const order: ModelOrder = { ...terms, executed: 0n, total: 0n, status: 'NEW', endReason: undefined }
    this.orders.set(order.clientOrderId, order)
    const held = this.#cost(order)
    this.#move(order, held)
    const changed = new Set([order])
    for (const maker of this.#opposite(order)) {
      if (order.executed === order.quantity) break
      changed.add(maker)
      this.#fill(order, maker)
    }
    if (isOpen(order)) this.#keep(order)
    return { changed }
  }

  cancel(order: ModelOrder): Outcome {
    if (!isOpen(order)) return { refused: 'UNKNOWN_ORDER' }
    this.#end(order, 'USER')
    return { changed: new Set([order]) }
  }

  /** Lowers the quantity. */
  amend(order: ModelOrder, quantity: bigint): Outcome {
    if (!isOpen(order)) return { refused: 'UNKNOWN_ORDER' }
    const before = this.#left(order)
    order.quantity = quantity
    this.#move(order, this.#left(order) - before)
    return { changed: new Set([order]) }
  }

  #refusal(terms: NewOrder): string | undefined {
    const makers = this.#opposite(terms)
    const there = makers.reduce((sum, maker) => sum + left(maker), 0n)
    const [base, quote] = this.#assetsOf(terms)
    const { free } = this.balance(terms.account, terms.side === 'BUY' ? quote : base)
    if (this.#cost({ ...terms, executed: 0n }) > free) return 'INSUFFICIENT_FUNDS'
    if (terms.kind === 'MARKET' && there === 0n) return 'NO_LIQUIDITY'
    if (terms.kind === 'LIMIT_MAKER' && makers.length > 0) return 'LIMIT_MAKER_WOULD_TAKE'
    if (terms.timeInForce === 'FOK' && there < terms.quantity) return 'FOK_NOT_FILLABLE'
    return undefined
  }

  /**
   * The most that the order may take from the account; for a purchase at the market, its cost in the current
   * book.
   */
  #cost(order: NewOrder & { readonly executed: bigint }): bigint {
    if (order.side === 'SELL') return order.quantity
    if (order.kind !== 'MARKET') return worth(order.price, order.quantity)
    let open = order.quantity
    let cost = 0n
    for (const maker of this.#opposite(order)) {
      const part = least(open, left(maker))
      cost += worth(maker.price, part)
      open -= part
    }
    return cost
  }

  /** The amount still locked for the order. */
  #left(order: ModelOrder): bigint {
    if (order.side === 'SELL') return left(order)
    return order.kind === 'MARKET' ? 0n : worth(order.price, left(order))
  }

  /** Resting orders that the order trades with, in their order. */
  #opposite({ symbol, side, kind, price }: NewOrder): ModelOrder[] {
    const sign = side === 'BUY' ? 1 : -1
    return (this.#resting.get(symbol) ?? [])
      .filter((maker) => maker.side !== side)
      .filter((maker) => kind === 'MARKET' || Number(price - maker.price) * sign >= 0)
      .toSorted((one, other) => sign * Number(one.price - other.price))
  }

  #fill(taker: ModelOrder, maker: ModelOrder): void {
    const quantity = least(left(taker), left(maker))
    const total = worth(maker.price, quantity)
    const number = (this.#trades.get(taker.symbol) ?? 0) + 1
    this.#trades.set(taker.symbol, number)
    for (const order of [taker, maker]) {
      const [base, quote] = this.#assetsOf(order)
      const isBuy = order.side === 'BUY'
      const received = isBuy ? quantity : total
      const commission = received / COMMISSION
      const commissionAsset = isBuy ? base : quote
      // A purchase locked its own price for this, and pays the maker's.
      const held = isBuy ? (order.kind === 'MARKET' ? total : worth(order.price, quantity)) : quantity
      const paid = this.balance(order.account, isBuy ? quote : base)
      paid.locked -= held
      paid.free += held - (isBuy ? total : quantity)
      this.balance(order.account, commissionAsset).free += received - commission
      order.executed += quantity
      order.total += total
      order.status = order.executed === order.quantity ? 'FILLED' : 'PARTIALLY_FILLED'
      const isMaker = order === maker
      const fill = {
        number,
        order,
        price: maker.price,
        quantity,
        total,
        commission,
        commissionAsset,
        isMaker,
      }
      this.fills.get(order.account)?.push(fill)
    }
    if (maker.status === 'FILLED') this.#remove(maker)
  }

  #keep(order: ModelOrder): void {
    if (order.kind === 'MARKET') this.#end(order, 'MARKET_REMAINDER')
    else if (order.timeInForce === 'IOC') this.#end(order, 'IOC')
    else {
      const resting = this.#resting.get(order.symbol) ?? []
      this.#resting.set(order.symbol, resting)
      resting.push(order)
    }
  }

  #end(order: ModelOrder, reason: ModelOrder['endReason']): void {
    this.#move(order, -this.#left(order))
    this.#remove(order)
    order.status = 'CANCELED'
    order.endReason = reason
  }

  #remove(order: ModelOrder): void {
    const resting = this.#resting.get(order.symbol) ?? []
    const at = resting.indexOf(order)
    if (at >= 0) resting.splice(at, 1)
  }

  /** Moves an amount from free to locked; a negative amount moves back. */
  #move(order: ModelOrder, amount: bigint): void {
    const [base, quote] = this.#assetsOf(order)
    const balance = this.balance(order.account, order.side === 'BUY' ? quote : base)
    balance.free -= amount
    balance.locked += amount
  }

  #assetsOf({ symbol }: NewOrder | ModelOrder): Assets {
    const found = this.#assets[symbol]
    if (found === undefined) throw new Error(`the model has no symbol ${symbol}`)
    return found
  }
}

export function isOpen({ status }: ModelOrder): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED'
}

function left({ quantity, executed }: { readonly quantity: bigint; readonly executed: bigint }): bigint {
  return quantity - executed
}

function worth(price: bigint, quantity: bigint): bigint {
  const product = price * quantity
  if (product % UNIT !== 0n) throw new Error(`${price} x ${quantity} is not exact`)
  return product / UNIT
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
