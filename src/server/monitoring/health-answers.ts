/**
 * Health over HTTP: the same two paths on the public port, without detail, and on the port for operators,
 * with it.
 */
import type { Health, HealthReport } from './health.ts'

export const LIVE_PATH = '/health/live'
export const READY_PATH = '/health/ready'

const HEADERS = { 'Content-Type': 'application/json;charset=utf-8', 'Cache-Control': 'no-store' }

/** Answers the two paths with 200 or 503; undefined for every other request. */
export function healthAnswers(
  health: Health,
  detail: 'plain' | 'full',
): (request: Request, path: string) => Response | undefined {
  return ({ method }, path) => {
    if (path !== LIVE_PATH && path !== READY_PATH) return undefined
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const report = path === LIVE_PATH ? health.live() : health.ready()
    const body = method === 'HEAD' ? null : `${JSON.stringify(shown(report, path, detail))}\n`
    return new Response(body, { status: report.ok ? 200 : 503, headers: HEADERS })
  }
}

function shown({ ok, ...report }: HealthReport, path: string, detail: 'plain' | 'full'): object {
  const word = path === LIVE_PATH ? 'live' : 'ready'
  const status = ok ? word : `not ${word}`
  return detail === 'plain' ? { status } : { status, ...report }
}
