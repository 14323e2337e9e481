/** Whether an engine no longer leads: a failure of its lead may be a consequence of that. */
import type { ThreadEngine } from '../../../transport/thread/engine-client.ts'

/**
 * Time limit, after an engine's refusals, for its notice that it has ended; both arrive over the same
 * channel.
 */
const WAIT_MS = 500

export async function isLost({ ended }: Pick<ThreadEngine, 'ended'>): Promise<boolean> {
  const lost = ended.then(
    () => true,
    () => true,
  )
  return Promise.race([lost, Bun.sleep(WAIT_MS).then(() => false)])
}
