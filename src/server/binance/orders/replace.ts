/**
 * Canceling an order and placing another one in one step. The answer says which of the two was done, and so
 * does the error if not both were.
 */
import { orderMembers } from '../../../contract/api/order-object.ts'
import type { Reason } from '../../../contract/reasons/catalogue.ts'
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { type OrderNumber, uuidOf } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { Refusal } from '../../common/refusal.ts'
import { replaceOrder as operation } from '../../trading/operations/orders/replace-order.ts'
import { type OrderName, shownOrder } from '../../trading/order-objects.ts'
import { REASON_CODES } from '../wire/reason-codes.ts'
import { refused } from '../wire/refused.ts'
import { WireError } from '../wire/wire-error.ts'
import type { WireAnswer, WireCall } from '../wire-call.ts'
import { orderNamedBy } from './find-order.ts'
import { askedOrder, duplicate, duplicateOf, type Placed, respTypeOf } from './place.ts'
import { canceledOrder, placedOrder } from './wire-order.ts'

const NAMES = { id: 'cancelOrderId', clientId: 'cancelOrigClientOrderId' }

/** The name of no order: none was placed at that time. */
const NOBODY: OrderName = { orderNumber: 1 as OrderNumber, time: 0 as TimeMs }

/** One part of our operation's answer: what the endpoint for this part alone would answer. */
type Part = { readonly reason?: Reason; readonly msg?: readonly string[]; readonly data?: Placed }
type Parts = {
  readonly cancelResult: 'SUCCESS' | 'FAILURE'
  readonly newOrderResult: 'SUCCESS' | 'FAILURE'
  readonly cancelResponse: Part
  readonly newOrderResponse: Part
}

export async function replaceOrder(wireCall: WireCall): Promise<WireAnswer> {
  const asked = askedOrder(wireCall)
  if (asked instanceof WireError) return asked
  const { symbol } = asked
  const { call, parameters } = wireCall
  const named = await orderNamedBy(call, parameters, NAMES)
  if (named instanceof WireError) return named
  const target = named instanceof Refusal ? NOBODY : await ofSymbol(wireCall, named, symbol)
  const fields: Record<string, string> = { ...asked.fields, newOrderRespType: 'FULL' }
  fields.cancelReplaceMode = parameters.get('cancelReplaceMode') ?? ''
  const restrictions = parameters.get('cancelRestrictions')
  if (restrictions !== undefined) fields.cancelRestrictions = restrictions
  fields.cancelId = uuidOf('order', target.orderNumber, target.time)
  const parts = await wireCall.operate<Parts>(operation, fields)
  if (!(parts instanceof Refusal)) return answerTo(wireCall, target, symbol, parts)
  if (parts.reason === 'CANCEL_REPLACE_PARTLY_DONE') return partly(wireCall, target, symbol, parts)
  if (parts.reason === 'DUPLICATE_CLIENT_ORDER_ID') return duplicate(wireCall, fields.newClientOrderId ?? '')
  return CANCELS.has(parts.reason) ? notCanceled(parts, fields.cancelReplaceMode) : parts
}

/** The order, unless it belongs to another symbol: such an order does not count for this request. */
async function ofSymbol({ call }: WireCall, name: OrderName, symbol: TradingSymbol): Promise<OrderName> {
  const shown = await shownOrder(call, name)
  return shown instanceof Refusal || shown.symbol.id !== symbol.id ? NOBODY : name
}

async function answerTo(
  wireCall: WireCall,
  target: OrderName,
  symbol: TradingSymbol,
  parts: Parts,
): Promise<WireAnswer> {
  const { data } = parts.newOrderResponse
  if (wireCall.isRepeat && data !== undefined) return duplicateOf(data)
  return JSON.stringify(await shownParts(wireCall, target, symbol, parts))
}

async function partly(
  wireCall: WireCall,
  target: OrderName,
  symbol: TradingSymbol,
  refusal: Refusal,
): Promise<WireAnswer> {
  // This program wrote the text, so it is valid.
  const parts = parseJson(refusal.extras.data ?? '', DOCUMENT_JSON) as Parts
  const data = await shownParts(wireCall, target, symbol, parts)
  const { status, code, msg, reason } = refused(refusal)
  return new WireError({ status, code, msg, reason, beside: { data } })
}

async function shownParts(wireCall: WireCall, target: OrderName, symbol: TradingSymbol, parts: Parts) {
  const { cancelResult, newOrderResult, cancelResponse, newOrderResponse } = parts
  const { data } = newOrderResponse
  return {
    cancelResult,
    newOrderResult,
    cancelResponse:
      cancelResult === 'SUCCESS' ? await canceled(wireCall, target, symbol) : errorOf(cancelResponse),
    newOrderResponse:
      data === undefined
        ? errorOf(newOrderResponse)
        : placedOrder(data, binanceNameOf(symbol), respTypeOf(wireCall)),
  }
}

async function canceled({ call, parameters }: WireCall, target: OrderName, symbol: TradingSymbol) {
  const shown = await shownOrder(call, target)
  if (shown instanceof Refusal) return null
  const members = orderMembers(shown.order, symbol)
  return canceledOrder(members, binanceNameOf(symbol), parameters.get('cancelNewClientOrderId'))
}

function errorOf({ reason, msg = [] }: Part): { readonly code: number; readonly msg: string } {
  const { code, msg: text } = REASON_CODES[reason ?? 'OUTCOME_UNKNOWN']
  return { code, msg: text ?? msg[0] ?? '' }
}

/** Reasons why the order was not canceled. */
const CANCELS: ReadonlySet<string> = new Set(['UNKNOWN_ORDER', 'CANCEL_RESTRICTED'])

function notCanceled(refusal: Refusal, mode: string): WireError {
  const { code, msg, reason } = refused(refusal)
  const isStopped = mode === 'STOP_ON_FAILURE'
  const data = {
    cancelResult: 'FAILURE',
    newOrderResult: isStopped ? 'NOT_ATTEMPTED' : 'FAILURE',
    cancelResponse: { code, msg },
    newOrderResponse: null,
  }
  const failed = { status: 400, code: -2022, msg: 'Order cancel-replace failed.' }
  return new WireError({ ...failed, reason, beside: { data } })
}
