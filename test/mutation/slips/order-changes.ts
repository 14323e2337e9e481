/** Slips in amendments, replacements and deadlines. */
import type { Slip } from '../slips.ts'

const AMEND = 'src/core/trading/amend-order.ts'
const REPLACE = 'src/core/trading/replace-order.ts'

export const ORDER_CHANGES: readonly Slip[] = [
  {
    wrong: 'an order may be amended to more than it has',
    file: AMEND,
    before: '  if (quantity > order.quantity) return',
    after: '  if (quantity < 0) return',
  },
  {
    wrong: 'an order may be amended to what was executed of it, and rests with nothing',
    file: AMEND,
    before: 'if (quantity <= order.quantity - order.remaining)',
    after: 'if (quantity < order.quantity - order.remaining)',
  },
  {
    wrong: 'an amendment forgets what was executed',
    file: AMEND,
    before: 'const remaining = (order.remaining - by) as Lots',
    after: 'const remaining = quantity',
  },
  {
    wrong: 'an amendment frees nothing',
    file: AMEND,
    before: '  release(order, market, remaining)\n',
    after: '',
  },
  {
    wrong: 'a second amendment forgets what was asked for first',
    file: AMEND,
    before: 'order.askedQuantity ??= order.quantity',
    after: 'order.askedQuantity = order.quantity',
  },
  {
    wrong: 'an amendment takes what is shown before what is hidden',
    file: AMEND,
    before: 'market.book.remaining(order.slot) - remaining',
    after: 'by',
  },
  {
    wrong: 'an amended order may be smaller than the smallest total',
    file: AMEND,
    before: ' || worth < symbol.minTotal',
    after: '',
  },
  {
    wrong: 'the end of an order that was amended before a start has what was asked for',
    file: 'src/engine/history/order-projection.ts',
    before: 'const isOther = order.askedQuantity !== undefined || ',
    after: 'const isOther = ',
  },
  {
    wrong: 'a snapshot loses which orders were amended',
    file: 'src/core/trading/open-orders.ts',
    before: 'return this.#records.every((order) => order?.askedQuantity === undefined)',
    after: 'return this.#records.length >= 0',
  },
  {
    wrong: 'an order in another symbol is replaced',
    file: REPLACE,
    before: 'named?.symbolId === order.symbolId && causeOfEnd',
    after: 'named !== undefined && causeOfEnd',
  },
  {
    wrong: 'an order whose time is over is replaced',
    file: REPLACE,
    before: ' && causeOfEnd(state, named) === undefined',
    after: '',
  },
  {
    wrong: 'a cancel that fails stops no replacement',
    file: REPLACE,
    before: "mode === 'STOP_ON_FAILURE') return refused",
    after: "mode !== 'STOP_ON_FAILURE') return refused",
  },
  {
    wrong: 'an order that goes is counted among the open ones when another comes in its place',
    file: REPLACE,
    before: 'leaving === undefined ? 0 : 1',
    after: '0',
  },
  {
    wrong: 'an order that is not canceled makes room for the one that was to replace it',
    file: REPLACE,
    before: 'leaving === undefined ? 0 : 1',
    after: '1',
  },
  {
    wrong: 'what is restricted to new orders cancels one that has executed something',
    file: REPLACE,
    before: "isNew === (restriction === 'ONLY_NEW')",
    after: "isNew !== (restriction === 'ONLY_NEW')",
  },
  {
    wrong: 'a replacement publishes a level that is as it was',
    file: REPLACE,
    before: 'market.book.levelQuantity(side, price) !== before',
    after: 'before >= 0n',
  },
  {
    wrong: 'a placement repeats a replacement',
    file: 'src/core/trading/repeats.ts',
    before: 'const isSame = known.replacement === undefined && isSameOrder(command, market, known)',
    after: 'const isSame = isSameOrder(command, market, known)',
  },
  {
    wrong: 'a replacement of another order is a repeat',
    file: 'src/core/trading/repeats.ts',
    before: '    sameBytes(bytesOfReplacing(command), bytesOfReplacing(replacement)) &&\n',
    after: '',
  },
  {
    wrong: 'what is signed to replace an order cancels it',
    file: 'src/server/trading/operations/orders/cancel-order.ts',
    before: "const UNSUPPORTED_NAMES = ['cancelReplaceMode', ",
    after: 'const UNSUPPORTED_NAMES = [',
  },
  {
    wrong: 'an amendment may take effect after its window',
    file: 'src/server/trading/call.ts',
    before: "  'AmendOrder',\n",
    after: '',
  },
  {
    wrong: 'a deadline of a request over a connection may be over',
    file: 'src/server/order-entry/deadline.ts',
    before: 'if (deadline < now)',
    after: 'if (deadline < 0)',
  },
  {
    wrong: 'a deadline may be so far ahead that its order is forgotten before it',
    file: 'src/server/order-entry/deadline.ts',
    before: 'if (deadline <= last)',
    after: 'if (deadline > 0)',
  },
  {
    wrong: 'a deadline of a request over a connection does not go with its command',
    file: 'src/server/order-entry/deadline.ts',
    before: 'sentAt: window?.sentAt ?? deadline, until: deadline,',
    after: 'sentAt: window?.sentAt ?? deadline, until: (deadline * 2) as TimeMs,',
  },
  {
    wrong: 'an extension over HTTP passes over a parameter that it does not take',
    file: 'src/server/public/gateway.ts',
    before: 'return untaken(call.parameters, operation) ?? operation.answer(call)',
    after: 'return operation.answer(call)',
  },
  {
    wrong: 'an order that is not there is final whenever it was asked for with a deadline',
    file: 'src/server/trading/client-order.ts',
    before:
      'return attempts === undefined ? refusal : refusal.final(isOver(attempts, time))\n}\n\n/** The list',
    after: 'return attempts === undefined ? refusal : refusal.final(true)\n}\n\n/** The list',
  },
]
