/**
 * Daily statements compared with the reference exchange, which counts in exact fractions of whole assets and
 * was written from the rules: under the model's random commands every opening, change and closing must equal
 * its figures.
 */
import { expect, test } from 'bun:test'
import { ENTRY_CAUSES, type Entry, entriesOf } from '../../src/engine/reports/entries.ts'
import { DailyStatements, dayOf, type StatementLine } from '../../src/engine/reports/statement.ts'
import type { AccountId, AssetId, SymbolId } from '../../src/units/ids.ts'
import type { Seq, TimeMs } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { RandomSource } from './random-source.ts'
import { Comparison, MODEL_START_MS, type Outcome, runSeeds } from './run.ts'
import type { Step } from './step.ts'

const SEED = Number(process.env.MODEL_SEED ?? 11)
const STEPS = Number(process.env.MODEL_STEPS ?? 12_000)
const RUN_STEPS = 200

/** Both exchanges, with statements of everything that they do. */
class StatedComparison extends Comparison {
  readonly lines: StatementLine[] = []
  readonly causes = new Map<string, number>()
  #time = MODEL_START_MS
  readonly #statements = new DailyStatements({
    machine: {
      balance: (account, asset) => this.core.balance(account, asset),
      balances: (account) => this.core.balances(account),
      accountIds: () => this.core.bootstrap().accounts.map(({ id }) => id),
    },
    isShown: () => true,
    line: (line) => this.#line(line),
    problem: (problem) => expect(problem).toBe(undefined as never),
  })

  override take(step: Step): Outcome {
    if (step.kind === 'reload') return super.take(step)
    const isFirst = this.core.seq === 0
    this.#time += step.afterMs
    const day = dayOf(this.#time)
    if (isFirst) this.#statements.begin(day)
    this.#statements.beforeBatch(day)
    const outcome = super.take(step)
    const entries = entriesOf(outcome.events, { symbol: (id) => this.core.symbols()[id as SymbolId] })
    this.#sumsToNothing(entries)
    this.#statements.take(this.core.seq as Seq, this.#time as TimeMs, entries)
    return outcome
  }

  end(): void {
    this.#statements.end(dayOf(this.#time))
  }

  /** Balance in ledger units, from the fractions. */
  owned(account: AccountId, asset: AssetId): bigint {
    const { state } = this.reference
    const places = this.core.assets()[asset]?.fraction ?? 0
    const buckets = ['free', 'locked', 'freeze', 'savings'] as const
    return buckets.reduce((sum, bucket) => sum + state.balance(account, asset, bucket).wholeUnits(places), 0n)
  }

  #line(line: StatementLine): void {
    if (line.kind === 'CLOSING') expect(bigintOf(line.balance)).toBe(this.owned(line.accountId, line.assetId))
    this.lines.push(line)
  }

  #sumsToNothing(entries: readonly Entry[]): void {
    const sums = new Map<AssetId, bigint>()
    for (const { assetId, amount, cause } of entries) {
      sums.set(assetId, (sums.get(assetId) ?? 0n) + bigintOf(amount))
      this.causes.set(cause, (this.causes.get(cause) ?? 0) + 1)
    }
    expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([])
  }
}

/** Checks that opening plus changes equals the closing, and that each opening equals the previous closing. */
function checkLines(lines: readonly StatementLine[]): void {
  const balances = new Map<string, { balance: bigint; isOpen: boolean }>()
  for (const line of lines) {
    const key = `${line.accountId} ${line.assetId}`
    const known = balances.get(key) ?? { balance: 0n, isOpen: false }
    const balance = bigintOf(line.balance)
    if (line.kind === 'ENTRY')
      expect([known.isOpen, balance]).toEqual([true, known.balance + bigintOf(line.entry.amount)])
    else expect([line.kind, balance]).toEqual([known.isOpen ? 'CLOSING' : 'OPENING', known.balance])
    balances.set(key, { balance, isOpen: line.kind !== 'CLOSING' })
  }
  expect([...balances.values()].filter(({ isOpen }) => isOpen)).toEqual([])
}

test(`statements of random exchanges match the reference exchange (seed ${SEED})`, () => {
  const random = new RandomSource(SEED)
  const causes = new Map<string, number>()
  let days = 0
  for (let taken = 0; taken < STEPS; taken += RUN_STEPS) {
    const comparison = new StatedComparison()
    runSeeds(
      Array.from({ length: RUN_STEPS }, () => random.word()),
      () => {},
      comparison,
    )
    comparison.end()
    checkLines(comparison.lines)
    days += new Set(comparison.lines.map(({ day }) => day)).size
    for (const [cause, times] of comparison.causes) causes.set(cause, (causes.get(cause) ?? 0) + times)
  }
  expect(days).toBeGreaterThan(STEPS / RUN_STEPS)
  for (const cause of ENTRY_CAUSES) expect([cause, (causes.get(cause) ?? 0) > 5]).toEqual([cause, true])
}, 600_000)
