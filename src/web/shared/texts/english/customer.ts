/** Buttons that lead to the customer's own pages, whose texts are loaded with them. */

export const CUSTOMER = {
  open: 'Sign in or sign up',
  account: 'Account and security',
  keys: 'API keys',
  signOut: 'Sign out',
} as const
