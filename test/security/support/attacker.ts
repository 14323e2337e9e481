/** Sends bytes over TCP that no client would send, and returns the answers. */
import { connect } from 'node:net'

export type Outcome = {
  /** Status codes of the answers, in order. */
  readonly statuses: readonly number[]
  /** Everything received, one character for each byte. */
  readonly text: string
}

export type Attack = {
  /** The bytes that are sent at once. */
  readonly bytes: string
  /** The bytes that are sent repeatedly while the connection is open. */
  readonly drip?: { readonly bytes: string; readonly everyMs: number }
}

/** Sends the bytes (one for each character) and resolves when the server closes the connection. */
export function untilClosed(url: string, { bytes, drip }: Attack): Promise<Outcome> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let text = ''
  const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
  const timer =
    drip === undefined ? undefined : setInterval(() => socket.write(drip.bytes, 'latin1'), drip.everyMs)
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += chunk
  })
  // A server that closes during a write resets the connection: that is a normal end.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(timer)
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
    resolve({ statuses, text })
  })
  return promise
}

/** A request as text: the lines of its head, then its body. */
export function request(line: string, headers: readonly string[], body = ''): string {
  return [line, 'Host: exchange', ...headers, '', body].join('\r\n')
}
