/**
 * Health and metrics for operators, on a separate port, on the loopback address unless configured otherwise.
 * It only reads, needs no token and has no access to secrets; but it shows amounts of money, so it must not
 * be public. On the loopback address it answers only to that address's names: a page visited on this machine
 * could make its own name resolve to it.
 */

import type { Logger } from '../common/logger.ts'
import { failure } from '../listener/failure.ts'
import { framingFault, framingHeaders, isMeantForOther } from '../listener/framing.ts'
import { hostInUrl, isLoopback } from '../listener/loopback.ts'
import { targetOf } from '../listener/target.ts'
import type { Health } from './health.ts'
import { healthAnswers, LIVE_PATH, READY_PATH } from './health-answers.ts'

const METRICS_PATH = '/metrics'

const BODY_BYTES_MAX = 1024
const IDLE_TIMEOUT_SECONDS = 30

export type MonitoringServerOptions = {
  readonly hostname: string
  /** The port; 0 means any free one. */
  readonly port: number
  readonly health: Health
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> }
  readonly log: Logger
}

export type MonitoringServer = {
  /** `http://host:port` */
  readonly url: string
  stop(): Promise<void>
}

/** Opens the server. Throws the system's error if the port is not available. */
export function openMonitoringServer({
  hostname,
  port,
  health,
  metrics,
  log,
}: MonitoringServerOptions): MonitoringServer {
  const healthOf = healthAnswers(health, 'full')
  const isHere = isLoopback(hostname)
  const server = Bun.serve({
    hostname,
    port,
    maxRequestBodySize: BODY_BYTES_MAX,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    development: false,
    // Not the default here: outside of development the runtime would let a second server share the port.
    reusePort: false,
    fetch: async (request) => {
      const fault = framingFault(framingHeaders(request.headers))
      if (fault !== undefined) return failure(fault, 'en', undefined)
      const { path: pathname } = targetOf(request.url)
      if (isHere && isMeantForOther(request))
        return new Response('this server does not answer to this host name\n', { status: 421 })
      const answer = healthOf(request, pathname)
      if (answer !== undefined) return answer
      if (pathname !== METRICS_PATH) return notFound()
      if (request.method !== 'GET') return new Response(null, { status: 405, headers: { Allow: 'GET' } })
      return new Response(await metrics.text(), {
        headers: { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' },
      })
    },
    error: (error) => {
      log.error({ err: error }, 'metrics could not be read')
      return new Response('an internal error of the node; see its log\n', { status: 500 })
    },
  })
  return { url: `http://${hostInUrl(hostname)}:${server.port}`, stop: () => server.stop(true) }
}

function notFound(): Response {
  return new Response(`the paths are ${METRICS_PATH}, ${LIVE_PATH} and ${READY_PATH}\n`, { status: 404 })
}
