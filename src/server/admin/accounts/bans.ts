/**
 * Operations on bans: those imposed by operators, which are in the journal, and those of the node's own
 * limits, which a restart forgets. Lifting ends both; it is journaled first, so that no ban is lifted without
 * a trace.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminBan } from '../../../contract/admin/records.ts'
import { isoTime } from '../../../contract/time.ts'
import type { AddressBan } from '../../../core/registry/records.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { limitKey, parseAddress, widerKeyOf } from '../../access/auth/address.ts'
import { type AdminContext, invalid } from '../context.ts'
import { pageOf } from '../page.ts'
import { operatorOf, submit } from '../submit.ts'

const MINUTE_MS = 60_000

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listBans(
  { backOffice, limitBans, now }: AdminContext,
  request: AdminRequests['ban/list'],
): Result<'ban/list'> {
  const time = now()
  const made = [...backOffice.banByAddress.values()].filter(({ until }) => until > time)
  const bans = [
    ...made.map((ban): AdminBan => ({ ...shown(ban), by: 'OPERATOR' })),
    ...limitBans.list(time).map((ban): AdminBan => ({ ...shown(ban), by: 'LIMITS' })),
  ]
  return pageOf(bans, request, ({ address }) => address)
}

/**
 * Bans one client in the sense of the limits, an IPv4 address or the /64 network of an IPv6 address; or a
 * whole /56 or /48 of IPv6, if it is written as such.
 */
export async function addBan(context: AdminContext, request: AdminRequests['ban/add']): Result<'ban/add'> {
  const address = clientOf(request.address)
  const until = (context.now() + request.minutes * MINUTE_MS) as TimeMs
  await submit(context, { kind: 'BanAddress', operator: operatorOf(context, request), address, until })
  return { ...shown({ address, until }), by: 'OPERATOR' }
}

export async function liftBan(context: AdminContext, request: AdminRequests['ban/lift']): Result<'ban/lift'> {
  const address = clientOf(request.address)
  const wasMade = (context.backOffice.banByAddress.get(address)?.until ?? 0) > context.now()
  await submit(context, { kind: 'LiftBan', operator: operatorOf(context, request), address })
  return { lifted: context.limitBans.lift(address) || wasMade }
}

/** A ban is requested by its address, or in the form that the list shows. */
function clientOf(text: string): string {
  const network = widerKeyOf(text)
  if (network !== undefined) return network
  const address = text.replace(/\/64$/, '')
  if (parseAddress(address) !== undefined && !address.includes('%')) return limitKey(address)
  throw invalid(
    'address',
    `expected an address such as 192.0.2.7 or 2001:db8::7, or a network such as 2001:db8:1::/48 or 2001:db8:1:100::/56, found ${text}`,
  )
}

function shown({ address, until }: AddressBan): Omit<AdminBan, 'by'> {
  return { address, until: isoTime(until) }
}
