/** Answers of the WebSocket API, with the use of the limits that the request counts against. */

import type { LimitsConfig } from '../../access/limits/limits-config.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { ordersUsed } from '../account/account.ts'
import { rateLimitsOf } from '../market/exchange-info.ts'
import type { WireError } from '../wire/wire-error.ts'
import type { WireCall } from '../wire-call.ts'
import type { MessageId } from './api-message.ts'

type LimitUse = ReturnType<typeof rateLimitsOf>[number] & { readonly count: number }

/** `resultJson` is JSON. */
export function answerText(
  id: MessageId,
  resultJson: string,
  rateLimits: readonly LimitUse[] | undefined,
): string {
  return `{"id":${JSON.stringify(id)},"status":200,"result":${resultJson}${limitsText(rateLimits)}}`
}

export function errorText(
  id: MessageId,
  error: WireError,
  rateLimits: readonly LimitUse[] | undefined,
  now: number,
): string {
  const { status, code, msg, reason, beside, retryAfter } = error
  const data =
    retryAfter === undefined ? undefined : { serverTime: now, retryAfter: now + retryAfter * 1_000 }
  const body = JSON.stringify({ code, msg, reason, ...beside, data })
  return `{"id":${JSON.stringify(id)},"status":${status},"error":${body}${limitsText(rateLimits)}}`
}

function limitsText(rateLimits: readonly LimitUse[] | undefined): string {
  return rateLimits === undefined ? '' : `,"rateLimits":${JSON.stringify(rateLimits)}`
}

/** The weight of the address, and the orders of the account if the request counts any. */
export function usedLimits(
  { use }: Pick<RequestContext, 'use'>,
  config: LimitsConfig,
  call: WireCall | undefined,
): readonly LimitUse[] {
  const limits = rateLimitsOf(config)
  const orders = call === undefined || call.orderCounts.length === 0 ? [] : ordersUsed(call)
  return [...orders, ...limits.slice(0, 1).map((limit) => ({ ...limit, count: use.weight }))]
}
