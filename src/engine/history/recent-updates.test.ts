/**
 * Compares the kept updates with a plain list: each answer is limited, and consecutive answers contain all of
 * them.
 */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { UPDATE_PARTS_MAX } from './account-updates.ts'
import { RecentUpdates } from './recent-updates.ts'
import { type UpdateBlock, UpdateWriter } from './update-codec.ts'

const ACCOUNTS = [7, 8, 9] as readonly number[] as readonly AccountId[]
const KEPT_BYTES = 1 << 20

/** A command that updates one account, with a number of orders. */
type Command = { readonly account: number; readonly orders: number }

function blockOf(commands: readonly Command[], first: number): UpdateBlock | undefined {
  const writer = new UpdateWriter()
  for (const [i, { account, orders }] of commands.entries()) {
    writer.begin(seq(first + i), timeMs(first + i), ACCOUNTS[account] as AccountId)
    writer.count(orders)
    for (let order = 1; order <= orders; order++) writer.placed(order as OrderNumber)
    writer.count(0)
    writer.count(0)
    writer.end()
  }
  return writer.take()
}

function kept(
  batches: readonly (readonly Command[])[],
  bytesMax = KEPT_BYTES,
): { recent: RecentUpdates; end: Seq } {
  const recent = new RecentUpdates(bytesMax, seq(0))
  let end = 0
  for (const batch of batches) {
    const block = blockOf(batch, end + 1)
    end += batch.length
    if (block !== undefined) recent.add(block, seq(end))
  }
  return { recent, end: seq(end) }
}

/** Accounts for which most answers are full, and others for which none is. */
const command = fc.record({
  account: fc.nat(ACCOUNTS.length - 1),
  orders: fc.oneof(fc.nat(3), fc.integer({ min: UPDATE_PARTS_MAX / 2, max: UPDATE_PARTS_MAX })),
})
const batches = fc.array(fc.array(command, { maxLength: 5 }), { maxLength: 12 })

test('accounts that ask until they have everything get each update once, in order, and no answer much larger than fits', () => {
  fc.assert(
    fc.property(batches, fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }), (all, starts) => {
      const { recent, end } = kept(all)
      const asked = ACCOUNTS.map((accountId, i) => ({
        accountId,
        after: seq(Math.min(starts[i] as number, end)),
      }))
      const given = new Map<AccountId, number[]>(ACCOUNTS.map((accountId) => [accountId, []]))
      let left = asked
      while (left.length > 0) {
        const found = recent.after(left, end)
        left = left.flatMap(({ accountId, after }) => {
          const { updates, upTo } = found.get(accountId) ?? { updates: [], upTo: after }
          given.get(accountId)?.push(...updates.map((update) => update.seq))
          const parts = updates.slice(0, -1).reduce((sum, { placed }) => sum + 1 + placed.length, 0)
          expect(parts).toBeLessThan(UPDATE_PARTS_MAX)
          expect(upTo).toBeGreaterThan(after === end ? after - 1 : after)
          return upTo < end ? [{ accountId, after: upTo }] : []
        })
      }
      const seqs = all.flat().map(({ account }, i) => ({ account, seq: i + 1 }))
      for (const [i, { accountId, after }] of asked.entries()) {
        const own = seqs.filter((each) => each.account === i && each.seq > after)
        expect(given.get(accountId)).toEqual(own.map((each) => each.seq))
      }
    }),
    { numRuns: 300 },
  )
})

test('an account that is far behind gets as much as fits, and another one everything that is new beside it', () => {
  const behind = Array.from({ length: 4_000 }, () => [{ account: 0, orders: 1 }])
  const { recent, end } = kept([...behind, [{ account: 1, orders: 1 }]])
  const [far, near] = [ACCOUNTS[0] as AccountId, ACCOUNTS[1] as AccountId]
  const asked = [
    { accountId: far, after: seq(0) },
    { accountId: near, after: seq(end - 1) },
  ]
  const found = recent.after(asked, end)
  expect(found.get(far)?.updates).toHaveLength(UPDATE_PARTS_MAX / 2)
  expect(found.get(far)?.upTo).toBe(seq(UPDATE_PARTS_MAX / 2))
  expect(found.get(near)).toMatchObject({ updates: [{ seq: end }], upTo: end })
})

test('dropped updates are not among the known ones, and every later one is', () => {
  fc.assert(
    fc.property(batches, fc.integer({ min: 0, max: 5_000 }), (all, bytesMax) => {
      const blocks = all.map((batch, i) => blockOf(batch, 1 + all.slice(0, i).flat().length))
      const ends = all.map((_, i) => all.slice(0, i + 1).flat().length)
      const { recent, end } = kept(all, bytesMax)
      // As many of the newest updates as fit are kept.
      let bytes = 0
      let goneTo = 0
      for (let i = blocks.length - 1; i >= 0; i--) {
        bytes += blocks[i]?.data.length ?? 0
        if (bytes > bytesMax) {
          goneTo = ends[i] as number
          break
        }
      }
      for (let after = 0; after <= end; after++) {
        const isKnown = recent.has({ accountId: ACCOUNTS[0] as AccountId, after: seq(after) })
        expect([after, isKnown]).toEqual([after, after >= goneTo])
      }
    }),
  )
})
