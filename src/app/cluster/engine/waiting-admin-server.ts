/**
 * The server for operators while an engine does not lead: it serves the page, and answers every request with
 * the name of the leader. It occupies the port of the admin server that later replaces it.
 */
import { refusal } from '../../../server/admin/answers.ts'
import type { PageFiles } from '../../../server/admin/page-sessions/operator-page.ts'
import { isMeantForOther } from '../../../server/listener/framing.ts'
import { hostInUrl, isLoopback } from '../../../server/listener/loopback.ts'

export type WaitingAdminServer = {
  readonly port: number
  stop(): Promise<void>
}

export type WaitingAdminServerOptions = {
  readonly hostname: string
  readonly port: number
  /** The leader, as a sentence without the full stop. */
  readonly statusText: () => string
  readonly page: PageFiles
}

/** Throws the system's error if the port is not available. */
export function openWaitingAdminServer(options: WaitingAdminServerOptions): WaitingAdminServer {
  const { hostname, statusText, page } = options
  const server = Bun.serve({
    hostname,
    port: options.port,
    development: false,
    // Not the default here: outside of development the runtime would let a second server share the port.
    reusePort: false,
    maxRequestBodySize: 64 * 1024,
    fetch: (request) => {
      if (isLoopback(hostname) && isMeantForOther(request)) return refusal('WRONG_HOST')
      // A program gets this answer at once, for any request.
      const files = request.headers.has('authorization')
        ? undefined
        : page(request, new URL(request.url).pathname)
      return files ?? refusal('NO_LEADER', statusText())
    },
  })
  return { port: server.port ?? options.port, stop: () => server.stop(true) }
}

/** `http://host:port` */
export function adminUrl(hostname: string, port: number): string {
  return `http://${hostInUrl(hostname)}:${port}`
}
