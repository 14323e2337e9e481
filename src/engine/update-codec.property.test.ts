/** Updates of accounts come back from their bytes as they went in, whatever was named first and whoever is asked for. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { arbitraryBalance, arbitraryOpenOrder } from '../core/exchange/codec/message.arbitraries.ts'
import type { AccountId, AssetId, OrderNumber, TradeNumber } from '../units/ids.ts'
import { seq, timeMs } from '../units/quantities.ts'
import { readUpdates, type StoredUpdate, UpdateWriter } from './update-codec.ts'

const number = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((n) => n * 2 ** 16),
)
/** Assets are few: their ids are places in the order of listing. */
const balance = fc
  .tuple(arbitraryBalance, fc.nat(2 ** 31 - 1))
  .map(([each, id]) => ({ ...each, assetId: id as AssetId }))
const update: fc.Arbitrary<StoredUpdate> = fc.record({
  seq: fc.nat(1_000).map((after) => seq(7 + after)),
  time: fc.nat(60_000).map((later) => timeMs(1_790_000_000_000 + later)),
  accountId: fc.nat(4).map((id) => id as AccountId),
  placed: fc.array(
    number.map((n) => n as OrderNumber),
    { maxLength: 3 },
  ),
  changed: fc.array(arbitraryOpenOrder, { maxLength: 2 }),
  ended: fc.array(
    number.map((n) => n as OrderNumber),
    { maxLength: 3 },
  ),
  trades: fc.array(
    number.map((n) => n as TradeNumber),
    { maxLength: 3 },
  ),
  balances: fc.array(balance, { maxLength: 3 }),
})

function write(
  writer: UpdateWriter,
  { placed, changed, ended, trades, balances, ...head }: StoredUpdate,
): void {
  writer.begin(head.seq, head.time, head.accountId)
  writer.count(placed.length + changed.length + ended.length)
  for (const each of placed) writer.placed(each)
  for (const each of changed) writer.changed(each)
  for (const each of ended) writer.ended(each)
  writer.count(trades.length)
  for (const each of trades) writer.trade(each)
  writer.count(balances.length)
  for (const each of balances) writer.balance(each)
  writer.end()
}

test('updates of the accounts that are asked for are read as they were written, block after block', () => {
  const writer = new UpdateWriter()
  const first = { seq: seq(7), time: timeMs(1_790_000_000_000) }
  fc.assert(
    fc.property(fc.array(update, { minLength: 1, maxLength: 6 }), fc.nat(4), ([head, ...rest], asked) => {
      const updates = [{ ...(head as StoredUpdate), ...first }, ...rest]
      for (const each of updates) write(writer, each)
      const block = writer.take()
      const found: StoredUpdate[] = []
      readUpdates(
        block?.data ?? new Uint8Array(),
        (id) => id === asked,
        (each) => found.push(each),
      )
      expect(found).toEqual(updates.filter(({ accountId }) => accountId === asked))
      expect(block?.accounts).toEqual(new Set(updates.map(({ accountId }) => accountId)))
      expect(writer.take()).toBeUndefined()
    }),
  )
})
