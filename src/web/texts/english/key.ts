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
  forgetTitle: (name: string) => `Forget key ${name}?`,
  forgetNote:
    'Every tab of this browser stops trading with it, and what you have typed is gone. Open orders stay open. To trade again you need the key and its secret.',
  keep: 'Keep key',
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
  lacks: (permissions: string) =>
    `This key cannot trade here: it lacks the permission ${permissions}. Forget it and use one with TRADE and WALLET, or ask the operator.`,
  login: (why: string) => `The exchange does not let this key in: ${why}`,
  loginReasons: {
    ACCOUNT_LOCKED: 'the account is locked or closed. Ask the operator.',
    ADDRESS_NOT_ALLOWED: 'it may not be used from your address.',
    INVALID_API_KEY: 'it is unknown or disabled, or may not be used for this. Check it, or ask the operator.',
    INVALID_SIGNATURE: 'the secret does not belong to it. Forget the key, and type both again.',
    KEY_DISABLED: 'it is disabled. Ask the operator.',
    KEY_EXPIRED: 'its time is over. Take a newer one.',
    PERMISSION_DENIED: 'it lacks the permission.',
    SECRET_REPLACED: 'it has a new secret. Forget the key, and type the new one.',
  },
} as const

/** Where the exchange has said nothing that a person can read; what the client says of it is for those who mend it. */
export const ERRORS = {
  NO_ANSWER: () => 'The exchange did not answer. Check your connection, and try again.',
  UNREADABLE: () => 'What answered is not the exchange. Check your connection, and try again.',
  ABORTED: () => 'It was given up before the exchange answered.',
  BUSY: () => 'The exchange asks to wait: there were too many requests. Try again a little later.',
  USAGE: (message: string) => `The page has made a mistake: ${message}`,
} as const
