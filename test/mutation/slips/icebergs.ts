/** Slips in iceberg orders. */
import type { Slip } from '../slips.ts'

const ICEBERG = 'src/core/trading/iceberg.ts'

export const ICEBERGS: readonly Slip[] = [
  {
    wrong: 'an order whose part is used up ends with it',
    file: 'src/core/trading/execution.ts',
    before: 'return maker.icebergQuantity === undefined ? shown : ((maker.remaining - quantity) as Lots)',
    after: 'return maker.remaining === 0 ? quantity : shown',
  },
  {
    wrong: 'the last part of an order shows more than is left of it',
    file: ICEBERG,
    before: 'icebergQuantity === undefined || icebergQuantity > remaining ? remaining',
    after: 'icebergQuantity === undefined ? remaining',
  },
  {
    wrong: 'an order may show a little less than one part in a hundred',
    file: ICEBERG,
    before: 'Math.ceil(quantity / ICEBERG_PARTS_MAX)',
    after: 'Math.floor(quantity / ICEBERG_PARTS_MAX)',
  },
  {
    wrong: 'a test of an order says what others hide',
    file: 'src/core/trading/test-order.ts',
    before: "refusalOf(command, market, state, 'VISIBLE')",
    after: "refusalOf(command, market, state, 'ALL')",
  },
  {
    wrong: 'a FOK order that needs what an order hides is refused',
    file: 'src/core/trading/order-checks.ts',
    before: "sees === 'ALL' ? icebergsIn(market, state) : undefined",
    after: 'undefined',
  },
  {
    wrong: 'a FOK order counts all that an order hides with its first part',
    file: 'src/core/market/look-ahead.ts',
    before: 'yield { slot, quantity: Math.min(hidden, part) as Lots }',
    after: 'yield { slot, quantity: hidden as Lots }',
  },
  {
    wrong: 'a start shows a whole part where one was begun',
    file: 'src/core/snapshot/snapshot-icebergs.ts',
    before: 'const hidden = order.remaining - shown',
    after: 'const hidden = order.remaining - Math.min(icebergQuantity, order.remaining)',
  },
  {
    wrong: 'a level that shows as much as before is published',
    file: 'src/core/trading/execution.ts',
    before: 'if (!isAsBefore) emitLevel',
    after: 'emitLevel',
  },
  {
    wrong: 'an iceberg order that ends at a time is refused',
    file: 'src/server/trading/order-parameters.ts',
    before: "timeInForce === 'GTC' || timeInForce === 'GTD'",
    after: "timeInForce === 'GTC'",
    tests: ['src/server/public/iceberg-orders.test.ts'],
  },
]
