/** Every text of the private half of the page, in one table: another language is another table of the same type. */
import { ACCOUNT_TEXTS } from './account-texts.ts'
import type { FieldProblem, NumberFieldName } from './state/draft.ts'
import type { Wait } from './state/outgoing.ts'
import type { Question } from './state/questions.ts'

const FIELDS: { readonly [Field in NumberFieldName]: string } = {
  price: 'Price',
  stopPrice: 'Stop price',
  quantity: 'Quantity',
  total: 'Total',
  icebergQty: 'Shown at a time (optional)',
  minutes: 'Lasts so many minutes',
}

const QUESTIONS: { readonly [Kind in Question]: string } = {
  PRICE_FAR: 'The price is worse than the best one by more than the share that you have set.',
  SHARE_LARGE: 'The order takes more of your free balance than the share that you have set.',
  VALUE_LARGE: 'The order is worth more than the sum that you have set.',
  NO_BEST_PRICE: 'Nobody trades on the other side: what the order is worth is not known.',
}

const WAITS: { readonly [Kind in Wait]: string } = {
  KEY: 'Waiting for a key.',
  LOGIN: 'The exchange does not take this key.',
  MARKET: 'Waiting for the market: what is shown may be out of date.',
  ACCOUNT: 'Waiting for your account: what is shown may be out of date.',
  HALTED: 'This market takes no orders now.',
  OUTCOME: 'Waiting until it is known what became of the order before.',
  SENDING: 'Sending …',
}

export const TEXTS = {
  title: 'Trade',
  notices: 'Notices',
  key: {
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
  },
  state: {
    stale: 'Your account is not live: connecting. What is shown may be out of date, and nothing can be sent.',
    login: (message: string) => `The exchange does not let this key in: ${message}`,
  },
  fields: FIELDS,
  side: { BUY: 'Buy', SELL: 'Sell' },
  type: 'Type',
  types: {
    LIMIT: 'Limit',
    MARKET: 'Market',
    LIMIT_MAKER: 'Post only',
    STOP_LOSS: 'Stop, market',
    STOP_LOSS_LIMIT: 'Stop, limit',
    TAKE_PROFIT: 'Take profit, market',
    TAKE_PROFIT_LIMIT: 'Take profit, limit',
  },
  timeInForce: 'Time in force',
  timesInForce: {
    GTC: 'until canceled',
    IOC: 'at once or not at all, partly too',
    FOK: 'at once and whole, or not at all',
    GTD: 'for some minutes',
  },
  best: { bid: 'Best bid', ask: 'Best ask' },
  share: (percent: number, code: string) => `${percent} % of free ${code}`,
  free: 'Free',
  fees: (maker: string, taker: string) => `Fees: maker ${maker} %, taker ${taker} %`,
  place: (side: string, code: string) => `${side} ${code}`,
  unknown: (id: string) =>
    `It is not known yet whether order ${id} was placed. It is being looked up; it is not sent again.`,
  placed: (id: string) => `Order ${id} was placed.`,
  found: {
    PLACED: (id: string) => `What was sent before under ${id} was placed.`,
    NEVER: (id: string) => `What was sent before under ${id} was not placed, and never will be.`,
    LOST: (id: string) =>
      `What became of what was sent under ${id} more than a day ago cannot be found out: look at your orders.`,
  },
  never: 'The order was not placed, and never will be.',
  questions: QUESTIONS,
  yes: 'Send it',
  no: 'Do not send',
  limits: {
    title: 'When the page asks',
    pricePercent: 'A price beyond the best by more than, in percent',
    balancePercent: 'An order of more than this share of the free balance, in percent',
    value: (code: string) => `An order worth more than, in ${code} (empty: not asked)`,
  },
  sending: {
    title: (side: string, symbol: string) => `${side} ${symbol}: send this order?`,
    total: 'Worth',
    waits: WAITS,
    asksAlways: 'Ask before every order',
  },
  forecast: {
    title: 'Now it would',
    fills: (quantity: string, price: string) => `trade ${quantity} at ${price} on average`,
    rests: (hold: string) => `stay open and hold ${hold}`,
    ends: (reason: string) => `end with what is left: ${reason}`,
    fee: (sum: string) => `cost a commission of ${sum}`,
  },
  offer: (value: string) => `Use ${value}`,
  account: ACCOUNT_TEXTS,
  orders: {
    title: 'Open orders',
    none: 'You have no open orders.',
    time: 'Time',
    symbol: 'Symbol',
    side: 'Side',
    type: 'Type',
    price: 'Price',
    quantity: 'Quantity',
    filled: 'Filled',
    actions: 'Actions',
    amend: 'Amend',
    cancel: 'Cancel',
    cancelAll: 'Cancel all',
    cancelAllQuestion: 'Cancel all open orders of all symbols?',
    amendTitle: (id: string) => `New quantity of order ${id}`,
    keep: 'Keep',
    about: (side: string, quantity: string, price: string) => `${side} ${quantity} at ${price}`,
    only: 'Quantity can only become smaller: the order keeps its place.',
  },
  fills: {
    title: 'Fills of this visit',
    none: 'Nothing was filled since you opened this page.',
    notice: (side: string, quantity: string, symbol: string, price: string) =>
      `Filled: ${side} ${quantity} ${symbol} at ${price}`,
    commission: 'Commission',
  },
  balances: {
    title: 'Balances',
    asset: 'Asset',
    free: 'Free',
    locked: 'In orders',
    value: (code: string) => `Worth in ${code}`,
    none: 'Your account holds nothing.',
  },
} as const

export function problemText(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'MISSING':
      return 'Expected a number.'
    case 'UNREADABLE':
      return problem.offers.length > 1
        ? `Expected digits and one point. Did you mean ${problem.offers.join(' or ')}?`
        : 'Expected digits and one point, without comma or grouping.'
    case 'ZERO':
      return 'Expected more than 0.'
    case 'DECIMALS':
      return `Expected at most ${problem.places} decimals.`
    case 'REFUSED':
      return problem.message ?? 'The exchange refuses it.'
  }
}
