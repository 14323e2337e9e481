/** Slips in end times and timers. */
import type { Slip } from '../slips.ts'

export const TIMERS: readonly Slip[] = [
  {
    wrong: 'an order trades at the very moment at which it has ended',
    file: 'src/core/trading/timers/expiries.ts',
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
    before: '    if (isOver) continue\n',
    after: '',
  },
  {
    wrong: 'an order that has ended is in the way of a LIMIT_MAKER order',
    file: 'src/core/market/look-ahead.ts',
    before: 'if (steps === stepsMax || !hasEnded(book.orderNumber(slot))) return true',
    after: 'return true',
  },
  {
    wrong: 'a LIMIT_MAKER order rests behind more ended orders than one command meets',
    file: 'src/core/market/look-ahead.ts',
    before: 'if (steps === stepsMax || !hasEnded(book.orderNumber(slot))) return true',
    after: 'if (steps === stepsMax) return false\n    if (!hasEnded(book.orderNumber(slot))) return true',
  },
  {
    wrong: 'a triggered order trades after its time',
    file: 'src/core/trading/triggers/trigger-order.ts',
    before: '  if (cause !== undefined) {',
    after: '  if (cause !== undefined && state.seq < 0) {',
  },
  {
    wrong: 'an order that has ended otherwise is still to end at its time',
    file: 'src/core/exchange/state.ts',
    before: '    if (this.expiries.count > 0) this.expiries.remove(order.number)\n',
    after: '',
  },
  {
    wrong: 'nobody wakes the engine when an order is to end',
    file: 'src/engine/writer/loop.ts',
    before: '      this.#restLater()\n      this.#wakeLater()\n',
    after: '      this.#restLater()\n',
  },
  {
    wrong: 'a mass cancel ends an order that is placed after it',
    file: 'src/core/trading/timers/meant.ts',
    before: 'order.number < before && ',
    after: '',
  },
  {
    wrong: 'a countdown that keeps stops ends the other order of a pair, and the stop with it',
    file: 'src/core/trading/timers/meant.ts',
    before: 'others.some((other) => other !== undefined && isWaitingAt(other, time))',
    after: 'others.length > 9',
  },
  {
    wrong: 'a mass cancel stops at an order that ends otherwise',
    file: 'src/core/exchange/state.ts',
    before:
      '    if (!this.massCancels.isEmpty) this.massCancels.passOver(order, this.orders.olderThan(order.number))\n',
    after: '',
  },
  {
    wrong: 'a countdown that is set anew ends at its first time',
    file: 'src/core/trading/timers/countdowns.ts',
    before: '    this.remove(accountId, symbolId)\n    this.#queue.add',
    after: '    this.#queue.add',
  },
  {
    wrong: 'a countdown that has ended keeps no order from trading before the engine carries it out',
    file: 'src/core/trading/timers/ended.ts',
    before: "  if (hasFired(state, order, time)) return 'DEAD_MAN'\n",
    after: '',
  },
  {
    wrong: 'what is placed after a countdown has ended is canceled with the rest',
    file: 'src/core/trading/execution.ts',
    before: '  fireOverdue(state, order.accountId, order.number)\n',
    after: '',
  },
  {
    wrong: 'keepStops spares nothing',
    file: 'src/core/trading/timers/meant.ts',
    before: 'isMeant && !(keepsStops && isKept(state, order, time))',
    after: 'isMeant',
  },
  {
    wrong: 'a mass cancel that is through goes on',
    file: 'src/core/trading/timers/cancel-all.ts',
    before: '    } else if (older === undefined) state.massCancels.remove(massCancel)\n',
    after: '    }\n',
  },
  {
    wrong: 'an order that had ended otherwise is told to have ended by the mass cancel that found it',
    file: 'src/core/trading/timers/cancel-all.ts',
    before: '        causeOfEnd(state, order) ?? massCancel.cause,',
    after: '        massCancel.cause ?? causeOfEnd(state, order),',
  },
  {
    wrong: 'a countdown that had ended and is set anew ends nothing',
    file: 'src/core/trading/timers/cancel-all.ts',
    before:
      '  if (known !== undefined && known.triggerAt <= time) fire(state, known, state.nextOrder as OrderNumber)\n',
    after: '',
  },
  {
    wrong: 'a countdown of one symbol ends the orders of all',
    file: 'src/core/trading/timers/meant.ts',
    before: '(symbolId === undefined || symbolId === order.symbolId)',
    after: '(symbolId === undefined || symbolId !== order.number as never)',
  },
  {
    wrong: 'orders that end in time take every place before stops that are due',
    file: 'src/core/trading/due.ts',
    before: 'Math.max(Math.ceil(max / 2), max - triggers.length)',
    after: 'max',
    tests: ['src/engine/writer/due.test.ts'],
  },
]
