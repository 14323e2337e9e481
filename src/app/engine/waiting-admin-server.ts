/**
 * What operators' programs reach where an engine does not lead: every request is answered with who does. It keeps the port of the admin server
 * that takes its place.
 */
import { ANSWER_HEADERS } from '../../gateway/admin/answers.ts'
import { hostInUrl } from '../../gateway/server/loopback.ts'
import type { AdminAnswer } from '../../wire/admin.ts'

export type WaitingAdminServer = {
  readonly port: number
  stop(): Promise<void>
}

/** `leader`: who leads, as far as it is known. Throws what the system says when the port cannot be had. */
export function openWaitingAdminServer(
  hostname: string,
  port: number,
  leader: () => string | undefined,
): WaitingAdminServer {
  const server = Bun.serve({
    hostname,
    port,
    development: false,
    // Not the default here: outside of development the runtime would let a second server share the port.
    reusePort: false,
    maxRequestBodySize: 64 * 1024,
    fetch: () => {
      const who = leader()
      const where = who === undefined ? 'and none is known that does' : `${who} does: ask its admin server`
      const error = { reason: 'NO_LEADER', message: `this engine does not lead, ${where}` } as const
      const answer: AdminAnswer = { ok: false, error: { ...error, field: undefined } }
      return Response.json(answer, { status: 503, headers: ANSWER_HEADERS })
    },
  })
  return { port: server.port ?? port, stop: () => server.stop(true) }
}

/** `http://host:port` */
export function adminUrl(hostname: string, port: number): string {
  return `http://${hostInUrl(hostname)}:${port}`
}
