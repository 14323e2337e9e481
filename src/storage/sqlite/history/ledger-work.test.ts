/** The cost of a page of a ledger, for any place at which it continues, since a client may invent a place. */
import { afterEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aTrade, at } from '../../../engine/history/history-trades.fixture.ts'
import type { LedgerPlace } from '../../../engine/port/ports.ts'
import type { AccountId, TradeNumber } from '../../../units/ids.ts'
import type { Seq } from '../../../units/quantities.ts'
import { ChainedList } from './lists/chain.ts'
import { SqliteHistory } from './store.ts'

const [MAKER, TAKER] = [10, 20]
const TRADES = 3_000
const LIMIT = 5

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function written(): Promise<SqliteHistory> {
  const root = mkdtempSync(path.join(tmpdir(), 'bourse-ledger-'))
  const store = SqliteHistory.open(path.join(root, 'history.sqlite'), () => {})
  cleanups.push(
    () => rmSync(root, { recursive: true }),
    () => store.close(),
  )
  const trades = Array.from({ length: TRADES }, (_, i) =>
    aTrade({ number: i + 1, maker: MAKER, taker: TAKER }),
  )
  await store.append(trades, at(TRADES))
  return store
}

/** Counts the records read from here on. */
function countWalked(): { walked: number } {
  const count = { walked: 0 }
  const { newestFrom } = ChainedList.prototype
  const spy = spyOn(ChainedList.prototype, 'newestFrom').mockImplementation(function* (
    this: ChainedList<unknown>,
    last: number,
  ) {
    for (const met of newestFrom.call(this, last)) {
      count.walked++
      yield met
    }
  })
  cleanups.push(() => spy.mockRestore())
  return count
}

const place = (seq: number, tradeNumber: number, entry = 0): LedgerPlace => ({
  seq: seq as Seq,
  tradeNumber: tradeNumber as TradeNumber | 0,
  entry,
})
const HUGE = 2 ** 53 - 1

test.each([
  ['a place that is there', place(20, 20), 20],
  ['a trade that is not there, of an old command', place(20, HUGE), 20],
  ['a newer trade, of an old command', place(20, TRADES), 20],
  ['an older trade, of a newer command', place(TRADES, 20), 20],
  ['an old trade, of a command that is not there', place(HUGE, 20, HUGE), 20],
  ['a transfer of a command that has traded', place(20, 0), 19],
  ['a transfer of a command that is not there', place(HUGE, 0), TRADES],
  ['nothing before it', place(0, HUGE), 0],
])(
  'a page that continues from %s reads no more records than it shows, and begins where it says',
  async (_, before, newest) => {
    const store = await written()
    const count = countWalked()
    const range = { accountId: TAKER as AccountId, assetId: undefined, from: undefined, to: undefined }
    const { records } = await store.ledger({ ...range, before, limit: LIMIT })
    expect(records[0]?.kind === 'FILL' ? records[0].fill.tradeNumber : 0).toBeLessThanOrEqual(newest)
    expect(records.length).toBe(Math.min(newest === 0 ? 0 : LIMIT, newest))
    // One more record shows whether there are further ones, and one record may be left out.
    expect(count.walked).toBeLessThanOrEqual(LIMIT + 2)
  },
)
