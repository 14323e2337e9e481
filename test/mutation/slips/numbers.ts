/** Slips in orders bought by quantity, and in the numbers of orders and trades. */
import type { Slip } from '../slips.ts'

export const NUMBERS: readonly Slip[] = [
  {
    wrong: 'a MARKET BUY by quantity pays for own orders that expire',
    file: 'src/core/market/look-ahead.ts',
    before: "isOver || (isOwn && selfTradeMode === 'EXPIRE_MAKER')",
    after: 'isOver',
  },
  {
    wrong: 'a MARKET BUY by quantity pays for what DECREMENT takes off',
    file: 'src/core/market/look-ahead.ts',
    before: '    if (!isOwn) worth',
    after: '    worth',
  },
  {
    wrong: 'a MARKET BUY by quantity is taken for what orders show alone, and pays what is not there',
    file: 'src/core/trading/order-checks.ts',
    before: 'worthInReach(market.book, taker, hiddenFrom(market, state, sees))',
    after: 'worthInReach(market.book, taker)',
  },
  {
    wrong: 'a MARKET BUY by quantity reaches a journal that the release before has to read',
    file: 'src/core/commands/command-rules.ts',
    before: 'isBuyByQuantity(order) ? QUANTITY_RULES : FIRST_RULES_VERSION',
    after: 'FIRST_RULES_VERSION',
  },
  {
    wrong: 'numbers that were lost are given again after a loss that an operator accepts',
    file: 'src/engine/writer/recovery/recovery.ts',
    before: 'if (recorded.report.accepted.length > 0)',
    after: 'if (recorded.report.accepted.length < 0)',
  },
  {
    wrong: 'numbers that were lost are given again after a restore',
    file: 'src/app/maintenance/backup/restore.ts',
    before: "return last?.kind === 'SEAL' ? undefined :",
    after: "return last?.kind !== 'SEAL' ? undefined :",
    tests: ['src/app/maintenance/backup/restore.test.ts'],
  },
  {
    wrong: 'a command that gives a number comes before numbers have jumped',
    file: 'src/engine/writer/engine.ts',
    before: '[...this.#beginning, ...due, ...admitted]',
    after: '[...due, ...admitted, ...this.#beginning]',
  },
  {
    wrong: 'numbers jump with every command of an epoch',
    file: 'src/core/exchange/epoch.ts',
    before: 'state.epoch = Math.max(state.epoch, epoch)',
    after: 'state.epoch = 0',
  },
  {
    wrong: 'numbers of trades do not jump',
    file: 'src/core/exchange/epoch.ts',
    before: '  state.nextTrade = jumped(state.nextTrade)\n',
    after: '',
  },
  {
    wrong: 'a feed of events whose trades have jumped is never answered',
    file: 'src/storage/sqlite/history/fills-in-order.ts',
    before: '[Math.max(middle.last, at), middle]',
    after: '[Math.max(middle.last, low), middle]',
  },
  {
    wrong: 'a start counts the trades of symbols anew',
    file: 'src/core/snapshot/snapshot-numbers.ts',
    before: 'market.tradeCount = r.uint()',
    after: 'market.tradeCount = Math.min(1, r.uint())',
  },
  {
    wrong: 'a trade has the number that it has among those of all symbols',
    file: 'src/core/trading/execution.ts',
    before: 'symbolTrade: market.tradeCount,',
    after: 'symbolTrade: tradeNumber,',
  },
  {
    wrong: 'trades of one order at two prices are one aggregate',
    file: 'src/engine/history/aggregates.ts',
    before: 'one.trade.price === next.trade.price',
    after: 'one.trade.takerSide === next.trade.takerSide',
  },
  {
    wrong: 'a page of trades by number begins behind the trades that have none',
    file: 'src/engine/history/numbered-pages.ts',
    before: 'const before = last - lastNumber',
    after: 'const before = 0',
  },
]
