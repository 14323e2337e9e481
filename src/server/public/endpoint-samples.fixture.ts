/** A request to each endpoint that requires a key, with valid parameters. */
import type { Permission } from '../../units/order-enums.ts'

export type EndpointSample = {
  readonly method: string
  readonly path: string
  readonly needs: Permission
  /** Its parameters in addition to `timestamp`, as a form that ends with `&`. */
  readonly extra: string
  /** Whether it accepts only a strict signature. */
  readonly isStrict?: true
}

const ID = '00000000-0000-4000-8000-000000000000'
const ORDER = 'symbol=ETH/USDT&side=BUY&type=LIMIT&quantity=1&price=10&'

const CANCELS = encodeURIComponent(JSON.stringify([{ method: 'DELETE', id: ID }]))

const OCO =
  'symbol=ETH/USDT&side=SELL&quantity=1&aboveType=LIMIT_MAKER&abovePrice=99999&belowType=STOP_LOSS&belowStopPrice=8&'
const WORKING = 'symbol=ETH/USDT&workingType=LIMIT&workingSide=BUY&workingPrice=9&workingQuantity=1&'
const OTO = `${WORKING}pendingType=LIMIT&pendingSide=SELL&pendingPrice=9&`
const OTOCO = `${WORKING}pendingSide=SELL&pendingAboveType=LIMIT_MAKER&pendingAbovePrice=9&pendingBelowType=STOP_LOSS&pendingBelowStopPrice=8&`

/** At least one request to each endpoint that requires a key. */
export const SECURED_ENDPOINTS: readonly EndpointSample[] = [
  { method: 'GET', path: '/depth', needs: 'USER_DATA', extra: 'symbol=ETH/USDT&' },
  { method: 'GET', path: '/trades', needs: 'USER_DATA', extra: 'symbol=ETH/USDT&' },
  { method: 'POST', path: '/order', needs: 'TRADE', extra: ORDER },
  { method: 'DELETE', path: '/order', needs: 'TRADE', extra: `id=${ID}&` },
  { method: 'GET', path: '/order', needs: 'READ', extra: 'origClientOrderId=a&' },
  {
    method: 'POST',
    path: '/order/cancelReplace',
    needs: 'TRADE',
    extra: `${ORDER}cancelReplaceMode=STOP_ON_FAILURE&cancelId=${ID}&`,
  },
  {
    method: 'PUT',
    path: '/order/amend/keepPriority',
    needs: 'TRADE',
    extra: 'origClientOrderId=a&newQty=1&',
  },
  { method: 'GET', path: '/order/active', needs: 'TRADE', extra: '' },
  { method: 'GET', path: '/order/trade/history', needs: 'TRADE', extra: '' },
  { method: 'GET', path: '/order', needs: 'READ', extra: `orderId=${ID}&` },
  { method: 'GET', path: '/openOrders', needs: 'READ', extra: '' },
  { method: 'DELETE', path: '/openOrders', needs: 'TRADE', extra: 'scope=ACCOUNT&' },
  { method: 'POST', path: '/countdownCancelAll', needs: 'TRADE', extra: 'countdownTime=0&' },
  { method: 'GET', path: '/allOrders', needs: 'READ', extra: '' },
  { method: 'GET', path: '/myTrades', needs: 'READ', extra: '' },
  { method: 'GET', path: '/account/commission', needs: 'READ', extra: '' },
  { method: 'POST', path: '/order/test', needs: 'TRADE', extra: `${ORDER}test=true&` },
  {
    method: 'POST',
    path: '/order/batch',
    needs: 'TRADE',
    extra: `operations=${CANCELS}&`,
  },
  { method: 'POST', path: '/orderList/oco', needs: 'TRADE', extra: OCO },
  { method: 'POST', path: '/orderList/oto', needs: 'TRADE', extra: OTO },
  { method: 'POST', path: '/orderList/otoco', needs: 'TRADE', extra: OTOCO },
  { method: 'GET', path: '/orderList', needs: 'READ', extra: 'listClientOrderId=a&' },
  { method: 'DELETE', path: '/orderList', needs: 'TRADE', extra: 'cancelListClientOrderId=a&' },
  { method: 'GET', path: '/account/limits', needs: 'READ', extra: 'symbol=ETH/USDT&' },
  { method: 'GET', path: '/account/positions', needs: 'WALLET', extra: '' },
  { method: 'GET', path: '/account/ledger', needs: 'WALLET', extra: '' },
  { method: 'GET', path: '/wallet/balance', needs: 'WALLET', extra: '' },
  { method: 'GET', path: '/capital/deposit/hisrec', needs: 'WALLET', extra: '' },
  { method: 'GET', path: '/capital/withdraw/history', needs: 'WALLET', extra: '' },
  { method: 'GET', path: '/capital/withdraw/address/list', needs: 'WALLET', extra: '' },
  withdrawing('POST', '/capital/withdraw/apply', 'coin=BTC&amount=1&address=bc1q&'),
  withdrawing('DELETE', '/capital/withdraw/apply', 'cancelWithdrawOrderId=a&'),
  withdrawing('POST', '/capital/withdraw/address', 'coin=BTC&newAddress=bc1q2&'),
  withdrawing('DELETE', '/capital/withdraw/address', 'coin=BTC&removeAddress=bc1q&'),
]

function withdrawing(method: string, path: string, extra: string): EndpointSample {
  return { method, path, needs: 'WITHDRAW', extra, isStrict: true }
}
