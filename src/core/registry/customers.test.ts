import { expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import { timeMs } from '../../units/quantities.ts'
import type { Account } from './records.ts'
import { readAccount, writeAccount } from './records-codec.ts'
import { Registry } from './registry.ts'

function opened() {
  const registry = new Registry()
  const account = registry.addCustomer('c-jo', timeMs(1))
  if (typeof account === 'string') throw new Error(account)
  return { registry, id: account.id }
}

test('an account is assigned to a customer when it is opened, and never later', () => {
  const { registry, id } = opened()
  expect(registry.account(id)?.customer).toEqual({ epoch: 0, isForgotten: false })
  expect(registry.addCustomer('c-jo', timeMs(2))).toBe('ACCOUNT_EXISTS')
  const other = registry.addAccount('ann', timeMs(3)) as Account
  expect(registry.addCustomer('ann', timeMs(4))).toBe('ACCOUNT_EXISTS')
  for (const account of [other.id, 0 as AccountId, 99 as AccountId]) {
    expect(registry.raiseCustomerEpoch(account)).toBe('UNKNOWN_ACCOUNT')
    expect(registry.forgetCustomer(account)).toBe('UNKNOWN_ACCOUNT')
  }
  expect(registry.account(other.id)?.customer).toBeUndefined()
})

test("a customer's number only rises, a closed account's too, and not after the erasure", () => {
  const { registry, id } = opened()
  registry.raiseCustomerEpoch(id)
  registry.closeAccount(id)
  registry.raiseCustomerEpoch(id)
  registry.forgetCustomer(id)
  expect(registry.account(id)).toMatchObject({ isClosed: true, customer: { epoch: 2, isForgotten: true } })
  expect(registry.raiseCustomerEpoch(id)).toBe('UNKNOWN_ACCOUNT')
  expect(registry.forgetCustomer(id)).toBe('UNKNOWN_ACCOUNT')
})

test("a customer's mark is stored, and a mark that cannot be is a fault", () => {
  const { registry, id } = opened()
  registry.raiseCustomerEpoch(id)
  const writer = new ByteWriter()
  writeAccount(writer, registry.account(id) as Account)
  const bytes = writer.take()
  expect(readAccount(new ByteReader(bytes), id)).toEqual(registry.account(id) as Account)
  const forged = bytes.slice()
  forged[forged.length - 1] = 2
  expect(() => readAccount(new ByteReader(forged), id)).toThrow(BytesFault)
})
