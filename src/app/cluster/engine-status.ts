/** Status of processes, read from their health and metrics, for `bourse cluster status`. */
import type { HostAndPort } from './schema.ts'

/** Undefined if the process was not queried, or did not answer. */
export type EngineStatus = {
  readonly name: string
  readonly isReachable: boolean | undefined
  readonly isLeader: boolean | undefined
  readonly epoch: number | undefined
  /** The time at which the engine began to lead, in seconds since 1970. */
  readonly leaderSince: number | undefined
  /** The number of commands that each replica of a leader lacks, by the replica's name. */
  readonly behindByName: ReadonlyMap<string, number>
}

/** Longest wait for an answer. */
const ASK_MS_MAX = 2_000

type Asked = { readonly name: string; readonly monitoring?: HostAndPort | undefined }

/** Undefined if the process was not queried, or did not answer. */
export type ReadyStatus = {
  readonly name: string
  readonly isReachable: boolean | undefined
  readonly isReady: boolean | undefined
}

/** Asks whether a process is ready. */
export async function askReady({ name, monitoring }: Asked): Promise<ReadyStatus> {
  if (monitoring === undefined) return { name, isReachable: undefined, isReady: undefined }
  try {
    const answer = await ask(monitoring, '/health/ready')
    return { name, isReachable: true, isReady: answer.ok }
  } catch {
    return { name, isReachable: false, isReady: undefined }
  }
}

function ask({ host, port }: HostAndPort, path: string): Promise<Response> {
  const signal = AbortSignal.timeout(ASK_MS_MAX)
  return fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`, { signal })
}

/** Queries `monitoring`, if there is one; an engine that does not answer is reported as unreachable. */
export async function askEngine({ name, monitoring }: Asked): Promise<EngineStatus> {
  const unknown = { isLeader: undefined, epoch: undefined, leaderSince: undefined, behindByName: new Map() }
  if (monitoring === undefined) return { name, isReachable: undefined, ...unknown }
  try {
    const answer = await ask(monitoring, '/metrics')
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
