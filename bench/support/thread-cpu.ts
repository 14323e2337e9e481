/**
 * CPU time of a process by thread, from Linux's /proc: the distribution of a request's cost when several
 * threads share two cores. The kernel counts in ticks of 10 ms, so only sums over seconds are meaningful.
 */
import { readdirSync, readFileSync } from 'node:fs'

const US_PER_TICK = 10_000
/** Index among the fields after the name: user time; system time follows. */
const USER_FIELD = 11
const SYSTEM_FIELD = 12
/** Index of the user time of children that have ended; their system time follows. */
const ENDED_USER_FIELD = 13
const ENDED_SYSTEM_FIELD = 14

/** Microseconds by the role of the thread. */
export type CpuByRole = Readonly<Record<string, number>>

/**
 * CPU time so far. The main thread is `roles[0]`, workers are the following ones in the order of their start,
 * and all others (compiler, garbage collector, ended threads) are `runtime`. Undefined without /proc.
 */
export function cpuByRole(pid: number, roles: readonly string[]): CpuByRole | undefined {
  const tasks = tasksOf(pid)
  if (tasks === undefined) return undefined
  const sums: Record<string, number> = Object.fromEntries(roles.map((role) => [role, 0]))
  let runtime = processUs(pid).us
  let workers = 0
  for (const { id, name, us } of tasks) {
    const role = id === pid ? roles[0] : name === 'Worker' ? roles[++workers] : undefined
    if (role === undefined) continue
    sums[role] = (sums[role] ?? 0) + us
    runtime -= us
  }
  return { ...sums, runtime }
}

/** CPU time so far of the running processes that a process started; undefined without /proc. */
export function childrenCpuUs(pid: number): number | undefined {
  try {
    return childrenOf(pid).reduce((sum, id) => sum + processUs(id).us, 0)
  } catch {
    return undefined
  }
}

/** Like `childrenCpuUs`, for their main threads only. */
export function childrenMainUs(pid: number): number | undefined {
  try {
    const statOf = (id: number): string => readFileSync(`/proc/${id}/task/${id}/stat`, 'latin1')
    return childrenOf(pid).reduce((sum, id) => sum + taskOf(id, statOf(id)).us, 0)
  } catch {
    return undefined
  }
}

/**
 * CPU time so far of a process, of its running children, and of its ended children; undefined without /proc.
 */
export function processCpuUs(pid: number): number | undefined {
  const below = childrenCpuUs(pid)
  if (below === undefined) return undefined
  const { us, endedUs } = processUs(pid)
  return below + us + endedUs
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
}

function processUs(pid: number): Task {
  return taskOf(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'))
}

type Task = { readonly id: number; readonly name: string; readonly us: number; readonly endedUs: number }

function tasksOf(pid: number): Task[] | undefined {
  const folder = `/proc/${pid}/task`
  try {
    const ids = readdirSync(folder).map(Number)
    return ids.sort((a, b) => a - b).map((id) => taskOf(id, readFileSync(`${folder}/${id}/stat`, 'latin1')))
  } catch {
    return undefined
  }
}

function taskOf(id: number, stat: string): Task {
  const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')]
  const fields = stat.slice(close + 2).split(' ')
  const usOf = (user: number, system: number): number =>
    (Number(fields[user]) + Number(fields[system])) * US_PER_TICK
  return {
    id,
    name: stat.slice(open + 1, close),
    us: usOf(USER_FIELD, SYSTEM_FIELD),
    endedUs: usOf(ENDED_USER_FIELD, ENDED_SYSTEM_FIELD),
  }
}
