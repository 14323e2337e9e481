/**
 * Hands an operator's command to the engine and turns a refusal into the door's answer. The text of a reason is
 * the catalogue's; what it means for a field, the operation has checked before.
 */
import type { Command, Operator } from '../../core/exchange/command.ts'
import type { Reply } from '../../core/exchange/reply.ts'
import type { AuditFields } from '../../wire/admin.ts'
import { REASONS } from '../../wire/reasons/catalogue.ts'
import { type AdminContext, AdminRefusal } from './context.ts'

/** Who is named when the request names nobody. */
const DEFAULT_ACTOR = 'admin'
/** Refusals that say: it was there already. */
const CONFLICTS = new Set([
  'ASSET_EXISTS',
  'SYMBOL_EXISTS',
  'ACCOUNT_EXISTS',
  'API_KEY_EXISTS',
  'REFERENCE_CONFLICT',
])

type Accepted = Exclude<Reply, { kind: 'Refused' }>

/** The operator's part of a command. */
export function operatorOf(request: AuditFields): Operator {
  return { actor: request.actor || DEFAULT_ACTOR, note: request.note ?? '' }
}

/** Resolves when the command is durable and done; an `AdminRefusal` when the exchange refused it. */
export async function submit(context: AdminContext, command: Command): Promise<Accepted> {
  const reply = await context.engine.submit(command)
  if (reply.kind !== 'Refused') return reply
  const { reason } = reply
  const status = CONFLICTS.has(reason) ? 409 : reason === 'INTERNAL_ERROR' ? 500 : 400
  throw new AdminRefusal(status, { reason, message: REASONS[reason].en })
}
