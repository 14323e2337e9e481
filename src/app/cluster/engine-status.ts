/** Status of an engine, read from its health and metrics, for `bourse cluster status`. */
import type { HostAndPort } from './schema.ts'

/** Undefined if it was not asked, or has not answered. */
export type EngineStatus = {
  readonly name: string
  readonly isReachable: boolean | undefined
  readonly isLeader: boolean | undefined
  readonly epoch: number | undefined
  /** When it began to lead, seconds since 1970. */
  readonly leaderSince: number | undefined
  /** Commands that each replica of a leader lacks, by its name. */
  readonly behindByName: ReadonlyMap<string, number>
}

/** Longest wait for an answer. */
const ASK_MS_MAX = 2_000

/** Asks `monitoring`, if there is one; an engine that does not answer is only not reachable. */
export async function askEngine({
  name,
  monitoring,
}: {
  readonly name: string
  readonly monitoring?: HostAndPort | undefined
}): Promise<EngineStatus> {
  const unknown = { isLeader: undefined, epoch: undefined, leaderSince: undefined, behindByName: new Map() }
  if (monitoring === undefined) return { name, isReachable: undefined, ...unknown }
  const host = monitoring.host.includes(':') ? `[${monitoring.host}]` : monitoring.host
  try {
    const signal = AbortSignal.timeout(ASK_MS_MAX)
    const answer = await fetch(`http://${host}:${monitoring.port}/metrics`, { signal })
    if (!answer.ok) return { name, isReachable: false, ...unknown }
    return { name, isReachable: true, ...readMetrics(await answer.text()) }
  } catch {
    return { name, isReachable: false, ...unknown }
  }
}

/** The leadership metrics in the text of `/metrics`. */
export function readMetrics(text: string): Omit<EngineStatus, 'name' | 'isReachable'> {
  const values = new Map<string, number>()
  const behindByName = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, metric, labels = '', value] = /^(bourse_\w+)(\{.*\})? (\S+)$/.exec(line) ?? []
    if (metric === undefined || value === undefined) continue
    const replica = /[{,]replica="([^"]*)"/.exec(labels)?.[1]
    if (metric === 'bourse_replica_behind_commands' && replica !== undefined)
      behindByName.set(replica, Number(value))
    else values.set(metric, Number(value))
  }
  const leader = values.get('bourse_leader')
  const since = values.get('bourse_leader_since_seconds')
  return {
    isLeader: leader === undefined ? undefined : leader === 1,
    epoch: values.get('bourse_epoch'),
    leaderSince: leader === 1 && since !== undefined && since > 0 ? since : undefined,
    behindByName,
  }
}
