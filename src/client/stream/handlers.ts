/** Calls of a user's handlers. */
import type { StreamPorts } from './stream-ports.ts'

/**
 * An error thrown by a handler belongs to the user: it is reported to the runtime as an uncaught error, and
 * does not stop the stream.
 */
export function callHandler(ports: StreamPorts, call: () => void): void {
  try {
    call()
  } catch (error) {
    ports.schedule(0, () => {
      throw error
    })
  }
}
