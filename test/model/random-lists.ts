/**
 * Random order lists and their cancels: mostly accepted and soon reached, sometimes at the limit of a rule or
 * beyond it.
 */
import type { CancelClientList, CancelList, ListLeg, PlaceList } from '../../src/core/commands/order-lists.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { ListNumber, SymbolId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import {
  isStopType,
  type ListKind,
  ORDER_TYPES,
  type OrderType,
  opposite,
  SELF_TRADE_MODES,
  SIDES,
  type Side,
  TIMES_IN_FORCE,
} from '../../src/units/order-enums.ts'
import { amount, type Lots, type Price, type TimeMs, UNITS_MAX } from '../../src/units/quantities.ts'
import {
  clamp,
  onIncrements,
  randomId,
  randomOwner,
  randomPrice,
  randomQuantity,
  randomTrigger,
} from './random-orders.ts'
import type { RandomSource } from './random-source.ts'
import type { ReferenceState } from './reference-state.ts'

const PROFITS: readonly OrderType[] = ['LIMIT_MAKER', 'LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT']
const LOSSES: readonly OrderType[] = ['STOP_LOSS', 'STOP_LOSS_LIMIT']

export function randomList(random: RandomSource, state: ReferenceState): PlaceList {
  const known = [...state.ids.listed.values()]
  if (known.length > 0 && random.once(5)) return again(random, random.pick(known).command)
  const list = random.weighted({ OCO: 5, OTO: 5, OTOCO: 8 })
  const symbol = random.once(60) ? undefined : random.pick(state.symbols)
  const symbolId = symbol?.id ?? (random.between(state.symbols.length, UNITS_MAX) as SymbolId)
  const accountId = randomOwner(random, state)
  const legs = symbol === undefined ? anyLegs(random, list) : drawLegs(random, state, symbol, list, accountId)
  return {
    kind: 'PlaceList',
    accountId,
    symbolId,
    list,
    selfTradeMode: random.once(2) ? random.pick(SELF_TRADE_MODES) : undefined,
    listClientOrderId: random.once(4) ? randomId(random) : undefined,
    legs: (random.once(30) ? broken(random, legs) : legs).map((leg) => {
      return onIncrements(random, symbol, {
        ...leg,
        clientOrderId: random.once(5) ? randomId(random) : undefined,
      })
    }),
  }
}

/** Repeats a list under its id, identical or changed. */
function again(random: RandomSource, command: PlaceList): PlaceList {
  switch (random.weighted({ same: 4, mode: 1, lot: 1, id: 1 })) {
    case 'same':
      return command
    case 'mode':
      return { ...command, selfTradeMode: random.pick(SELF_TRADE_MODES) }
    case 'lot':
      return {
        ...command,
        legs: command.legs.map((leg) => ({
          ...leg,
          quantity: leg.quantity && (clamp(leg.quantity + 1) as Lots),
        })),
      }
    case 'id':
      return { ...command, listClientOrderId: random.pick(['a', 'id-1', undefined]) }
  }
}

function drawLegs(
  random: RandomSource,
  state: ReferenceState,
  symbol: TradingSymbol,
  list: ListKind,
  accountId: PlaceList['accountId'],
): ListLeg[] {
  const side = random.pick(SIDES)
  const at = lastOf(random, state, symbol)
  const type = random.once(3) ? 'LIMIT_MAKER' : 'LIMIT'
  const quantity = () => randomQuantity(random, state, { accountId, side, type }, symbol, at)
  if (list === 'OCO') return pair(random, side, at, quantity(), false)
  const timeInForce = type === 'LIMIT' ? random.weighted({ GTC: 6, IOC: 2, FOK: 2 }) : undefined
  // Mostly a price at which the order is filled soon.
  const price = clamp(at + random.between(-1, 3) * (side === 'BUY' ? 1 : -1)) as Price
  const working = leg(random, { side, type, price, quantity: quantity(), timeInForce })
  const names = random.once(5)
  const pendingSide = names && random.once(2) ? side : opposite(side)
  const pendingQuantity = names ? quantity() : undefined
  if (list === 'OTOCO') return [working, ...pair(random, pendingSide, at, pendingQuantity, true)]
  const pendingType = random.pick(ORDER_TYPES)
  const gap = random.between(-3, 3)
  return [
    working,
    leg(random, {
      side: pendingSide,
      type: pendingType,
      price: clamp(at + gap) as Price,
      stopPrice: clamp(at + random.between(-3, 3)) as Price,
      quantity: pendingQuantity,
    }),
  ]
}

/** An OCO pair around a price. */
function pair(
  random: RandomSource,
  side: Side,
  at: Price,
  quantity: Lots | undefined,
  isPending: boolean,
): ListLeg[] {
  const [above, below] = side === 'SELL' ? [PROFITS, LOSSES] : [LOSSES, PROFITS]
  const one = (types: readonly OrderType[], gap: number): ListLeg => {
    const type = random.pick(types)
    const stopPrice = clamp(at + gap) as Price
    const price = clamp(type === 'LIMIT_MAKER' ? stopPrice : stopPrice + random.between(-3, 3)) as Price
    const isBudget = side === 'BUY' && (type === 'STOP_LOSS' || type === 'TAKE_PROFIT')
    const total = isBudget && !isPending ? amount(1n + random.bits(random.pick([4, 12, 20, 40]))) : undefined
    return leg(random, { side, type, price, stopPrice, quantity, total })
  }
  // A single order whose stop price is already reached at placement is refused; an order of a pending pair is
  // triggered. So one order of a pending pair is often beyond the price.
  const isReached = random.once(isPending ? 2 : 6)
  const [high, low] = isReached ? [random.between(-1, 0), 3] : [random.between(1, 2), random.between(1, 2)]
  return random.once(2) ? [one(above, high), one(below, -low)] : [one(above, low), one(below, -high)]
}

/** The figures that the type requires. */
function leg(
  random: RandomSource,
  words: Pick<ListLeg, 'side' | 'type' | 'quantity'> & Partial<ListLeg>,
): ListLeg {
  const { side, type, quantity } = words
  const takesTime = type === 'LIMIT' || type.endsWith('_LIMIT')
  const hasLimit = takesTime || type === 'LIMIT_MAKER'
  return {
    side,
    type,
    timeInForce: takesTime ? (words.timeInForce ?? random.weighted({ GTC: 5, IOC: 1, FOK: 1 })) : undefined,
    price: hasLimit ? words.price : undefined,
    stopPrice: isStopType(type) ? words.stopPrice : undefined,
    ...(isStopType(type) && words.stopPrice !== undefined && random.once(3)
      ? randomTrigger(random, words.stopPrice)
      : {}),
    quantity,
    total: words.total,
    clientOrderId: undefined,
  }
}

/** The price at which a symbol trades now, or about that. */
function lastOf(random: RandomSource, state: ReferenceState, symbol: TradingSymbol): Price {
  const last = state.lastPrice.get(symbol.id)?.wholeUnits(symbol.quoteFraction)
  return last === undefined || random.once(20)
    ? randomPrice(random, state, symbol)
    : (clamp(Number(last)) as Price)
}

/** The list with one error. */
function broken(random: RandomSource, legs: readonly ListLeg[]): ListLeg[] {
  const place = random.below(legs.length)
  const wrong: Partial<ListLeg> = random.pick([
    { type: random.pick(ORDER_TYPES) },
    { side: random.pick(SIDES) },
    { price: random.pick([0, UNITS_MAX]) as Price },
    { stopPrice: random.pick([0, UNITS_MAX]) as Price },
    { quantity: random.pick([0, UNITS_MAX]) as Lots },
    { total: random.pick([0n, 1n, AMOUNT_MAX + 1n].map(amount)) },
    { timeInForce: random.pick(TIMES_IN_FORCE) },
  ])
  return legs.map((one, at) => (at === place ? { ...one, ...wrong } : one))
}

function anyLegs(random: RandomSource, list: ListKind): ListLeg[] {
  const count = list === 'OTOCO' ? 3 : 2
  return Array.from({ length: count }, () =>
    leg(random, {
      side: random.pick(SIDES),
      type: random.pick(ORDER_TYPES),
      price: 100 as Price,
      stopPrice: 100 as Price,
      quantity: 100 as Lots,
    }),
  )
}

/** Mostly the cancel of the owner's own open list. */
export function randomListCancel(random: RandomSource, state: ReferenceState): CancelList | CancelClientList {
  const known = [...state.ids.listed.values()]
  if (random.once(12)) {
    return { kind: 'CancelClientList', accountId: randomOwner(random, state), listClientOrderId: 'b' }
  }
  if (known.length > 0 && random.once(3)) {
    const { command, clientOrderId } = random.pick(known)
    const accountId = random.once(8) ? randomOwner(random, state) : command.accountId
    return { kind: 'CancelClientList', accountId, listClientOrderId: clientOrderId }
  }
  const target = state.lists.length === 0 || random.once(6) ? undefined : random.pick(state.lists)
  const listNumber = target?.number ?? (random.between(0, state.orderCount + 2) as ListNumber)
  const accountId = target === undefined || random.once(8) ? randomOwner(random, state) : target.accountId
  const time = target === undefined ? state.time : random.once(12) ? target.time + 1 : target.time
  return { kind: 'CancelList', accountId, listNumber, listTime: time as TimeMs }
}
