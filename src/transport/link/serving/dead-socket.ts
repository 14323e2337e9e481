/** What a process that was killed leaves of a socket of the file system. */
import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * Takes away a socket at which nobody listens; one that somebody listens at stays, and whoever wants its path is told that it is in use. Of a port there is
 * nothing to take away.
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
