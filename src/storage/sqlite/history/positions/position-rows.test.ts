/** Rows of positions in the history's file: one for each account and asset, for any number of fills. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aTrade, at } from '../../../../engine/history/history-trades.fixture.ts'
import type { MarketTerms } from '../../../../engine/history/positions/markets.ts'
import type { HistoryTransfer } from '../../../../engine/port/transfer.ts'
import type { AccountId, AssetId, SymbolId } from '../../../../units/ids.ts'
import { amount, type Decimals, NO_AMOUNT, type Seq, type TimeMs } from '../../../../units/quantities.ts'
import { SqliteHistory } from '../store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'bourse-position-rows-'))
afterAll(() => rmSync(root, { recursive: true }))

const FILLS = 5_000
const FILLS_OF_A_BATCH = 500
/** The traders of `aTrade`, who hold base and quote of its market. */
const OWNERS = [10, 20] as const
const ASSETS = [0, 1] as const
const FIRST_SEQ = 10

const decimals = 8 as Decimals
const MARKET: MarketTerms = {
  ...{ id: 0 as SymbolId, base: 0 as AssetId, quote: 1 as AssetId },
  ...{
    basePrecision: decimals,
    quotePrecision: decimals,
    baseFraction: decimals,
    quoteFraction: 2 as Decimals,
  },
}

const TRANSFERS = OWNERS.flatMap((owner, i) =>
  ASSETS.map((assetId): HistoryTransfer => {
    const spot = amount(10n ** 12n)
    return {
      ...{
        seq: (i * ASSETS.length + assetId + 1) as Seq,
        time: 1_700_000_000_000 as TimeMs,
        cause: 'CREDIT',
        reference: `${owner} ${assetId}`,
      },
      ...{ accountId: owner as AccountId, assetId: assetId as AssetId },
      ...{ spot, spotAfter: spot, savings: NO_AMOUNT, savingsAfter: NO_AMOUNT },
    }
  }),
)

test('positions of two accounts in two assets are four rows however many fills they have', async () => {
  const file = path.join(root, 'history.sqlite')
  const history = SqliteHistory.open(file, (reason) => expect(reason).toBe('not dropped'))
  await history.append([], at(FIRST_SEQ), { listings: [MARKET], transfers: TRANSFERS })
  const rows = new Set<string>()
  const db = new Database(file, { readonly: true })
  const counted = db.query<{ rows: number; bytes: number }, []>(
    'SELECT count(*) AS rows, sum(length(data)) AS bytes FROM account_position',
  )
  let mostBytes = 0
  for (let done = 0; done < FILLS; done += FILLS_OF_A_BATCH) {
    const trades = Array.from({ length: FILLS_OF_A_BATCH }, (_, i) => {
      const number = done + i + 1
      const takerSide = i % 2 === 0 ? 'BUY' : 'SELL'
      return aTrade({ number, seq: FIRST_SEQ + number, takerSide, size: 500 + (i % 7), units: 10_000n })
    })
    await history.append(trades, at(FIRST_SEQ + done + FILLS_OF_A_BATCH))
    await history.flush()
    const found = counted.get()
    rows.add(String(found?.rows))
    mostBytes = Math.max(mostBytes, found?.bytes ?? 0)
  }
  expect([...rows]).toEqual([String(OWNERS.length * ASSETS.length)])
  expect(mostBytes).toBeLessThan(OWNERS.length * ASSETS.length * 100)
  for (const owner of OWNERS) {
    const { positions } = await history.positions({
      accountId: owner as AccountId,
      from: 0 as AssetId,
      limit: 10,
    })
    expect(positions.map(({ assetId }) => assetId)).toEqual([...ASSETS] as AssetId[])
  }
  counted.finalize()
  db.close()
  await history.close()
})
