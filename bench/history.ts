/**
 * Does the trade history keep up with the orders, and does each of its pages cost the same? Compares the
 * follower with history.sqlite and without it; then measures trades of a growing number of accounts; then an
 * account whose list grows tenfold and tenfold again.
 */

import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { accounts } from './history-accounts.ts'
import { followers } from './history-follower.ts'
import { pages } from './history-pages.ts'
import { machine } from './support/conditions.ts'

export const PROGRAM = {
  command: 'npm run bench -- history',
  about: 'What the trade history costs to write and to read, and whether it grows with what is stored.',
  options: {
    orders: { kind: 'whole', default: 100_000, help: 'orders of each round of the follower' },
    rounds: { kind: 'whole', default: 5, help: 'rounds of the follower, after one to warm up' },
    accounts: {
      kind: 'numbers',
      default: [2, 1_000, 100_000],
      help: 'accounts among whom the trades are; empty leaves this part out',
    },
    trades: { kind: 'whole', default: 100_000, help: 'trades of so many accounts' },
    records: {
      kind: 'numbers',
      default: [100_000, 1_000_000],
      help: 'records at which pages are read, rising; empty leaves this part out; 10000000 take minutes and 2 GB of disk',
    },
    reads: { kind: 'whole', default: 100, help: 'pages read at each' },
  },
} as const satisfies Program

/** Returns digests of the results. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  console.log(machine())
  const digests = [await followers({ orders: values.orders, rounds: values.rounds })]
  await accounts({ accounts: values.accounts, trades: values.trades })
  digests.push(...(await pages({ records: values.records, reads: values.reads })))
  for (const digest of digests) console.log(digest)
  return digests
}
