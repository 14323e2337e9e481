/** The order form: fields, their errors, questions, and the outcome of an order. */

export const ORDER_FORM = {
  title: 'Trade',
  fields: {
    price: 'Price',
    stopPrice: 'Stop price',
    trailingDelta: 'Trailing (optional)',
    quantity: 'Quantity',
    total: 'Total',
    icebergQty: 'Visible quantity (optional)',
    minutes: 'Expires in (min)',
  },
  problems: {
    missing: 'Enter a number.',
    form: 'Use digits and one point, without commas or spaces.',
    readings: (readings: string) => `Use digits and one point. Did you mean ${readings}?`,
    or: 'or',
    zero: 'Must be more than 0.',
    decimals: (places: number) => `At most ${places} decimals.`,
    refused: 'The exchange refuses this.',
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
    GTD: 'until it expires',
  },
  best: { bid: 'Best bid', ask: 'Best ask', short: { bid: 'Bid', ask: 'Ask' } },
  /** `percent`: with a sign, if any. */
  percent: (percent: string) => `${percent}%`,
  shareOf: (code: string) => `Share of available ${code}`,
  share: (percent: string, code: string) => `${percent}% of available ${code}`,
  free: 'Available',
  takeAll: (amount: string, code: string) => `${amount} ${code} available: use all of it`,
  fees: (maker: string, taker: string) => `Fees: maker ${maker}%, taker ${taker}%`,
  place: { BUY: (code: string) => `Buy ${code}`, SELL: (code: string) => `Sell ${code}` },
  unknown: (id: string) =>
    `It is not known yet whether order ${id} was placed. The page is checking, and will not send it again.`,
  notKept:
    'This browser keeps no record of what you send (its storage is full or blocked). Leave the page open until it shows the outcome of an order; after a reload, check your orders and fills before you send again.',
  found: {
    PLACED: (orders: string) => `Your earlier order was placed: ${orders}`,
    NEVER: (id: string) => `Your earlier order ${id} was not placed, and never will be.`,
    LOST: (id: string) =>
      `The outcome of order ${id}, sent more than a day ago, can no longer be determined: check your orders.`,
  },
  questions: {
    priceFar: {
      BUY: {
        BEST_ASK: (price: string, percent: string, best: string, limit: string) =>
          `The price ${price} is ${percent}% above the best ask ${best} (your limit: ${limit}%).`,
        BEST_BID: (price: string, percent: string, best: string, limit: string) =>
          `There are no sell orders. The price ${price} is ${percent}% above the best bid ${best} (your limit: ${limit}%).`,
        LAST: (price: string, percent: string, last: string, limit: string) =>
          `The book is empty. The price ${price} is ${percent}% above the last trade at ${last} (your limit: ${limit}%).`,
        STOP_PRICE: (price: string, percent: string, stop: string, limit: string) =>
          `The price ${price} is ${percent}% above its stop price ${stop} (your limit: ${limit}%).`,
      },
      SELL: {
        BEST_ASK: (price: string, percent: string, best: string, limit: string) =>
          `There are no buy orders. The price ${price} is ${percent}% below the best ask ${best} (your limit: ${limit}%).`,
        BEST_BID: (price: string, percent: string, best: string, limit: string) =>
          `The price ${price} is ${percent}% below the best bid ${best} (your limit: ${limit}%).`,
        LAST: (price: string, percent: string, last: string, limit: string) =>
          `The book is empty. The price ${price} is ${percent}% below the last trade at ${last} (your limit: ${limit}%).`,
        STOP_PRICE: (price: string, percent: string, stop: string, limit: string) =>
          `The price ${price} is ${percent}% below its stop price ${stop} (your limit: ${limit}%).`,
      },
    },
    averageFar: {
      BUY: (average: string, percent: string, best: string, limit: string) =>
        `It would fill at ${average} on average, ${percent}% above the best ask ${best} (your limit: ${limit}%).`,
      SELL: (average: string, percent: string, best: string, limit: string) =>
        `It would fill at ${average} on average, ${percent}% below the best bid ${best} (your limit: ${limit}%).`,
    },
    averageUnknown: 'The fill price is not known yet.',
    priceAlone: (price: string) => `There is no order and no trade to compare the price ${price} with.`,
    shareLarge: (percent: string, free: string, limit: string) =>
      `The order uses ${percent}% of your available ${free} (your limit: ${limit}%).`,
    nothingFree: (given: string, code: string) =>
      `The order needs ${given} ${code}, and you have no ${code} available.`,
    valueLarge: (value: string, limit: string) => `The order is worth ${value} (your limit: ${limit}).`,
    valueUnknown: (limit: string) =>
      `There are no orders on the other side: the order’s value is unknown (your limit: ${limit}).`,
    limitUnreadable: 'One of your limits is not a number: you are asked to confirm every order.',
    ownOrders: (count: string, worst: string) =>
      `It would match ${count} of your own open orders; worst price ${worst}.`,
    notFillable: (filled: string, wanted: string, worst: string) =>
      `The book can fill only ${filled} of ${wanted}; worst price ${worst}.`,
    nothingFillable: 'The book has no orders that could fill it at this price.',
    besideEntry:
      'The entry price is not between take profit and stop loss: one of them would trigger at once.',
    otherMarket: (symbol: string) =>
      `You are viewing another market: it is unknown whether ${symbol} accepts orders now, and the price was not compared with the best price there.`,
  },
  again: {
    CHANGED: 'This has changed since you were asked. Read it again: nothing has been sent.',
    OLD: 'This question has been open for more than a minute. Read it again: nothing has been sent.',
  },
  no: 'Cancel',
  limits: {
    title: 'Confirmations',
    pricePercent: 'Ask if the price is worse than the best by more than (%)',
    balancePercent: 'Ask if the order uses more of the balance than (%)',
    value: (code: string) => `Ask if the order is worth more than (${code}, empty: never)`,
  },
  sending: {
    title: { BUY: 'Confirm buy', SELL: 'Confirm sell' },
    total: 'Total',
    waits: {
      KEY: 'Add an API key to trade.',
      LOGIN: 'The exchange rejects this key.',
      MARKET: 'Waiting for the market: prices may be out of date.',
      ACCOUNT: 'Waiting for your account data: what you see may be out of date.',
      HALTED: 'This market is not accepting orders now.',
      OUTCOME: 'Waiting for the outcome of your previous order.',
      SENDING: 'Sending …',
    },
    otherMarket: 'You switched to another market: nothing was sent.',
    changedMeanwhile:
      'The order has changed (it was filled, edited or triggered, or it now follows the price): nothing was sent. Check it again.',
    asksAlways: 'Confirm every order',
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
