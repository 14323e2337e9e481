/** What the account has: open orders, fills, balances. */

export const ORDERS = {
  title: 'Open orders',
  none: 'You have no open orders. What waits in the book, or for its price, stands here: place an order in the form.',
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
  only: 'Quantity can only become smaller: the order keeps its place.',
} as const

export const FILLS = {
  commission: 'Commission',
} as const

export const BALANCES = {
  title: 'Balances',
  asset: 'Asset',
  free: 'Free',
  locked: 'In orders',
  value: (code: string) => `Worth in ${code}`,
  none: 'Your account holds nothing. What is deposited or bought stands here, with what it is worth.',
} as const
