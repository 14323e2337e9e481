/** Notes of operators on an account, the search by them, and special terms until a given time. */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { ProfileField, SpecialTerms } from '../../../core/registry/records.ts'
import { isInForce } from '../../../core/registry/special-terms.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { type AdminContext, invalid, knownAccount, traderAccount, unknown } from '../context.ts'
import { futureTime } from '../future-time.ts'
import { rateOf } from '../markets/decimals.ts'
import { adminAccount } from '../presentation.ts'
import { operatorOf, submit } from '../submit.ts'

const NEVER = 0 as TimeMs

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

/** Finds the account with a customer id. */
export async function findAccount(
  context: AdminContext,
  { customerId }: AdminRequests['account/find'],
): Result<'account/find'> {
  const account = context.accounts.accountOfCustomer(customerId)
  if (account === undefined)
    throw unknown(context, {
      reason: 'UNKNOWN_ACCOUNT',
      field: 'customerId',
      what: 'account with customer id',
      found: customerId,
    })
  return adminAccount(account, context.now())
}

/** Changes the given notes; the others keep their values. */
export async function noteAccount(
  context: AdminContext,
  request: AdminRequests['account/note'],
): Result<'account/note'> {
  const { id, name, profile } = traderAccount(context, 'account', request.account)
  await submit(context, {
    kind: 'SetAccountProfile',
    operator: operatorOf(context, request),
    accountId: id,
    customerId: request.customerId ?? profile?.customerId ?? '',
    labels: request.labels === undefined ? (profile?.labels ?? []) : inOrder('labels', request.labels),
    fields: request.fields === undefined ? (profile?.fields ?? []) : fieldsOf(request.fields),
    remark: request.remark ?? profile?.remark ?? '',
  })
  return adminAccount(knownAccount(context, 'account', name), context.now())
}

function inOrder(field: string, words: readonly string[]): string[] {
  const sorted = words.toSorted((a, b) => (a < b ? -1 : 1))
  const twice = sorted.find((word, i) => word === sorted[i + 1])
  if (twice !== undefined) throw invalid(field, `expected each once, found ${twice} twice`)
  return sorted
}

/** Parses the fields of a note. Each is `name=value`; the schema has checked their form. */
function fieldsOf(texts: readonly string[]): ProfileField[] {
  const fields = texts.map((text) => {
    const at = text.indexOf('=')
    return { name: text.slice(0, at), value: text.slice(at + 1) }
  })
  const names = inOrder(
    'fields',
    fields.map(({ name }) => name),
  )
  return fields.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
}

/** Gives an account terms of its own; parts that are not given stay while they are in force. */
export async function setTerms(
  context: AdminContext,
  request: AdminRequests['account/terms'],
): Result<'account/terms'> {
  const { id, name, special } = traderAccount(context, 'account', request.account)
  const terms = termsOf(context, request, special ?? {})
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'SetSpecialTerms', operator, accountId: id, ...terms })
  return adminAccount(knownAccount(context, 'account', name), context.now())
}

function termsOf(
  context: AdminContext,
  request: AdminRequests['account/terms'],
  before: SpecialTerms,
): SpecialTerms {
  const { makerRate, takerRate, openOrdersMax, orderRateTimes } = request
  if ([makerRate, takerRate, openOrdersMax, orderRateTimes].every((field) => field === undefined))
    throw invalid('makerRate', 'expected rates, openOrdersMax or orderRateTimes')
  const until = request.until === undefined ? NEVER : futureTime(context, 'until', request.until)
  // Expired parts are dropped.
  const isKept = <Part extends { readonly until: TimeMs }>(part: Part | undefined) =>
    part !== undefined && isInForce(part, context.now()) ? part : undefined
  return {
    rates:
      makerRate === undefined && takerRate === undefined
        ? isKept(before.rates)
        : ratesOf(makerRate, takerRate, until),
    openOrders:
      openOrdersMax === undefined
        ? isKept(before.openOrders)
        : openOrdersMax === 0
          ? undefined
          : { max: openOrdersMax, until },
    orderRate:
      orderRateTimes === undefined
        ? isKept(before.orderRate)
        : orderRateTimes === 0
          ? undefined
          : { times: orderRateTimes, until },
  }
}

function ratesOf(makerRate: string | undefined, takerRate: string | undefined, until: TimeMs) {
  if (makerRate === undefined) throw invalid('makerRate', 'expected both rates, found only takerRate')
  if (takerRate === undefined) throw invalid('takerRate', 'expected both rates, found only makerRate')
  if (makerRate === '' && takerRate === '') return undefined
  return { makerRate: rateOf('makerRate', makerRate), takerRate: rateOf('takerRate', takerRate), until }
}
