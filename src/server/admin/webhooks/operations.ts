/**
 * Operations on webhooks. Each change is first journaled with operator and reason, so that none is made
 * without a record. The node stores the definition and the position of a webhook outside the journal
 * (docs/webhooks.md).
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AuditFields } from '../../../contract/admin/operations/row.ts'
import { TEXT_MAX } from '../../../units/limits.ts'
import { type AdminContext, AdminRequestError, knownAccount, type WebhookControl } from '../context.ts'
import { pageAfter } from '../events/list-events.ts'
import { operatorOf, submit } from '../submit.ts'

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listWebhooks({ webhooks }: AdminContext): Result<'webhook/list'> {
  if (webhooks === undefined) throw new AdminRequestError('NO_WEBHOOKS')
  return (await webhooks.find())?.list() ?? []
}

export async function showWebhook(
  context: AdminContext,
  { name }: AdminRequests['webhook/show'],
): Result<'webhook/show'> {
  return (await known(context, name)).show(name)
}

/** Adds a webhook; this answer is the only one that ever shows its secret. */
export async function addWebhook(
  context: AdminContext,
  request: AdminRequests['webhook/add'],
): Result<'webhook/add'> {
  const { name, url, kinds, account, after } = request
  if (context.webhooks === undefined) throw new AdminRequestError('NO_WEBHOOKS')
  const control = await context.webhooks.open()
  control.requireUrl(url)
  if (account !== undefined) knownAccount(context, 'account', account)
  if (control.has(name)) throw new AdminRequestError('WEBHOOK_EXISTS')
  if (control.isFull) throw new AdminRequestError('LIMIT_REACHED')
  const position = after ?? (await endOf(context))
  if (after !== undefined) await requireNumber(context, after)
  const filters = [kinds?.join(',') ?? '', account ?? ''].filter((text) => text !== '')
  const change = [`added after ${position}:`, url.split('?')[0], ...filters].join(' ')
  await note(context, request, change)
  const secret = control.add({ name, url, kinds, account, position })
  return { ...control.show(name), secret }
}

export async function pauseWebhook(
  context: AdminContext,
  request: AdminRequests['webhook/pause'],
): Result<'webhook/pause'> {
  const { name } = request
  const control = await known(context, name)
  await note(context, request, 'paused')
  control.pause(name)
  return control.show(name)
}

export async function resumeWebhook(
  context: AdminContext,
  request: AdminRequests['webhook/resume'],
): Result<'webhook/resume'> {
  const { name, after } = request
  const control = await known(context, name)
  control.requireResumable(name, after)
  if (after !== undefined) await requireNumber(context, after)
  await note(context, request, after === undefined ? 'resumed' : `resumed after ${after}`)
  control.resume(name, after)
  return control.show(name)
}

export async function removeWebhook(
  context: AdminContext,
  request: AdminRequests['webhook/remove'],
): Result<'webhook/remove'> {
  const { name } = request
  const control = await known(context, name)
  await note(context, request, 'removed')
  const last = control.show(name)
  await control.remove(name)
  return last
}

export async function testWebhook(
  context: AdminContext,
  { name }: AdminRequests['webhook/test'],
): Result<'webhook/test'> {
  return (await known(context, name)).test(name)
}

export async function listDeadEvents(
  context: AdminContext,
  { name }: AdminRequests['dead-event/list'],
): Result<'dead-event/list'> {
  return (await known(context, name)).dead(name)
}

export async function retryDeadEvents(
  context: AdminContext,
  request: AdminRequests['webhook/retry'],
): Result<'webhook/retry'> {
  const { name, number } = request
  const control = await known(context, name)
  control.requireDead(name, number)
  await note(context, request, number === undefined ? 'retries all undelivered events' : `retries ${number}`)
  return { count: control.sendAgain(name, number) }
}

/** Journals the operator, the reason and the change. */
async function note(
  context: AdminContext,
  request: AuditFields & { readonly name: string },
  change: string,
): Promise<void> {
  await submit(context, {
    kind: 'NoteChange',
    operator: operatorOf(context, request),
    subject: `webhook ${request.name}`,
    change: change.slice(0, TEXT_MAX).toWellFormed(),
  })
}

async function known({ webhooks }: AdminContext, name: string): Promise<WebhookControl> {
  if (webhooks === undefined) throw new AdminRequestError('NO_WEBHOOKS')
  const control = await webhooks.find()
  if (control?.has(name)) return control
  throw new AdminRequestError('UNKNOWN_WEBHOOK')
}

/** The number of the last event so far: later events have higher numbers. */
async function endOf(context: AdminContext): Promise<number> {
  const { end } = await pageAfter(context, { after: 0, limit: 1 }, undefined)
  return end
}

/** Throws `OTHER_JOURNAL` for a number that this journal does not have yet. */
async function requireNumber(context: AdminContext, after: number): Promise<void> {
  await pageAfter(context, { after, limit: 1 }, undefined)
}
