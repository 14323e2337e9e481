/**
 * The figures of a position: its cost, average, value and profit in ledger units of its cost asset
 * (docs/reference/positions.md#rounding). Each figure is rounded once; the unrealized profit is the
 * difference of two shown figures.
 */
import { quoteScale, worthAtPrice } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { type Amount, amount, type Price } from '../../../units/quantities.ts'
import { bigintOf } from '../../../units/whole.ts'
import { COST_ONE, type Position, withCost } from './position.ts'

export type PositionFigures = {
  readonly cost: Amount
  /** For one unit of the asset, such as 1 BTC; undefined if no part of the quantity has a cost. */
  readonly averageCost: Amount | undefined
  /** For the whole quantity; undefined, like `unrealized`, if its market never had a trade. */
  readonly value: Amount | undefined
  /** For the part with a cost; also undefined if there is none. */
  readonly unrealized: Amount | undefined
  readonly realized: Amount
  readonly soldCost: Amount
}

type Scale = Pick<TradingSymbol, 'basePrecision' | 'quotePrecision' | 'quoteFraction'>

/** `lastPrice` is 0 if there is none. */
export function positionFigures(position: Position, market: Scale, lastPrice: Price): PositionFigures {
  const costed = withCost(position)
  const cost = units(position.cost)
  const worthOf = (quantity: Amount) => worth(quantity, market, lastPrice)
  const isValued = lastPrice !== 0
  return {
    cost,
    averageCost: costed === 0 ? undefined : average(position.cost, costed, market),
    value: isValued ? worthOf(position.quantity) : undefined,
    unrealized: isValued && costed !== 0 ? minus(worthOf(costed), cost) : undefined,
    realized: units(position.realized),
    soldCost: units(position.soldCost),
  }
}

function average(cost: bigint, quantity: Amount, { basePrecision }: Scale): Amount {
  return divided(cost * 10n ** BigInt(basePrecision), COST_ONE * bigintOf(quantity))
}

function worth(
  quantity: Amount,
  { basePrecision, quotePrecision, quoteFraction }: Scale,
  price: Price,
): Amount {
  const { multiply, divide } = quoteScale(basePrecision, quoteFraction, quotePrecision)
  return amount(worthAtPrice(quantity, price, bigintOf(multiply), bigintOf(divide)))
}

function units(cost: bigint): Amount {
  return divided(cost, COST_ONE)
}

function minus(a: Amount, b: Amount): Amount {
  return amount(bigintOf(a) - bigintOf(b))
}

/** Rounded half up, below zero half down: a loss is rounded as a profit of the same size. */
function divided(value: bigint, divisor: bigint): Amount {
  const size = value < 0n ? -value : value
  const rounded = (size * 2n + divisor) / (divisor * 2n)
  return amount(value < 0n ? -rounded : rounded)
}
