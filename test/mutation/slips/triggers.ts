/** Slips in what waits for a price. */
import type { Slip } from '../slips.ts'

export const TRIGGERS: readonly Slip[] = [
  {
    wrong: 'the other of an OCO pair goes on when one is triggered',
    file: 'src/core/exchange/trading/triggers/trigger-order.ts',
    before: 'const partner = endPartner(state, market, order, emit)',
    after: 'const partner = state.seq < 0 ? endPartner(state, market, order, emit) : undefined',
  },
  {
    wrong: 'a level that an order of a pair leaves is not published when the other is triggered',
    file: 'src/core/exchange/trading/triggers/trigger-order.ts',
    before: '  if (quantity() !== before) emitLevel(emit, market, side, price)\n',
    after: '',
  },
  {
    wrong: 'an order that is refused when it is triggered stays open',
    file: 'src/core/exchange/trading/triggers/trigger-order.ts',
    before:
      "  state.closeOrder(order)\n  emitCanceled(emit, order, order.remaining, 'TRIGGER_REFUSED', reason)",
    after: "  emitCanceled(emit, order, order.remaining, 'TRIGGER_REFUSED', reason)",
  },
  {
    wrong: 'an order that was triggered waits on for all to see',
    file: 'src/core/exchange/trading/triggers/trigger-order.ts',
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
    file: 'src/core/exchange/trading/due.ts',
    before: '(timers.length > 0 && isEndedFirst(state, next.value, time))',
    after: '(timers.length > 99 && isEndedFirst(state, next.value, time))',
  },
]
