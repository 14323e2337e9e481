/** Slips in trailing orders. */
import type { Slip } from '../slips.ts'

const SIDE = 'src/core/market/trailing-side.ts'
const TRADING = 'src/core/trading/triggers/trailing.test.ts'

export const TRAILING: readonly Slip[] = [
  {
    wrong: 'a SELL that follows the price is triggered before the whole distance',
    file: 'src/units/trailing-delta.ts',
    before: 'Math.floor((rest * share) / BASIS_POINTS)',
    after: 'Math.ceil((rest * share) / BASIS_POINTS)',
  },
  {
    wrong: 'a BUY that follows the price is triggered before the whole distance',
    file: 'src/units/trailing-delta.ts',
    before: 'Math.ceil((rest * delta) / BASIS_POINTS)',
    after: 'Math.floor((rest * delta) / BASIS_POINTS)',
  },
  {
    wrong: 'a trailing order forgets the best price when a group takes its own in',
    file: SIDE,
    before: "    return this.#side === 'SELL' ? one > other : one < other\n",
    after: "    return this.#side === 'SELL' ? one < other : one > other\n",
  },
  {
    wrong: 'a trailing order at its very trigger price goes on',
    file: SIDE,
    before: "if (this.#side === 'SELL' ? price > trigger : price < trigger) break",
    after: "if (this.#side === 'SELL' ? price >= trigger : price <= trigger) break",
  },
  {
    wrong: 'an order that begins to follow the price does not say since when',
    file: SIDE,
    before: '    for (const home of beginning) home.following.since = time\n',
    after: '',
  },
  {
    wrong: 'a group that loses its nearest order keeps its trigger price',
    file: SIDE,
    before: '    if (!home.orders.isEmpty) {\n      this.#retrigger(home)\n',
    after: '    if (!home.orders.isEmpty) {\n',
  },
  {
    wrong: 'a trailing order follows only the last price of a sweep',
    file: 'src/core/trading/execution.ts',
    before: '      this.#pricesTraded.push(price)\n',
    after: '      this.#pricesTraded = [price]\n',
    tests: [TRADING],
  },
  {
    wrong: 'a trailing order whose stop price is reached already is taken',
    file: 'src/core/trading/order-checks.ts',
    before: '  if (stopPrice === undefined) return undefined\n',
    after: '  if (stopPrice === undefined || command.trailingDelta !== undefined) return undefined\n',
    tests: [TRADING],
  },
  {
    wrong: 'prices of trailing orders grow without a limit',
    file: 'src/core/trading/order-checks.ts',
    before: 'return trailing.priceCount < levelsMax || trailing.hasPrice(direction, stopPrice)',
    after: 'return trailing.priceCount >= 0 || trailing.hasPrice(direction, stopPrice)',
    tests: [TRADING],
  },
  {
    wrong: 'a snapshot loses the distances of trailing orders',
    file: 'src/core/snapshot/snapshot.ts',
    before: 'isEmpty: hasNoTrailing,',
    after: 'isEmpty: () => true,',
  },
  {
    wrong: 'a trailing order reaches a journal that the release before has to read',
    file: 'src/core/commands/command-rules.ts',
    before: '  if (order.trailingDelta !== undefined) return TRAILING_RULES\n',
    after: '',
    tests: [TRADING],
  },
]
