import { describe, expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { amount, timeMs } from '../../units/quantities.ts'
import { type Withdrawal, Withdrawals } from './withdrawals.ts'

const account = 7 as AccountId
const asset = 2 as AssetId

function withdrawal(reference: string, units: bigint, state: Withdrawal['state'] = 'PENDING'): Withdrawal {
  const place = { accountId: account, assetId: asset }
  return { reference, ...place, amount: amount(units), state, requestedAt: timeMs(5) }
}

describe('what is held for an account', () => {
  test('equals the sum of its waiting withdrawals', () => {
    const list = new Withdrawals()
    list.put(withdrawal('a', 10n))
    list.put(withdrawal('b', 5n))
    expect(list.held(account, asset)).toBe(amount(15n))
    list.put(withdrawal('a', 10n, 'COMPLETED'))
    expect(list.held(account, asset)).toBe(amount(5n))
    list.put(withdrawal('b', 5n, 'CANCELED'))
    expect(list.held(account, asset)).toBe(amount(0n))
    expect(list.pending()).toEqual([])
    expect(list.get('a')?.state).toBe('COMPLETED')
  })

  test('by operators alone is listed as far as requested, the oldest first', () => {
    const list = new Withdrawals()
    const asked = { address: 'a', tag: '', withdrawOrderId: undefined, claimedAt: undefined, end: undefined }
    list.put(withdrawal('a', 1n))
    list.put({ ...withdrawal('b', 1n), asked })
    list.put(withdrawal('c', 1n))
    list.put({ ...withdrawal('other', 1n), accountId: 8 as AccountId })
    list.put(withdrawal('d', 1n))
    const held = (most: number) => list.heldByOperators(account, most).map(({ reference }) => reference)
    expect([held(2), held(9)]).toEqual([
      ['a', 'c'],
      ['a', 'c', 'd'],
    ])
    list.put(withdrawal('a', 1n, 'CANCELED'))
    expect(held(2)).toEqual(['c', 'd'])
    for (const reference of ['c', 'd']) list.put(withdrawal(reference, 1n, 'COMPLETED'))
    expect([held(9), list.heldByOperators(9 as AccountId, 9)]).toEqual([[], []])
  })

  test('is the same after reading what was written', () => {
    const list = new Withdrawals()
    for (const [index, state] of (['PENDING', 'COMPLETED', 'PENDING'] as const).entries()) {
      list.put(withdrawal(`w${index}`, BigInt(index + 1), state))
    }
    const writer = new ByteWriter()
    list.write(writer)
    const again = new Withdrawals()
    again.read(new ByteReader(writer.take()))
    expect(again.held(account, asset)).toBe(amount(4n))
    expect(again.pending()).toEqual(list.pending())
    expect(again.heldByOperators(account, 9)).toEqual(list.heldByOperators(account, 9))
    const tight = new Withdrawals(3, 1)
    writer.reset()
    list.write(writer)
    expect(() => tight.read(new ByteReader(writer.take()))).toThrow(BytesFault)
  })
})

test('limits are of those that wait and of all that are remembered', () => {
  const list = new Withdrawals(2, 1)
  expect([list.isBusy, list.isFull]).toEqual([false, false])
  list.put(withdrawal('a', 1n))
  expect([list.isBusy, list.isFull]).toEqual([true, false])
  list.put(withdrawal('a', 1n, 'CANCELED'))
  list.put(withdrawal('b', 1n))
  expect([list.isBusy, list.isFull]).toEqual([true, true])
})
