/**
 * The message to operators of an engine that does not lead: which engine leads, where its admin server is,
 * and what to do if no leader is known.
 */
import type { AdminCluster } from '../../../contract/admin/records.ts'
import type { RoleStatus } from './role-status.ts'

/** One sentence, without its full stop. */
export function waitingText(
  { name, members }: Pick<AdminCluster, 'name' | 'members'>,
  { role, leader, epoch }: Pick<RoleStatus, 'role' | 'leader' | 'epoch'>,
): string {
  const here = `this engine, ${name}, does not lead`
  if (role === 'LEADING') return `this engine, ${name}, is taking over or giving up leadership: try again`
  if (leader === undefined)
    return `${here}, and found no leader: see "bourse cluster status" and this engine's log`
  const where = members.find((one) => one.name === leader)?.admin ?? undefined
  const address = where === undefined ? 'whose address is in its admin.json' : `${where} of its machine`
  return `${here}: ${leader} does, in epoch ${epoch}. Use its admin server, ${address}`
}
