/** Texts about the account: open orders, fills, balances. */

export const ORDERS = {
  title: 'Open orders',
  none: 'You have no open orders. Orders in the book, or waiting for their stop price, appear here.',
  symbol: 'Market',
  side: 'Side',
  type: 'Type',
  price: 'Price',
  quantity: 'Quantity',
  filled: 'Filled',
  actions: 'Actions',
  cancel: 'Cancel',
  cancelThis: (order: string) => `Cancel ${order}`,
  cancelAll: 'Cancel all',
  keep: 'Keep',
} as const

export const FILLS = {
  commission: 'Commission',
} as const

export const BALANCES = {
  title: 'Balances',
  asset: 'Asset',
  free: 'Available',
  locked: 'In orders',
  value: (code: string) => `Value in ${code}`,
  none: 'Your account is empty. What is deposited or bought appears here with its value.',
} as const
