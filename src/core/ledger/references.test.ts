import { expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { InvariantError } from '../../units/invariant.ts'
import { amount } from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import { References, type Transfer } from './references.ts'

const credit: Transfer = {
  assetId: 3 as AssetId,
  from: 0 as AccountId,
  fromBucket: 'free',
  to: 7 as AccountId,
  toBucket: 'free',
  amount: amount(2n ** 70n),
}

/** Copies of `credit`, each with one field changed. */
const others: readonly Transfer[] = [
  { ...credit, assetId: 4 as AssetId },
  { ...credit, from: 8 as AccountId },
  { ...credit, fromBucket: 'savings' },
  { ...credit, to: 8 as AccountId },
  { ...credit, toBucket: 'freeze' },
  { ...credit, amount: amount(bigintOf(credit.amount) + 1n) },
]

function bytesOf(references: References): Uint8Array {
  const writer = new ByteWriter()
  references.write(writer)
  return writer.take()
}

test('a reference is new once, then the same for its own transfer and a conflict for any other', () => {
  const references = new References()
  expect(references.check('deposit-1', credit)).toBe('NEW')
  references.remember('deposit-1', credit)
  expect(references.check('deposit-1', { ...credit })).toBe('SAME')
  for (const other of others) expect(references.check('deposit-1', other)).toBe('CONFLICT')
  expect(references.check('deposit-2', credit)).toBe('NEW')
})

test('names of built-in object properties are references like any other', () => {
  const references = new References()
  for (const name of ['__proto__', 'constructor', 'toString', '']) {
    expect(references.check(name, credit)).toBe('NEW')
    references.remember(name, credit)
    expect(references.check(name, credit)).toBe('SAME')
  }
})

test('checking a reference does not store it', () => {
  const references = new References()
  references.check('deposit-1', credit)
  expect(references.count).toBe(0)
  expect(references.check('deposit-1', others[0] as Transfer)).toBe('NEW')
})

test('storing a reference twice is a bug', () => {
  const references = new References()
  references.remember('deposit-1', credit)
  expect(() => references.remember('deposit-1', credit)).toThrow(InvariantError)
})

test('known references are still distinguished and new ones refused when there is no room for more', () => {
  const references = new References(1)
  references.remember('deposit-1', credit)
  expect(references.check('deposit-1', credit)).toBe('SAME')
  expect(references.check('deposit-1', others[0] as Transfer)).toBe('CONFLICT')
  expect(references.check('deposit-2', credit)).toBe('FULL')
  expect(() => references.remember('deposit-2', credit)).toThrow(InvariantError)
})

test('bytes give the same references back, in the same order, and cut anywhere are a fault', () => {
  const references = new References()
  references.remember('z', credit)
  others.forEach((transfer, i) => {
    references.remember(`ref ${i} ğ`, transfer)
  })
  const bytes = bytesOf(references)
  const reader = new ByteReader(bytes)
  const again = References.read(reader)
  reader.end()
  expect(again.count).toBe(7)
  expect(again.check('z', credit)).toBe('SAME')
  expect(again.check('ref 1 ğ', credit)).toBe('CONFLICT')
  expect(bytesOf(again)).toEqual(bytes)
  for (let length = 0; length < bytes.length; length++) {
    expect(() => References.read(new ByteReader(bytes.subarray(0, length)))).toThrow(BytesFault)
  }
})

test('bytes with a reference twice are a fault', () => {
  const references = new References()
  references.remember('a', credit)
  references.remember('b', credit)
  const bytes = bytesOf(references)
  bytes[bytes.indexOf('b'.charCodeAt(0))] = 'a'.charCodeAt(0)
  expect(() => References.read(new ByteReader(bytes))).toThrow('appears twice')
})
