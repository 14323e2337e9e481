/** Calls of what a user of the client has given it. */
import type { StreamPorts } from './stream-ports.ts'

/** An error that a handler throws is the user's: it gets to the runtime as an uncaught one, and stops nothing of the stream. */
export function callHandler(ports: StreamPorts, call: () => void): void {
  try {
    call()
  } catch (error) {
    ports.schedule(0, () => {
      throw error
    })
  }
}
