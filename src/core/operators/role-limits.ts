/**
 * Limits of the amounts that the tokens of a role move in and out of the exchange, per command and per day,
 * asset by asset. Only moved amounts are counted, once, and only if there is a daily limit. An actor without
 * a token has no role, and no limit.
 */
import type { AssetId } from '../../units/ids.ts'
import { type Amount, NO_AMOUNT, type TimeMs } from '../../units/quantities.ts'
import type { EventSink } from '../events/event.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { amountSum, difference } from '../ledger/money.ts'
import type { RoleLimit, WayLimit } from '../registry/records.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Into the exchange, or out of it. */
export type Way = 'in' | 'out'

/** The day of a time: the number of days since 1970, UTC. */
export function dayOf(time: TimeMs): number {
  return Math.floor(time / DAY_MS)
}

/** The amount that a daily limit still allows at `time`; undefined if there is no daily limit. */
export function leftOfDay(limit: RoleLimit, way: Way, time: TimeMs): Amount | undefined {
  const { day } = limit[way]
  if (day === 0) return undefined
  const moved = movedOn(limit, way, dayOf(time))
  return moved >= day ? NO_AMOUNT : difference(day, moved)
}

/** Whether a role's limit prevents `actor` from moving this amount now. */
export function isBeyondLimit(
  state: ExchangeState,
  actor: string,
  { assetId, way, amount }: { readonly assetId: AssetId; readonly way: Way; readonly amount: Amount },
): boolean {
  const limit = limitOf(state, actor, assetId)
  if (limit === undefined) return false
  const { each } = limit[way]
  const left = leftOfDay(limit, way, state.time)
  return (each > 0 && amount > each) || (left !== undefined && amount > left)
}

/** Counts the amount that `actor` has moved. */
export function countMoved(
  state: ExchangeState,
  actor: string,
  { assetId, way, amount }: { readonly assetId: AssetId; readonly way: Way; readonly amount: Amount },
  emit: EventSink,
): void {
  const known = limitOf(state, actor, assetId)
  if (known === undefined || known[way].day === 0) return
  const day = dayOf(state.time)
  const counted = (one: Way): WayLimit => {
    const before = movedOn(known, one, day)
    return { ...known[one], moved: one === way ? amountSum(before, amount) : before }
  }
  const limit: RoleLimit = { ...known, day, in: counted('in'), out: counted('out') }
  state.backOffice.roleLimits.put(limit)
  emit({ kind: 'RoleLimitChanged', limit })
}

function movedOn(limit: RoleLimit, way: Way, day: number): Amount {
  return limit.day === day ? limit[way].moved : NO_AMOUNT
}

function limitOf({ backOffice }: ExchangeState, actor: string, assetId: AssetId): RoleLimit | undefined {
  if (backOffice.roleLimits.size === 0) return undefined
  const token = backOffice.tokens.get(actor)
  return token === undefined ? undefined : backOffice.roleLimits.find(token.role, assetId)
}
