/** The public port of several gateways: first taken exclusively, so that another server on it is noticed. */
import { bindPort } from '../node/serving/port.ts'

export type ReservedPort = {
  readonly port: number
  /** From now on the port is held only by the processes that listen on it. */
  readonly release: () => void
}

/**
 * Reserves a port (0: any free one) that processes of this program share and no other program uses. A program
 * that wants the port exclusively is refused as soon as one of them listens. A given port is released at
 * once, since its clients may connect before all processes listen; a port chosen here is held until
 * `release`, because the system would give it to another program. Throws `PortFault`.
 */
export function reservePort(hostname: string, port: number, option = '--port'): ReservedPort {
  const isFound = port === 0
  // The system chooses a port that is not in use, shared or not.
  const sharing = isFound ? { reusePort: true } : { exclusive: true }
  const listener = bindPort(hostname, port, option, () =>
    Bun.listen({ hostname, port, ...sharing, socket: { data: () => {} } }),
  )
  const release = () => listener.stop(true)
  const { port: taken } = listener
  if (!isFound) release()
  return { port: taken, release }
}
