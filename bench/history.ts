/**
 * Does the trade history keep up with the orders, and does a page of it cost the same wherever it lies? The follower with
 * history.sqlite beside the same follower that keeps none; trades of ever more accounts; then an account whose list grows
 * tenfold and tenfold again.
 */
import { parseArgs } from 'node:util'
import { accounts } from './history-accounts.ts'
import { followers } from './history-follower.ts'
import { pages } from './history-pages.ts'
import { machine, numbers } from './support/conditions.ts'

/**
 * `--orders` of each of `--rounds` (after one to warm up) of the follower; `--trades` of so many `--accounts` (a list);
 * `--records` (a rising list) at which pages are read, `--reads` of each. An empty list leaves a part out; 10000000 records
 * take some minutes and 2 GB of disk.
 */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      orders: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      accounts: { type: 'string', default: '2,1000,100000' },
      trades: { type: 'string', default: '100000' },
      records: { type: 'string', default: '100000,1000000' },
      reads: { type: 'string', default: '100' },
    },
  })
  console.log(machine())
  const digests = [await followers({ orders: Number(values.orders), rounds: Number(values.rounds) })]
  await accounts({ accounts: numbers(values.accounts), trades: Number(values.trades) })
  digests.push(...(await pages({ records: numbers(values.records), reads: Number(values.reads) })))
  for (const digest of digests) console.log(digest)
  return digests
}
