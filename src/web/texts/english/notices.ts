/** An order in words, and what the page says of orders and money once something has happened. */

/** An order as a part of a sentence. `what`: how much, of which asset. */
export const ORDER_PHRASE = {
  side: { BUY: 'buy', SELL: 'sell' },
  forTotal: (code: string, total: string) => `${code} for ${total}`,
  fromFirst: (code: string) => `as much ${code} as the first order brings`,
  of: {
    LIMIT: (side: string, what: string, price: string) => `${side} ${what} at ${price}`,
    LIMIT_MAKER: (side: string, what: string, price: string) => `${side} ${what} at ${price}, post only`,
    MARKET: (side: string, what: string) => `${side} ${what} at market`,
    STOP_LOSS: (side: string, what: string, stop: string) => `${side} ${what} at market, stop ${stop}`,
    STOP_LOSS_LIMIT: (side: string, what: string, stop: string, price: string) =>
      `${side} ${what} at ${price}, stop ${stop}`,
    TAKE_PROFIT: (side: string, what: string, stop: string) =>
      `${side} ${what} at market, take profit ${stop}`,
    TAKE_PROFIT_LIMIT: (side: string, what: string, stop: string, price: string) =>
      `${side} ${what} at ${price}, take profit ${stop}`,
  },
} as const

export const NOTICES = {
  title: 'Notices',
  none: 'Nothing has happened since you opened this page.',
  dismiss: (text: string) => `Dismiss: ${text}`,
  dismissAll: 'Dismiss all',
  more: (count: number) => `${count} more`,
  fewer: 'Show fewer',
  clear: 'Clear',
  notify: 'Notifications of the browser, while this page is out of sight',
  sound: 'With a sound',
  notAllowed: 'The browser does not allow notifications of this page.',
  idOf: (notice: string) => `id of: ${notice}`,
  placed: (order: string) => `Placed: ${order}`,
  placedList: (kind: string, orders: string) => `Placed, ${kind}: ${orders}`,
  notPlaced: (order: string, why: string) => `Not placed: ${order}. ${why}`,
  neverPlaced: (order: string) => `Not placed, and never will be: ${order}`,
  replaced: (order: string, before: string) => `Replaced: ${order} (before: ${before})`,
  notReplaced: (order: string, why: string) => `Not replaced: ${order}. ${why}`,
  neverReplaced: (order: string) => `Not replaced, and never will be: ${order}`,
  halfReplaced: (order: string, why: string) =>
    `Canceled, and not replaced: ${order}. The new order was refused: ${why} Neither is open now: place a new order if you still want one.`,
  halfReplacedLost: (order: string) =>
    `Canceled, and not replaced: ${order}. The new order was not placed. Neither is open now: place a new order if you still want one.`,
  amended: (order: string, before: string) => `Amended: ${order} (before: ${before})`,
  canceled: (order: string) => `Canceled: ${order}`,
  manyCanceled: (count: number) => `Canceled: ${count} orders`,
  cancelingMore: (count: number, left: number) =>
    `Canceled: ${count} orders; ${left} more are being canceled`,
  elsewhere: (order: string) => `Canceled, not by this page: ${order}`,
  manyElsewhere: (count: number) => `Canceled, not by this page: ${count} orders`,
  expired: (order: string) => `Expired: ${order}`,
  manyExpired: (count: number) => `Expired: ${count} orders`,
  ended: (order: string, reason: string) => `Canceled (${reason}): ${order}`,
  manyEnded: (count: number, reason: string) => `Canceled (${reason}): ${count} orders`,
  stopReached: (order: string) => `Stop price reached: ${order}`,
  profitReached: (order: string) => `Take profit reached: ${order}`,
  transfer: (cause: string, amount: string, asset: string) => `${cause}: ${amount} ${asset}`,
  done: { BUY: 'bought', SELL: 'sold' },
  range: (low: string, high: string) => `${low} to ${high}`,
  average: (price: string) => `${price} on average`,
  filled: (done: string, what: string, price: string) => `Filled: ${done} ${what} at ${price}`,
  filledIn: (done: string, what: string, price: string, count: number) =>
    `Filled in ${count} trades: ${done} ${what} at ${price}`,
  partlyFilled: (done: string, what: string, price: string, left: string) =>
    `Partly filled: ${done} ${what} at ${price} (${left} left)`,
  partlyFilledIn: (done: string, what: string, price: string, left: string, count: number) =>
    `Partly filled in ${count} trades: ${done} ${what} at ${price} (${left} left)`,
} as const
