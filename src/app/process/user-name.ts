/**
 * The user at the terminal, if the machine knows one: the actor in the audit trail for commands with the
 * node's own token.
 */
import { userInfo } from 'node:os'

/**
 * Behind sudo it is the person who called it, not the service's user. The runtime reads names only from the
 * environment; without one the number is used.
 */
export function userName(
  { SUDO_USER }: Readonly<Record<string, string | undefined>>,
  { username, uid }: { readonly username: string; readonly uid: number } = userInfo(),
): string {
  if (SUDO_USER) return SUDO_USER
  return username === '' || username === 'unknown' ? `uid ${uid}` : username
}
