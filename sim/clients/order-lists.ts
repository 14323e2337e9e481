/**
 * Random order lists and their cancels: mostly accepted and soon reached. A list with an id is sent again if
 * its answer was lost.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { ListLeg, PlaceList } from '../../src/core/commands/order-lists.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, KeyNumber, ListNumber, SymbolId } from '../../src/units/ids.ts'
import {
  isStopType,
  type ListKind,
  ORDER_TYPES,
  type OrderType,
  SELF_TRADE_MODES,
  SIDES,
  type Side,
} from '../../src/units/order-enums.ts'
import { amount, type Lots, type Price, type TimeMs } from '../../src/units/quantities.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import type { Random } from '../world/random.ts'
import { onIncrements } from './increments.ts'
import { drawDelta } from './trailing.ts'

const PROFITS: readonly OrderType[] = ['LIMIT_MAKER', 'LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT']
const LOSSES: readonly OrderType[] = ['STOP_LOSS', 'STOP_LOSS_LIMIT']
/** Largest number of lists that may be sent again. */
const SENT_MOST = 10
/** DECREMENT, which lowers an order of a list, is the rarest. */
const MODES = [...SELF_TRADE_MODES, 'DECREMENT', 'DECREMENT'] as const

/** Helpers shared with single orders. */
export type ListDraws = {
  readonly trader: () => AccountId
  readonly symbol: () => TradingSymbol | undefined
  readonly id: () => string | undefined
  readonly keyNumber: () => KeyNumber | undefined
  /** The middle of prices before the first trade. */
  readonly middle: number
}

export class ListWorkload {
  readonly #random: Random
  readonly #draws: ListDraws
  /** The last lists with an id. */
  readonly #sent: PlaceList[] = []
  /** The lists whose outcome is unknown. */
  readonly #lost: PlaceList[] = []
  readonly #everLost = new WeakSet<Command>()

  constructor(random: Random, draws: ListDraws) {
    this.#random = random
    this.#draws = draws
  }

  /** Notes that the answer to a list was lost. */
  lost(list: PlaceList): void {
    if (list.listClientOrderId === undefined) return
    this.#lost.push(list)
    this.#everLost.add(list)
  }

  /** Whether an answer to an identical command was lost before. */
  wasLost(command: Command): boolean {
    return this.#everLost.has(command)
  }

  /** A new list, or one that was sent before: the identical list, or a different one under the same id. */
  place(state: ShadowState, isHostile: boolean): PlaceList {
    const random = this.#random
    if (this.#lost.length > 0 && random.chance(0.8)) return this.#lost.shift() as PlaceList
    if (this.#sent.length > 0 && random.chance(0.1)) {
      const list = random.pick(this.#sent)
      return random.chance(0.6) ? list : { ...this.#new(state), listClientOrderId: list.listClientOrderId }
    }
    const drawn = this.#new(state)
    const list = isHostile ? broken(random, drawn) : drawn
    if (list.listClientOrderId !== undefined) this.#sent.push(list)
    if (this.#sent.length > SENT_MOST) this.#sent.shift()
    return list
  }

  /** Mostly the cancel of an open list. */
  cancel(state: ShadowState, isHostile: boolean): Command {
    const random = this.#random
    const open = [...state.lists.values()]
    const list = open.length === 0 ? undefined : random.pick(open)
    const accountId = (isHostile ? this.#draws.trader() : (list?.account ?? 0)) as AccountId
    const listNumber = (list?.number ?? random.below(state.lastOrder + 2)) as ListNumber
    const listTime = ((list?.time ?? 0) + (isHostile ? random.below(2) : 0)) as TimeMs
    return { kind: 'CancelList', accountId, listNumber, listTime }
  }

  /** Cancels a list that was sent, open or not. */
  cancelById(isHostile: boolean): Command {
    const sent = this.#sent.length === 0 ? undefined : this.#random.pick(this.#sent)
    const accountId = isHostile || sent === undefined ? this.#draws.trader() : sent.accountId
    return { kind: 'CancelClientList', accountId, listClientOrderId: sent?.listClientOrderId ?? 'none' }
  }

  #new(state: ShadowState): PlaceList {
    const random = this.#random
    const symbol = this.#draws.symbol()
    const symbolId = (symbol?.id ?? 0) as SymbolId
    const list = random.pick(['OCO', 'OTO', 'OTOCO'] as const)
    const at = state.lastPrices[symbolId] ?? this.#draws.middle
    const legs = drawLegs(random, list, at).map((leg) => {
      const clientOrderId = random.chance(0.3) ? this.#draws.id() : undefined
      return onIncrements(random, symbol, { ...leg, clientOrderId })
    })
    return {
      kind: 'PlaceList',
      accountId: this.#draws.trader(),
      symbolId,
      list,
      selfTradeMode: random.chance(0.3) ? undefined : random.pick(MODES),
      keyNumber: this.#draws.keyNumber(),
      listClientOrderId: random.chance(0.7) ? this.#draws.id() : undefined,
      legs,
    }
  }
}

function drawLegs(random: Random, list: ListKind, at: number): ListLeg[] {
  const side = random.pick(SIDES)
  const quantity = random.between(1, 30) as Lots
  if (list === 'OCO') return drawPair(random, side, at, quantity, false)
  const type = random.chance(0.7) ? 'LIMIT' : 'LIMIT_MAKER'
  // Near the last price: most orders are filled at once or soon.
  const price = at + random.between(-2, 3) * (side === 'BUY' ? 1 : -1)
  const timeInForce = random.chance(0.8) ? 'GTC' : random.pick(['IOC', 'FOK'] as const)
  const working = figures(type, side, price, price, quantity, timeInForce)
  const named = random.chance(0.2) ? (random.between(1, 30) as Lots) : undefined
  const isSameSide = named !== undefined && random.chance(0.3)
  const later = isSameSide ? side : otherThan(side)
  if (list === 'OTOCO') return [working, ...drawPair(random, later, at, named, true)]
  const stopPrice = at + random.between(-4, 4)
  const pendingType = random.pick(ORDER_TYPES)
  const pending = figures(pendingType, later, at + random.between(-4, 4), stopPrice, named, 'GTC')
  return [working, trailing(random, pending)]
}

/** A price above and one below a price; sometimes too near. */
function drawPair(
  random: Random,
  side: Side,
  at: number,
  quantity: Lots | undefined,
  isPending: boolean,
): ListLeg[] {
  const [above, below] = side === 'SELL' ? [PROFITS, LOSSES] : [LOSSES, PROFITS]
  const one = (types: readonly OrderType[], away: number): ListLeg => {
    const type = random.pick(types)
    const stopPrice = at + away
    const price = type === 'LIMIT_MAKER' ? stopPrice : stopPrice + random.between(-3, 3)
    const leg = trailing(
      random,
      figures(type, side, price, stopPrice, quantity, random.pick(['GTC', 'GTC', 'IOC', 'FOK'])),
    )
    const spends = side === 'BUY' && leg.price === undefined && !isPending
    return spends ? { ...leg, total: amount(BigInt(random.between(1, 60_000)) * 10n) } : leg
  }
  const far = () => random.between(0, 5)
  return [one(above, far()), one(below, -far())]
}

/** Some of the orders that wait follow the price. */
function trailing(random: Random, leg: ListLeg): ListLeg {
  if (leg.stopPrice === undefined || !random.chance(0.25)) return leg
  return {
    ...leg,
    stopPrice: random.chance(0.5) ? leg.stopPrice : undefined,
    trailingDelta: drawDelta(random),
  }
}

/** The figures that a type requires. */
function figures(
  type: OrderType,
  side: Side,
  price: number,
  stopPrice: number,
  quantity: Lots | undefined,
  timeInForce: 'GTC' | 'IOC' | 'FOK',
): ListLeg {
  const takesTime = type === 'LIMIT' || type.endsWith('_LIMIT')
  const hasLimit = takesTime || type === 'LIMIT_MAKER'
  return {
    type,
    side,
    timeInForce: takesTime ? timeInForce : undefined,
    price: hasLimit ? (price as Price) : undefined,
    stopPrice: isStopType(type) ? (stopPrice as Price) : undefined,
    quantity,
    total: undefined,
    clientOrderId: undefined,
  }
}

/** The list with one error in it. */
function broken(random: Random, list: PlaceList): PlaceList {
  const at = random.below(list.legs.length)
  const wrong: Partial<ListLeg> = random.pick([
    { type: random.pick(ORDER_TYPES) },
    { side: random.pick(SIDES) },
    { price: 0 as Price },
    { stopPrice: Number.MAX_SAFE_INTEGER as Price },
    { quantity: Number.MAX_SAFE_INTEGER as Lots },
    { total: amount(2n ** 130n) },
    { clientOrderId: 'not an id' },
  ])
  const legs = list.legs.map((leg, place) => (place === at ? { ...leg, ...wrong } : leg))
  const isUnknown = random.chance(0.1)
  return { ...list, legs, symbolId: (isUnknown ? random.bits() + 100 : list.symbolId) as SymbolId }
}

function otherThan(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}
