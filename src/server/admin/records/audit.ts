/**
 * The audit trail: every command of an operator, refused ones too, newest first, from the history, which is
 * built from the journal.
 */

import type { AdminRequests } from '../../../contract/admin/admin.ts'
import type { AdminAction, AdminActionFields } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { OperatorCommand } from '../../../core/commands/command.ts'
import { OPERATOR_ROWS } from '../../../core/commands/command-table.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import type { OperatorAction } from '../../../engine/port/ports.ts'
import { meant } from '../../../units/nearest.ts'
import { OPERATOR_ACTIONS_MAX } from '../../../units/operator-enums.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { RegistryView } from '../../../views/registry.ts'
import { Describer } from '../../description/describer.ts'
import type { Names } from '../../description/names.ts'
import { type AdminContext, AdminRequestError, invalid, unknown } from '../context.ts'
import { LOCAL_MARK } from '../submit.ts'

export async function listActions(
  context: AdminContext,
  request: AdminRequests['audit/list'],
): Promise<AdminAction[]> {
  const { before, limit = OPERATOR_ACTIONS_MAX, actor, kind } = request
  const actions = await context.history.operatorActions({
    before: before as Seq | undefined,
    limit,
    actor,
    kind: kind === undefined ? undefined : kindOf(kind),
    atLeast: context.seq(),
  })
  if (actions.length === 0 && actor !== undefined) await requireKnownActor(context, actor)
  return adminActions(context, actions)
}

/** Describes commands of operators. */
export function adminActions(
  { registry }: Pick<AdminContext, 'registry'>,
  actions: readonly OperatorAction[],
): AdminAction[] {
  const describer = new Describer(namesOf(registry))
  return actions.map((action) => shown(action, describer))
}

/** An empty list is only returned for a known actor: one with a token, or with earlier actions. */
async function requireKnownActor(context: AdminContext, actor: string): Promise<void> {
  const { backOffice, history, seq } = context
  if (backOffice.tokenByName.has(actor)) return
  const hasActed = async (name: string): Promise<boolean> => {
    const found = await history.operatorActions({
      before: undefined,
      limit: 1,
      actor: name,
      kind: undefined,
      atLeast: seq(),
    })
    return found.length > 0
  }
  if (await hasActed(actor)) return
  const claimed = `${LOCAL_MARK}${actor}`
  const isClaimed = await hasActed(claimed)
  const names = () => (isClaimed ? [] : [...backOffice.tokenByName.keys()])
  const known = { right: 'read.operators', names } as const
  const what = 'token or action of'
  const error = unknown(context, { reason: 'UNKNOWN_ACTOR', field: 'actor', what, found: actor, known })
  if (!isClaimed) throw error
  throw new AdminRequestError('UNKNOWN_ACTOR', {
    field: 'actor',
    message: `${error.message}; did you mean ${claimed}?`,
  })
}

const OPERATOR_KINDS = Object.keys(OPERATOR_ROWS) as OperatorCommand['kind'][]

/** Accepts any letter case, since the kind is typed by hand. */
export function kindOf(kind: string): OperatorCommand['kind'] {
  const known = OPERATOR_KINDS.find((each) => each.toLowerCase() === kind.toLowerCase())
  if (known !== undefined) return known
  const near = meant(kind, OPERATOR_KINDS)
  throw invalid('kind', `expected one of ${OPERATOR_KINDS.join(', ')}, found ${kind}${near}`)
}

function shown({ seq, time, command, reply }: OperatorAction, describer: Describer): AdminAction {
  const { actor, note } = command.operator
  const { actor: _actor, note: _note, ...said } = describer.command(command)
  const fields = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  const outcome = outcomeOf(reply)
  return {
    seq,
    time: isoTime(time),
    kind: command.kind,
    actor,
    note,
    outcome,
    fields: fields as AdminActionFields,
  }
}

function outcomeOf(reply: Reply): string {
  switch (reply.kind) {
    case 'Refused':
      return reply.reason
    case 'ApprovalNeeded':
      return 'waits for approval'
    case 'Done':
    case 'AddressAllowed':
      return reply.repeated ? 'repeated' : 'done'
    default:
      return 'done'
  }
}

/**
 * Current names, which are right for commands of any time: names of accounts, symbols and asset codes never
 * change.
 */
function namesOf(registry: RegistryView): Names {
  return {
    account: (id) => registry.account(id)?.name ?? `account ${id}`,
    asset: (id) => registry.asset(id),
    assetByCode: (code) => registry.assetByCode(code),
    symbol: (id) => registry.symbol(id),
    symbolByName: (name) => registry.symbolByName(name),
  }
}
