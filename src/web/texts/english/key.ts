/** The key that the page trades with, and whether the account is live. */

export const KEY = {
  intro:
    'Trade with a key of yours. Its secret is not stored: the browser keeps a key that signs and that nobody can read.',
  name: 'API key',
  secret: 'Secret',
  take: 'Use this key',
  sandbox: (account: string) => `Trade as ${account}`,
  sandboxIntro: 'This is a sandbox: take the key of one of its accounts.',
  held: (name: string) => `Key ${name}`,
  forget: 'Forget key',
  insecure:
    'This page is for reading only. A browser keeps keys for pages over TLS, or on 127.0.0.1 and localhost; this page came over plain HTTP of another name.',
  notKept: 'The browser stores nothing for this page: the key lasts as long as this tab.',
  reading: 'Looking for a key …',
  notErased:
    'The key is forgotten in every tab, but the browser did not erase it: clear the data of this site.',
  incomplete: 'Expected an API key and its secret.',
} as const

export const STATE = {
  stale: 'Your account is not live: connecting. What is shown may be out of date, and nothing can be sent.',
  login: (message: string) => `The exchange does not let this key in: ${message}`,
} as const
