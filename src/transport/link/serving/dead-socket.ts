/** A socket file left by a killed process. */
import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * Removes a socket file on which no process listens. A socket in use stays, so that the caller gets the error
 * that it is in use. For a port there is nothing to remove.
 */
export async function removeDeadSocket(listen: { readonly socketPath: string } | object): Promise<void> {
  if (!('socketPath' in listen) || !existsSync(listen.socketPath)) return
  const { socketPath } = listen
  const { promise: isDead, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(socketPath)
  socket.once('connect', () => resolve(false))
  socket.once('error', (cause) => resolve('code' in cause && cause.code === 'ECONNREFUSED'))
  if (await isDead) rmSync(socketPath, { force: true })
  socket.destroy()
}
