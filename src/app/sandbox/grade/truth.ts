/** What is true of a bot's account when it has ended, asked for as anybody would. */
import type { BourseClient } from '../../../client/client.ts'
import { eachTrade } from '../../../client/pages.ts'
import { SandboxFault } from '../seed.ts'
import type { Fill } from './record.ts'

/** Orders that end with their session may take so long. */
const ORDERS_MS = 5_000
const LOOK_MS = 100

export type Truth = { readonly fills: readonly Fill[]; readonly openOrders: number }

export async function readTruth(
  client: Pick<BourseClient, 'openOrders' | 'myTrades'>,
  sleep: (ms: number) => Promise<void>,
): Promise<Truth> {
  try {
    let open = await client.openOrders()
    for (let waitedMs = 0; open.length > 0 && waitedMs < ORDERS_MS; waitedMs += LOOK_MS) {
      await sleep(LOOK_MS)
      open = await client.openOrders()
    }
    const newestFirst = await Array.fromAsync(eachTrade(client))
    return { fills: newestFirst.reverse(), openOrders: open.length }
  } catch (cause) {
    throw new SandboxFault(`what is true of the bot cannot be read: ${cause}`, { cause })
  }
}
