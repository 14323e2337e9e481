/**
 * A Merkle sum tree over the balances of one asset (docs/reports.md#the-tree). A node commits to the hashes
 * and to the sums of both of its children, so no single sum on a path can be understated. Sums are unsigned
 * 16-byte numbers. The tree is perfect: 2^k leaves; those without an owner have the sum 0 and look like any
 * other.
 */

import { invariant } from '../../units/invariant.ts'
import { AMOUNT_MAX } from '../../units/limits.ts'
import { utf8 } from '../../units/utf8.ts'
import { type Digest, HASH_BYTES } from '../port/journal.ts'

/** Maximum of a sum, in ledger units: the maximum of an asset in the exchange. It fits in 16 bytes. */
export const SUM_MAX = AMOUNT_MAX

export const SUM_BYTES = 16
export const SALT_BYTES = 32

const NODE_BYTES = HASH_BYTES + SUM_BYTES
/** The prefix of hashed data, so that a leaf can never be taken for a node. */
const LEAF = new Uint8Array([0])
const NODE = new Uint8Array([1])

/** Half of a node: a hash, and the sum of all leaves under it in ledger units. */
export type SumNode = { readonly hash: Uint8Array; readonly sum: bigint }

export type SumLeaf = {
  /** 32 secret bytes. */
  readonly salt: Uint8Array
  /** Ledger units, 0 to `SUM_MAX`. */
  readonly sum: bigint
  readonly asset: string
  /** The account's name, which is unique; empty if the leaf has no owner. */
  readonly account: string
}

/** SHA-256 of a zero byte, salt, sum, length of the asset's code, code and name. */
export function hashOfLeaf({ salt, sum, asset, account }: SumLeaf, digest: Digest): Uint8Array {
  invariant(salt.length === SALT_BYTES, () => `a salt has ${SALT_BYTES} bytes, found ${salt.length}`)
  const code = utf8(asset)
  const length = new Uint8Array([code.length])
  return digest([LEAF, salt, sumBytes(sum), length, code, utf8(account)])
}

/** SHA-256 of a byte of value 1, and hash and sum of both children. */
export function hashOfNode(left: SumNode, right: SumNode, digest: Digest): Uint8Array {
  return digest([NODE, left.hash, sumBytes(left.sum), right.hash, sumBytes(right.sum)])
}

/** Big-endian. */
function sumBytes(sum: bigint): Uint8Array {
  invariant(sum >= 0n && sum <= SUM_MAX, () => `a sum must be 0 to ${SUM_MAX}, found ${sum}`)
  const bytes = new Uint8Array(SUM_BYTES)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, sum >> 64n)
  view.setBigUint64(8, sum & 0xffff_ffff_ffff_ffffn)
  return bytes
}

function readSum(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, SUM_BYTES)
  return (view.getBigUint64(0) << 64n) | view.getBigUint64(8)
}

/** The number of leaves in a tree for `count` owners: the next power of two, at least 1. */
export function leavesFor(count: number): number {
  let leaves = 1
  while (leaves < count) leaves *= 2
  return leaves
}

export class SumTree {
  readonly #leaves: number
  /** Node 1 is the root, nodes 2i and 2i+1 are the children of node i. 48 bytes each. */
  readonly #nodes: Uint8Array

  /** The number of `leaves` is a power of two; they are in their final order. */
  constructor(leaves: readonly SumNode[], digest: Digest) {
    this.#leaves = leaves.length
    invariant(
      leaves.length === leavesFor(leaves.length),
      () => `${leaves.length} leaves are not a power of two`,
    )
    this.#nodes = new Uint8Array(2 * leaves.length * NODE_BYTES)
    for (const [i, leaf] of leaves.entries()) this.#put(leaves.length + i, leaf)
    for (let i = leaves.length - 1; i > 0; i--) {
      const [left, right] = [this.#at(2 * i), this.#at(2 * i + 1)]
      this.#put(i, { hash: hashOfNode(left, right, digest), sum: left.sum + right.sum })
    }
  }

  get leaves(): number {
    return this.#leaves
  }

  get root(): SumNode {
    return this.#at(1)
  }

  /**
   * The siblings on the path from a leaf to the root; bit 0 of `index` gives the side of the first sibling.
   */
  path(index: number): SumNode[] {
    const siblings: SumNode[] = []
    for (let i = this.#leaves + index; i > 1; i = Math.floor(i / 2)) siblings.push(this.#at(i ^ 1))
    return siblings
  }

  #at(node: number): SumNode {
    const bytes = this.#nodes.subarray(node * NODE_BYTES, (node + 1) * NODE_BYTES)
    return { hash: bytes.subarray(0, HASH_BYTES), sum: readSum(bytes.subarray(HASH_BYTES)) }
  }

  #put(node: number, { hash, sum }: SumNode): void {
    this.#nodes.set(hash, node * NODE_BYTES)
    this.#nodes.set(sumBytes(sum), node * NODE_BYTES + HASH_BYTES)
  }
}

/** Which of two hashes comes first. */
export function compareHashes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return 0
}
