/** Slips in the answers to placements, and in the nearest value to a refused number. */
import type { Slip } from '../slips.ts'

const PLACEMENTS = 'src/views/placements.ts'
const NEAREST = 'src/server/description/nearest-value.ts'

export const ANSWERS: readonly Slip[] = [
  {
    wrong: 'an answer has the fills that its order had when others met it later',
    file: PLACEMENTS,
    before:
      "      case 'OrderTriggered':\n      case 'LevelChanged':\n        this.#current = undefined\n        break\n",
    after: "      case 'OrderTriggered':\n        break\n",
  },
  {
    wrong: 'an answer does not say that there are more fills',
    file: 'src/server/trading/operations/orders/placed-order.ts',
    before: 'placement.fillCount > fills.length',
    after: 'placement.fillCount < fills.length',
  },
  {
    wrong: 'the weight of fills is taken after the order was placed',
    file: 'src/server/trading/operations/orders/placed-order.ts',
    before: 'weight === 0 ? undefined : call.charge(weight)',
    after: 'weight >= 0 ? undefined : call.charge(weight)',
  },
  {
    wrong: 'the nearest stop price is the last price itself',
    file: NEAREST,
    before: 'const next = isRising ? below + tickSize : below',
    after: 'const next = last',
  },
  {
    wrong: 'the nearest quantity of a total is one lot short',
    file: 'src/units/notional.ts',
    before: 'const lots = divideUp(worth, at)',
    after: 'const lots = divideDown(worth, at)',
  },
  {
    wrong: 'an answer of the common interface has more members than it says',
    file: 'src/server/public/gateway.ts',
    before: 'endpoint.isExtension ? call : call.bare()',
    after: 'call',
  },
]
