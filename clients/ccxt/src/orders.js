/** Orders in ccxt's form, and operations on them over HTTP: place, change, cancel. */

import { difference, sum } from './decimals.js'
import { BATCH_MAX } from './describe.js'

const STATUSES = {
  NEW: 'open',
  PARTIALLY_FILLED: 'open',
  FILLED: 'closed',
  CANCELED: 'canceled',
  REJECTED: 'rejected',
}

const METHOD_BY_PATH = {
  order: 'privatePostOrder',
  'order/test': 'privatePostOrderTest',
  'order/batch': 'privatePostOrderBatch',
  'order/cancelReplace': 'privatePostOrderCancelReplace',
  'order/amend/keepPriority': 'privatePutOrderAmendKeepPriority',
  'order/cancel': 'privateDeleteOrder',
  'order/cancelAll': 'privateDeleteOpenOrders',
  'orderList/oco': 'privatePostOrderListOco',
  'orderList/oto': 'privatePostOrderListOto',
  'orderList/otoco': 'privatePostOrderListOtoco',
}

/** The names of these requests over the stream. */
const NAME_BY_PATH = {
  order: 'order.place',
  'order/batch': 'order.batch',
  'order/cancelReplace': 'order.cancelReplace',
  'order/amend/keepPriority': 'order.amend',
  'order/cancel': 'order.cancel',
  'order/cancelAll': 'order.cancelAll',
}
/** Requests with a time after which they are no longer carried out. */
const DATED = new Set(['order', 'order/batch', 'order/cancelReplace', 'order/amend/keepPriority'])

export function withOrders(Exchange, errors) {
  return class extends Exchange {
    async createOrder(symbol, type, side, amount, price = undefined, params = {}) {
      return this.place(this.overHttp, symbol, type, side, amount, price, params)
    }

    async createOrderWs(symbol, type, side, amount, price = undefined, params = {}) {
      return this.place(this.overStream, symbol, type, side, amount, price, params)
    }

    overHttp(path, request) {
      return this[METHOD_BY_PATH[path]](request)
    }

    overStream(path, request) {
      const name = NAME_BY_PATH[path]
      if (name === undefined) throw new errors.NotSupported(`${this.id} ${path} is there over HTTP alone`)
      const dated = DATED.has(path) ? { timestamp: this.nonce(), recvWindow: this.options.recvWindow } : {}
      return this.requestOverStream(name, { ...request, ...dated })
    }

    async place(send, symbol, type, side, amount, price, params) {
      await this.loadMarkets()
      const { path, request } = this.orderRequest(symbol, type, side, amount, price, params)
      const response = await this.naming(request, () => send.call(this, path, request))
      return this.parsePlacement(response, this.market(symbol))
    }

    async createMarketOrderWithCost(symbol, side, cost, params = {}) {
      return this.createOrder(symbol, 'market', side, undefined, undefined, { ...params, cost })
    }

    async createMarketBuyOrderWithCost(symbol, cost, params = {}) {
      return this.createMarketOrderWithCost(symbol, 'buy', cost, params)
    }

    async createMarketOrderWithCostWs(symbol, side, cost, params = {}) {
      return this.createOrderWs(symbol, 'market', side, undefined, undefined, { ...params, cost })
    }

    /**
     * Sends a request. If its outcome is unknown, the error has the data for a query: the `clientOrderId`
     * (`listClientOrderId` for a list) and the `deadline`, after which it is no longer placed.
     */
    async naming(request, send) {
      try {
        return await send()
      } catch (error) {
        if (error instanceof errors.RequestTimeout) {
          const { newClientOrderId, workingClientOrderId, listClientOrderId } = request
          error.clientOrderId = newClientOrderId ?? workingClientOrderId
          error.listClientOrderId = listClientOrderId
          error.deadline = this.nonce() + this.options.recvWindow
        }
        throw error
      }
    }

    /** The first order of a list, with the whole list as `info`. */
    parsePlacement(response, market) {
      const { data } = response
      if (data.orders === undefined) return this.parseOrder(data, market)
      return this.extend(this.parseOrder(data.orders[0], market), { info: data })
    }

    async createOrders(orders, params = {}) {
      return this.placeAll(this.overHttp, orders, params)
    }

    async createOrdersWs(orders, params = {}) {
      return this.placeAll(this.overStream, orders, params)
    }

    async placeAll(send, orders, params) {
      await this.loadMarkets()
      const requests = orders.map((order) => {
        const { symbol, type, side, amount, price, params: own = {} } = order
        const { path, request } = this.orderRequest(
          symbol,
          type,
          side,
          amount,
          price,
          this.extend(params, own),
        )
        if (path === 'order') return request
        throw new errors.NotSupported(
          `${this.id} createOrders() places single orders; createOrder() places lists`,
        )
      })
      const operations = requests.map((request) => ({ method: 'POST', ...request }))
      const results = await this.batch(send, operations)
      return results.map(({ body }, index) => {
        if (body.status) return this.parsePlacement(body, this.safeMarket(requests[index].symbol))
        return this.refusedOrder(requests[index], body)
      })
    }

    refusedOrder({ newClientOrderId, symbol, side }, body) {
      return this.safeOrder({
        clientOrderId: newClientOrderId,
        symbol: this.safeSymbol(symbol),
        side: side?.toLowerCase(),
        status: 'rejected',
        info: body,
      })
    }

    /** The answers to placements and cancels of one request, in their order. */
    async batch(send, operations) {
      this.checkBatch(operations)
      const texts = operations.map((fields) =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
      )
      const response = await send.call(this, 'order/batch', { operations: JSON.stringify(texts) })
      return response.data
    }

    checkBatch(operations) {
      if (operations.length >= 1 && operations.length <= BATCH_MAX) return
      throw new errors.BadRequest(`${this.id} expected 1 to ${BATCH_MAX} orders, found ${operations.length}`)
    }

    /**
     * Replaces an order in one step. If only the amount is given, and no price, the order is lowered to it
     * and keeps its place in the queue.
     */
    async editOrder(id, symbol, type, side, amount = undefined, price = undefined, params = {}) {
      return this.change(this.overHttp, id, symbol, type, side, amount, price, params)
    }

    async editOrderWs(id, symbol, type, side, amount = undefined, price = undefined, params = {}) {
      return this.change(this.overStream, id, symbol, type, side, amount, price, params)
    }

    async change(send, id, symbol, type, side, amount, price, params) {
      await this.loadMarkets()
      const { path, request } = this.editRequest(id, symbol, type, side, amount, price, params)
      const response = await this.naming(request, () => send.call(this, path, request))
      const isReplaced = path === 'order/cancelReplace'
      const placed = isReplaced ? response.data.newOrderResponse.data : response.data
      const order = this.parseOrder(placed, this.market(symbol))
      return isReplaced ? this.extend(order, { info: response.data }) : order
    }

    editRequest(id, symbol, type, side, amount, price, params) {
      const existing = this.safeString2(params, 'clientOrderId', 'origClientOrderId')
      const own = this.omit(params, ['clientOrderId', 'origClientOrderId', 'keepPriority'])
      const isLowered = this.safeBool(
        params,
        'keepPriority',
        type.toLowerCase() === 'limit' && price === undefined,
      )
      if (isLowered) {
        const name = existing === undefined ? { orderId: id } : { origClientOrderId: existing }
        return {
          path: 'order/amend/keepPriority',
          request: { ...name, newQty: this.amountToPrecision(symbol, amount), ...own },
        }
      }
      const { path, request } = this.orderRequest(symbol, type, side, amount, price, own)
      if (path !== 'order')
        throw new errors.NotSupported(`${this.id} editOrder() makes single orders, not lists`)
      const name = existing === undefined ? { cancelId: id } : { cancelOrigClientOrderId: existing }
      return {
        path: 'order/cancelReplace',
        request: { cancelReplaceMode: 'STOP_ON_FAILURE', ...name, ...request },
      }
    }

    async cancelOrder(id, symbol = undefined, params = {}) {
      return this.cancel(this.overHttp, id, symbol, params)
    }

    async cancelOrderWs(id, symbol = undefined, params = {}) {
      return this.cancel(this.overStream, id, symbol, params)
    }

    async cancel(send, id, symbol, params) {
      const request = this.cancelRequest(id, params)
      const response = await send.call(this, 'order/cancel', request)
      return this.canceledOrder(request, symbol, response)
    }

    cancelRequest(id, params) {
      const name = this.safeString2(params, 'clientOrderId', 'cancelOrigClientOrderId')
      const own = this.omit(params, ['clientOrderId', 'cancelOrigClientOrderId'])
      return name === undefined ? { id, ...own } : { cancelOrigClientOrderId: name, ...own }
    }

    canceledOrder({ id, cancelOrigClientOrderId }, symbol, body) {
      return this.safeOrder({
        id,
        clientOrderId: cancelOrigClientOrderId,
        symbol,
        status: body.status ? 'canceled' : undefined,
        info: body,
      })
    }

    /** Cancels each order by itself: an order that could not be canceled has no `status`, and the refusal as its `info`. */
    async cancelOrders(ids, symbol = undefined, params = {}) {
      return this.cancelEach(this.overHttp, ids, symbol, params)
    }

    async cancelOrdersWs(ids, symbol = undefined, params = {}) {
      return this.cancelEach(this.overStream, ids, symbol, params)
    }

    async cancelEach(send, ids, symbol, params) {
      const requests = this.cancelRequests(ids, params)
      const operations = requests.map((request) => ({ method: 'DELETE', ...request }))
      const results = await this.batch(send, operations)
      return results.map(({ body }, index) => this.canceledOrder(requests[index], symbol, body))
    }

    cancelRequests(ids, params) {
      const names = this.safeList(params, 'clientOrderIds')
      if (names !== undefined) return names.map((name) => ({ cancelOrigClientOrderId: name }))
      return ids.map((id) => ({ id }))
    }

    async cancelAllOrders(symbol = undefined, params = {}) {
      return this.cancelAll(this.overHttp, symbol, params)
    }

    async cancelAllOrdersWs(symbol = undefined, params = {}) {
      return this.cancelAll(this.overStream, symbol, params)
    }

    async cancelAll(send, symbol, params) {
      const request = await this.cancelAllRequest(symbol, params)
      const response = await send.call(this, 'order/cancelAll', request)
      return [this.safeOrder({ symbol, info: response.data })]
    }

    async cancelAllRequest(symbol, params) {
      if (symbol === undefined) return this.extend({ scope: 'ACCOUNT' }, params)
      await this.loadMarkets()
      return this.extend({ scope: 'SYMBOL', symbol: this.market(symbol).id }, params)
    }

    /**
     * `timeout` in milliseconds; 0 switches it off. `params.symbol` and `params.keepStops` are the exchange's
     * own parameters.
     */
    async cancelAllOrdersAfter(timeout, params = {}) {
      const { symbol, ...own } = params
      if (symbol !== undefined) await this.loadMarkets()
      const only = symbol === undefined ? {} : { symbol: this.market(symbol).id }
      const response = await this.privatePostCountdownCancelAll({ countdownTime: timeout, ...only, ...own })
      return response.data
    }

    parseOrderStatus({ status, endReason }) {
      return endReason === 'EXPIRED' ? 'expired' : STATUSES[status]
    }

    parseOrder(order, market = undefined) {
      const { type = '', stopPrice, timeInForce } = order
      const isPostOnly = type === 'LIMIT_MAKER'
      const feeCurrency = this.safeCurrencyCode(order.commissionAsset)
      return this.safeOrder(
        {
          id: order.id,
          clientOrderId: order.clientOrderId,
          timestamp: order.createdAt,
          lastUpdateTimestamp: order.updatedAt,
          symbol: this.safeSymbol(order.symbol, market),
          type: type === '' ? undefined : type.includes('LIMIT') ? 'limit' : 'market',
          side: order.side?.toLowerCase(),
          timeInForce: isPostOnly ? 'PO' : timeInForce,
          postOnly: isPostOnly,
          price: order.price,
          triggerPrice: stopPrice,
          stopLossPrice: type.startsWith('STOP_LOSS') ? stopPrice : undefined,
          takeProfitPrice: type.startsWith('TAKE_PROFIT') ? stopPrice : undefined,
          amount: order.quantity,
          filled: order.executedQuantity,
          remaining: this.remainingOf(order),
          cost: order.executedTotal,
          // ccxt divides cost by filled, which produces more digits than the average of the exchange has.
          average: undefined,
          status: this.parseOrderStatus(order),
          fee:
            feeCurrency === undefined
              ? undefined
              : { currency: feeCurrency, cost: this.parseNumber(order.commission) },
          trades: order.fills?.map((fill) => this.fillOf(order, fill)),
          info: order,
        },
        market,
      )
    }

    /** A fill in the answer to a placement, in the form of lists of fills. */
    fillOf({ id, symbol, side, createdAt, commissionAsset }, fill) {
      return { orderId: id, symbol, side, time: createdAt, commissionAsset, ...fill }
    }

    /** The quantity that may still be traded: zero once the order has ended. */
    remainingOf({ quantity, executedQuantity, preventedQuantity = '0', status }) {
      if (quantity === undefined || executedQuantity === undefined) return undefined
      if (status === 'FILLED') return '0'
      return difference(quantity, sum(executedQuantity, preventedQuantity))
    }
  }
}
