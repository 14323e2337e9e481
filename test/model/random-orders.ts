/**
 * Random orders and cancels against the state of the reference exchange: most of the orders trade, many are
 * at the limit of a rule, and some have fields that no honest client would combine.
 */
import type { CancelClientOrder, CancelOrder, PlaceOrder } from '../../src/core/commands/orders.ts'
import { figuresOf, type LooseFigures } from '../../src/core/exchange/order-figures.fixture.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import {
  isStopType,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  SIDES,
  type Side,
  TIMES_IN_FORCE,
} from '../../src/units/order-enums.ts'
import {
  type Amount,
  amount,
  type Lots,
  type Price,
  type TimeMs,
  UNITS_MAX,
} from '../../src/units/quantities.ts'
import type { TrailingDelta } from '../../src/units/trailing-delta.ts'
import { Fraction } from './fraction.ts'
import type { RandomSource } from './random-source.ts'
import type { ReferenceId } from './reference-ids.ts'
import type { ReferenceOrder, ReferenceState } from './reference-state.ts'

/** Prices around which a symbol trades, by symbol id; the last is the end of the range. */
const CENTRES = [100, 3, 6_000_017, UNITS_MAX - 3, 1] as const

export function randomOrder(random: RandomSource, state: ReferenceState): PlaceOrder {
  const known = [...state.ids.known.values()]
  return known.length > 0 && random.once(6) ? repeated(random, random.pick(known)) : newOrder(random, state)
}

/** Repeats an order under its id: identical, different but with the same meaning, or with another meaning. */
function repeated(random: RandomSource, { command, symbolMode }: ReferenceId): PlaceOrder {
  switch (
    random.weighted({
      same: 6,
      filled: 3,
      total: 2,
      price: 2,
      stop: 1,
      trail: 1,
      part: 1,
      end: 1,
      mode: 1,
      account: 1,
    })
  ) {
    case 'same':
      return command
    case 'filled':
      return { ...command, selfTradeMode: command.selfTradeMode === symbolMode ? undefined : symbolMode }
    case 'total':
      return command.price === undefined ? command : { ...command, total: amount(1n + random.bits(20)) }
    case 'price':
      return command.price === undefined ? command : { ...command, price: clamp(command.price + 1) as Price }
    case 'stop':
      if (command.stopPrice === undefined) return command
      return { ...command, stopPrice: clamp(command.stopPrice + 1) as Price }
    case 'trail':
      if (command.trailingDelta === undefined) return command
      return { ...command, trailingDelta: (command.trailingDelta + 1) as TrailingDelta }
    case 'part':
      return command.type === 'LIMIT_MAKER' ? { ...command, icebergQuantity: command.quantity } : command
    case 'end':
      if (command.expireTime === undefined) return command
      return { ...command, expireTime: (command.expireTime + 1) as TimeMs }
    case 'mode':
      return { ...command, selfTradeMode: random.pick(SELF_TRADE_MODES) }
    case 'account':
      return { ...command, accountId: (command.accountId + 1) as AccountId }
  }
}

/** Often no id; otherwise one of a few that are reused, or an invalid one. */
export function randomId(random: RandomSource): string | undefined {
  if (random.once(60))
    return random.pick(['', ' ', 'é', 'a b', 'c'.repeat(37), 'c'.repeat(200), 'c'.repeat(201)])
  if (!random.once(3)) return undefined
  return random.once(4) ? random.pick(['a', 'A', 'c'.repeat(36), 'x-1._:/']) : `id-${random.below(1_000)}`
}

/** Mostly with figures that the symbol's increments allow, if it has any; sometimes all but the quantity. */
export function onIncrements<Figures extends Pick<PlaceOrder, 'price' | 'stopPrice' | 'quantity'>>(
  random: RandomSource,
  symbol: TradingSymbol | undefined,
  order: Figures,
): Figures {
  if (symbol?.increments === undefined || random.once(3)) return order
  const { tickSize, stepSize } = symbol.increments
  const rounded = (figure: number, size: number) => Math.max(1, Math.floor(figure / size)) * size
  const over = stepSize > 1 && random.once(order.stopPrice === undefined ? 8 : 3) ? 1 : 0
  const changed: Record<string, number> = {}
  for (const [name, figure] of Object.entries(order)) {
    if (typeof figure !== 'number') continue
    if (name === 'price' || name === 'stopPrice') changed[name] = rounded(figure, tickSize)
    if (name === 'quantity') changed[name] = clamp(rounded(figure, stepSize) + over)
    if (name === 'icebergQuantity') changed[name] = rounded(figure, stepSize)
  }
  return { ...order, ...changed }
}

function newOrder(random: RandomSource, state: ReferenceState): PlaceOrder {
  const order = freeOrder(random, state)
  return onIncrements(random, state.symbols[order.symbolId], order)
}

function freeOrder(random: RandomSource, state: ReferenceState): PlaceOrder {
  // Few symbols have a price band: orders are placed in them more often.
  const banded = state.symbols.filter(({ priceBand }) => priceBand !== undefined)
  // Many orders are placed where others already rest, so that they match.
  const busy = state.open.length > 0 && random.once(2) ? [random.pick(state.open).symbol] : state.symbols
  const symbol = random.once(80)
    ? undefined
    : random.pick(banded.length > 0 && random.once(3) ? banded : busy)
  const symbolId = symbol?.id ?? (random.between(state.symbols.length, UNITS_MAX) as SymbolId)
  const side = random.pick(SIDES)
  const accountId = randomOwner(random, state)
  const type = random.weighted({
    LIMIT: 27,
    MARKET: 10,
    LIMIT_MAKER: 4,
    STOP_LOSS: 3,
    TAKE_PROFIT: 3,
    STOP_LOSS_LIMIT: 9,
    TAKE_PROFIT_LIMIT: 8,
  })
  const draft: Draft = { accountId, side, type }
  const timeInForce = random.weighted(
    isStopType(type) ? { GTC: 4, IOC: 3, FOK: 3, GTD: 11 } : { GTC: 10, IOC: 3, FOK: 3, GTD: 8 },
  )
  const standing = {
    timeInForce,
    expireTime: timeInForce === 'GTD' ? randomEnd(random, state, isStopType(type)) : undefined,
  }
  const head = {
    kind: 'PlaceOrder',
    accountId,
    symbolId,
    selfTradeMode: random.once(2) ? random.pick(SELF_TRADE_MODES) : undefined,
    clientOrderId: randomId(random),
  } as const
  if (symbol === undefined || random.once(25)) return { ...head, ...figuresOf(anyFigures(random, side)) }
  const isMarket = type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT'
  const bounds = isMarket ? market(random, state, draft, symbol) : limit(random, state, draft, symbol)
  if (!isStopType(type)) {
    const rests = timeInForce === 'GTC' || timeInForce === 'GTD'
    const mayRest = type === 'LIMIT_MAKER' || (type === 'LIMIT' && rests)
    const icebergQuantity = mayRest && random.once(2) ? randomPart(random, bounds, symbol) : undefined
    return { ...head, ...figuresOf({ ...draft, ...standing, ...bounds, icebergQuantity }) }
  }
  const total = type.endsWith('_LIMIT') || side === 'BUY' ? bounds.total : undefined
  const stopPrice = randomStopPrice(random, state, symbol)
  const trigger = randomTrigger(random, stopPrice)
  if (bounds.price !== undefined && bounds.total === undefined && random.once(2)) {
    // A limit with which the order fills at once when it is triggered.
    const price = clamp(stopPrice + (side === 'BUY' ? 3 : -3)) as Price
    return { ...head, ...figuresOf({ ...draft, ...standing, ...bounds, price, ...trigger }) }
  }
  return { ...head, ...figuresOf({ ...draft, ...standing, ...bounds, total, ...trigger }) }
}

/** Often an order follows the price; mostly so near that it is triggered soon. */
export function randomTrigger(
  random: RandomSource,
  stopPrice: Price,
): Pick<LooseFigures, 'stopPrice' | 'trailingDelta'> {
  if (!random.once(2)) return { stopPrice }
  const far = random.pick([0, 1, 9, 2_001, UNITS_MAX])
  const delta = random.once(30) ? far : random.pick([10, 50, 100, 150, 250, 400, 2_000])
  return { stopPrice: random.once(2) ? stopPrice : undefined, trailingDelta: delta as TrailingDelta }
}

/** Mostly soon; sometimes in the past, at the limit of what is allowed, or beyond it. */
function randomEnd(random: RandomSource, { time }: ReferenceState, waits: boolean): TimeMs {
  const soonMs = waits && random.once(2) ? 3_000 : random.pick([8, 60, 300])
  if (!random.once(10)) return (time + random.between(1, soonMs)) as TimeMs
  const most = 3_650 * 86_400_000
  return (time + random.pick([-time, -1, 0, most - 1, most, most + 1, most + 2, most + 30])) as TimeMs
}

/** Mostly a few parts of the complete order, and often at the limit for the size of a part. */
function randomPart(random: RandomSource, { quantity = 1 as Lots }: Bounds, symbol: TradingSymbol): Lots {
  const whole = Math.ceil(quantity / random.between(1, 6))
  const hundredth = Math.ceil(quantity / 100) + random.between(-1, 0)
  switch (random.weighted({ parts: 10, hundredth: 1, least: 1, whole: 1, any: 1 })) {
    case 'parts':
      return clamp(whole) as Lots
    case 'hundredth':
      return clamp(hundredth) as Lots
    case 'least':
      return clamp(symbol.minQuantity + random.between(-1, 1)) as Lots
    case 'whole':
      return clamp(quantity + random.between(0, 1)) as Lots
    case 'any':
      return random.pick([0, 1, UNITS_MAX]) as Lots
  }
}

/** Mostly near the last price, so that some stop prices are already reached and others soon. */
function randomStopPrice(random: RandomSource, state: ReferenceState, symbol: TradingSymbol): Price {
  const { priceBand } = symbol
  if (priceBand !== undefined && random.once(2))
    return clamp(random.pick([priceBand.min - 1, priceBand.max + 1])) as Price
  const last = state.lastPrice.get(symbol.id)?.wholeUnits(symbol.quoteFraction)
  if (last === undefined || random.once(4)) return randomPrice(random, state, symbol)
  return clamp(Number(last) + random.between(-3, 3)) as Price
}

/** The fields of an order that are drawn before its figures. */
export type Draft = Pick<PlaceOrder, 'accountId' | 'side' | 'type'>
type Bounds = Pick<LooseFigures, 'price' | 'quantity' | 'total'>

function limit(random: RandomSource, state: ReferenceState, order: Draft, symbol: TradingSymbol): Bounds {
  const others = state.open.filter((other) => other.symbol.id === symbol.id && other.side !== order.side)
  if (others.length > 1 && random.once(others.length > 2 ? 3 : 6)) return sweepOf(others, order.side)
  if (others.length > 0 && random.once(2)) return meetingOf(random, random.pick(others))
  const price = randomPrice(random, state, symbol)
  const quantity = randomQuantity(random, state, order, symbol, price)
  if (!random.once(10)) return { price, quantity }
  const worth = ledgerWorth(price, quantity, symbol)
  const [down, up] = [worth.floor(), worth.ceil()]
  const near = random.pick([down, down, up, up, down - 1n, up + 1n, 1n])
  return { price, quantity, total: amount(near) }
}

/** The total quantity of the other side, at its worst price. */
function sweepOf(others: readonly ReferenceOrder[], side: Side): Bounds {
  const prices = others.map((other) => Number(ticksOf(other)))
  const sum = others.reduce(
    (all, { remaining, symbol }) => all + remaining.wholeUnits(symbol.baseFraction),
    0n,
  )
  const quantity = clamp(Number(sum > BigInt(UNITS_MAX) ? UNITS_MAX : sum)) as Lots
  return { price: (side === 'BUY' ? Math.max(...prices) : Math.min(...prices)) as Price, quantity }
}

/** At the price of a resting order, of about its quantity or a part of it. */
function meetingOf(random: RandomSource, other: ReferenceOrder): Bounds {
  const whole = Number(other.remaining.wholeUnits(other.symbol.baseFraction))
  const quantity = random.once(3) ? Math.ceil(whole / 2) : whole + random.between(-1, 1)
  return { price: clamp(Number(ticksOf(other))) as Price, quantity: clamp(quantity) as Lots }
}

function market(random: RandomSource, state: ReferenceState, order: Draft, symbol: TradingSymbol): Bounds {
  const quantity = randomQuantity(random, state, order, symbol, centreOf(symbol))
  const withBoth = random.once(3)
  if (order.side === 'SELL' && !withBoth) return { quantity }
  const isBuy = order.side === 'BUY' && order.type === 'MARKET'
  if (isBuy && random.once(2))
    return { quantity: random.once(3) ? quantityFor(random, state, order, symbol) : quantity }
  const total = randomTotal(random, state, order, symbol)
  return order.side === 'BUY' && !withBoth ? { total } : { total, quantity }
}

/** About as much as the account can pay for, so that one unit decides. */
function quantityFor(
  random: RandomSource,
  state: ReferenceState,
  { accountId }: Draft,
  symbol: TradingSymbol,
): Lots {
  let left = state.balance(accountId, symbol.quote, 'free')
  let quantity = Fraction.ZERO
  const offers = state.open.filter((order) => order.symbol.id === symbol.id && order.side === 'SELL')
  for (const { price, remaining } of offers.sort((a, b) => Number(ticksOf(a) - ticksOf(b)))) {
    const worth = (price ?? Fraction.ZERO).times(remaining)
    quantity = quantity.plus(left.isBelow(worth) ? left.over(price ?? Fraction.of(1n)) : remaining)
    if (left.isBelow(worth)) break
    left = left.minus(worth)
  }
  const most = quantity.roundedDown(symbol.baseFraction).wholeUnits(symbol.baseFraction)
  return clamp(Number(most > BigInt(UNITS_MAX) ? UNITS_MAX : most) + random.between(-1, 1)) as Lots
}

/** Figures of any type: optional ones are often absent, others at the end of their range or beyond it. */
function anyFigures(random: RandomSource, side: Side): LooseFigures {
  const units = () => random.pick([0, 1, 100, UNITS_MAX, Number(random.bits(53))])
  const total = () => amount(random.pick([0n, 1n, -1n, AMOUNT_MAX, AMOUNT_MAX + 1n, random.bits(140)]))
  const type = random.pick(ORDER_TYPES)
  const isPriced = type === 'LIMIT' || type === 'LIMIT_MAKER' || type.endsWith('_LIMIT')
  const isMarketBuy = !isPriced && side === 'BUY'
  const timeInForce = random.pick(TIMES_IN_FORCE)
  const takesNoTotal = isStopType(type) && !isPriced && side === 'SELL'
  const quantity = isMarketBuy && random.once(2) ? undefined : (units() as Lots)
  const isFree = !isMarketBuy || (type === 'MARKET' && quantity !== undefined)
  return {
    type,
    side,
    timeInForce,
    expireTime: timeInForce === 'GTD' ? (units() as TimeMs) : undefined,
    price: isPriced ? (units() as Price) : undefined,
    quantity,
    total: takesNoTotal || (isFree && random.once(2)) ? undefined : total(),
    stopPrice: isStopType(type) ? (units() as Price) : undefined,
  }
}

/** A trader; sometimes the house or an account that does not exist. */
export function randomOwner(random: RandomSource, state: ReferenceState): AccountId {
  if (random.once(60)) return random.pick([0, 1, 2, state.accounts.length, UNITS_MAX]) as AccountId
  const traders = state.accounts.filter(({ role }) => role === 'trader')
  return traders.length === 0 ? (5 as AccountId) : random.pick(traders).id
}

function centreOf(symbol: TradingSymbol): Price {
  return CENTRES[symbol.id % CENTRES.length] as Price
}

export function randomPrice(random: RandomSource, state: ReferenceState, symbol: TradingSymbol): Price {
  const centre = centreOf(symbol)
  if (random.once(40)) return random.pick([1, UNITS_MAX, Number(random.bits(53)) || 1]) as Price
  const resting = state.open.filter((order) => order.symbol.id === symbol.id)
  const isBeside = resting.length > 0 && random.once(3)
  const near = isBeside ? Number(ticksOf(random.pick(resting))) : centre
  return clamp(near + random.between(-3, 3)) as Price
}

function ticksOf(order: ReferenceOrder): bigint {
  return (order.price ?? Fraction.ZERO).wholeUnits(order.symbol.quoteFraction)
}

export function clamp(units: number): number {
  return Math.min(UNITS_MAX, Math.max(1, units))
}

export function randomQuantity(
  random: RandomSource,
  state: ReferenceState,
  { accountId, side }: Draft,
  symbol: TradingSymbol,
  near: Price,
): Lots {
  const places = symbol.baseFraction
  /** The fewest lots that are worth one ledger unit: near this quantity rounding matters. */
  const unit = clamp(
    Number(
      Fraction.of(1n)
        .over(ledgerWorth(near, 1, symbol))
        .ceil(),
    ),
  )
  switch (
    random.weighted({ few: 4, units: 8, some: 4, match: 6, side: 2, all: 1, any: 1, huge: 1, least: 1 })
  ) {
    case 'few':
      return clamp(symbol.minQuantity + random.between(0, 20)) as Lots
    case 'units':
      return clamp(unit * random.between(1, 9) + random.between(-1, 1)) as Lots
    case 'some':
      return clamp(unit + random.between(1, 40_000)) as Lots
    case 'match': {
      const other = state.open.filter((order) => order.symbol.id === symbol.id && order.side !== side)
      const wanted = other.length === 0 ? 1n : random.pick(other).remaining.wholeUnits(places)
      return clamp(Number(wanted) + random.between(-1, 1)) as Lots
    }
    // The quantity of the other side, or more: an order that reaches many orders and has a remainder.
    case 'side': {
      const other = state.open.filter((order) => order.symbol.id === symbol.id && order.side !== side)
      const sum = other.reduce((lots, { remaining }) => lots + remaining.wholeUnits(places), 0n)
      return clamp(Number(sum > BigInt(UNITS_MAX) ? UNITS_MAX : sum) + random.between(0, 9)) as Lots
    }
    case 'all': {
      const free = state.balance(accountId, symbol.base, 'free').units(places).floor()
      return clamp(Number(free > BigInt(UNITS_MAX) ? UNITS_MAX : free) + random.between(-1, 1)) as Lots
    }
    case 'any':
      return clamp(Number(random.bits(53))) as Lots
    case 'huge':
      return clamp(UNITS_MAX - random.between(0, 2)) as Lots
    case 'least':
      return clamp(symbol.minQuantity - random.between(0, 1)) as Lots
  }
}

/** Price x quantity in ledger units of the quote asset. */
function ledgerWorth(ticks: number, quantity: number, symbol: TradingSymbol): Fraction {
  const worth = Fraction.decimal(BigInt(ticks) * BigInt(quantity), symbol.quoteFraction + symbol.baseFraction)
  return worth.units(symbol.quotePrecision)
}

function randomTotal(
  random: RandomSource,
  state: ReferenceState,
  { accountId, side }: Draft,
  symbol: TradingSymbol,
): Amount {
  const offers = state.open.filter((order) => order.symbol.id === symbol.id && order.side !== side)
  switch (random.weighted({ offers: 6, tiny: 2, some: 3, all: 1, any: 1 })) {
    case 'offers': {
      const worth = offers
        .slice(0, random.between(1, 4))
        .reduce(
          (sum, { price, remaining }) => sum.plus((price ?? Fraction.ZERO).times(remaining)),
          Fraction.ZERO,
        )
      const units = worth.units(symbol.quotePrecision).ceil() + BigInt(random.between(-2, 2))
      return amount(units > 0n ? units : 1n)
    }
    case 'tiny':
      return amount(BigInt(random.between(1, 4)))
    case 'some':
      return amount(1n + ledgerWorth(centreOf(symbol), random.between(1, 20_000), symbol).floor())
    case 'all':
      return amount(
        state.balance(accountId, symbol.quote, 'free').wholeUnits(symbol.quotePrecision) +
          BigInt(random.between(-1, 1)),
      )
    case 'any':
      return amount(1n + random.bits(128))
  }
}

/**
 * Mostly the account's own open order; otherwise another account's, an ended order, one with another time or
 * symbol, or none.
 */
export function randomCancel(random: RandomSource, state: ReferenceState): CancelOrder | CancelClientOrder {
  const cancel = namedCancel(random, state)
  if (!random.once(4)) return cancel
  return { ...cancel, symbolId: random.below(state.symbols.length) as SymbolId }
}

function namedCancel(random: RandomSource, state: ReferenceState): CancelOrder | CancelClientOrder {
  const known = [...state.ids.known.values()]
  if (known.length > 0 && random.once(3)) {
    const { accountId, clientOrderId = '' } = random.pick(known).command
    const owner = random.once(8) ? randomOwner(random, state) : accountId
    return { kind: 'CancelClientOrder', accountId: owner, clientOrderId }
  }
  if (random.once(20))
    return { kind: 'CancelClientOrder', accountId: randomOwner(random, state), clientOrderId: 'b' }
  const { all } = state
  const target = all.length === 0 ? undefined : random.pick(all)
  if (target === undefined || random.once(5)) {
    const orderNumber = random.between(0, state.orderCount + 2) as OrderNumber
    return { kind: 'CancelOrder', accountId: randomOwner(random, state), orderNumber, orderTime: state.time }
  }
  const owner = random.once(8) ? randomOwner(random, state) : target.accountId
  const time = random.once(12) ? target.time + random.pick([-1, 1]) : target.time
  return { kind: 'CancelOrder', accountId: owner, orderNumber: target.number, orderTime: time as TimeMs }
}
