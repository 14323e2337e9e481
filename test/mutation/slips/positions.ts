/** Slips in average cost, profit and the value of positions. */
import type { Slip } from '../slips.ts'

const POSITION = 'src/engine/history/positions/position.ts'
const BOOK = 'src/engine/history/positions/position-book.ts'
const MARKETS = 'src/engine/history/positions/markets.ts'
const FIGURES = 'src/engine/history/positions/figures.ts'

const BY_HAND = 'src/server/public/account-positions.test.ts'
/** This test compares positions with its own sums in fractions. */
const EXACTLY = 'src/storage/sqlite/history/positions/positions.slow.test.ts'

export const POSITION_SLIPS: readonly Slip[] = [
  {
    wrong: 'what leaves takes none of the cost with it',
    file: POSITION,
    before: '  position.cost -= released\n',
    after: '',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a sale of all leaves a rest of the cost behind',
    file: POSITION,
    before: '    sold === before ? position.cost : roundedShare(',
    after: '    roundedShare(',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a withdrawal makes a profit',
    file: POSITION,
    before: '  if (proceeds === undefined) return\n',
    after: '  if (proceeds === undefined) proceeds = 0n\n',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'what nobody knows the cost of leaves last',
    file: POSITION,
    before: 'leastAmount(units, position.withoutCost)',
    after: 'leastAmount(NO_AMOUNT, position.withoutCost)',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a sale brings all of its proceeds though part of what was sold had no cost',
    file: POSITION,
    before: 'free === 0 ? proceeds : roundedShare(proceeds, bigintOf(sold), bigintOf(units))',
    after: 'proceeds',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'what came in at a last price is not marked so',
    file: POSITION,
    before: '  if (!isPaid) position.atLastPrice = amountSum(position.atLastPrice, units)\n',
    after: '',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a purchase is without its commission',
    file: BOOK,
    before: 'const received = difference(units, commission)',
    after: 'const received = units',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a sale’s profit is without its commission',
    file: BOOK,
    before: 'this.#inCosts(market, isPaid, received, units)',
    after: 'this.#inCosts(market, isPaid, total, units)',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a fill is valued at the price that it makes itself',
    file: BOOK,
    before: '    this.#fill(market, maker)\n',
    after: '    this.markets.traded(symbolId, trade.price)\n    this.#fill(market, maker)\n',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'transfers of a moment come before the trades that were before them',
    file: BOOK,
    before: 'each !== undefined && each.seq < trade.seq; each',
    after: 'each !== undefined; each',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a move into savings leaves the position',
    file: BOOK,
    before: 'amount(add(spot, savings))',
    after: 'amount(spot)',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'an asset is valued in the market that was listed last',
    file: MARKETS,
    before: 'if (!this.#ownByAsset.has(terms.base)) this.#ownByAsset',
    after: 'this.#ownByAsset',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a conversion by the other market of a pair is rounded down',
    file: MARKETS,
    before: 'return (value * 2n + divisor) / (divisor * 2n)',
    after: 'return value / divisor',
    tests: [BY_HAND, EXACTLY],
  },
  {
    wrong: 'a loss is rounded towards a larger one',
    file: FIGURES,
    before: '  const size = value < 0n ? -value : value\n',
    after: '  const size = value\n',
    tests: [BY_HAND, EXACTLY],
  },
]
