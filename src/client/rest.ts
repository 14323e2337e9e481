/** The requests of a client, each sent in a way that prevents a second execution. */

import { ENDPOINTS } from './endpoints.ts'
import type { Answer } from './http/attempt.ts'
import { batch } from './http/batches.ts'
import type { CallOptions } from './http/caller.ts'
import { CANCEL_LIST, CANCEL_ORDER, cancel } from './http/cancels.ts'
import { fieldsOf } from './http/fields.ts'
import { A_LIST, AN_ORDER, type Attempted, type Placeable, type Resolution } from './http/placements.ts'
import { replace } from './http/replacements.ts'
import { askWithdrawal, removeAddress } from './http/withdrawals.ts'
import type { ClientParts } from './parts.ts'
import type { EndpointId, Helpers, PlaceOptions, Requests } from './requests.ts'

type Parameters = Readonly<Record<string, unknown>> | undefined
type Method = (parameters: Parameters, options: CallOptions | undefined) => Promise<unknown>

export function requests(parts: ClientParts): Requests & Helpers {
  const plain = Object.keys(ENDPOINTS).map((id) => [id, repeated(parts, id as EndpointId)])
  return {
    ...Object.fromEntries(plain),
    ...placing(parts),
    ...canceling(parts),
    ...withdrawing(parts),
    ...helpers(parts),
  }
}

/** Sent until there is an answer. */
function repeated(
  { caller }: ClientParts,
  id: EndpointId,
  own: Readonly<Record<string, string>> = {},
): Method {
  return async (parameters, options) => {
    const fields = { ...fieldsOf(parameters), ...own }
    return (await caller.repeatedly(ENDPOINTS[id], fields, caller.begin(options))).data
  }
}

/** The id of a placement is chosen first, so that the caller has it in any case. */
function placing(parts: ClientParts): Readonly<Record<string, Method>> {
  const { caller, placements } = parts
  const named = (thing: Placeable, parameters: Parameters) => {
    const given = fieldsOf(parameters)
    const clientOrderId = given[thing.idParameter] ?? placements.newId()
    return { clientOrderId, fields: { ...given, [thing.idParameter]: clientOrderId } }
  }
  const again = ({ sendAgain: isSentAgain = true, onAttempt }: PlaceOptions = {}) => ({
    isSentAgain,
    onAttempt,
  })
  const order: Method = async (parameters, options) => {
    const { clientOrderId, fields } = named(AN_ORDER, parameters)
    const call = caller.begin(options)
    const answer = await placements.place(ENDPOINTS.newOrder, fields, AN_ORDER, call, again(options))
    return { order: answer.data, clientOrderId, isRepeated: answer.isRepeated }
  }
  const replacement: Method = async (parameters, options) => {
    const { clientOrderId, fields } = named(AN_ORDER, parameters)
    const answer = await replace(caller, placements, fields, caller.begin(options), again(options))
    return { replacement: answer.data, clientOrderId, isRepeated: answer.isRepeated }
  }
  const list =
    (id: EndpointId): Method =>
    async (parameters, options) => {
      const { fields } = named(A_LIST, parameters)
      const call = caller.begin(options)
      return (await placements.place(ENDPOINTS[id], fields, A_LIST, call, again(options))).data
    }
  return {
    newOrder: order,
    replaceOrder: replacement,
    newOco: list('newOco'),
    newOto: list('newOto'),
    newOtoco: list('newOtoco'),
    // Without this parameter the request would be refused, so that no order is taken for a test, or a test
    // for an order.
    testOrder: repeated(parts, 'testOrder', { test: 'true' }),
  }
}

function canceling({ caller, placements }: ClientParts): Readonly<Record<string, Method>> {
  const dataOf = async (answer: Promise<Answer>) => (await answer).data
  return {
    cancelOrder: async (parameters, options) => {
      const fields = fieldsOf(parameters)
      const { data } = await cancel(caller, CANCEL_ORDER, fields, caller.begin(options))
      return fields.newOrderRespType === 'RESULT' ? data : undefined
    },
    cancelOrderList: (parameters, options) =>
      dataOf(cancel(caller, CANCEL_LIST, fieldsOf(parameters), caller.begin(options))),
    orderBatch: (parameters, options) =>
      batch(caller, placements, (parameters as Operations).operations, caller.begin(options)),
  }
}

function withdrawing({ caller }: ClientParts): Readonly<Record<string, Method>> {
  return {
    askWithdrawal: async (parameters, options) =>
      (await askWithdrawal(caller, fieldsOf(parameters), caller.begin(options))).data,
    removeWithdrawalAddress: async (parameters, options) =>
      (await removeAddress(caller, fieldsOf(parameters), caller.begin(options))).data,
  }
}

type Operations = { readonly operations: readonly Readonly<Record<string, unknown>>[] }

function helpers(parts: ClientParts): Helpers {
  const { caller, placements } = parts
  const resolve = (thing: Placeable) => (attempted: Attempted, options?: CallOptions) =>
    placements.resolve(attempted, thing, caller.begin(options))
  const csv = repeated(parts, 'accountLedger', { format: 'csv' })
  return {
    resolveOrder: resolve(AN_ORDER) as (
      attempted: Attempted,
      options?: CallOptions,
    ) => Promise<Resolution<never>>,
    resolveOrderList: resolve(A_LIST) as (
      attempted: Attempted,
      options?: CallOptions,
    ) => Promise<Resolution<never>>,
    accountLedgerCsv: csv as Helpers['accountLedgerCsv'],
  }
}
