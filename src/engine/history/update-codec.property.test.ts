/**
 * Updates of accounts are read from their bytes as they were written, for any first account and any requested
 * one.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readUpdates, type StoredUpdate, UpdateWriter } from './update-codec.ts'
import { arbitraryStoredUpdate, FIRST_STORED } from './updates.arbitraries.ts'

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
  fc.assert(
    fc.property(
      fc.array(arbitraryStoredUpdate, { minLength: 1, maxLength: 6 }),
      fc.nat(4),
      ([head, ...rest], asked) => {
        const updates = [{ ...(head as StoredUpdate), ...FIRST_STORED }, ...rest]
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
      },
    ),
  )
})
