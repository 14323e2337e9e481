/**
 * What is published of all trees together: one hash over a text that any program can write again (docs/reports.md#rootjson).
 */
import { fixedDecimal } from '../../units/decimal.ts'
import type { Decimals } from '../../units/quantities.ts'
import { utf8 } from '../../units/utf8.ts'
import { type Digest, hexOf } from '../journal.ts'
import type { SumNode } from './sum-tree.ts'

/** What stands before the text, so that it is never taken for a leaf or a node. */
const ROOT = new Uint8Array([2])

export type CommittedAsset = {
  readonly asset: string
  readonly decimals: Decimals
  readonly root: SumNode
  readonly leaves: number
  /** What the outside world's account has, in ledger units: with the total it comes to 0. */
  readonly outside: bigint
}

export type Commitment = {
  /** Hash of the journal's first batch. */
  readonly journal: string
  readonly command: number
  /** ISO 8601. */
  readonly time: string
  /** Hash of the batch that holds the command. */
  readonly journalHash: string
  readonly assets: readonly CommittedAsset[]
}

/** The values of `root.json`, `rootHash` included. */
export function publishedRoot({ assets, ...moment }: Commitment, digest: Digest) {
  const published = assets.map(({ asset, decimals, root, leaves, outside }) => ({
    asset,
    decimals,
    total: fixedDecimal(root.sum, decimals),
    outside: fixedDecimal(outside, decimals),
    leaves,
    root: hexOf(root.hash),
  }))
  const { journal, command, time, journalHash } = moment
  const lines = ['bourse liabilities 1', journal, command, time, journalHash]
  for (const each of published) lines.push(Object.values(each).join(' '))
  const rootHash = hexOf(digest([ROOT, utf8(`${lines.join('\n')}\n`)]))
  return { format: 1, rootHash, ...moment, assets: published }
}
