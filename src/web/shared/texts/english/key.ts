/** The key with which the page trades, and whether the account is live. */

export const KEY = {
  intro:
    'Trade with your own API key. The secret is not stored: the browser keeps a signing key that cannot be exported.',
  name: 'API key',
  secret: 'Secret',
  take: 'Use this key',
  sandbox: (account: string) => `Trade as ${account}`,
  sandboxIntro: 'This is a sandbox: trade with one of its accounts.',
  held: (name: string) => `Key ${name}`,
  add: 'Add API key',
  none: 'No API key: the page is read-only.',
  forget: 'Forget key',
  forgetTitle: (name: string) => `Forget key ${name}?`,
  forgetNote:
    'Every tab of this browser stops trading with it, and what you have typed is lost. Open orders stay open. To trade again, you need the key and its secret.',
  keep: 'Keep key',
  insecure:
    'This page is read-only. Browsers keep keys only for pages loaded over TLS, or from 127.0.0.1 or localhost; this page was loaded over plain HTTP from another address.',
  notKept: 'The browser stores nothing for this page: the key lasts until this tab is closed.',
  reading: 'Loading your key …',
  notErased: 'The key is forgotten in every tab, but the browser did not erase it: clear this site’s data.',
  incomplete: 'Enter an API key and its secret.',
} as const

export const STATE = {
  stale:
    'Your account data is not live: connecting. What you see may be out of date, and nothing can be sent.',
  lacks: (permissions: string) =>
    `This key lacks the permission ${permissions}. Use one with TRADE and WALLET, or ask the operator.`,
  login: (why: string) => `The exchange rejects this key: ${why}`,
  loginReasons: {
    ACCOUNT_LOCKED: 'the account is locked or closed. Ask the operator.',
    ADDRESS_NOT_ALLOWED: 'it may not be used from your IP address.',
    INVALID_API_KEY: 'it is unknown, disabled, or not allowed to do this. Check it, or ask the operator.',
    INVALID_SIGNATURE: 'the secret does not match. Forget the key, and enter both again.',
    KEY_DISABLED: 'it is disabled. Ask the operator.',
    KEY_EXPIRED: 'it has expired. Use a newer one.',
    PERMISSION_DENIED: 'it lacks the required permission.',
    SECRET_REPLACED: 'it has a new secret. Forget the key, and enter the new one.',
  },
} as const

/** For answers of the exchange without readable text; the client's message is for developers. */
export const ERRORS = {
  NO_ANSWER: () => 'The exchange did not answer. Check your connection, and try again.',
  UNREADABLE: () => 'The answer did not come from the exchange. Check your connection, and try again.',
  ABORTED: () => 'Stopped before the exchange answered.',
  BUSY: () => 'Too many requests. Try again in a moment.',
  USAGE: (message: string) => `Error in this page: ${message}`,
} as const
