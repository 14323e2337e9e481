/** The engines and historians of a cluster, as the one that leads knows them. */
import type { AdminCluster, AdminClusterMember } from '../../../wire/admin-records.ts'
import type { Copy } from './measured.ts'

export type Member = AdminClusterMember & {
  readonly state: 'LEADS' | 'FOLLOWS' | 'LACKS'
  /** Commands that it lacks; undefined: not known, or none by what it is. */
  readonly behind: number | undefined
}

/** `replicas`: those that are linked to this engine. */
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

/** Whether it leads other engines' cluster with none of them behind it: then one more loss stops the exchange. */
export function isAlone(
  { name, role, members }: Pick<AdminCluster, 'name' | 'role' | 'members'>,
  replicas: readonly string[],
): boolean {
  const others = members.filter((member) => member.kind === 'ENGINE' && member.name !== name)
  return role === 'LEADING' && others.length > 0 && !others.some((one) => replicas.includes(one.name))
}
