/**
 * Searches the audit trail by actor, action, account, time and text, newest first. Actor, action and account
 * have an index; the other conditions are checked row by row, a limited number at a time, and the next
 * request continues, so no query occupies the history for long.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminAction } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { OperatorAction } from '../../../engine/port/ports.ts'
import { OPERATOR_ACTIONS_MAX } from '../../../units/operator-enums.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { type AdminContext, invalid, knownAccount } from '../context.ts'
import { adminActions, kindOf } from './audit.ts'

/** Maximum number of commands found if the request gives no limit. */
const FOUND_DEFAULT = 50
/** Number of commands that one query examines. */
export const COMMANDS_READ_MAX = 5_000

type Request = AdminRequests['audit/find']

export async function findActions(
  context: AdminContext,
  request: Request,
): Promise<AdminResults['audit/find']> {
  const { limit = FOUND_DEFAULT } = request
  const [from, to] = [timeOf('from', request.from), timeOf('to', request.to)]
  const query = queryOf(context, request)
  const isWanted = filterOf(request)
  const found: AdminAction[] = []
  let before = request.before as Seq | undefined
  if (to !== undefined) before = earlier(before, await firstAfter(context, to))
  let lookedBackTo: string | null = null
  for (let looked = 0; looked < COMMANDS_READ_MAX; ) {
    const rows = await context.history.operatorActions({ ...query, before })
    const shown = adminActions(context, rows)
    for (const [index, row] of rows.entries()) {
      if (from !== undefined && row.time < from) return { actions: found, next: null, lookedBackTo }
      looked++
      before = row.seq
      lookedBackTo = isoTime(row.time)
      const action = shown[index]
      if (action !== undefined && isWanted(action)) found.push(action)
      if (found.length === limit) return { actions: found, next: before, lookedBackTo }
    }
    if (rows.length < query.limit) return { actions: found, next: null, lookedBackTo }
  }
  return { actions: found, next: before ?? null, lookedBackTo }
}

type Query = Omit<Parameters<AdminContext['history']['operatorActions']>[0], 'before'>

/**
 * The lookups of the history: an account takes precedence over an actor, since there is no combined index.
 */
function queryOf(context: AdminContext, { actor, kind, account, text }: Request): Query {
  const isCompared = text !== undefined || (account !== undefined && actor !== undefined)
  return {
    limit: isCompared ? OPERATOR_ACTIONS_MAX : FOUND_DEFAULT,
    actor: account === undefined ? actor : undefined,
    kind: kind === undefined ? undefined : kindOf(kind),
    accountId: account === undefined ? undefined : knownAccount(context, 'account', account).id,
    atLeast: context.seq(),
  }
}

/** Whether a command matches the conditions that have no index. */
function filterOf({ actor, text }: Request): (action: AdminAction) => boolean {
  const wanted = text?.toLowerCase()
  return (action) =>
    (actor === undefined || action.actor === actor) &&
    (wanted === undefined || textOf(action).toLowerCase().includes(wanted))
}

/** All text that is shown of a command, one item per line. */
function textOf({ seq, time, kind, actor, note, outcome, fields }: AdminAction): string {
  const named = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`)
  return [seq, time, kind, actor, outcome, ...named, note].join('\n')
}

/**
 * The first command of an operator after a time; undefined if there is none. Times never decrease, so it is
 * found by bisection.
 */
async function firstAfter({ history, seq }: AdminContext, moment: TimeMs): Promise<Seq | undefined> {
  const newestBefore = async (before: number): Promise<OperatorAction | undefined> => {
    const asked = { before: before as Seq, limit: 1, actor: undefined, kind: undefined, atLeast: seq() }
    const [action] = await history.operatorActions(asked)
    return action
  }
  // No command below `low` is later than `moment`, and `first`, once known, is the earliest later command
  // found so far.
  let [low, high] = [1, seq() + 1]
  let first: Seq | undefined
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const action = await newestBefore(middle)
    if (action === undefined || action.time <= moment) low = middle
    else {
      first = action.seq
      high = Math.min(middle - 1, action.seq)
    }
  }
  return first
}

function earlier(one: Seq | undefined, other: Seq | undefined): Seq | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

function timeOf(field: 'from' | 'to', text: string | undefined): TimeMs | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2}))?$/.test(text) && !Number.isNaN(time))
    return time as TimeMs
  throw invalid(field, `expected a day or a time such as 2026-01-31T14:00:00Z, found ${text}`)
}
