/**
 * Ports for processes that a test starts later. They are below those that the system itself gives out: one of those may be taken again meanwhile, by
 * whoever listens on any port and by every connection that somebody opens.
 */

const FIRST_PORT = 10_000
const PORTS = 20_000

/** Never given twice by one process. */
const given = new Set<number>()

/** A port of 127.0.0.1 on which nobody listens. */
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
