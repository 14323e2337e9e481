/**
 * The files of a proof of liabilities (docs/reports.md#prove-what-is-owed). `root.json` is written last:
 * without it the rest is no proof.
 */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CSV_LINE_END, csvField } from '../../../contract/csv.ts'
import { hexOf } from '../../../engine/port/journal.ts'
import type { AssetTree, Inclusion } from '../../../engine/reports/asset-tree.ts'
import { ensureDirectory, fileFault, syncDirectory, writeWhole } from '../../../storage/files/directory.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import type { AccountId } from '../../../units/ids.ts'
import { printableLines } from '../../../units/printable.ts'
import { CHECK_PROGRAM } from './check-program.ts'

export const ROOT_FILE = 'root.json'
export const CHECK_FILE = 'check.mjs'
export const INDEX_FILE = 'accounts.csv'
export const ACCOUNTS_DIRECTORY = 'accounts'

/** The part of every account's file that describes the point in time. */
export type ProofRoot = { readonly rootHash: string }

export type ProofFiles = {
  readonly directory: string
  readonly root: ProofRoot
  readonly trees: readonly AssetTree[]
  /** Each account gets a file. */
  readonly accounts: Iterable<{ readonly id: AccountId; readonly name: string }>
}

/**
 * Writes into a directory that is empty or absent; if it fails, no files remain. Returns the number of
 * accounts with a file. Throws `JournalFault`.
 */
export function writeProof({ directory, root, trees, accounts }: ProofFiles): number {
  const wasThere = existsSync(directory)
  try {
    ensureDirectory(directory)
    mkdirSync(path.join(directory, ACCOUNTS_DIRECTORY), { mode: 0o700 })
    const rows = [['account', 'file']]
    for (const { id, name } of accounts) {
      const file = path.join(ACCOUNTS_DIRECTORY, `${id}.json`)
      writePrivate(path.join(directory, file), accountJson(root, trees, { id, name }))
      rows.push([name, file])
    }
    const csv = rows.map((row) => row.map(csvField).join() + CSV_LINE_END).join('')
    writePrivate(path.join(directory, INDEX_FILE), csv)
    writePrivate(path.join(directory, CHECK_FILE), CHECK_PROGRAM)
    syncDirectory(path.join(directory, ACCOUNTS_DIRECTORY))
    const file = path.join(directory, ROOT_FILE)
    writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(rootJson(root))])
    return rows.length - 1
  } catch (cause) {
    for (const name of [ROOT_FILE, CHECK_FILE, INDEX_FILE, ACCOUNTS_DIRECTORY])
      rmSync(path.join(directory, name), { recursive: true, force: true })
    if (!wasThere) rmSync(directory, { recursive: true, force: true })
    throw fileFault(cause, `cannot write the proof into ${directory}`)
  }
}

/** The bytes of `root.json`. */
export function rootJson(root: ProofRoot): string {
  return jsonOf(root)
}

/** The bytes of an account's file. */
export function accountJson(
  { rootHash }: ProofRoot,
  trees: readonly AssetTree[],
  { id, name }: { readonly id: AccountId; readonly name: string },
): string {
  const balances = trees.flatMap((tree) => {
    const inclusion = tree.inclusion(id)
    return inclusion === undefined ? [] : [balanceJson(tree, inclusion)]
  })
  return jsonOf({ format: 1, account: name, rootHash, balances })
}

/** An account's balance as its file shows it. */
function balanceJson({ asset }: AssetTree, { units, salt, index, path: siblings }: Inclusion) {
  const text = (sum: bigint): string => fixedDecimal(sum, asset.fraction)
  return {
    asset: asset.code,
    amount: text(units),
    salt: hexOf(salt),
    index,
    path: siblings.map(({ hash, sum }) => ({ hash: hexOf(hash), sum: text(sum) })),
  }
}

function jsonOf(value: unknown): string {
  return printableLines(`${JSON.stringify(value, undefined, 1)}\n`)
}

function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 })
}
