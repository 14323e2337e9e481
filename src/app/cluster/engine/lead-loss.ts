/** Whether an engine leads no more: what has failed of its lead may have failed because of that. */
import type { ThreadEngine } from '../../../transport/thread/engine-client.ts'

/** How long after its refusals an engine may say that it has ended: they come over the same channel. */
const WAIT_MS = 500

export async function isLost({ ended }: Pick<ThreadEngine, 'ended'>): Promise<boolean> {
  const lost = ended.then(
    () => true,
    () => true,
  )
  return Promise.race([lost, Bun.sleep(WAIT_MS).then(() => false)])
}
