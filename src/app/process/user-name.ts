/**
 * The user at the terminal, if there is one: the actor in the audit trail for commands with the node's own
 * token.
 */
import { userInfo } from 'node:os'

/**
 * Under sudo it is the user who ran it, not the service's user. The runtime reads names only from the
 * environment; without one the number is used.
 */
export function userName(
  { SUDO_USER }: Readonly<Record<string, string | undefined>>,
  { username, uid }: { readonly username: string; readonly uid: number } = userInfo(),
): string {
  if (SUDO_USER) return SUDO_USER
  return username === '' || username === 'unknown' ? `uid ${uid}` : username
}
