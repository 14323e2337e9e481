/** Changes of orders, and order lists. */

import {
  ocoParameters,
  otocoParameters,
  otoParameters,
} from '../../../contract/endpoints/order-parameters.ts'
import type { Parameter, ParametersByName } from '../../../contract/endpoints/parameter.ts'
import { CANCEL_REPLACE_MODES, CANCEL_RESTRICTIONS } from '../../../units/order-enums.ts'
import { ID, NAMED, NEW_ORDER, RESP_TYPE, ROWS, SYMBOL, TEXT } from './order-rows.ts'
import { TIME, type WireParameter, type WireRow } from './row.ts'

const REQUIRED = { isRequired: true } as const
const RESULT_ALONE = 'FULL is answered as RESULT; BUY legs at any price need `aboveTotal` or `belowTotal`'

export const CHANGE_ROWS = {
  replaceOrder: {
    method: 'POST',
    path: '/api/v3/order/cancelReplace',
    request: 'order.cancelReplace',
    security: 'TRADE',
    weight: 1,
    parameters: {
      ...NEW_ORDER,
      cancelReplaceMode: { form: 'WORD', words: CANCEL_REPLACE_MODES, isRequired: true },
      cancelOrderId: ID,
      cancelOrigClientOrderId: TEXT,
      cancelNewClientOrderId: TEXT,
      cancelRestrictions: { form: 'WORD', words: CANCEL_RESTRICTIONS },
    },
    differs:
      'one step, with nothing in between; no `orderRateLimitExceededMode`; the id of the cancel is returned but not stored',
  },
  amendOrder: {
    method: 'PUT',
    path: '/api/v3/order/amend/keepPriority',
    request: 'order.amend.keepPriority',
    security: 'TRADE',
    weight: 4,
    parameters: { ...NAMED, newQty: { form: 'DECIMAL', isRequired: true } },
    differs: 'no `newClientOrderId`: an order keeps its id; `executionId` is the number of a command',
  },
} as const satisfies Readonly<Record<string, WireRow>>

export const LIST_ROWS = {
  newOco: {
    method: 'POST',
    path: '/api/v3/orderList/oco',
    request: 'orderList.place.oco',
    security: 'TRADE',
    weight: 1,
    parameters: ofList(ocoParameters),
    differs: `no pegged, iceberg or strategy parameters; ${RESULT_ALONE}`,
  },
  newOto: {
    method: 'POST',
    path: '/api/v3/orderList/oto',
    request: 'orderList.place.oto',
    security: 'TRADE',
    weight: 1,
    parameters: ofList(otoParameters),
    differs:
      'like `orderList/oco`; without `pendingQuantity`, the pending quantity is what the working order receives',
  },
  newOtoco: {
    method: 'POST',
    path: '/api/v3/orderList/otoco',
    request: 'orderList.place.otoco',
    security: 'TRADE',
    weight: 1,
    parameters: ofList(otocoParameters),
    differs: 'like `orderList/oto`',
  },
  queryOrderList: {
    method: 'GET',
    path: '/api/v3/orderList',
    request: 'orderList.status',
    security: 'USER_DATA',
    weight: 4,
    parameters: { orderListId: ID, origClientOrderId: TEXT },
    differs: 'a list read by its number has an id derived from that number',
  },
  cancelOrderList: {
    method: 'DELETE',
    path: '/api/v3/orderList',
    request: 'orderList.cancel',
    security: 'TRADE',
    weight: 1,
    parameters: { symbol: SYMBOL, orderListId: ID, listClientOrderId: TEXT, newClientOrderId: TEXT },
    differs: 'the id of the cancel is returned but not stored',
  },
  openOrderLists: {
    method: 'GET',
    path: '/api/v3/openOrderList',
    request: 'openOrderLists.status',
    security: 'USER_DATA',
    weight: 6,
    parameters: {},
    differs: 'ids are derived from the numbers of lists',
  },
  allOrderLists: {
    method: 'GET',
    path: '/api/v3/allOrderList',
    request: 'allOrderLists',
    security: 'USER_DATA',
    weight: 20,
    parameters: { fromId: ID, startTime: TIME, endTime: TIME, limit: ROWS },
    differs:
      'lists among the newest 1,000 orders in the requested time range; ids are derived from their numbers',
  },
} as const satisfies Readonly<Record<string, WireRow>>

/** The parameters of a list have the same names at our own interface. */
function ofList(parameters: ParametersByName): Readonly<Record<string, WireParameter>> {
  const { newOrderRespType: _, ...own } = parameters
  const entries = Object.entries(own).map(([name, parameter]) => [name, formOf(parameter)] as const)
  return { ...Object.fromEntries(entries), newOrderRespType: RESP_TYPE }
}

function formOf(parameter: Parameter): WireParameter {
  const { form } = parameter
  const need = parameter.isOptional === true || parameter.fallback !== undefined ? {} : REQUIRED
  switch (form.is) {
    case 'symbol':
      return { form: 'SYMBOL', ...need }
    case 'decimal':
      return { form: 'DECIMAL', ...need }
    case 'whole':
      return { ...ID, ...need }
    case 'oneOf':
      return { form: 'WORD', words: form.values, ...need }
    default:
      return { form: 'TEXT', ...need }
  }
}
