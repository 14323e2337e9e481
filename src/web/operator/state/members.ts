/** The processes of a cluster, as reported by its leader. */
import type {
  AdminCluster,
  AdminClusterMember,
  AdminCustomersProcess,
} from '../../../contract/admin/records.ts'
import type { Copy } from './measured.ts'

export type Member = AdminClusterMember & {
  readonly state: 'LEADS' | 'FOLLOWS' | 'LACKS'
  /** Number of commands that it has not received yet; undefined if unknown or not applicable. */
  readonly behind: number | undefined
}

/** `replicas`: those linked to this engine. */
export function membersOf(
  { members, leader }: Pick<AdminCluster, 'members' | 'leader'>,
  replicas: readonly Copy[],
): readonly Member[] {
  return members.map((member) => {
    const behind = replicas.find(({ name }) => name === member.name)?.behind
    if (member.name === leader) return { ...member, state: 'LEADS', behind: undefined }
    return { ...member, state: behind === undefined ? 'LACKS' : 'FOLLOWS', behind }
  })
}

/**
 * Whether this engine leads a cluster of several engines and none of the others follows: the exchange would
 * then stop if this one failed.
 */
export function isAlone(
  { name, role, members }: Pick<AdminCluster, 'name' | 'role' | 'members'>,
  replicas: readonly string[],
): boolean {
  const others = members.filter((member) => member.kind === 'ENGINE' && member.name !== name)
  return role === 'LEADING' && others.length > 0 && !others.some((one) => replicas.includes(one.name))
}

/**
 * The customers processes that cannot serve people. A process that has not been contacted yet is not among
 * them.
 */
export function customersAway(processes: readonly AdminCustomersProcess[]): readonly AdminCustomersProcess[] {
  return processes.filter(
    ({ state, lacks }) => state !== 'NOT_ASKED_YET' && (state !== 'ANSWERS' || lacks.includes('STORE')),
  )
}
