/** Reading and canceling order lists of the account. */
import type { OpenOrdersPage } from '../../../core/questions/view.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import { ORDERS_MAX } from '../../../engine/port/ports.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { isClientOrderId } from '../../../units/client-order-id.ts'
import { type ListNumber, type OrderNumber, uuidOf } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { Refusal, refuse } from '../../common/refusal.ts'
import type { Call } from '../../trading/call.ts'
import { findClientList } from '../../trading/client-order.ts'
import { type ListName, shownList } from '../../trading/list-objects.ts'
import { cancelOrderList as cancelOperation } from '../../trading/operations/orders/order-list.ts'
import { invalid } from '../endpoints/check.ts'
import { WireError, wrongParameter } from '../wire/wire-error.ts'
import { rangeOf, symbolOf, type WireAnswer, type WireCall, wholeOf } from '../wire-call.ts'
import { listHead, type ShownList } from './wire-list.ts'
import { canceledOrder, numberInId } from './wire-order.ts'

const LIMIT = { max: 1_000, fallback: 500 }
/** Number of lists covered by one unit of weight, if that exceeds the weight of the endpoint. */
const LISTS_PER_WEIGHT = 5

const NOT_THERE = {
  ...{ status: 400, code: -2013, msg: 'Order list does not exist.' },
  reason: 'UNKNOWN_ORDER_LIST',
} as const

export async function queryOrderList(wireCall: WireCall): Promise<WireAnswer> {
  const name = await namedList(wireCall, 'origClientOrderId')
  if (name instanceof WireError) return name
  const list = name instanceof Refusal ? name : await readList(wireCall.call, name)
  if (list instanceof Refusal) return new WireError(NOT_THERE)
  return JSON.stringify(wordsOf(wireCall, list))
}

export async function cancelOrderList(wireCall: WireCall): Promise<WireAnswer> {
  const symbol = symbolOf(wireCall)
  if (symbol instanceof WireError) return symbol
  const name = await namedList(wireCall, 'listClientOrderId')
  if (name instanceof WireError || name instanceof Refusal) return name
  const before = await readList(wireCall.call, name)
  if (before instanceof Refusal || before.symbol !== symbol.name) return refuse('UNKNOWN_ORDER_LIST', {})
  const cancelListId = uuidOf('list', name.listNumber, name.time)
  const list = await wireCall.operate<ShownList>(cancelOperation, { cancelListId })
  if (list instanceof Refusal) return list
  const shown = { ...list, ...ownId(name) }
  const cancelId = wireCall.parameters.get('newClientOrderId')
  const joined = binanceNameOf(symbol)
  const orderReports = list.orders.map((order) => canceledOrder(order, joined, cancelId))
  const time = Math.max(...list.orders.map(({ updatedAt }) => updatedAt))
  return JSON.stringify({ ...listHead(shown, joined, time), orderReports })
}

export async function openOrderLists(wireCall: WireCall): Promise<WireAnswer> {
  const { call } = wireCall
  const { accountId } = call
  const names = new Map<ListNumber, ListName>()
  let after: OpenOrdersPage['next']
  do {
    const query = { accountId, symbolId: undefined, after }
    const page: OpenOrdersPage = await call.services.engine.ask('openOrders', query)
    for (const { inList, time } of page.orders)
      if (inList !== undefined) names.set(inList.listNumber, nameOf(inList.listNumber, time))
    after = page.next
  } while (after !== undefined)
  return listsText(wireCall, [...names.values()])
}

export async function allOrderLists(wireCall: WireCall): Promise<WireAnswer> {
  const { call, parameters } = wireCall
  const { services, accountId } = call
  const limit = wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback)
  const range = { ...rangeOf(wireCall), before: undefined, limit: ORDERS_MAX, atLeast: services.market.seq }
  const { orders } = await services.history.orders({ accountId, symbolId: undefined, ...range })
  const from = Number(parameters.get('fromId') ?? 0)
  const names = new Map<ListNumber, ListName>()
  for (const { inList, time } of orders)
    if (inList !== undefined && inList.listNumber >= from)
      names.set(inList.listNumber, nameOf(inList.listNumber, time))
  const newestFirst = [...names.values()]
  return listsText(
    wireCall,
    parameters.has('fromId') ? newestFirst.slice(-limit) : newestFirst.slice(0, limit),
  )
}

function nameOf(listNumber: ListNumber, time: TimeMs): ListName {
  return { listNumber, time, listClientOrderId: undefined }
}

/** The lists as JSON, oldest first. */
async function listsText(wireCall: WireCall, names: readonly ListName[]): Promise<WireAnswer> {
  const { call } = wireCall
  const refusal = call.chargeRows(Math.floor(names.length / LISTS_PER_WEIGHT))
  if (refusal !== undefined) return refusal
  const rows: object[] = []
  for (const name of names.toSorted((a, b) => a.listNumber - b.listNumber)) {
    const list = await readList(call, name)
    if (!(list instanceof Refusal)) rows.push(wordsOf(wireCall, list))
  }
  return JSON.stringify(rows)
}

async function readList(call: Call, name: ListName): Promise<ShownList | Refusal> {
  const text = await shownList(call, name)
  // Our own answer: an envelope around its data.
  return typeof text === 'string'
    ? (parseJson(text, DOCUMENT_JSON) as { readonly data: ShownList }).data
    : text
}

function wordsOf({ symbols }: WireCall, list: ShownList) {
  const symbol = symbols.registry.symbolByName(list.symbol)
  return listHead(list, symbol === undefined ? list.symbol : binanceNameOf(symbol))
}

function ownId({ listClientOrderId }: ListName): Pick<ShownList, 'listClientOrderId'> {
  return listClientOrderId === undefined ? {} : { listClientOrderId }
}

async function namedList(
  { call, parameters }: WireCall,
  clientIdName: string,
): Promise<ListName | Refusal | WireError> {
  const id = parameters.get('orderListId')
  const clientId = parameters.get(clientIdName)
  if (id === undefined && clientId === undefined) {
    const msg = `Param '${clientIdName}' or 'orderListId' must be sent, but both were empty/null!`
    return wrongParameter('orderListId', -1102, msg, 'MISSING_PARAMETER')
  }
  if (clientId !== undefined && !isClientOrderId(clientId)) return invalid(clientIdName)
  if (clientId === undefined) return numberedList(call, Number(id))
  const list = await findClientList(call, clientId, undefined)
  if (!(list instanceof Refusal)) {
    const isOther = id !== undefined && list.listNumber !== Number(id)
    return isOther ? refuse('UNKNOWN_ORDER_LIST', {}) : { ...list, listClientOrderId: clientId }
  }
  const number = numberInId(clientId)
  return number === undefined ? list : numberedList(call, number)
}

/** The orders of a list have the numbers that follow the list's own. */
async function numberedList(call: Call, number: number): Promise<ListName | Refusal> {
  const unknown = refuse('UNKNOWN_ORDER_LIST', {})
  if (!Number.isSafeInteger(number + 1) || number <= 0) return unknown
  const { services, accountId } = call
  const orderNumbers = [(number + 1) as OrderNumber]
  const [first] = await services.history.numberedOrders({ orderNumbers, atLeast: services.market.seq })
  const isOwn = first?.accountId === accountId && first.inList?.listNumber === number
  return isOwn ? nameOf(number as ListNumber, first.time) : unknown
}
