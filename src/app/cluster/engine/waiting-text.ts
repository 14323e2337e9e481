/** What an engine that does not lead says to operators: who does, where that one is asked, and what to do where none is known. */
import type { AdminCluster } from '../../../wire/admin-records.ts'
import type { Standing } from './standing.ts'

/** One sentence, without its point. */
export function waitingText(
  { name, members }: Pick<AdminCluster, 'name' | 'members'>,
  { role, leader, epoch }: Pick<Standing, 'role' | 'leader' | 'epoch'>,
): string {
  const here = `this engine, ${name}, does not lead`
  if (role === 'LEADING') return `this engine, ${name}, begins or ends to lead: ask again`
  if (leader === undefined)
    return `${here}, and it knows of none that does: look with "bourse cluster status", and in its log`
  const where = members.find((one) => one.name === leader)?.admin ?? undefined
  const address = where === undefined ? 'whose address is in its admin.json' : `${where} of its machine`
  return `${here}: ${leader} does, in epoch ${epoch}. Ask its admin server, ${address}`
}
