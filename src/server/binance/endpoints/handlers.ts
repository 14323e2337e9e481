/** The handler of each endpoint. */
import { account, rateLimitOrder } from '../account/account.ts'
import { tradeFee } from '../account/commission.ts'
import { myTrades } from '../account/my-trades.ts'
import { depositHistory, withdrawalHistory } from '../account/transfers.ts'
import { allCoins, noPairs, systemStatus } from '../account/wallet.ts'
import { depth } from '../market/depth.ts'
import { exchangeInfo } from '../market/exchange-info.ts'
import { avgPrice, klines } from '../market/klines.ts'
import { ping, time } from '../market/service.ts'
import { bookTicker, ticker24hr, tickerPrice } from '../market/tickers.ts'
import { aggTrades, historicalTrades, trades } from '../market/trades.ts'
import { amendOrder } from '../orders/amend.ts'
import { cancelOpenOrders, cancelOrder } from '../orders/cancel.ts'
import { allOrderLists, cancelOrderList, openOrderLists, queryOrderList } from '../orders/lists.ts'
import { newOco, newOto, newOtoco } from '../orders/new-list.ts'
import { newOrder, testOrder } from '../orders/place.ts'
import { allOrders, openOrders, queryOrder } from '../orders/read.ts'
import { replaceOrder } from '../orders/replace.ts'
import type { Handler } from '../wire-call.ts'
import type { WireEndpointId } from './table.ts'

export const HANDLERS: Readonly<Record<WireEndpointId, Handler>> = {
  ...{ ping, time, exchangeInfo, depth, trades, historicalTrades, aggTrades, klines, avgPrice },
  ...{ ticker24hr, tickerPrice, bookTicker },
  ...{ newOrder, testOrder, queryOrder, cancelOrder, openOrders, cancelOpenOrders, allOrders },
  ...{ replaceOrder, amendOrder, newOco, newOto, newOtoco },
  ...{ queryOrderList, cancelOrderList, openOrderLists, allOrderLists },
  ...{ depositHistory, withdrawalHistory },
  ...{ account, myTrades, rateLimitOrder, systemStatus, allCoins, tradeFee },
  ...{ marginPairs: noPairs, isolatedPairs: noPairs },
}
