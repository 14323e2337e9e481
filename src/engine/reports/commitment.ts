/**
 * The published commitment to all trees: one hash over a text that any program can reproduce
 * (docs/reports.md#rootjson).
 */
import { fixedDecimal } from '../../units/decimal.ts'
import { invariant } from '../../units/invariant.ts'
import { ASSET_CODE_MAX } from '../../units/limits.ts'
import type { Decimals } from '../../units/quantities.ts'
import { utf8 } from '../../units/utf8.ts'
import { type Digest, hexOf } from '../port/journal.ts'
import type { SumNode } from './sum-tree.ts'

/** The prefix of the text, so that it can never be taken for a leaf or a node. */
const ROOT = new Uint8Array([2])

export type CommittedAsset = {
  readonly asset: string
  readonly decimals: Decimals
  readonly root: SumNode
  readonly leaves: number
  /** The balance of the outside world's account, in ledger units: together with the total it is 0. */
  readonly outside: bigint
}

export type Commitment = {
  /** Hash of the journal's first batch. */
  readonly journal: string
  readonly command: number
  /** ISO 8601. */
  readonly time: string
  /** Hash of the batch that contains the command. */
  readonly journalHash: string
  readonly assets: readonly CommittedAsset[]
}

const HASH = /^[0-9a-f]{64}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
const CODE = new RegExp(`^[A-Z0-9]{1,${ASSET_CODE_MAX}}$`)

/** No value contains a space or an end of a line, so a text represents exactly one set of values. */
function requireForms({ journal, command, time, journalHash, assets }: Commitment): void {
  const isHead = HASH.test(journal) && HASH.test(journalHash) && TIME.test(time)
  const isCommand = Number.isSafeInteger(command) && command >= 1
  invariant(
    isHead && isCommand,
    () => `expected a journal and a time for a root, found ${journal} ${command} ${time} ${journalHash}`,
  )
  const codes = assets.map(({ asset }) => asset)
  const isEach = codes.every((code) => CODE.test(code)) && new Set(codes).size === codes.length
  invariant(isEach, () => `expected each asset of a root once, by its code, found ${codes.join()}`)
}

/** The values of `root.json`, `rootHash` included. */
export function publishedRoot(commitment: Commitment, digest: Digest) {
  requireForms(commitment)
  const { assets, ...moment } = commitment
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
