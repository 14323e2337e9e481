/**
 * The tree of one asset at one time: a leaf for every balance above 0, padded with leaves without an owner.
 * Leaves are in the order of their hashes, so that a leaf's place reveals nothing about its owner.
 */
import type { Asset } from '../../core/registry/records.ts'
import type { AccountId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Digest } from '../port/journal.ts'
import { compareHashes, hashOfLeaf, leavesFor, type SumNode, SumTree } from './sum-tree.ts'

/** The owner of a leaf: an account's name, or a number for a leaf without an owner. */
export type LeafOwner =
  | { readonly kind: 'ACCOUNT'; readonly name: string }
  | { readonly kind: 'NOBODY'; readonly number: number }

/** The salt of a leaf: 32 bytes, the same for the same owner, unknown without the secret. */
export type SaltOf = (asset: string, owner: LeafOwner) => Uint8Array

export type OwedBalance = {
  readonly accountId: AccountId
  readonly name: string
  /** Ledger units, above 0. */
  readonly units: bigint
}

/** The proof that an account's balance is in the total. */
export type Inclusion = {
  readonly units: bigint
  readonly salt: Uint8Array
  /** The index of the leaf, from 0. */
  readonly index: number
  readonly path: readonly SumNode[]
}

export class AssetTree {
  readonly asset: Asset
  readonly #tree: SumTree
  readonly #saltOf: SaltOf
  readonly #placeByAccount = new Map<AccountId, { readonly index: number; readonly owed: OwedBalance }>()

  constructor(asset: Asset, balances: readonly OwedBalance[], saltOf: SaltOf, digest: Digest) {
    this.asset = asset
    this.#saltOf = saltOf
    const leaves = balances.map((owed) => {
      invariant(owed.units > 0n && owed.name !== '', () => `${owed.name} has ${owed.units} of ${asset.code}`)
      const salt = saltOf(asset.code, { kind: 'ACCOUNT', name: owed.name })
      const leaf = { salt, sum: owed.units, asset: asset.code, account: owed.name }
      return { hash: hashOfLeaf(leaf, digest), sum: owed.units, owed: owed as OwedBalance | undefined }
    })
    for (let number = leaves.length; number < leavesFor(balances.length); number++) {
      const salt = saltOf(asset.code, { kind: 'NOBODY', number })
      const hash = hashOfLeaf({ salt, sum: 0n, asset: asset.code, account: '' }, digest)
      leaves.push({ hash, sum: 0n, owed: undefined })
    }
    leaves.sort((a, b) => compareHashes(a.hash, b.hash))
    leaves.forEach(({ owed }, index) => {
      if (owed !== undefined) this.#placeByAccount.set(owed.accountId, { index, owed })
    })
    this.#tree = new SumTree(leaves, digest)
  }

  get leaves(): number {
    return this.#tree.leaves
  }

  get root(): SumNode {
    return this.#tree.root
  }

  /** Undefined if the account has no balance in the asset. */
  inclusion(accountId: AccountId): Inclusion | undefined {
    const place = this.#placeByAccount.get(accountId)
    if (place === undefined) return undefined
    const { index, owed } = place
    const salt = this.#saltOf(this.asset.code, { kind: 'ACCOUNT', name: owed.name })
    return { units: owed.units, salt, index, path: this.#tree.path(index) }
  }
}
