/** What is true of a bot's account when it has ended, asked for as anybody would. */
import type { TraderAnswer, TraderClient } from '../demo/trader-client.ts'
import { SandboxFault } from '../seed.ts'
import type { Fill } from './record.ts'

/** Orders that end with their session may take so long. */
const ORDERS_MS = 5_000
const LOOK_MS = 100

export type Truth = { readonly fills: readonly Fill[]; readonly openOrders: number }

export async function readTruth(
  client: Pick<TraderClient, 'ask'>,
  sleep: (ms: number) => Promise<void>,
): Promise<Truth> {
  let openOrders = await countOpen(client)
  for (let waitedMs = 0; openOrders > 0 && waitedMs < ORDERS_MS; waitedMs += LOOK_MS) {
    await sleep(LOOK_MS)
    openOrders = await countOpen(client)
  }
  return { fills: await readFills(client), openOrders }
}

async function countOpen(client: Pick<TraderClient, 'ask'>): Promise<number> {
  return (dataOf(await client.ask('GET', 'openOrders')) as readonly unknown[]).length
}

/** Oldest first. */
async function readFills(client: Pick<TraderClient, 'ask'>): Promise<readonly Fill[]> {
  const newestFirst: Fill[] = []
  let before: string | undefined
  do {
    const fields: Record<string, string> = before === undefined ? {} : { before }
    const page = dataOf(await client.ask('GET', 'myTrades', fields)) as {
      readonly fills: Fill[]
      readonly next?: string
    }
    newestFirst.push(...page.fills)
    before = page.fills.length === 0 ? undefined : page.next
  } while (before !== undefined)
  return newestFirst.reverse()
}

function dataOf({ status, reason, data }: TraderAnswer): unknown {
  if (status === 200) return data
  throw new SandboxFault(`what is true of the bot cannot be read: ${status} ${reason}`)
}
