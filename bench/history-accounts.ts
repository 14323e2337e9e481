/**
 * What does a trade cost in history.sqlite if it can belong to any account? Each of two random accounts gets
 * a record, so with many accounts almost every record changes a page of the file that no other record
 * changed.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aTrade, at } from '../src/engine/history/history-trades.fixture.ts'
import { SqliteHistory } from '../src/storage/sqlite/history/store.ts'
import { randomNumbers } from '../test/support/random-numbers.ts'
import { cpuNanoseconds, table } from './support/conditions.ts'

export type AccountsSize = { readonly accounts: readonly number[]; readonly trades: number }

/** Trades per append: the number that the follower stores at once when it is behind. */
const TRADES_AT_ONCE = 2_000
const FIRST_ACCOUNT = 10

/** Prints the table. */
export async function accounts({ accounts, trades }: AccountsSize): Promise<void> {
  if (accounts.length === 0) return
  const rows = [['accounts', 'us per trade', 'bytes per trade']]
  for (const count of accounts) {
    const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
    try {
      const { us, bytes } = await append(path.join(directory, 'history.sqlite'), count, trades)
      rows.push([String(count), us.toFixed(1), bytes.toFixed(0)])
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  console.log(`trades of random accounts: ${trades} of them, in transactions of ${TRADES_AT_ONCE}; CPU`)
  console.log(table(rows))
}

async function append(
  file: string,
  accounts: number,
  trades: number,
): Promise<{ us: number; bytes: number }> {
  const store = SqliteHistory.open(file, () => {})
  const random = randomNumbers(1)
  const anybody = (): number => FIRST_ACCOUNT + Math.floor(random() * accounts)
  let cpu = 0
  for (let done = 0; done < trades; done += TRADES_AT_ONCE) {
    const count = Math.min(TRADES_AT_ONCE, trades - done)
    const some = Array.from({ length: count }, (_, i) =>
      aTrade({ number: done + i + 1, maker: anybody(), taker: anybody() }),
    )
    const start = cpuNanoseconds()
    await store.append(some, at(done + count))
    cpu += cpuNanoseconds() - start
  }
  await store.flush()
  const bytes = statSync(file).size / trades
  await store.close()
  return { us: cpu / 1_000 / trades, bytes }
}
