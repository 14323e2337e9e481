/** The report of a statement when the ledger's balances differ from the sums of events. */
import { expect, test } from 'bun:test'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { amount, type Seq, type TimeMs } from '../../units/quantities.ts'
import type { Entry } from './entries.ts'
import { DailyStatements, type StatementLine, type StatementProblem } from './statement.ts'

const ALICE = 3 as AccountId
const BTC = 0 as AssetId

function credit(units: bigint): Entry {
  const of = { kind: 'TRANSFER', reference: 'r' } as const
  return { accountId: ALICE, assetId: BTC, cause: 'CREDIT', amount: amount(units), of }
}

/** A day on which alice, who had 10, is credited 5 and then 7; `ledger`: her balance after each. */
function day(ledger: readonly bigint[]): { lines: StatementLine[]; problems: StatementProblem[] } {
  const lines: StatementLine[] = []
  const problems: StatementProblem[] = []
  let units = 10n
  const none = amount(0n)
  const balance = () => ({
    assetId: BTC,
    free: amount(units - 4n),
    locked: amount(1n),
    freeze: amount(3n),
    savings: none,
  })
  const statements = new DailyStatements({
    machine: { balance, balances: () => [balance()], accountIds: () => [ALICE] },
    isShown: () => true,
    line: (line) => lines.push(line),
    problem: (problem) => problems.push(problem),
  })
  statements.begin(20_000)
  for (const [i, entry] of [credit(5n), credit(7n)].entries()) {
    statements.beforeBatch(20_000)
    units = ledger[i] as bigint
    statements.take((i + 1) as Seq, 1_728_000_000_000 as TimeMs, [entry])
  }
  statements.end(20_000)
  return { lines, problems }
}

test('a statement adds up what all buckets hold', () => {
  const { lines, problems } = day([15n, 22n])
  expect(lines.map(({ kind, balance }) => [kind, balance])).toEqual([
    ['OPENING', amount(10n)],
    ['ENTRY', amount(15n)],
    ['ENTRY', amount(22n)],
    ['CLOSING', amount(22n)],
  ])
  expect(problems).toEqual([])
})

test('a closing that differs from the ledger is reported, even by a unit', () => {
  const { problems } = day([15n, 23n])
  const wanted = { day: 20_000, accountId: ALICE, assetId: BTC, stated: amount(22n), found: amount(23n) }
  expect(problems).toEqual([wanted])
})
