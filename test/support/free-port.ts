/**
 * Ports for processes that a test starts later. They are below the system's ephemeral range: a port in that
 * range may be taken meanwhile by a listener on port 0 or by any outgoing connection.
 */

const FIRST_PORT = 10_000
const PORTS = 20_000

/** A process never gets the same port twice. */
const given = new Set<number>()

/** A port of 127.0.0.1 without a listener. */
export function freePort(): number {
  for (;;) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
    const port = FIRST_PORT + (random % PORTS)
    if (given.has(port) || !isFree(port)) continue
    given.add(port)
    return port
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, exclusive: true, socket: { data() {} } }).stop(true)
    return true
  } catch {
    return false
  }
}
