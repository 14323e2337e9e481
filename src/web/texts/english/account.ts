/** What the account has: open orders, fills, balances, notices. */

export const NOTICES = {
  title: 'Notices',
  none: 'Nothing has happened since you opened this page.',
  dismiss: (text: string) => `Dismiss: ${text}`,
  clear: 'Clear',
  notify: 'Notifications of the browser, while this page is out of sight',
  sound: 'With a sound',
  notAllowed: 'The browser does not allow notifications of this page.',
  triggered: (order: string) => `The trigger was reached: ${order}`,
  ended: (order: string, reason: string) => `Order ended (${reason}): ${order}`,
  manyEnded: (count: string, reason: string) => `${count} orders ended (${reason}).`,
  elsewhere: (order: string) => `Canceled, not by this page: ${order}`,
  manyElsewhere: (count: string) => `${count} orders were canceled, not by this page.`,
  transfer: (cause: string, amount: string, asset: string) => `${cause}: ${amount} ${asset}`,
}

export const ORDERS = {
  title: 'Open orders',
  none: 'You have no open orders.',
  symbol: 'Symbol',
  side: 'Side',
  type: 'Type',
  price: 'Price',
  quantity: 'Quantity',
  filled: 'Filled',
  actions: 'Actions',
  amend: 'Amend',
  amendThis: (order: string) => `Amend ${order}`,
  cancel: 'Cancel',
  cancelThis: (order: string) => `Cancel ${order}`,
  cancelAll: 'Cancel all',
  amendTitle: (order: string) => `New quantity of order ${order}`,
  keep: 'Keep',
  about: (side: string, quantity: string, price: string) => `${side} ${quantity} at ${price}`,
  only: 'Quantity can only become smaller: the order keeps its place.',
} as const

export const FILLS = {
  some: (side: string, quantity: string, symbol: string, price: string, count: string) =>
    `Filled: ${side} ${quantity} ${symbol} at ${price} (${count} fills)`,
  range: (side: string, quantity: string, symbol: string, low: string, high: string, count: string) =>
    `Filled: ${side} ${quantity} ${symbol} at ${low} to ${high} (${count} fills)`,
  notice: (side: string, quantity: string, symbol: string, price: string) =>
    `Filled: ${side} ${quantity} ${symbol} at ${price}`,
  commission: 'Commission',
} as const

export const BALANCES = {
  title: 'Balances',
  asset: 'Asset',
  free: 'Free',
  locked: 'In orders',
  value: (code: string) => `Worth in ${code}`,
  none: 'Your account holds nothing.',
} as const
