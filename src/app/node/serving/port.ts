/** Opens a port, and reports what to do if it is not available. */

/** The port is in use, or this user may not use it. */
export class PortFault extends Error {
  override readonly name = 'PortFault'
}

/** The address at which a program on this machine reaches a server that listens on all addresses. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** Runs `listen`; if the system refuses the port, the error names the option that chooses another. */
export function bindPort<Server>(host: string, port: number, option: string, listen: () => Server): Server {
  try {
    return listen()
  } catch (cause) {
    // Several ports were to be opened, and only some of them could be.
    if (cause instanceof PortFault) throw cause
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EADDRINUSE') {
      throw new PortFault(
        `port ${port} on ${host} is in use; choose another with ${option}, or 0 for any free port`,
        {
          cause,
        },
      )
    }
    if (code === 'EACCES') {
      throw new PortFault(`this user may not use port ${port}; choose one above 1023 with ${option}`, {
        cause,
      })
    }
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new PortFault(`cannot listen on ${host} port ${port}: ${problem}`, { cause })
  }
}
