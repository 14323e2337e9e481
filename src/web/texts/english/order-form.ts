/** The order form: fields, what is wrong with them, what is asked, what became of an order. */

export const ORDER_FORM = {
  title: 'Trade',
  fields: {
    price: 'Price',
    stopPrice: 'Stop price',
    quantity: 'Quantity',
    total: 'Total',
    icebergQty: 'Visible quantity (optional)',
    minutes: 'Expires in (min)',
  },
  problems: {
    missing: 'Expected a number.',
    form: 'Expected digits and one point, without comma or grouping.',
    readings: (readings: string) => `Expected digits and one point. Did you mean ${readings}?`,
    or: 'or',
    zero: 'Expected more than 0.',
    decimals: (places: number) => `Expected at most ${places} decimals.`,
    refused: 'The exchange refuses it.',
  },
  side: { BUY: 'Buy', SELL: 'Sell' },
  type: 'Type',
  kindTabs: { LIMIT: 'Limit', MARKET: 'Market', STOP: 'Stop', MORE: 'More' },
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
    IOC: 'fill what you can now, cancel the rest',
    FOK: 'fill all of it now, or cancel it',
    GTD: 'for some minutes',
  },
  best: { bid: 'Best bid', ask: 'Best ask' },
  /** `percent`: with a sign, where there is one. */
  percent: (percent: string) => `${percent}%`,
  shareOf: (code: string) => `Share of available ${code}`,
  share: (percent: string, code: string) => `${percent}% of available ${code}`,
  free: 'Free',
  takeAll: (amount: string, code: string) => `${amount} ${code} free: take all of it`,
  fees: (maker: string, taker: string) => `Fees: maker ${maker}%, taker ${taker}%`,
  place: { BUY: (code: string) => `Buy ${code}`, SELL: (code: string) => `Sell ${code}` },
  unknown: (id: string) =>
    `It is not known yet whether order ${id} was placed. It is being looked up; it is not sent again.`,
  notKept:
    'This browser keeps no record of what you send (its storage is full or blocked). Leave the page open until it says what became of an order; after a reload, look at your orders and fills before you send again.',
  found: {
    PLACED: (orders: string) => `What was sent before was placed: ${orders}`,
    NEVER: (id: string) => `What was sent before under ${id} was not placed, and never will be.`,
    LOST: (id: string) =>
      `What became of what was sent under ${id} more than a day ago cannot be found out: look at your orders.`,
  },
  questions: {
    priceFar: {
      BUY: {
        BEST_ASK: (price: string, percent: string, best: string, limit: string) =>
          `The price ${price} is ${percent}% above the best ask ${best}; you set ${limit}%.`,
        BEST_BID: (price: string, percent: string, best: string, limit: string) =>
          `Nobody sells. The price ${price} is ${percent}% above the best bid ${best}; you set ${limit}%.`,
        LAST: (price: string, percent: string, last: string, limit: string) =>
          `The book is empty. The price ${price} is ${percent}% above the last trade at ${last}; you set ${limit}%.`,
        STOP_PRICE: (price: string, percent: string, stop: string, limit: string) =>
          `The price ${price} is ${percent}% above its stop price ${stop}; you set ${limit}%.`,
      },
      SELL: {
        BEST_ASK: (price: string, percent: string, best: string, limit: string) =>
          `Nobody buys. The price ${price} is ${percent}% below the best ask ${best}; you set ${limit}%.`,
        BEST_BID: (price: string, percent: string, best: string, limit: string) =>
          `The price ${price} is ${percent}% below the best bid ${best}; you set ${limit}%.`,
        LAST: (price: string, percent: string, last: string, limit: string) =>
          `The book is empty. The price ${price} is ${percent}% below the last trade at ${last}; you set ${limit}%.`,
        STOP_PRICE: (price: string, percent: string, stop: string, limit: string) =>
          `The price ${price} is ${percent}% below its stop price ${stop}; you set ${limit}%.`,
      },
    },
    averageFar: {
      BUY: (average: string, percent: string, best: string, limit: string) =>
        `It would trade at ${average} on average now, which is ${percent}% above the best ask ${best}; you set ${limit}%.`,
      SELL: (average: string, percent: string, best: string, limit: string) =>
        `It would trade at ${average} on average now, which is ${percent}% below the best bid ${best}; you set ${limit}%.`,
    },
    averageUnknown: 'At which price it would trade now is not known yet.',
    priceAlone: (price: string) =>
      `There is neither an offer nor a trade to compare the price ${price} with.`,
    shareLarge: (percent: string, free: string, limit: string) =>
      `The order takes ${percent}% of your free ${free}; you set ${limit}%.`,
    nothingFree: (given: string, code: string) => `The order takes ${given} ${code}, and no ${code} is free.`,
    valueLarge: (value: string, limit: string) => `The order is worth ${value}; you set ${limit}.`,
    valueUnknown: (limit: string) =>
      `Nobody trades on the other side: what the order is worth is not known; you set ${limit}.`,
    limitUnreadable: 'A limit that you set cannot be read as a number: every order is asked about.',
    besideEntry:
      'The price of the entry does not lie between take profit and stop loss: one of them would be reached at once.',
    otherMarket: (symbol: string) =>
      `You do not look at ${symbol}: whether it takes orders now is not known here, and the price was not compared with its best one.`,
  },
  again: {
    CHANGED: 'This has changed since you were asked. Read it again: nothing was sent yet.',
    OLD: 'This question has been open for more than a minute. Read it again: nothing was sent yet.',
  },
  yes: 'Send it',
  no: 'Do not send',
  limits: {
    title: 'When the page asks',
    pricePercent: 'A price beyond the best by more than, in percent',
    balancePercent: 'An order of more than this share of the free balance, in percent',
    value: (code: string) => `An order worth more than, in ${code} (empty: not asked)`,
  },
  sending: {
    title: {
      BUY: (symbol: string) => `Buy ${symbol}: send this order?`,
      SELL: (symbol: string) => `Sell ${symbol}: send this order?`,
    },
    total: 'Total',
    waits: {
      KEY: 'Waiting for a key.',
      LOGIN: 'The exchange does not take this key.',
      MARKET: 'Waiting for the market: what is shown may be out of date.',
      ACCOUNT: 'Waiting for your account: what is shown may be out of date.',
      HALTED: 'This market takes no orders now.',
      OUTCOME: 'Waiting until it is known what became of the order before.',
      SENDING: 'Sending …',
    },
    otherMarket: 'You look at another market now: nothing was sent.',
    changedMeanwhile:
      'The order has changed meanwhile (filled, amended or triggered): nothing was sent. Look at it again.',
    asksAlways: 'Ask before every order',
  },
  forecast: {
    title: 'Est.',
    fills: (quantity: string, price: string) => `fill ${quantity} @ ${price}`,
    rests: (hold: string) => `stays open, holds ${hold}`,
    ends: (reason: string) => `remainder canceled, ${reason}`,
    fee: (sum: string) => `fee ${sum}`,
  },
  offer: (value: string) => `Use ${value}`,
} as const
