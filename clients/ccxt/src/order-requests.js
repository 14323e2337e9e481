/**
 * Converts ccxt's parameters of an order (`limit`, `stopLossPrice`, `postOnly` ...) to the exchange's.
 * Nothing is sent here. A parameter without an equivalent is refused: an order never becomes a simpler one
 * than was meant.
 */
import { product } from './decimals.js'

const LIMIT_TYPES = new Set(['LIMIT', 'LIMIT_MAKER', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'])
const MARKET_TYPES = new Set(['MARKET', 'STOP_LOSS', 'TAKE_PROFIT'])
/** Parameters of ccxt for features that the exchange does not have. */
const UNSUPPORTED = ['trailingAmount', 'leverage', 'positionSide', 'positionId']
/** The arguments of an order, which `params` must not replace. */
const ARGUMENTS = ['symbol', 'side', 'amount', 'quantity', 'price']
/** Parameters of ccxt that are read here and are not sent to the exchange. */
const READ = [
  ...['clientOrderId', 'newClientOrderId', 'listClientOrderId', 'newOrderRespType', 'selfTradePrevention'],
  ...['selfTradePreventionMode', 'postOnly', 'timeInForce', 'expireTime', 'goodTillDate', 'cost', 'total'],
  ...[
    'triggerPrice',
    'stopPrice',
    'triggerDirection',
    'triggerPriceType',
    'stopLossPrice',
    'takeProfitPrice',
  ],
  ...['stopLossLimitPrice', 'takeProfitLimitPrice', 'stopLoss', 'takeProfit', 'icebergAmount', 'icebergQty'],
  ...['trailingPercent', 'trailingDelta', 'trailingTriggerPrice'],
  ...['reduceOnly', 'hedged', 'createMarketBuyOrderRequiresPrice', 'test'],
]

const opposite = (side) => (side === 'BUY' ? 'SELL' : 'BUY')
const present = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
/** `type`, `price` ... as `aboveType`, `abovePrice` ... of an order in a list. */
const prefixed = (prefix, fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      `${prefix}${name[0].toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  )

export function withOrderRequests(Exchange, errors) {
  return class extends Exchange {
    /**
     * The endpoint and the parameters of a new order. An order with an attached stop loss or take profit, or
     * with both trigger prices, is a list.
     */
    orderRequest(symbol, type, side, amount, price, given) {
      const market = this.market(symbol)
      const params = this.withoutUnifiedWords('createOrder', given)
      const sizes = { amount: amount ?? undefined, price: price ?? undefined }
      const order = { market, type: type.toUpperCase(), side: side.toUpperCase(), ...sizes, params }
      this.refuseUnsupported(order)
      if (params.stopLoss !== undefined || params.takeProfit !== undefined) return this.attachedRequest(order)
      if (params.stopLossPrice !== undefined && params.takeProfitPrice !== undefined)
        return this.pairRequest(order)
      const request = this.singleRequest(order)
      if (this.safeBool(params, 'test', false))
        return { path: 'order/test', request: { test: 'true', ...request } }
      return { path: 'order', request }
    }

    refuseUnsupported({ type, side, params }) {
      const refuse = (what) => {
        throw new errors.NotSupported(`${this.id} createOrder() does not support ${what}`)
      }
      if (side !== 'BUY' && side !== 'SELL') {
        throw new errors.InvalidOrder(`${this.id} createOrder() expected the side buy or sell, found ${side}`)
      }
      if (!LIMIT_TYPES.has(type) && !MARKET_TYPES.has(type)) refuse(`the type ${type.toLowerCase()}`)
      for (const name of UNSUPPORTED) if (params[name] !== undefined) refuse(name)
      for (const name of ARGUMENTS)
        if (params[name] !== undefined) refuse(`${name} in params: it is an argument`)
      if (this.safeBool(params, 'reduceOnly', false)) refuse('reduceOnly')
      const triggeredBy = this.safeString(params, 'triggerPriceType', 'last')
      if (triggeredBy !== 'last') refuse(`triggerPriceType ${triggeredBy}`)
    }

    singleRequest(order) {
      const { market, side, params } = order
      const type = this.exchangeType(order)
      return present({
        symbol: market.id,
        side,
        type,
        ...this.sizes({ ...order, type }),
        stopPrice: this.stopPrice(order, type),
        trailingDelta: this.trailingDelta(params),
        ...this.timeInForce(params, type),
        icebergQty: this.icebergQuantity(market, params),
        selfTradePreventionMode: this.selfTradePrevention(params),
        newClientOrderId: this.clientOrderId(params),
        newOrderRespType: this.answerForm(params, type),
        ...this.omit(params, READ),
      })
    }

    exchangeType({ type, side, params }) {
      const isMarket = MARKET_TYPES.has(type)
      const isPostOnly = this.isPostOnly(isMarket, type === 'LIMIT_MAKER', params)
      const family = this.triggerFamily(type, side, params)
      if (family === undefined) {
        if (isPostOnly) return 'LIMIT_MAKER'
        return isMarket ? 'MARKET' : 'LIMIT'
      }
      if (isPostOnly) {
        throw new errors.NotSupported(
          `${this.id} createOrder() does not support postOnly with a price to wait for`,
        )
      }
      return isMarket ? family : `${family}_LIMIT`
    }

    /** STOP_LOSS or TAKE_PROFIT for an order that waits for a price; undefined for any other. */
    triggerFamily(type, side, params) {
      if (params.stopLossPrice !== undefined) return 'STOP_LOSS'
      if (params.takeProfitPrice !== undefined) return 'TAKE_PROFIT'
      const named = /^(STOP_LOSS|TAKE_PROFIT)/.exec(type)?.[1]
      if (this.isTrailing(params)) return named ?? this.trailingFamily(side, params)
      if (this.safeString2(params, 'triggerPrice', 'stopPrice') === undefined) {
        if (named === undefined) return undefined
        throw new errors.ArgumentsRequired(`${this.id} createOrder() requires a triggerPrice for ${type}`)
      }
      if (named !== undefined) return named
      const [direction] = this.handleTriggerDirectionAndParams(params, undefined, true)
      // Without a direction it is like Binance's stop orders: above the market for a buyer and below it for a
      // seller.
      if (direction === undefined) return 'STOP_LOSS'
      return (direction === 'ascending') === (side === 'BUY') ? 'STOP_LOSS' : 'TAKE_PROFIT'
    }

    isTrailing(params) {
      const isTrailing = this.safeStringN(params, ['trailingPercent', 'trailingDelta']) !== undefined
      if (isTrailing || params.trailingTriggerPrice === undefined) return isTrailing
      throw new errors.ArgumentsRequired(
        `${this.id} createOrder() requires a trailingPercent with trailingTriggerPrice`,
      )
    }

    /**
     * The type of a trailing order. Both types follow the price in the same way; they differ in the direction
     * in which the price must reach the trigger price at which the order begins to follow. Without a direction
     * that is the direction of a profit.
     */
    trailingFamily(side, params) {
      if (this.safeStringN(params, ['trailingTriggerPrice', 'triggerPrice', 'stopPrice']) === undefined)
        return 'STOP_LOSS'
      const [direction] = this.handleTriggerDirectionAndParams(params, undefined, true)
      if (direction === undefined) return 'TAKE_PROFIT'
      return (direction === 'ascending') === (side === 'BUY') ? 'STOP_LOSS' : 'TAKE_PROFIT'
    }

    /** The distance in hundredths of a percent. */
    trailingDelta(params) {
      const percent = this.safeString(params, 'trailingPercent')
      if (percent === undefined) return this.safeInteger(params, 'trailingDelta')
      const delta = product(percent, '100')
      if (/^\d+$/.test(delta)) return Number(delta)
      throw new errors.InvalidOrder(
        `${this.id} createOrder() expected a trailingPercent with at most two decimals, found ${percent}`,
      )
    }

    stopPrice({ market, params }, type) {
      const price = this.safeStringN(params, [
        'trailingTriggerPrice',
        'stopLossPrice',
        'takeProfitPrice',
        'triggerPrice',
        'stopPrice',
      ])
      if (price === undefined || type === 'MARKET' || type === 'LIMIT' || type === 'LIMIT_MAKER')
        return undefined
      return this.priceToPrecision(market.symbol, price)
    }

    /** `quantity`, `price` and `total`. */
    sizes({ market, type, side, amount, price, params }) {
      const { symbol } = market
      if (LIMIT_TYPES.has(type)) {
        if (price === undefined) {
          throw new errors.ArgumentsRequired(`${this.id} createOrder() requires a price for ${type}`)
        }
        return {
          quantity: this.amountToPrecision(symbol, amount),
          price: this.priceToPrecision(symbol, price),
        }
      }
      if (side === 'BUY') return { total: this.costOfMarketBuy(market, amount, price, params) }
      if (this.safeStringN(params, ['cost', 'total']) !== undefined) {
        throw new errors.NotSupported(`${this.id} createOrder() sells at the market by amount, not by cost`)
      }
      return { quantity: this.amountToPrecision(symbol, amount) }
    }

    /**
     * The maximum cost: `params.cost`, or amount x price, or the amount if the options define it as the cost.
     */
    costOfMarketBuy({ symbol }, amount, price, params) {
      const cost = this.safeStringN(params, ['cost', 'total'])
      if (cost !== undefined) return this.costToPrecision(symbol, cost)
      if (price !== undefined) {
        const exact = product(this.numberToString(amount), this.numberToString(price))
        return this.costToPrecision(symbol, exact)
      }
      const [needsPrice] = this.handleOptionAndParams(
        params,
        'createOrder',
        'createMarketBuyOrderRequiresPrice',
        true,
      )
      if (!needsPrice) return this.costToPrecision(symbol, amount)
      throw new errors.InvalidOrder(
        `${this.id} createOrder() buys at the market for a cost: pass params.cost, or a price to compute it as ` +
          'amount x price, or set the option createMarketBuyOrderRequiresPrice to false and pass the cost as the amount',
      )
    }

    timeInForce(params, type) {
      const expireTime = this.safeInteger2(params, 'expireTime', 'goodTillDate')
      const named = this.safeStringUpper(params, 'timeInForce')
      const timeInForce =
        named === 'PO' ? undefined : (named ?? (expireTime === undefined ? undefined : 'GTD'))
      if (timeInForce !== undefined && type === 'LIMIT_MAKER') {
        throw new errors.InvalidOrder(`${this.id} createOrder() takes no timeInForce with postOnly`)
      }
      return { timeInForce, expireTime }
    }

    icebergQuantity({ symbol }, params) {
      const shown = this.safeString2(params, 'icebergAmount', 'icebergQty')
      return shown === undefined ? undefined : this.amountToPrecision(symbol, shown)
    }

    selfTradePrevention(params) {
      const named = this.safeStringUpper2(params, 'selfTradePrevention', 'selfTradePreventionMode')
      return named ?? this.options.defaultSelfTradePrevention
    }

    /** The caller's id for the order, or a new one, so that an order that is sent again is placed once. */
    clientOrderId(params) {
      return this.safeString2(params, 'clientOrderId', 'newClientOrderId') ?? `ccxt-${this.uuid22()}`
    }

    answerForm(params, type) {
      const forms = this.options.newOrderRespType
      return (
        this.safeString(params, 'newOrderRespType') ?? (MARKET_TYPES.has(type) ? forms.market : forms.limit)
      )
    }

    /** One waiting order of a list: its type and prices, without side and quantity. */
    waitingLeg(symbol, family, { triggerPrice, price, type, cost }) {
      const isLimit = price !== undefined || (type !== undefined && type.toLowerCase() === 'limit')
      if (triggerPrice === undefined || (isLimit && price === undefined)) {
        const missing = triggerPrice === undefined ? 'triggerPrice' : 'price'
        throw new errors.ArgumentsRequired(
          `${this.id} createOrder() requires the ${missing} of each attached order`,
        )
      }
      return present({
        type: isLimit ? `${family}_LIMIT` : family,
        stopPrice: this.priceToPrecision(symbol, triggerPrice),
        price: isLimit ? this.priceToPrecision(symbol, price) : undefined,
        total: cost === undefined ? undefined : this.costToPrecision(symbol, cost),
      })
    }

    /**
     * Take profit and stop loss of one side: the first is above the market for a seller, below it for a
     * buyer.
     */
    pair(side, takeProfit, stopLoss, [above, below]) {
      const [upper, lower] = side === 'SELL' ? [takeProfit, stopLoss] : [stopLoss, takeProfit]
      return { ...prefixed(above, upper), ...prefixed(below, lower) }
    }

    listFields({ market, params }) {
      return {
        symbol: market.id,
        listClientOrderId: this.safeString(params, 'listClientOrderId') ?? `ccxt-${this.uuid22()}`,
        selfTradePreventionMode: this.selfTradePrevention(params),
      }
    }

    /** An OCO pair: sells or buys at a profit or at a loss. */
    pairRequest(order) {
      const { market, type, side, amount, price, params } = order
      const { symbol } = market
      const isLimit = LIMIT_TYPES.has(type)
      const leg = (family, triggerPrice, limitPrice) =>
        this.waitingLeg(symbol, family, {
          triggerPrice,
          price: isLimit ? (limitPrice ?? price) : undefined,
          type: isLimit ? 'limit' : 'market',
          cost: isLimit || side === 'SELL' ? undefined : this.costOfMarketBuy(market, amount, price, params),
        })
      if (this.isTrailing(params)) {
        throw new errors.NotSupported(
          `${this.id} createOrder() does not support trailingPercent with both stopLossPrice and takeProfitPrice`,
        )
      }
      const takeProfit = leg('TAKE_PROFIT', params.takeProfitPrice, params.takeProfitLimitPrice)
      const stopLoss = leg('STOP_LOSS', params.stopLossPrice, params.stopLossLimitPrice)
      const request = present({
        ...this.listFields(order),
        side,
        quantity: this.amountToPrecision(symbol, amount),
        ...this.pair(side, takeProfit, stopLoss, ['above', 'below']),
        ...this.omit(params, READ),
      })
      return { path: 'orderList/oco', request }
    }

    /**
     * A limit order with a stop loss, a take profit or both, which are placed once it is filled, for its
     * proceeds.
     */
    attachedRequest(order) {
      const { market, type, side, params } = order
      const { symbol } = market
      if (!LIMIT_TYPES.has(type)) {
        throw new errors.NotSupported(`${this.id} createOrder() attaches orders to limit orders alone`)
      }
      const working = this.singleRequest({ ...order, params: this.omit(params, ['stopLoss', 'takeProfit']) })
      const fields = this.omit(working, [
        'symbol',
        'newClientOrderId',
        'newOrderRespType',
        'selfTradePreventionMode',
      ])
      const leg = (family, attached) => attached && this.waitingLeg(symbol, family, attached)
      const [takeProfit, stopLoss] = [
        leg('TAKE_PROFIT', params.takeProfit),
        leg('STOP_LOSS', params.stopLoss),
      ]
      const request = present({
        ...this.listFields(order),
        ...prefixed('working', { ...fields, clientOrderId: working.newClientOrderId }),
        pendingSide: opposite(side),
      })
      if (takeProfit === undefined || stopLoss === undefined) {
        return {
          path: 'orderList/oto',
          request: { ...request, ...prefixed('pending', takeProfit ?? stopLoss) },
        }
      }
      const legs = this.pair(opposite(side), takeProfit, stopLoss, ['pendingAbove', 'pendingBelow'])
      return { path: 'orderList/otoco', request: { ...request, ...legs } }
    }
  }
}
