import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { expectDamageNoticed } from '../../units/damaged-bytes.fixture.ts'
import { type AccountId, type AssetId, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { InvariantError } from '../../units/invariant.ts'
import { ACCOUNTS_MAX, ASSETS_MAX } from '../../units/limits.ts'
import { BUCKETS, type Bucket } from '../../units/order-enums.ts'
import { type Amount, amount } from '../../units/quantities.ts'
import { bigintOf } from '../../units/whole.ts'
import { Ledger } from './ledger.ts'

const ACCOUNTS = 5
const ASSETS = 3
const BTC = 0 as AssetId
const alice = 2 as AccountId
const bob = 3 as AccountId

type Move = {
  asset: AssetId
  from: AccountId
  fromBucket: Bucket
  to: AccountId
  toBucket: Bucket
  amount: Amount
}

const accounts = fc.nat({ max: ACCOUNTS - 1 }).map((id) => id as AccountId)
const buckets = fc.constantFrom(...BUCKETS)
/** Often from the outside world, often more than the balance, often huge. */
const moves: fc.Arbitrary<Move> = fc.record({
  asset: fc.nat({ max: ASSETS - 1 }).map((id) => id as AssetId),
  from: fc.oneof(fc.constant(OUTSIDE_ACCOUNT), accounts),
  fromBucket: fc.oneof(fc.constant<Bucket>('free'), buckets),
  to: accounts,
  toBucket: buckets,
  amount: fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 2n ** 90n })).map(amount),
})

function empty(): Ledger {
  const ledger = new Ledger()
  for (let i = 0; i < ACCOUNTS; i++) ledger.addAccount()
  for (let i = 0; i < ASSETS; i++) ledger.addAsset()
  return ledger
}

function apply(ledger: Ledger, m: Move): void {
  ledger.move(m.asset, m.from, m.fromBucket, m.to, m.toBucket, m.amount)
}

function isCovered(ledger: Ledger, m: Move): boolean {
  if (m.from === OUTSIDE_ACCOUNT && m.fromBucket === 'free') return true
  return ledger.balance(m.from, m.asset, m.fromBucket) >= m.amount
}

/** A ledger after all moves of `history` that were possible. */
function after(history: readonly Move[]): Ledger {
  const ledger = empty()
  for (const m of history) if (isCovered(ledger, m)) apply(ledger, m)
  return ledger
}

function bytesOf(ledger: Ledger): Uint8Array {
  const writer = new ByteWriter()
  ledger.write(writer)
  return writer.take()
}

function readWhole(bytes: Uint8Array): Ledger {
  const reader = new ByteReader(bytes)
  const ledger = Ledger.read(reader)
  reader.end()
  return ledger
}

/** Every balance, bucket by bucket. */
function balances(ledger: Ledger): string[] {
  const all: string[] = []
  for (let asset = 0 as AssetId; asset < ledger.assetCount; asset++) {
    for (let account = 0 as AccountId; account < ledger.accountCount; account++) {
      for (const bucket of BUCKETS) {
        all.push(`${asset} ${account} ${bucket} ${ledger.balance(account, asset, bucket)}`)
      }
    }
  }
  return all
}

describe('moves', () => {
  test('are exact to the unit, and after each of them every asset sums to zero without debts', () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 60 }), (history) => {
        const ledger = empty()
        const model = new Map<string, bigint>()
        const add = (asset: AssetId, account: AccountId, bucket: Bucket, units: bigint) => {
          const key = `${asset} ${account} ${bucket}`
          model.set(key, (model.get(key) ?? 0n) + units)
        }
        for (const m of history) {
          if (!isCovered(ledger, m)) continue
          apply(ledger, m)
          add(m.asset, m.from, m.fromBucket, -bigintOf(m.amount))
          add(m.asset, m.to, m.toBucket, bigintOf(m.amount))
          expect(ledger.audit(m.asset)).toEqual({ sum: amount(0n), negatives: 0 })
          expect(ledger.inExchange(m.asset)).toBe(
            amount(-(model.get(`${m.asset} ${OUTSIDE_ACCOUNT} free`) ?? 0n)),
          )
        }
        for (const line of balances(ledger)) {
          const [asset, account, bucket, units] = line.split(' ')
          expect(`${model.get(`${asset} ${account} ${bucket}`) ?? 0n}`).toBe(units as string)
        }
      }),
    )
  })

  test('of more than a bucket holds stop as a bug and change nothing', () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 20 }), moves, (history, last) => {
        const ledger = after(history)
        fc.pre(!isCovered(ledger, last))
        const before = bytesOf(ledger)
        expect(() => apply(ledger, last)).toThrow(InvariantError)
        expect(bytesOf(ledger)).toEqual(before)
      }),
    )
  })

  test('of a negative amount, or of unknown accounts and assets, stop as a bug', () => {
    const ledger = empty()
    const one = amount(1n)
    const nobody = ACCOUNTS as AccountId
    expect(() => ledger.move(BTC, OUTSIDE_ACCOUNT, 'free', alice, 'free', amount(-1n))).toThrow(
      InvariantError,
    )
    expect(() => ledger.move(BTC, OUTSIDE_ACCOUNT, 'free', nobody, 'free', one)).toThrow(InvariantError)
    expect(() => ledger.move(BTC, nobody, 'free', alice, 'free', one)).toThrow(InvariantError)
    expect(() => ledger.move(BTC, nobody, 'free', alice, 'free', amount(0n))).toThrow(InvariantError)
    expect(() => ledger.move(9 as AssetId, OUTSIDE_ACCOUNT, 'free', alice, 'free', one)).toThrow(
      InvariantError,
    )
    expect(() => ledger.balance(nobody, BTC, 'free')).toThrow(InvariantError)
    expect(ledger.audit(BTC)).toEqual({ sum: amount(0n), negatives: 0 })
  })

  test('only the free bucket of the outside world may owe', () => {
    const ledger = empty()
    for (const bucket of BUCKETS.filter((b) => b !== 'free')) {
      expect(() => ledger.move(BTC, OUTSIDE_ACCOUNT, bucket, alice, 'free', amount(1n))).toThrow(
        InvariantError,
      )
    }
    ledger.move(BTC, OUTSIDE_ACCOUNT, 'free', alice, 'free', amount(2n ** 64n))
    expect(ledger.balance(OUTSIDE_ACCOUNT, BTC, 'free')).toBe(amount(-(2n ** 64n)))
    expect(ledger.inExchange(BTC)).toBe(amount(2n ** 64n))
  })

  test('from a bucket to itself change nothing', () => {
    const ledger = empty()
    ledger.move(BTC, OUTSIDE_ACCOUNT, 'free', alice, 'free', amount(5n))
    ledger.move(BTC, alice, 'free', alice, 'free', amount(5n))
    expect(ledger.balance(alice, BTC, 'free')).toBe(amount(5n))
    expect(() => ledger.move(BTC, alice, 'free', alice, 'free', amount(6n))).toThrow(InvariantError)
  })
})

test('there is room for as many assets as can be listed, and no more', () => {
  const ledger = new Ledger()
  for (let i = 0; i < ASSETS_MAX; i++) ledger.addAsset()
  expect(() => ledger.addAsset()).toThrow(InvariantError)
  expect(ledger.assetCount).toBe(ASSETS_MAX)
})

describe('bytes', () => {
  test('give the same ledger back', () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 40 }), (history) => {
        const ledger = after(history)
        const again = readWhole(bytesOf(ledger))
        expect(balances(again)).toEqual(balances(ledger))
        expect(bytesOf(again)).toEqual(bytesOf(ledger))
      }),
    )
  })

  test('are the same for the same balances, however they came about', () => {
    const direct = empty()
    direct.move(BTC, OUTSIDE_ACCOUNT, 'free', alice, 'free', amount(1n))
    direct.move(BTC, OUTSIDE_ACCOUNT, 'free', bob, 'savings', amount(2n))
    const roundabout = empty()
    roundabout.move(BTC, OUTSIDE_ACCOUNT, 'free', bob, 'free', amount(3n))
    roundabout.move(BTC, bob, 'free', alice, 'locked', amount(1n))
    roundabout.move(BTC, bob, 'free', bob, 'savings', amount(2n))
    roundabout.move(BTC, alice, 'locked', alice, 'free', amount(1n))
    roundabout.move(1 as AssetId, OUTSIDE_ACCOUNT, 'free', alice, 'free', amount(9n))
    roundabout.move(1 as AssetId, alice, 'free', OUTSIDE_ACCOUNT, 'free', amount(9n))
    expect(bytesOf(roundabout)).toEqual(bytesOf(direct))
  })

  test('of a million accounts without money are few', () => {
    const ledger = new Ledger()
    for (let i = 0; i < 1_000_000; i++) ledger.addAccount()
    ledger.addAsset()
    expect(bytesOf(ledger).length).toBeLessThan(10)
    expect(readWhole(bytesOf(ledger)).accountCount).toBe(1_000_000)
  })

  test('cut anywhere are a fault', () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 10 }), fc.nat(), (history, at) => {
        const bytes = bytesOf(after(history))
        expect(() => readWhole(bytes.subarray(0, at % bytes.length))).toThrow(BytesFault)
      }),
    )
  })

  test('damaged anywhere are a fault, or another ledger that has exactly these bytes', () => {
    fc.assert(
      fc.property(
        fc.array(moves, { maxLength: 10 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (h, at, flip) => {
          expectDamageNoticed(bytesOf(after(h)), { at, flip }, (bytes) => bytesOf(readWhole(bytes)))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('that do not sum to zero, hold a debt or an empty row are a fault', () => {
    const row = (account: number, free: bigint, savings: bigint) => (w: ByteWriter) => {
      w.uint(account)
      for (const units of [free, 0n, 0n, savings]) w.bigint(units)
    }
    const ledger = (...rows: ((w: ByteWriter) => void)[]) => {
      const w = new ByteWriter()
      w.uint(3)
      w.uint(1)
      w.uint(rows.length)
      for (const write of rows) write(w)
      return w.take()
    }
    expect(readWhole(ledger(row(0, -3n, 0n), row(1, 3n, 0n))).inExchange(BTC)).toBe(amount(3n))
    expect(() => readWhole(ledger(row(0, -3n, 0n), row(1, 4n, 0n)))).toThrow('must sum to 0')
    expect(() => readWhole(ledger(row(0, -3n, 0n), row(1, 4n, 0n), row(2, -1n, 0n)))).toThrow(
      '1 negative amounts',
    )
    expect(() => readWhole(ledger(row(0, -3n, 0n), row(1, 4n, -1n)))).toThrow('1 negative amounts')
    expect(() => readWhole(ledger(row(0, -3n, 0n), row(1, 3n, 0n), row(2, 0n, 0n)))).toThrow(BytesFault)
    expect(() => readWhole(ledger(row(1, 0n, 1n), row(0, -1n, 0n)))).toThrow(BytesFault)
    expect(() => readWhole(ledger(row(0, -3n, 0n), row(3, 3n, 0n)))).toThrow(BytesFault)
    expect(() => readWhole(ledger(row(0, -3n, 0n), row(1, 1n, 0n), row(1, 3n, 0n)))).toThrow(BytesFault)
  })

  test('of more accounts or assets than there can be are a fault', () => {
    for (const counts of [
      [ACCOUNTS_MAX + 1, 0],
      [0, ASSETS_MAX + 1],
    ]) {
      const w = new ByteWriter()
      for (const count of counts) w.uint(count)
      for (let asset = 0; asset <= ASSETS_MAX; asset++) w.uint(0)
      expect(() => Ledger.read(new ByteReader(w.take()))).toThrow('at most')
    }
  })
})
