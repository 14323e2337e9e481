/** The public port of several gateways: taken alone first, so that another server on it is noticed as it always was. */
import { bindPort } from '../node/port.ts'

/**
 * The port (0: any free one), which nobody else listens on. It is let go of, for processes that share it among themselves: whoever
 * wants it alone is refused as soon as one of them listens. Throws `PortFault`.
 */
export function reservePort(hostname: string, port: number): number {
  const listener = bindPort(hostname, port, '--port', () =>
    Bun.listen({ hostname, port, exclusive: true, socket: { data: () => {} } }),
  )
  const { port: taken } = listener
  listener.stop(true)
  return taken
}
