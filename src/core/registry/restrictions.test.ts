/** Restrictions of an account by their source (docs/reference/admin.md#rules). */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { ACCOUNT_RESTRICTIONS, RESTRICTION_SOURCES } from '../../units/operator-enums.ts'
import { timeMs } from '../../units/quantities.ts'
import { type Account, restrictionsOf } from './records.ts'
import { readAccount, writeAccount } from './records-codec.ts'
import { Registry } from './registry.ts'

function opened(): { registry: Registry; id: Account['id'] } {
  const registry = new Registry()
  const account = registry.addAccount('alice', timeMs(1))
  if (typeof account === 'string') throw new Error(account)
  return { registry, id: account.id }
}

const words = fc.subarray([...ACCOUNT_RESTRICTIONS])
const change = fc
  .record({ source: fc.constantFrom(...RESTRICTION_SOURCES), added: words, others: words })
  .map(({ source, added, others }) => {
    return { source, added, removed: others.filter((word) => !added.includes(word)) }
  })

test('each source adds and lifts its own restrictions alone, and the union of all is in force', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const { registry, id } = opened()
      const expected = { OPERATOR: new Set<string>(), CUSTOMER: new Set<string>() }
      for (const { source, added, removed } of changes) {
        registry.changeRestrictions(id, source, added, removed)
        for (const word of removed) expected[source].delete(word)
        for (const word of added) expected[source].add(word)
        const account = registry.account(id) as Account
        for (const one of RESTRICTION_SOURCES)
          expect(restrictionsOf(account, one)).toEqual(
            ACCOUNT_RESTRICTIONS.filter((w) => expected[one].has(w)),
          )
        const all = ACCOUNT_RESTRICTIONS.filter((w) => expected.OPERATOR.has(w) || expected.CUSTOMER.has(w))
        expect(account.restrictions ?? []).toEqual(all)
        expect(account.restrictionsBySource === undefined).toBe(expected.CUSTOMER.size === 0)
        const writer = new ByteWriter()
        writeAccount(writer, account)
        expect(readAccount(new ByteReader(writer.take()), id)).toEqual(account)
      }
    }),
  )
})

test('two operators who add restrictions at once lose nothing of each other, and one command cannot add and lift the same restriction', () => {
  const { registry, id } = opened()
  registry.changeRestrictions(id, 'OPERATOR', ['TRADE'], [])
  registry.changeRestrictions(id, 'OPERATOR', ['WITHDRAW'], [])
  expect(registry.account(id)?.restrictions).toEqual(['TRADE', 'WITHDRAW'])
  expect(registry.changeRestrictions(id, 'OPERATOR', ['TRADE'], ['TRADE'])).toBe('INVALID_COMMAND')
  expect(registry.account(id)?.restrictions).toEqual(['TRADE', 'WITHDRAW'])
})

test("the command that sets all restrictions sets those of operators, and the customer's freeze stays", () => {
  const { registry, id } = opened()
  registry.changeRestrictions(id, 'CUSTOMER', ['WITHDRAW', 'LOGIN'], [])
  registry.restrictAccount(id, ['TRADE', 'LOGIN'])
  expect(registry.account(id)?.restrictions).toEqual(['TRADE', 'WITHDRAW', 'LOGIN'])
  registry.restrictAccount(id, [])
  expect(registry.account(id)).toMatchObject({
    restrictions: ['WITHDRAW', 'LOGIN'],
    restrictionsBySource: { OPERATOR: [], CUSTOMER: ['WITHDRAW', 'LOGIN'] },
  })
})

test('stored restrictions whose sources are not their union are a fault', () => {
  const { registry, id } = opened()
  registry.changeRestrictions(id, 'CUSTOMER', ['TRADE'], [])
  const writer = new ByteWriter()
  writeAccount(writer, registry.account(id) as Account)
  const bytes = writer.take()
  for (const mask of [0, 2, 3]) {
    const forged = bytes.slice()
    forged[forged.length - 1] = mask
    expect(() => readAccount(new ByteReader(forged), id)).toThrow(BytesFault)
  }
})
