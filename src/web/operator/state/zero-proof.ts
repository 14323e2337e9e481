/**
 * The proof that every asset sums to zero, computed in the browser: all balances at one command, obtained
 * from a replay of the journal in a process beside the node, are added up exactly.
 */
import { decimalOf, unitsOf } from './decimals.ts'

export type AssetSum = {
  readonly asset: string
  /** Number of accounts that hold any of the asset, except the account of the outside world. */
  readonly accounts: number
  /** As decimals. */
  readonly outside: string
  readonly inside: string
  readonly sum: string
  readonly isZero: boolean
}

export type ZeroProof = {
  readonly sums: readonly AssetSum[]
  readonly command: number
  readonly time: string
  readonly journalHash: string
  readonly stateHash: string
}

type Row = { readonly account: string; readonly asset: string; readonly total: string } & Readonly<
  Record<(typeof BUCKETS)[number], string>
>
type End = Pick<ZeroProof, 'command' | 'time' | 'journalHash' | 'stateHash'> & { readonly rows: number }
type Added = { decimals: number; accounts: number; outside: bigint; inside: bigint }

const OUTSIDE = 'outside'
const BUCKETS = ['free', 'locked', 'freeze', 'savings'] as const

/**
 * `report`: the report `balances` as JSON, one line per balance. If the report is incomplete, returns a text
 * that names the problem.
 */
export function zeroProof(report: string): ZeroProof | string {
  try {
    return proofOf(report)
  } catch (error) {
    return `the report cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function proofOf(report: string): ZeroProof | string {
  const lines = report.trimEnd().split('\n')
  const end = endOf(lines.at(-1) ?? '')
  if (end === undefined) return 'the report was cut off before its end'
  const rows = lines.slice(1, -1)
  if (rows.length !== end.rows)
    return `the report has ${rows.length} balances, but its last line states ${end.rows}`
  const byAsset = new Map<string, Added>()
  for (const line of rows) {
    const row = JSON.parse(line) as Row
    const decimals = row.total.split('.')[1]?.length ?? 0
    const added = byAsset.get(row.asset) ?? { decimals, accounts: 0, outside: 0n, inside: 0n }
    byAsset.set(row.asset, added)
    // Each part is summed separately: the report's own total is not used.
    const units = BUCKETS.reduce((sum, bucket) => sum + unitsOf(row[bucket], added.decimals), 0n)
    if (row.account === OUTSIDE) added.outside += units
    else {
      added.inside += units
      added.accounts++
    }
  }
  const { command, time, journalHash, stateHash } = end
  return { sums: [...byAsset].map(sumOf), command, time, journalHash, stateHash }
}

function sumOf([asset, { decimals, accounts, outside, inside }]: [string, Added]): AssetSum {
  const text = (units: bigint) => decimalOf(units, decimals)
  const sum = outside + inside
  return {
    ...{ asset, accounts, outside: text(outside), inside: text(inside), sum: text(sum) },
    isZero: sum === 0n,
  }
}

function endOf(line: string): End | undefined {
  if (!line.startsWith('{"end":')) return undefined
  return (JSON.parse(line) as { readonly end: End }).end
}
