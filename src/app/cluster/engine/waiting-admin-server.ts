/**
 * What operators reach where an engine does not lead: the page, and whatever is asked is answered with who does. It keeps the port of the admin server that takes
 * its place.
 */
import { refusal } from '../../../server/admin/answers.ts'
import type { PageFiles } from '../../../server/admin/page-sessions/page-desk.ts'
import { isMeantForOther } from '../../../server/listener/framing.ts'
import { hostInUrl, isLoopback } from '../../../server/listener/loopback.ts'

export type WaitingAdminServer = {
  readonly port: number
  stop(): Promise<void>
}

export type WaitingAdminServerOptions = {
  readonly hostname: string
  readonly port: number
  /** Who leads, as a sentence without its point. */
  readonly standing: () => string
  readonly page: PageFiles
}

/** Throws what the system says when the port cannot be had. */
export function openWaitingAdminServer(options: WaitingAdminServerOptions): WaitingAdminServer {
  const { hostname, standing, page } = options
  const server = Bun.serve({
    hostname,
    port: options.port,
    development: false,
    // Not the default here: outside of development the runtime would let a second server share the port.
    reusePort: false,
    maxRequestBodySize: 64 * 1024,
    fetch: (request) => {
      if (isLoopback(hostname) && isMeantForOther(request)) return refusal('WRONG_HOST')
      // A program is told at once, whatever it asks for.
      const files = request.headers.has('authorization')
        ? undefined
        : page(request, new URL(request.url).pathname)
      return files ?? refusal('NO_LEADER', standing())
    },
  })
  return { port: server.port ?? options.port, stop: () => server.stop(true) }
}

/** `http://host:port` */
export function adminUrl(hostname: string, port: number): string {
  return `http://${hostInUrl(hostname)}:${port}`
}
