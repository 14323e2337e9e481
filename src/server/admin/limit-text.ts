/** Texts about a role's limits by amount and day, and what is left of them. */

import { isoTime } from '../../contract/time.ts'
import type { Command } from '../../core/commands/command.ts'
import { dayOf, leftOfDay, type Way } from '../../core/operators/role-limits.ts'
import type { Asset, RoleLimit } from '../../core/registry/records.ts'
import { plainDecimal } from '../../units/decimal.ts'
import type { AssetId } from '../../units/ids.ts'
import { type Amount, type TimeMs, timeMs } from '../../units/quantities.ts'
import { roleLimitKey } from '../../views/back-office.ts'
import { type AdminContext, mayRead } from './context.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** When the UTC day after that of `time` begins. */
export function nextDay(time: TimeMs): TimeMs {
  return timeMs((dayOf(time) + 1) * DAY_MS)
}

/** The amount of the day's limit that is left; null if the day is not limited. */
export function leftText(limit: RoleLimit, way: Way, asset: Asset, time: TimeMs): string | null {
  const left = leftOfDay(limit, way, time)
  return left === undefined ? null : plainDecimal(left, asset.fraction)
}

/** The detail of a refusal by a role's limit: the limit, the amount left, and when the next day begins. */
export function roleLimitDetail(context: AdminContext, command: Command): string {
  const move = moveOf(context, command)
  const role = context.backOffice.tokenByName.get(move?.actor ?? '')?.role
  if (move === undefined || role === undefined) return ''
  // Reading another role's limit requires a right of its own; an approver only learns that the limit of the
  // requester's role is used up.
  if (role !== context.caller.role && !mayRead(context, 'read.operators')) return ''
  const limit = context.backOffice.roleLimitByKey.get(roleLimitKey(role, move.assetId))
  const asset = context.registry.asset(move.assetId)
  if (limit === undefined || asset === undefined) return ''
  const { each, day } = limit[move.way]
  const text = (units: Amount | string) =>
    `${typeof units === 'string' ? units : plainDecimal(units, asset.fraction)} ${asset.code}`
  const found = `: found ${text(move.amount)}`
  if (each > 0 && move.amount > each)
    return `${found}, the limit of role ${role} per command is ${text(each)}`
  const time = context.now()
  const left = leftText(limit, move.way, asset, time) ?? '0'
  return `${found}, role ${role} has ${text(left)} of ${text(day)} left today; the next day begins at ${isoTime(nextDay(time))}`
}

type Move = {
  readonly actor: string
  readonly assetId: AssetId
  readonly way: Way
  readonly amount: Amount
}

/** The amount that a command would have moved in or out of the exchange, and the requester. */
function moveOf({ backOffice, registry }: AdminContext, command: Command): Move | undefined {
  if (command.kind === 'Approve') {
    const asked = backOffice.approvalByReference.get(command.reference)
    return asked && { ...asked, way: asked.kind === 'Credit' ? 'in' : 'out' }
  }
  if (command.kind === 'CompleteWithdrawal' || command.kind === 'HandleWithdrawal') {
    const held = backOffice.withdrawalByReference.get(command.reference)
    return held && { actor: command.operator.actor, assetId: held.assetId, way: 'out', amount: held.amount }
  }
  if (command.kind !== 'Credit' && command.kind !== 'Debit' && command.kind !== 'PayOutCommission')
    return undefined
  const asset = registry.assetByCode(command.asset)
  const way = command.kind === 'Credit' ? 'in' : 'out'
  return asset && { actor: command.operator.actor, assetId: asset.id, way, amount: command.amount }
}
