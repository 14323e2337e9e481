/** Buttons that lead to the customer's own pages, whose texts are loaded with them. */

export const CUSTOMER = {
  nobody: 'You are not signed in: the page is read-only.',
  open: 'Sign in or sign up',
  account: 'Account and security',
  keys: 'API keys',
  signOut: 'Sign out',
} as const
