import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId } from '../../units/ids.ts'
import { ACCOUNTS_MAX } from '../../units/limits.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { AccountIndex } from './account-index.ts'

test('every account has its own row, and no other account has it', () => {
  const accounts = fc.uniqueArray(fc.integer({ min: 0, max: ACCOUNTS_MAX - 1 }), { minLength: 1 })
  fc.assert(
    fc.property(accounts, fc.integer({ min: 1, max: 64 }), (numbers, capacity) => {
      const index = new AccountIndex(capacity)
      const [stranger, ...known] = numbers as AccountId[]
      for (const [row, account] of known.entries()) expect(index.add(account)).toBe(row)
      for (const [row, account] of known.entries()) expect(index.find(account)).toBe(row)
      expect(index.find(stranger as AccountId)).toBe(NO_RECORD)
      expect(index.count).toBe(known.length)
    }),
  )
})

test('rows survive every growth', () => {
  const index = new AccountIndex(1)
  for (let account = 0; account < 10_000; account++) index.add((account * 7) as AccountId)
  for (let account = 0; account < 10_000; account++)
    expect(index.find((account * 7) as AccountId)).toBe(account)
  expect(index.find(1 as AccountId)).toBe(NO_RECORD)
})
