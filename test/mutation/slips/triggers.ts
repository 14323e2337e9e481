/** Slips in orders that wait for a price. */
import type { Slip } from '../slips.ts'

export const TRIGGERS: readonly Slip[] = [
  {
    wrong: 'the other of an OCO pair goes on when one is triggered',
    file: 'src/core/trading/triggers/trigger-order.ts',
    before: 'const partner = endPartner(state, market, order, emit)',
    after: 'const partner = state.seq < 0 ? endPartner(state, market, order, emit) : undefined',
  },
  {
    wrong: 'a level that an order of a pair leaves is not published when the other is triggered',
    file: 'src/core/trading/triggers/trigger-order.ts',
    before: '  if (quantity() !== before) emitLevel(emit, market, side, price)\n',
    after: '',
  },
  {
    wrong: 'an order that is refused when it is triggered stays open',
    file: 'src/core/trading/triggers/trigger-order.ts',
    before:
      "  state.closeOrder(order)\n  emitCanceled(emit, order, order.remaining, 'TRIGGER_REFUSED', reason)",
    after: "  emitCanceled(emit, order, order.remaining, 'TRIGGER_REFUSED', reason)",
  },
  {
    wrong: 'an order that was triggered waits on for all to see',
    file: 'src/core/trading/triggers/trigger-order.ts',
    before: 'order.stop = { ...stop, total: undefined, triggeredAt: state.time }',
    after: 'order.stop = { ...stop, total: undefined }',
  },
  {
    wrong: 'a trade beyond a price reaches nothing that falls to it',
    file: 'src/core/market/trigger-index.ts',
    before: 'falling.splice(placeOf(falling, low))',
    after: 'falling.splice(placeOf(falling, (low + 1) as Price))',
  },
  {
    wrong: 'what ends by a timer keeps its turn among what is due',
    file: 'src/core/trading/due.ts',
    before: '(timers.length > 0 && isEndedFirst(state, next.value.own, time))',
    after: '(timers.length > 99 && isEndedFirst(state, next.value.own, time))',
  },
  {
    wrong: 'a list is carried out before an order that became due earlier',
    file: 'src/core/trading/due.ts',
    before: 'a.value.since <= b.value.since',
    after: 'a.value.since < b.value.since',
  },
  {
    wrong: 'a snapshot forgets since when lists are due',
    file: 'src/core/snapshot/snapshot-due.ts',
    before: '      state.lists.date(lists[at] as OrderList, since)\n',
    after: '',
  },
  {
    wrong: 'a cancel that names another symbol cancels the order all the same',
    file: 'src/core/trading/trading.ts',
    before: ' || order.symbolId !== symbolId',
    after: '',
  },
  {
    wrong: 'an order of another symbol that has ended is shown to a cancel',
    file: 'src/server/trading/operations/orders/cancel-order.ts',
    before: 'symbolId !== undefined && symbolId !== symbol.id',
    after: 'symbolId !== undefined && symbolId === undefined',
  },
  {
    wrong: 'a test of an order leaves the exchange at its time',
    file: 'src/core/exchange/exchange.ts',
    before: '      state.time = last\n',
    after: '      state.time = time\n',
  },
]
