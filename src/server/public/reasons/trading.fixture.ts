/** Reasons of trading: errors of an order, a symbol or an account. */
import { expect } from 'bun:test'
import type { Reason } from '../../../contract/reasons/catalogue.ts'
import type { AccountRestriction } from '../../../units/operator-enums.ts'
import type { ExchangePhase, SymbolState } from '../../../units/order-enums.ts'
import { amount, decimals, lots, price, rate } from '../../../units/quantities.ts'
import type { Fields, Fixture } from '../gateway.fixture.ts'
import { get, LIMIT, OPERATOR, order, type Provoke } from './provoke.fixture.ts'

const SELL = { ...LIMIT, side: 'SELL' }
const FLAGS = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }

/** The asset of the symbol with tight terms, listed again for each provocation. */
export const tight = { code: '' }

/** Lists `TST/USDT` with terms of its own. */
async function listTight(f: Fixture): Promise<void> {
  const code = `T${Math.random().toString(36).slice(2, 9).toUpperCase()}`
  await f.submit({
    kind: 'ListAsset',
    operator: OPERATOR,
    code,
    name: code,
    fraction: decimals(2),
    flags: FLAGS,
    supplyCap: amount(0n),
  })
  tight.code = code
  await f.submit({
    kind: 'ListSymbol',
    operator: OPERATOR,
    base: code,
    quote: 'USDT',
    terms: {
      baseFraction: decimals(2),
      quoteFraction: decimals(2),
      makerRate: rate(0),
      takerRate: rate(0),
      minTotal: amount(5_00000000n),
      minQuantity: lots(10),
      selfTradeMode: 'NONE',
      openOrdersMax: 2,
      levelsMax: 1,
    },
  })
  await f.submit({
    kind: 'SetSymbolTerms',
    operator: OPERATOR,
    symbol: `${code}/USDT`,
    minTotal: amount(5_00000000n),
    minQuantity: lots(10),
    selfTradeMode: 'NONE',
    openOrdersMax: 2,
    levelsMax: 1,
    minPrice: price(1),
    maxPrice: price(1_000_00),
  })
}

const inTight =
  (...orders: Fields[]): Provoke =>
  async (f, headers) => {
    await listTight(f)
    const symbol = `${tight.code}/USDT`
    for (const fields of orders.slice(0, -1)) {
      const seen = await f.place(f.alice, { ...LIMIT, symbol, ...fields })
      expect(seen.text).toContain('"status":true')
    }
    return order({ ...LIMIT, symbol, ...orders.at(-1) })(f, headers)
  }

/** Sends an order in a symbol whose prices are multiples of 0.05 and whose quantities are multiples of 25. */
const offIncrements =
  (fields: Fields): Provoke =>
  async (f, headers) => {
    await listTight(f)
    const symbol = `${tight.code}/USDT`
    const increments = { tickSize: price(5), stepSize: lots(25_00) }
    await f.submit({ kind: 'SetSymbolIncrements', operator: OPERATOR, symbol, ...increments })
    return order({ ...LIMIT, symbol, price: '10.05', quantity: '25', ...fields })(f, headers)
  }

/** Alice places a resting sell order, then does something, then cancels it. */
const withOwnSell =
  (fields: Fields, provoke: Provoke): Provoke =>
  async (f, headers) => {
    const resting = await f.place(f.alice, { ...SELL, ...fields })
    const seen = await provoke(f, headers)
    await f.send('DELETE', '/api/v3/order', { id: resting.body.data.id }, f.alice)
    return seen
  }

/** An order in a symbol that does not trade. */
const inState =
  (state: SymbolState): Provoke =>
  async (f, headers) => {
    await f.submit({ kind: 'SetSymbolState', operator: OPERATOR, symbol: 'USDT/TRY', state })
    return order({ ...LIMIT, symbol: 'USDT/TRY' })(f, headers)
  }

/** Requests while the exchange is in a phase; afterwards it trades again. */
const inPhase =
  (phase: ExchangePhase, provoke: Provoke): Provoke =>
  async (f, headers) => {
    const enter = (entered: ExchangePhase) =>
      f.submit({ kind: 'SetPhase', operator: OPERATOR, phase: entered })
    await enter(phase)
    const seen = await provoke(f, headers)
    await enter('CANCEL_ONLY')
    await enter('TRADING')
    return seen
  }

/** An order of an account with a restriction, which is lifted afterwards. */
const restricted =
  (restriction: AccountRestriction): Provoke =>
  async (f, headers) => {
    const { accountId } = f.alice
    const restrict = { kind: 'SetAccountRestrictions' as const, operator: OPERATOR, accountId }
    await f.submit({ ...restrict, restrictions: [restriction] })
    const seen = await order(LIMIT)(f, headers)
    await f.submit({ ...restrict, restrictions: [] })
    return seen
  }

/** An amendment of Alice's sell order, or of another order of hers given in `fields`. */
const amending =
  (newQty: string, fields: Fields = {}): Provoke =>
  async (f, headers) => {
    const { body } = await f.place(f.alice, { ...SELL, price: '1000000', ...fields })
    const { id } = body.data
    const amendment = { orderId: id, newQty }
    const seen = await f.send('PUT', '/api/v3/order/amend/keepPriority', amendment, f.alice, headers)
    await f.send('DELETE', '/api/v3/order', { id }, f.alice)
    return seen
  }

export const OF_TRADING = {
  CANCEL_RESTRICTED: async (f, headers) => {
    const { body } = await f.place(f.alice, { ...SELL, price: '1000000' })
    const cancel = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelId: body.data.id }
    const fields = { ...SELL, price: '1000001', ...cancel, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' }
    const seen = await f.send('POST', '/api/v3/order/cancelReplace', fields, f.alice, headers)
    await f.send('DELETE', '/api/v3/order', { id: body.data.id }, f.alice)
    return seen
  },
  ORDER_NOT_AMENDABLE: amending('0.5', { type: 'STOP_LOSS_LIMIT', stopPrice: '0.01' }),
  AMENDED_QUANTITY_TOO_LARGE: amending('2'),
  AMENDED_QUANTITY_TOO_SMALL: async (f, headers) => {
    await listTight(f)
    const order = { symbol: `${tight.code}/USDT`, side: 'BUY', price: '10' }
    return amending('0.4', order)(f, headers)
  },
  AMENDED_QUANTITY_TOO_PRECISE: amending('0.1234567'),
  UNKNOWN_ASSET: get('/api/v3/wallet/balance', { code: 'btc' }),
  UNKNOWN_SYMBOL: order({ ...LIMIT, symbol: 'BTCUSDT' }),
  UNKNOWN_ORDER: (f, headers) =>
    f.send('DELETE', '/api/v3/order', { id: crypto.randomUUID() }, f.alice, headers),
  SYMBOL_HALTED: inState('HALTED'),
  SYMBOL_CANCEL_ONLY: inState('CANCEL_ONLY'),
  EXCHANGE_CANCEL_ONLY: inPhase('CANCEL_ONLY', order(LIMIT)),
  EXCHANGE_CLOSED: inPhase('CLOSED', order(LIMIT)),
  SYMBOL_DELISTED: inState('DELISTED'),
  PRICE_OUT_OF_BAND: inTight({ quantity: '1', price: '1000.01' }),
  ACCOUNT_RESTRICTED: restricted('TRADE'),
  ACCOUNT_LOCKED: restricted('LOGIN'),
  ASSET_NOT_TRADABLE: async (f, headers) => {
    await f.submit({
      kind: 'SetAssetFlags',
      operator: OPERATOR,
      code: 'BTC',
      flags: { ...FLAGS, isTrade: false },
    })
    const seen = await order({ ...LIMIT, symbol: 'BTC/USDT' })(f, headers)
    await f.submit({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'BTC', flags: FLAGS })
    return seen
  },
  INSUFFICIENT_FUNDS: order({ ...LIMIT, quantity: '1000000000', price: '1000000000' }),
  TOO_MANY_COUNTDOWNS: async (f, headers) => {
    const set = { countdownTime: '60000' }
    for (;;) {
      await listTight(f)
      const symbol = `${tight.code}/USDT`
      const seen = await f.send('POST', '/api/v3/countdownCancelAll', { ...set, symbol }, f.alice, headers)
      if (seen.status !== 200) return seen
    }
  },
  EXPIRE_TIME_PASSED: order({ ...LIMIT, timeInForce: 'GTD', expireTime: '1000' }),
  EXPIRE_TIME_TOO_FAR: order({ ...LIMIT, timeInForce: 'GTD', expireTime: '9000000000000000' }),
  QUANTITY_TOO_SMALL: inTight({ quantity: '0.09', price: '100' }),
  PRICE_NOT_ON_TICK: offIncrements({ price: '10.07' }),
  QUANTITY_NOT_ON_STEP: offIncrements({ quantity: '30' }),
  TOTAL_TOO_SMALL: inTight({ quantity: '1', price: '4.99' }),
  TOTAL_MISMATCH: order({ ...LIMIT, total: '10.00000001' }),
  TOO_MANY_OPEN_ORDERS: inTight({}, {}, {}),
  TOO_MANY_PRICE_LEVELS: inTight({}, { price: '11' }),
  NO_LIQUIDITY: order({ symbol: 'ETH/BTC', side: 'BUY', type: 'MARKET', total: '1' }),
  TOTAL_BELOW_BEST_PRICE: withOwnSell(
    { price: '1000000' },
    order({ symbol: 'ETH/USDT', side: 'BUY', type: 'MARKET', total: '0.00000001' }),
  ),
  SELF_TRADE_PREVENTED: withOwnSell(
    {},
    order({
      symbol: 'ETH/USDT',
      side: 'BUY',
      type: 'MARKET',
      total: '1',
      selfTradePreventionMode: 'EXPIRE_TAKER',
    }),
  ),
  FOK_NOT_FILLABLE: order({ ...LIMIT, timeInForce: 'FOK' }),
  LIMIT_MAKER_WOULD_TAKE: withOwnSell({}, order({ ...LIMIT, type: 'LIMIT_MAKER', price: '1000000' })),
  DUPLICATE_CLIENT_ORDER_ID: async (f, headers) => {
    const newClientOrderId = crypto.randomUUID()
    await f.place(f.alice, { ...LIMIT, newClientOrderId })
    return order({ ...LIMIT, newClientOrderId, price: '11' })(f, headers)
  },
  UNKNOWN_CLIENT_ORDER_ID: (f, headers) =>
    f.send('GET', '/api/v3/order', { origClientOrderId: crypto.randomUUID() }, f.alice, headers),
  STOP_PRICE_REACHED: withOwnSell({ price: '1000000' }, async (f, headers) => {
    await order({ ...LIMIT, quantity: '1', price: '1000000' })(f, headers)
    return await order({ ...LIMIT, type: 'STOP_LOSS_LIMIT', stopPrice: '1000000' })(f, headers)
  }),
  ICEBERG_QUANTITY_TOO_SMALL: inTight({ quantity: '100', price: '10', icebergQty: '0.09' }),
  ICEBERG_QUANTITY_TOO_LARGE: order({ ...LIMIT, icebergQty: '1000000' }),
  UNKNOWN_ORDER_LIST: (f, headers) =>
    f.send('DELETE', '/api/v3/orderList', { cancelListClientOrderId: crypto.randomUUID() }, f.alice, headers),
  LIST_PRICES_CROSSED: (f, headers) =>
    f.send(
      'POST',
      '/api/v3/orderList/oco',
      {
        symbol: 'ETH/USDT',
        side: 'SELL',
        quantity: '1',
        aboveType: 'LIMIT_MAKER',
        abovePrice: '1000000',
        belowType: 'STOP_LOSS',
        belowStopPrice: '1000001',
      },
      f.alice,
      headers,
    ),
  INVALID_PARAMETER: order({ ...LIMIT, side: 'buy' }),
  TOO_MANY_DECIMALS: order({ ...LIMIT, price: '10.001' }),
  VALUE_TOO_LARGE: order({ ...LIMIT, quantity: '9007199254.740992' }),
  UNSUPPORTED_PARAMETER: order({ ...LIMIT, strategyId: '9' }),
  UNSUPPORTED_VALUE: order({ ...LIMIT, type: 'TRAILING_STOP_MARKET' }),
  MISSPELLED_PARAMETER: order({ ...LIMIT, timeinforce: 'IOC' }),
  PRICE_NOT_ALLOWED: order({ ...LIMIT, type: 'MARKET', total: '1' }),
  PARAMETER_NOT_TAKEN: order({ ...LIMIT, type: 'LIMIT_MAKER', timeInForce: 'GTC' }),
  MISSING_PARAMETER: get('/api/v3/depth'),
} as const satisfies Partial<Record<Reason, Provoke>>
