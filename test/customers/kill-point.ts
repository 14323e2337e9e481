/**
 * Loaded before the program of a node and its processes: the customers process kills itself, the node or both
 * with SIGKILL at the call to the exchange that the file `KILL_POINT` specifies, before it is sent or after
 * its answer has arrived.
 */
import { readFileSync, rmSync } from 'node:fs'

export type KillPoint = {
  /** The operation of the admin server. */
  readonly operation: string
  readonly isAfter: boolean
  readonly victim: Victim
}
export const VICTIMS = ['PROCESS', 'NODE', 'BOTH'] as const
export type Victim = (typeof VICTIMS)[number]

const file = process.env.KILL_POINT
const ask = globalThis.fetch

function kill({ victim }: KillPoint): void {
  rmSync(file ?? '')
  if (victim !== 'PROCESS') process.kill(process.ppid, 'SIGKILL')
  if (victim !== 'NODE') process.kill(process.pid, 'SIGKILL')
}

/** Undefined if no process is to be killed at this call. */
function pointAt(url: string): KillPoint | undefined {
  try {
    const point = JSON.parse(readFileSync(file ?? '', 'utf8')) as KillPoint
    return url.endsWith(`/admin/v1/${point.operation}`) ? point : undefined
  } catch {
    return undefined
  }
}

if (file !== undefined && process.argv.includes('customers-child'))
  globalThis.fetch = Object.assign(
    async (...[url, init]: Parameters<typeof fetch>) => {
      const point = pointAt(String(url))
      if (point?.isAfter === false) kill(point)
      const response = await ask(url, init)
      // The exchange has sent its complete answer.
      const body = await response.bytes()
      if (point?.isAfter === true) kill(point)
      return new Response(body, { status: response.status, headers: response.headers })
    },
    { preconnect: ask.preconnect },
  )
