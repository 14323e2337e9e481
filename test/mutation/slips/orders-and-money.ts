/** Slips in matching, rounding, fees, holds and limits of orders, and in transfers. */
import type { Slip } from '../slips.ts'

export const ORDERS_AND_MONEY: readonly Slip[] = [
  {
    wrong: "the maker pays the taker's rate",
    file: 'src/core/exchange/trading/trading.ts',
    before: "source: 'locked', rate: makerRate",
    after: "source: 'locked', rate: takerRate",
  },
  {
    wrong: 'maker and taker are exchanged in a trade',
    file: 'src/core/exchange/trading/trading.ts',
    before: 'maker: takerBuys ? sellerOf(maker, moved) : buyerOf(maker, moved)',
    after: 'maker: takerBuys ? buyerOf(maker, moved) : sellerOf(maker, moved)',
  },
  {
    wrong: "a trade is at the taker's limit, not at the resting price",
    file: 'src/core/market/matching.ts',
    before: 'const price = book.price(slot)\n    if',
    after: 'const price = limit ?? book.price(slot)\n    if',
  },
  {
    wrong: 'a limit equal to the best price does not trade',
    file: 'src/core/market/matching.ts',
    before: 'price > limit : price < limit',
    after: 'price >= limit : price <= limit',
  },
  {
    wrong: 'newest first within a level (fast book)',
    file: 'src/core/market/fast-book.ts',
    before: 'this.#levels.first(level)\n  }\n\n  side',
    after: 'this.#levels.last(level)\n  }\n\n  side',
  },
  {
    wrong: 'worst price first (ladder)',
    file: 'src/core/market/plain-book.ts',
    before: "side === 'BUY' ? b.price - a.price : a.price - b.price",
    after: "side === 'BUY' ? a.price - b.price : b.price - a.price",
  },
  {
    wrong: "a cancelled order's quantity stays in its level",
    file: 'src/core/market/fast-book.ts',
    before: '    this.#levels.subtractQuantity(level, this.#orders.remaining(slot))\n',
    after: '',
  },
  {
    wrong: 'a buyer pays rounded down',
    file: 'src/core/ledger/money.ts',
    before: 'return divideUp(multiply(executed, scale.multiply), scale.divide)',
    after: 'return divideDown(multiply(executed, scale.multiply), scale.divide)',
  },
  {
    wrong: 'a seller receives rounded up',
    file: 'src/core/ledger/money.ts',
    before: 'return divideDown(multiply(executed, scale.multiply), scale.divide)',
    after: 'return divideUp(multiply(executed, scale.multiply), scale.divide)',
  },
  {
    wrong: 'commission rounds half down',
    file: 'src/core/ledger/money.ts',
    before: 'fraction < RATE_HALF',
    after: 'fraction <= RATE_HALF',
  },
  {
    wrong: 'the average price is rounded down',
    file: 'src/core/ledger/money.ts',
    before: '(2n * executed + divisor / 2n) / divisor',
    after: '(2n * executed) / divisor',
  },
  {
    wrong: 'commission is rounded fill by fill',
    file: 'src/core/exchange/trading/settlement.ts',
    before: 'return difference(commissionDue(order.commission), before)',
    after:
      'return difference(before, before) || commissionDue(commissionAccrued({ units: 0 as Units, fraction: 0 }, received, rate))',
  },
  {
    wrong: 'a buyer does not pay the rounding difference',
    file: 'src/core/exchange/trading/settlement.ts',
    before: "roundingRow, 'free', paid)",
    after: "roundingRow, 'free', received)",
  },
  {
    wrong: "the buyer's commission is charged at the seller's rate",
    file: 'src/core/exchange/trading/settlement.ts',
    before: 'charge(buy, delivered, buyer.rate)',
    after: 'charge(buy, delivered, seller.rate)',
  },
  {
    wrong: 'a cancel leaves the hold',
    file: 'src/core/exchange/trading/trading.ts',
    before: '  release(order, market, NO_LOTS)\n  if (order.slot',
    after: '  if (order.slot',
  },
  {
    wrong: "a hold that is a better price's leftover is not released",
    file: 'src/core/exchange/trading/settlement.ts',
    before: 'return lockedFor(order.executedNotional, worthOf(order.price, remaining), market.scale)',
    after: 'return paidFor(worthOf(order.price, remaining), market.scale)',
  },
  {
    wrong: 'a MARKET total may spend one lot too much',
    file: 'src/core/market/matching.ts',
    before: 'const paid = budget / BigInt(price)',
    after: 'const paid = budget / BigInt(price) + 1n',
  },
  {
    wrong: 'a MARKET total leaves one lot that it could pay',
    file: 'src/core/market/matching.ts',
    before: 'const paid = budget / BigInt(price)',
    after: 'const paid = (budget - 1n) / BigInt(price)',
  },
  {
    wrong: 'what an IOC order leaves rests in the book',
    file: 'src/core/exchange/trading/trading.ts',
    before: "command.type === 'LIMIT' && command.timeInForce === 'GTC' && !outcome",
    after: "command.type === 'LIMIT' && !outcome",
  },
  {
    wrong: 'EXPIRE_MAKER and EXPIRE_TAKER are exchanged',
    file: 'src/core/market/matching.ts',
    before:
      "if (selfTradeMode !== 'EXPIRE_TAKER') expireMaker(book, slot, resting, observer)\n      if (selfTradeMode === 'EXPIRE_MAKER') continue",
    after:
      "if (selfTradeMode !== 'EXPIRE_MAKER') expireMaker(book, slot, resting, observer)\n      if (selfTradeMode === 'EXPIRE_TAKER') continue",
  },
  {
    wrong: 'EXPIRE_BOTH spares the maker',
    file: 'src/core/market/matching.ts',
    before: "if (selfTradeMode !== 'EXPIRE_TAKER') expireMaker",
    after: "if (selfTradeMode === 'EXPIRE_MAKER') expireMaker",
  },
  {
    wrong: 'self-trade prevention meets strangers instead of oneself',
    file: 'src/core/market/matching.ts',
    before: 'book.owner(slot) === owner',
    after: 'book.owner(slot) !== owner',
  },
  {
    wrong: "anybody cancels anybody's order",
    file: 'src/core/exchange/trading/trading.ts',
    before: 'order === undefined || order.accountId !== command.accountId || order.time',
    after: 'order === undefined || order.time',
  },
  {
    wrong: 'an order may need one unit more than is free',
    file: 'src/core/exchange/trading/order-checks.ts',
    before: "return !isLess(holdings.get(command.accountId, 'free'), need)",
    after: "return !isLess(amountOf(holdings.get(command.accountId, 'free')) + 1n, need)",
  },
  {
    wrong: 'a total that does not fit price and quantity is taken',
    file: 'src/core/exchange/trading/order-checks.ts',
    before: 'total !== amountOf(least) && total !== amountOf(paidFor(worth, scale))',
    after: 'total > amountOf(paidFor(worth, scale))',
  },
  {
    wrong: 'one open order too many',
    file: 'src/core/exchange/trading/order-checks.ts',
    before: 'state.orders.count(accountId, symbol.id) >= ordersMax',
    after: 'state.orders.count(accountId, symbol.id) > ordersMax',
  },
  {
    wrong: 'a halted symbol gives another reason',
    file: 'src/core/exchange/trading/order-checks.ts',
    before: "HALTED: 'SYMBOL_HALTED'",
    after: "HALTED: 'SYMBOL_CANCEL_ONLY'",
  },
  {
    wrong: 'a transfer with a used reference is done again',
    file: 'src/core/exchange/operators/money.ts',
    before: "    case 'SAME':\n      return { kind: 'Done', repeated: true }",
    after: "    case 'SAME':\n      return undefined",
  },
  {
    wrong: 'a reference is good for any amount',
    file: 'src/core/ledger/references.ts',
    before: ' &&\n      this.#amounts.get(number) === wholeOf(amount)',
    after: ' && amount > 0n',
  },
  {
    wrong: 'more than the supply cap may be credited',
    file: 'src/core/exchange/operators/money.ts',
    before: 'after <= cap',
    after: 'after <= cap + 1n',
  },
  {
    wrong: 'a snapshot forgets the references',
    file: 'src/core/exchange/snapshot.ts',
    before: 'state.references.write(w)',
    after: 'new References().write(w)',
  },
  {
    wrong: 'a snapshot with a wrong hold is read',
    file: 'src/core/exchange/snapshot.ts',
    before: '  checkHolds(state)\n  return state',
    after: '  return state',
  },
  {
    wrong: 'a cancel is stored with the wrong time',
    file: 'src/core/exchange/codec/commands/orders.ts',
    before: '  w.uint(c.orderTime)',
    after: '  w.uint(c.orderTime + 1)',
  },
  {
    wrong: 'an IOC order that was partly filled is told as open',
    file: 'src/core/exchange/trading/trading.ts',
    before: "emitCanceled(arrival.emit, order, remaining, cause)\n  return 'CANCELED'",
    after:
      "emitCanceled(arrival.emit, order, remaining, cause)\n  return order.executedQuantity > 0 ? 'PARTIALLY_FILLED' : 'CANCELED'",
  },
  {
    wrong: 'DECREMENT lowers the taker alone',
    file: 'src/core/market/matching.ts',
    before:
      '      decremented += quantity\n      observer.decremented(slot, price, quantity, makerRemaining)',
    after:
      '      decremented += quantity\n      observer.decremented(slot, price, quantity, makerRemaining)\n      continue',
  },
  {
    wrong: 'a restart gives a number to two orders',
    file: 'src/core/exchange/snapshot.ts',
    before: 'nextOrder: r.uint(),',
    after: 'nextOrder: Math.max(1, r.uint() - 1),',
  },
  {
    wrong: 'an order rests at the price it was last filled at',
    file: 'src/core/exchange/trading/trading.ts',
    before: 'market.book.add(order.side, order.price,',
    after: 'market.book.add(order.side, this.#touched.at(-1) ?? order.price,',
  },
  {
    wrong: 'a MARKET BUY spends what DECREMENT left of a unit',
    file: 'src/core/market/matching.ts',
    before: '((left - ((left + paid) % budgetUnit)) as Notional)',
    after: 'left',
  },
  {
    wrong: 'what is paid is not rounded up where DECREMENT takes off a total',
    file: 'src/core/market/matching.ts',
    before: 'return started === 0n ? left : ((left - budgetUnit + started) as Notional)',
    after: 'return left',
  },
  {
    wrong: 'a state begins under the newest rules',
    file: 'src/core/exchange/state.ts',
    before: 'rulesVersion: FIRST_RULES_VERSION',
    after: 'rulesVersion: BUDGET_RULES',
  },
]
