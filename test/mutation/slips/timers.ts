/** Slips in what ends in time. */
import type { Slip } from '../slips.ts'

export const TIMERS: readonly Slip[] = [
  {
    wrong: 'an order trades at the very moment at which it has ended',
    file: 'src/core/exchange/trading/timers/expiries.ts',
    before: 'return end !== undefined && end <= time',
    after: 'return end !== undefined && end < time',
  },
  {
    wrong: 'an order that leaves before its time puts others out of their turn',
    file: 'src/core/market/deadline-queue.ts',
    before: '    this.#sink(last, this.#places[last] as number)\n',
    after: '',
  },
  {
    wrong: 'of two orders that end at one time the younger ends first',
    file: 'src/core/market/deadline-queue.ts',
    before: '(this.#numbers[one] as number) < (this.#numbers[other] as number)',
    after: '(this.#numbers[one] as number) > (this.#numbers[other] as number)',
  },
  {
    wrong: 'a FOK order counts on an order that has ended',
    file: 'src/core/market/look-ahead.ts',
    before: '    if (isOver(part.slot)) continue\n',
    after: '',
  },
  {
    wrong: 'an order that has ended is in the way of a LIMIT_MAKER order',
    file: 'src/core/market/look-ahead.ts',
    before: 'if (!hasEnded(book.orderNumber(slot))) return true',
    after: 'return true',
  },
  {
    wrong: 'a triggered order trades after its time',
    file: 'src/core/exchange/trading/triggers/trigger-order.ts',
    before: '  if (cause !== undefined) {',
    after: '  if (cause !== undefined && state.seq < 0) {',
  },
  {
    wrong: 'an order that ends at a time reaches a journal that the release before has to read',
    file: 'src/core/exchange/rules.ts',
    before: "  if (order.timeInForce === 'GTD') return ADVANCED_ORDER_RULES\n",
    after: '',
  },
  {
    wrong: 'an order that has ended otherwise is still to end at its time',
    file: 'src/core/exchange/state.ts',
    before: '    if (this.expiries.count > 0) this.expiries.remove(order.number)\n',
    after: '',
  },
  {
    wrong: 'nobody wakes the engine when an order is to end',
    file: 'src/engine/loop.ts',
    before: '      this.#restLater()\n      this.#wakeLater()\n',
    after: '      this.#restLater()\n',
  },
]
