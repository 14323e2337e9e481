/** The true state of a bot's account after its exit, read through the public interface. */
import type { BourseClient } from '../../../client/client.ts'
import { eachTrade } from '../../../client/pages.ts'
import { SandboxFault } from '../seed.ts'
import type { Fill } from './record.ts'

/** Maximum time until orders that end with their session have ended. */
const ORDERS_MS = 5_000
const CHECK_MS = 100

export type AccountRecord = { readonly fills: readonly Fill[]; readonly openOrders: number }

export async function readAccountRecord(
  client: Pick<BourseClient, 'openOrders' | 'myTrades'>,
  sleep: (ms: number) => Promise<void>,
): Promise<AccountRecord> {
  try {
    let open = await client.openOrders()
    for (let waitedMs = 0; open.length > 0 && waitedMs < ORDERS_MS; waitedMs += CHECK_MS) {
      await sleep(CHECK_MS)
      open = await client.openOrders()
    }
    const newestFirst = await Array.fromAsync(eachTrade(client))
    return { fills: newestFirst.reverse(), openOrders: open.length }
  } catch (cause) {
    throw new SandboxFault(`the state of the bot's account cannot be read: ${cause}`, { cause })
  }
}
