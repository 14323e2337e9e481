/** Slips in the tick and step sizes of symbols. */
import type { Slip } from '../slips.ts'

const CHECKS = 'src/core/trading/order-checks.ts'

export const INCREMENTS: readonly Slip[] = [
  {
    wrong: 'a stop price off the tick is taken',
    file: CHECKS,
    before: '!isMultiple(stopPrice, tickSize) || ',
    after: '',
  },
  {
    wrong: 'an order may show a part that is off the step',
    file: CHECKS,
    before: ' && isMultiple(icebergQuantity, stepSize)',
    after: '',
  },
  {
    wrong: 'a list is not held to tick and step',
    file: 'src/core/trading/lists/list-checks.ts',
    before: 'incrementRefusal(leg, market)',
    after: 'incrementRefusal({}, market)',
  },
  {
    wrong: 'an order that is off the step cannot be amended to what it has',
    file: 'src/core/trading/amend-order.ts',
    before: '  if (quantity === order.quantity) return undefined\n',
    after: '',
  },
  {
    wrong: 'an order that spends a total buys a part of a step',
    file: 'src/core/trading/taker.ts',
    before: 'hasBudget ? market.symbol.increments?.stepSize : undefined',
    after: 'undefined',
  },
  {
    wrong: 'a pending order is for a part of a step',
    file: 'src/core/trading/lists/received.ts',
    before: '((lots - (lots % increments.stepSize)) as Lots)',
    after: 'lots',
  },
  {
    wrong: 'the price band may have no price on the tick',
    file: 'src/core/registry/amendments.ts',
    before: '% increments.tickSize) >= priceBand.min',
    after: '% increments.tickSize) >= 0',
  },
  {
    wrong: 'a change of the price band forgets tick and step',
    file: 'src/core/registry/amendments.ts',
    before: '    ...terms,\n    priceBand:',
    after: '    ...terms,\n    increments: undefined,\n    priceBand:',
  },
]
