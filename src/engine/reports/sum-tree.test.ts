/**
 * Compares the tree of a proof of liabilities with a second one, written from docs/reports.md#the-tree with
 * Node's own hashes and no shared code.
 */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Asset } from '../../core/registry/records.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { AccountId } from '../../units/ids.ts'
import { hexOf } from '../port/journal.ts'
import { AssetTree, type Inclusion, type OwedBalance, type SaltOf } from './asset-tree.ts'
import { publishedRoot } from './commitment.ts'
import { hashOfLeaf, hashOfNode, leavesFor, SUM_MAX, SumTree } from './sum-tree.ts'

const ASSET = { id: 0, code: 'BTC', fraction: 8 } as Asset

/** Salts that differ whenever their owners differ. */
const saltOf: SaltOf = (asset, owner) => {
  const text = owner.kind === 'ACCOUNT' ? `a ${owner.name}` : `n ${owner.number}`
  return new Uint8Array(createHash('sha256').update(`${asset} ${text}`).digest())
}

function owed(units: readonly bigint[]): OwedBalance[] {
  return units.map((each, i) => ({ accountId: (i + 1) as AccountId, name: `customer ${i}`, units: each }))
}

/** Written from the documentation alone: hash and sum of the root to which a path leads. */
function climb(name: string, { units, salt, index, path }: Inclusion): { hash: string; sum: bigint } {
  const bytes = (sum: bigint): Buffer => Buffer.from(sum.toString(16).padStart(32, '0'), 'hex')
  const hash = (...parts: (string | Uint8Array)[]): Buffer =>
    createHash('sha256')
      .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
      .digest()
  let node = hash(Uint8Array.of(0), salt, bytes(units), Uint8Array.of(3), 'BTC', name)
  let sum = units
  let place = index
  for (const sibling of path) {
    const [mine, other] = [
      Buffer.concat([node, bytes(sum)]),
      Buffer.concat([sibling.hash, bytes(sibling.sum)]),
    ]
    node = place % 2 === 0 ? hash(Uint8Array.of(1), mine, other) : hash(Uint8Array.of(1), other, mine)
    sum += sibling.sum
    place = (place - (place % 2)) / 2
  }
  return { hash: node.toString('hex'), sum }
}

const balances = fc.array(fc.bigInt({ min: 1n, max: 2n ** 90n }), { minLength: 1, maxLength: 40 })

describe('a tree', () => {
  test('contains every balance: each leads to the root, and the root to all of them', () => {
    const property = fc.property(balances, (units) => {
      const customers = owed(units)
      const tree = new AssetTree(ASSET, customers, saltOf, sha256)
      const total = units.reduce((sum, each) => sum + each, 0n)
      expect([tree.root.sum, tree.leaves]).toEqual([total, leavesFor(units.length)])
      const places = new Set<number>()
      for (const { accountId, name } of customers) {
        const inclusion = tree.inclusion(accountId) as Inclusion
        places.add(inclusion.index)
        expect(climb(name, inclusion)).toEqual({ hash: hexOf(tree.root.hash), sum: total })
      }
      expect(places.size).toBe(units.length)
    })
    fc.assert(property, { numRuns: 60 })
  })

  test('is not reached from anything else: a unit more, another name, place, salt, hash or sum', () => {
    const property = fc.property(balances, fc.nat(), fc.nat(), (units, which, step) => {
      const customers = owed(units)
      const { accountId, name } = customers[which % customers.length] as OwedBalance
      const tree = new AssetTree(ASSET, customers, saltOf, sha256)
      const found = tree.inclusion(accountId) as Inclusion
      const edited: [string, Inclusion][] = [
        [name, { ...found, units: found.units + 1n }],
        [name, { ...found, units: found.units - 1n }],
        [`${name} `, found],
        [name, { ...found, salt: found.salt.map((byte, i) => (i === step % 32 ? byte ^ 1 : byte)) }],
      ]
      const at = step % Math.max(1, found.path.length)
      const sibling = found.path[at]
      if (sibling !== undefined) {
        const flipped = sibling.hash.map((byte, i) => (i === step % 32 ? byte ^ 128 : byte))
        const withSibling = (other: typeof sibling): Inclusion => ({
          ...found,
          path: found.path.with(at, other),
        })
        edited.push([name, withSibling({ ...sibling, sum: sibling.sum + 1n })])
        edited.push([name, withSibling({ ...sibling, hash: flipped })])
        edited.push([name, { ...found, index: found.index ^ (1 << at) }])
        // A unit taken from the sibling and added to the leaf does not change the total.
        const less = sibling.sum > 0n ? sibling.sum - 1n : undefined
        if (less !== undefined)
          edited.push([name, { ...withSibling({ ...sibling, sum: less }), units: found.units + 1n }])
      }
      const root = hexOf(tree.root.hash)
      for (const [asName, inclusion] of edited) expect(climb(asName, inclusion).hash).not.toBe(root)
    })
    fc.assert(property, { numRuns: 100 })
  })

  test('of no balance has one leaf that belongs to no one', () => {
    const tree = new AssetTree(ASSET, [], saltOf, sha256)
    expect([tree.leaves, tree.root.sum, tree.inclusion(1 as AccountId)]).toEqual([1, 0n, undefined])
  })

  test('takes no negative sum, none that is too large, and no number of leaves but a power of two', () => {
    const leaf = (sum: bigint) => ({ hash: new Uint8Array(32), sum })
    const of =
      (...sums: bigint[]) =>
      () =>
        new SumTree(sums.map(leaf), sha256)
    expect(of(1n, -1n)).toThrow('a sum must be 0 to')
    expect(of(SUM_MAX, 1n)).toThrow('a sum must be 0 to')
    expect(of(1n, 2n, 3n)).toThrow('3 leaves are not a power of two')
    expect(of(SUM_MAX, 0n)().root.sum).toBe(SUM_MAX)
    expect(() => new AssetTree(ASSET, owed([0n]), saltOf, sha256)).toThrow('customer 0 has 0 of BTC')
  })

  test('never mistakes a leaf for a node, or one asset for another', () => {
    const salt = new Uint8Array(32)
    const hashes = [
      hashOfLeaf({ salt, sum: 1n, asset: 'BT', account: 'Calice' }, sha256),
      hashOfLeaf({ salt, sum: 1n, asset: 'BTC', account: 'alice' }, sha256),
      hashOfNode({ hash: salt, sum: 1n }, { hash: salt, sum: 0n }, sha256),
      hashOfNode({ hash: salt, sum: 0n }, { hash: salt, sum: 1n }, sha256),
    ].map(hexOf)
    expect(new Set(hashes).size).toBe(4)
  })
})

test('the form of the tree never changes', () => {
  const tree = new AssetTree(ASSET, owed([150_000_000n, 1n, 2n ** 80n]), saltOf, sha256)
  const published = publishedRoot(
    {
      journal: '11'.repeat(32),
      command: 42,
      time: '2026-01-31T23:59:59.999+00:00',
      journalHash: '22'.repeat(32),
      assets: [
        {
          asset: 'BTC',
          decimals: ASSET.fraction,
          root: tree.root,
          leaves: tree.leaves,
          outside: -tree.root.sum,
        },
      ],
    },
    sha256,
  )
  expect([published.rootHash, published.assets[0]?.root]).toEqual([
    '133cd79776f0c9518adb3e6a90430fb164e956e588caba245c3ea3278ac0c72a',
    'bf1c364a61eb453dd1e3dbfa695443fb6f7859b4d85d46b09f5f9b8db7ca651f',
  ])
})
