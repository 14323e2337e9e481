/** The public port of several gateways: taken alone first, so that another server on it is noticed as it always was. */
import { bindPort } from '../node/serving/port.ts'

export type ReservedPort = {
  readonly port: number
  /** From now on only those hold it that listen on it. */
  readonly release: () => void
}

/**
 * The port (0: any free one), which nobody else listens on, for processes that share it among themselves. Whoever wants it alone is refused as soon as one of them
 * listens. One that was given is let go of at once, since its clients may come before all processes listen; one that was found is held until `release`: the system
 * would give it to any other program. Throws `PortFault`.
 */
export function reservePort(hostname: string, port: number): ReservedPort {
  const isFound = port === 0
  // The system finds a port that nobody has, shared or not.
  const sharing = isFound ? { reusePort: true } : { exclusive: true }
  const listener = bindPort(hostname, port, '--port', () =>
    Bun.listen({ hostname, port, ...sharing, socket: { data: () => {} } }),
  )
  const release = () => listener.stop(true)
  const { port: taken } = listener
  if (!isFound) release()
  return { port: taken, release }
}
