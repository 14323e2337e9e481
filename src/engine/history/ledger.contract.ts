/** Rules for queries for an account's ledger in every store of history; part of its contract suite. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { type Amount, amount, type Seq, type TimeMs } from '../../units/quantities.ts'
import { LEDGER_READ_MAX, type LedgerRecord } from '../port/ports.ts'
import { type HistoryTransfer, TRANSFER_CAUSES } from '../port/transfer.ts'
import type { HistoryStore, HistoryTrade, LedgerRange } from './history.ts'
import { aTrade, at, tradeAt } from './history-trades.fixture.ts'
import { isBefore, placeOf } from './ledger-entries.ts'

const timeOf = (number: number): TimeMs => (1_700_000_000_000 + number) as TimeMs

export function aTransfer(seq: number, account: number, asset: number, time = seq): HistoryTransfer {
  const units = (n: number): Amount => amount(10n ** 20n + BigInt(seq * 10 + n))
  return {
    seq: seq as Seq,
    time: timeOf(time),
    accountId: account as AccountId,
    assetId: asset as AssetId,
    cause: TRANSFER_CAUSES[seq % TRANSFER_CAUSES.length] ?? 'CREDIT',
    spot: units(1),
    spotAfter: units(2),
    savings: amount(-BigInt(seq)),
    savingsAfter: units(3),
    reference: `reference "${seq}" ü`,
  }
}

function range(account: number, terms: Partial<LedgerRange> = {}): LedgerRange {
  return {
    accountId: account as AccountId,
    assetId: undefined,
    from: undefined,
    to: undefined,
    before: undefined,
    limit: 100,
    ...terms,
  }
}

async function pagesOf(store: HistoryStore, asked: LedgerRange): Promise<LedgerRecord[][]> {
  const pages: LedgerRecord[][] = []
  for (let before = asked.before; ; ) {
    const { records, next } = await store.ledger({ ...asked, before })
    pages.push([...records])
    if (next === undefined) return pages
    before = next
  }
}

export function ledgerContract(store: () => HistoryStore, open: () => Promise<HistoryStore>): void {
  test('an empty store has no ledger, and no next page', async () =>
    expect(await store().ledger(range(10))).toEqual({ records: [], lookedAt: 0, next: undefined }))

  test('the ledger of an account has its fills and its transfers, each as it was, newest first', async () => {
    const [trade, transfers] = [aTrade({ number: 1, seq: 2 }), [aTransfer(1, 10, 0), aTransfer(3, 10, 1)]]
    await store().append([trade], at(3), { transfers })
    const [first, last] = transfers.map((transfer) => ({ kind: 'TRANSFER' as const, transfer }))
    const { record: fill, after } = trade.maker
    expect((await store().ledger(range(10))).records).toEqual([
      last as LedgerRecord,
      { kind: 'FILL', seq: 2 as Seq, fill, after },
      first as LedgerRecord,
    ])
    expect((await store().ledger(range(30))).records).toEqual([])
    await store().clear()
    expect((await store().ledger(range(10))).records).toEqual([])
  })

  test('one request for a ledger reads a bounded number of records, and says where to continue', async () => {
    const count = LEDGER_READ_MAX + 10
    const trades = Array.from({ length: count }, (_, i) => aTrade({ number: i + 1, seq: i + 2 }))
    await store().append(trades, at(count + 1), { transfers: [aTransfer(1, 10, 7)] })
    const rare = range(10, { assetId: 7 as AssetId })
    const first = await store().ledger(rare)
    const next = { seq: 12 as Seq, tradeNumber: 11, entry: 0 }
    expect<unknown>(first).toEqual({ records: [], lookedAt: LEDGER_READ_MAX, next })
    const second = await store().ledger({ ...rare, before: first.next })
    expect([second.records.length, second.lookedAt, second.next]).toEqual([1, 11, undefined])
  })

  test('limits of a ledger out of range are bugs of the caller', async () => {
    for (const limit of [0, 1_001, 0.5]) {
      await expect(store().ledger(range(1, { limit }))).rejects.toThrow('limit must be 1 to 1000')
    }
  })

  const account = fc.integer({ min: 10, max: 12 })
  const command = fc.record({
    maker: account,
    taker: account,
    symbol: fc.integer({ min: 0, max: 1 }),
    /** 0 means a transfer of the maker. */
    trades: fc.integer({ min: 0, max: 3 }),
    step: fc.integer({ min: 0, max: 2 }),
  })
  const option = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined })
  const asked = fc.record({
    account,
    asset: option(2),
    from: option(20),
    to: option(20),
    before: fc.option(fc.tuple(fc.nat(20), fc.nat(30), fc.nat(6)), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 7 }),
  })

  test('pages of a ledger, one after another, are the joined and filtered list, whatever the request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 20 }), fc.array(asked), async (commands, questions) => {
        const fresh = await open()
        const trades: HistoryTrade[] = []
        const transfers: HistoryTransfer[] = []
        let now = 0
        for (const [i, { step, trades: count, ...terms }] of commands.entries()) {
          now += step
          const seq = i + 1
          if (count === 0) transfers.push(aTransfer(seq, terms.maker, terms.symbol, now))
          for (let j = 0; j < count; j++)
            trades.push(tradeAt(timeOf(now), { number: trades.length + 1, seq, ...terms }))
        }
        if (commands.length > 0) await fresh.append(trades, at(commands.length), { transfers })
        for (const { account: who, asset, from, to, before, limit } of questions) {
          const [seq = 0, tradeNumber = 0, entry = 0] = before ?? []
          const question = range(who, {
            assetId: asset as AssetId | undefined,
            from: from === undefined ? undefined : timeOf(from),
            to: to === undefined ? undefined : timeOf(to),
            before: before && { seq: seq as Seq, tradeNumber: tradeNumber as 0, entry },
            limit,
          })
          if (question.before !== undefined && !isPlace(question.before, trades)) continue
          const pages = await pagesOf(fresh, question)
          expect(pages.flat()).toEqual(plainLedger(trades, transfers, question))
          expect(pages.every((page) => page.length <= limit)).toBe(true)
        }
        await fresh.close()
      }),
      { numRuns: 60 },
    )
  })
}

/** Commands and trades go together: only such places are returned to clients. */
function isPlace({ seq, tradeNumber }: NonNullable<LedgerRange['before']>, trades: HistoryTrade[]): boolean {
  return trades[tradeNumber - 1]?.seq === (tradeNumber === 0 ? undefined : seq)
}

function plainLedger(
  trades: readonly HistoryTrade[],
  transfers: readonly HistoryTransfer[],
  asked: LedgerRange,
): LedgerRecord[] {
  const { accountId, assetId, from = 0, to = Number.MAX_SAFE_INTEGER, before } = asked
  const fills = trades.flatMap(({ seq, maker, taker }) => {
    const assets = [maker.record.commissionAssetId, taker.record.commissionAssetId]
    return [maker, taker]
      .filter((party) => party.accountId === accountId)
      .filter(() => assetId === undefined || assets.includes(assetId))
      .map(({ record: fill, after }): LedgerRecord => ({ kind: 'FILL', seq, fill, after }))
  })
  const moved = transfers
    .filter((transfer) => transfer.accountId === accountId)
    .filter((transfer) => assetId === undefined || transfer.assetId === assetId)
    .map((transfer): LedgerRecord => ({ kind: 'TRANSFER', transfer }))
  return [...fills, ...moved]
    .filter((record) => before === undefined || isBefore(placeOf(record), before))
    .filter((record) => {
      const { time } = record.kind === 'FILL' ? record.fill : record.transfer
      return time >= from && time <= to
    })
    .sort((a, b) => (isBefore(placeOf(a), placeOf(b)) ? 1 : -1))
}
