/** Slips in order lists. */
import type { Slip } from '../slips.ts'

const LISTS = 'src/core/trading/lists'

export const ORDER_LISTS: readonly Slip[] = [
  {
    wrong: 'the other of an OCO pair goes on when one is executed',
    file: 'src/core/trading/execution.ts',
    before: '    endPartner(this.#state, market, maker, emit)\n    const { symbol } = market\n',
    after: '    const { symbol } = market\n',
  },
  {
    wrong: 'the other of an OCO pair goes on when one is lowered',
    file: 'src/core/trading/execution.ts',
    before: '    else endPartner(this.#state, market, maker, emit)\n',
    after: '',
  },
  {
    wrong: 'pending orders go on when the working order is taken out by self-trade prevention',
    file: 'src/core/trading/execution.ts',
    before:
      "    endOthers(this.#state, market, maker, emit)\n    release(maker, market, NO_LOTS)\n    this.#state.closeOrder(maker)\n    emitCanceled(emit, maker, maker.remaining, 'SELF_TRADE')\n",
    after:
      "    release(maker, market, NO_LOTS)\n    this.#state.closeOrder(maker)\n    emitCanceled(emit, maker, maker.remaining, 'SELF_TRADE')\n",
  },
  {
    wrong: 'the pending orders of a working order that is filled as it comes are never placed',
    file: `${LISTS}/place-list.ts`,
    before:
      "  if (status === 'FILLED') state.lists.fill(list, receivedBy(order, market), state.seq)\n  else if",
    after: '  if',
  },
  {
    wrong: 'a partly filled working order makes its list due',
    file: 'src/core/trading/execution.ts',
    before: '    if (left === NO_LOTS) this.#fillWorking(maker)\n',
    after: '    this.#fillWorking(maker)\n',
  },
  {
    wrong: 'pending orders sell the commission of the working order too',
    file: `${LISTS}/received.ts`,
    before: 'return difference(gross, commissionDue(commission))',
    after: 'return difference(gross, commissionDue(commission)) && gross',
  },
  {
    wrong: 'a pending order buys for more than was received',
    file: `${LISTS}/received.ts`,
    before: 'affordable(UNITS_MAX as Lots, price, budgetOf(received, scale))',
    after: '(affordable(UNITS_MAX as Lots, price, budgetOf(received, scale)) + 1) as Lots',
  },
  {
    wrong: 'a pair holds for both of its orders',
    file: `${LISTS}/place-list.ts`,
    before: '  releaseShared(below, above, market)\n',
    after: '',
  },
  {
    wrong: 'a pending pair holds for both of its orders',
    file: `${LISTS}/place-pending.ts`,
    before: '  if (partner !== undefined) releaseShared(order, partner, market)\n',
    after: '',
  },
  {
    wrong: 'the order of a pair that stays goes on holding what the larger needed',
    file: 'src/core/trading/end-order.ts',
    before: '  releaseSurplus(partner, order, market)\n',
    after: '',
  },
  {
    wrong: 'pending orders are placed whatever the account may do now',
    file: `${LISTS}/place-pending.ts`,
    before: '  if (admission !== undefined) return admission\n',
    after: '',
  },
  {
    wrong: 'a list is carried out before its turn',
    file: `${LISTS}/place-pending.ts`,
    before: 'const isTurn = list !== undefined && state.lists.firstDue(list.symbolId) === listNumber',
    after: "const isTurn = list?.stage === 'DUE'",
  },
  {
    wrong: 'pending orders are placed in a symbol that is halted',
    file: `${LISTS}/place-pending.ts`,
    before: '!isTurn || market === undefined || !isCarryingOut(state, market)',
    after: '!isTurn || market === undefined',
  },
  {
    wrong: 'a pending stop of which the price was reached already waits for another trade',
    file: `${LISTS}/place-pending.ts`,
    before: 'stopPrice !== undefined && isReached(direction, stopPrice, lastPrice)',
    after: 'stopPrice !== undefined && isReached(direction, stopPrice, undefined)',
  },
  {
    wrong: 'a pending stop stands in front of those that waited for its price before',
    file: `${LISTS}/place-pending.ts`,
    before: 'triggers.add(direction, stopPrice, order.number, state.nextOrder++ as OrderNumber)',
    after: 'triggers.add(direction, stopPrice, order.number)',
  },
  {
    wrong: 'a pending order that has ended is placed all the same',
    file: `${LISTS}/place-pending.ts`,
    before: '  if (ended !== undefined && cause !== undefined) {',
    after: '  if (ended !== undefined && cause !== undefined && state.seq < 0) {',
  },
  {
    wrong: "a list that is canceled by its number is anybody's",
    file: `${LISTS}/cancel-list.ts`,
    before: 'list?.accountId === accountId && list.time === listTime',
    after: 'list !== undefined && list.time === listTime',
  },
  {
    wrong: 'a pair on one side of the last price is taken, and both of its orders are reached at once',
    file: `${LISTS}/list-checks.ts`,
    before: "standApart(above, below, list === 'OCO' ? lastPrice : undefined)",
    after: 'standApart(above, below, lastPrice && undefined)',
  },
  {
    wrong: 'a list finds room among the open orders where only one order does',
    file: `${LISTS}/list-checks.ts`,
    before: 'if (open + legs.length > state.openOrdersMax',
    after: 'if (open + 1 > state.openOrdersMax',
  },
  {
    wrong: 'the ids of a list are taken although there is room for one alone',
    file: `${LISTS}/list-checks.ts`,
    before: 'state.clientOrderIds.hasRoom(accountId, idsOf(command).length)',
    after: 'state.clientOrderIds.hasRoom(accountId, Math.min(1, idsOf(command).length))',
  },
  {
    wrong: 'another list under an id that is remembered is answered as the first one',
    file: 'src/core/trading/repeats.ts',
    before: 'isItself && isSameList(listMeaningOf(command, known.symbolMode), known.asked)',
    after: 'isItself',
  },
  {
    wrong: 'the id of a list is forgotten while one of its orders is open',
    file: 'src/core/trading/repeats.ts',
    before: 'state.clientOrderIds.add(list, state.lists.get(listNumber) !== undefined)',
    after: 'state.clientOrderIds.add(list, state.lists.count < 0)',
  },
  {
    wrong: 'the id of a list whose orders have ended is remembered for ever',
    file: 'src/core/exchange/state.ts',
    before: '    this.clientOrderIds.end(list.number, this.time)\n',
    after: '',
  },
  {
    wrong: 'the lists of a symbol keep the triggers of another from their turn',
    file: 'src/core/trading/due.ts',
    before: '    .filter((market) => isCarryingOut(state, market, time))\n    .sort(',
    after: '    .filter((market, at) => at === 0 && isCarryingOut(state, market, time))\n    .sort(',
  },
]
