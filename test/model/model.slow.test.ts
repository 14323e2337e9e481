/**
 * The core and the reference exchange behave identically, step by step, in long runs. MODEL_STEPS and
 * MODEL_SEED in the environment make the runs longer, or repeat them; long runs with progress are
 * `npm run model -- --steps N --seed S`.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { checkAgreement } from './agreement.ts'
import { Coverage } from './coverage.ts'

/** On a busy machine a run takes many times as long as on a quiet one. */
setDefaultTimeout(1_500_000)

const FIXED_SEED = 6
/** For runs that are not steered: the seed of the short run of `model.test.ts`, which this one continues. */
const FREE = { seed: 10, steps: 30_000 }
const STEPS = Number(process.env.MODEL_STEPS ?? 100_000)
/** Share of `STEPS` for each run. */
const PART = { fixed: 0.3, more: 0.05, fresh: 0.2 }
const FRESH_SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)
/**
 * Shorter fixed runs, which reach rare cells that one seed seldom reaches: some always run, others only while
 * a cell is missing.
 */
const MORE_SEEDS = [7, 8, 9]
const FURTHER_SEEDS = Array.from({ length: 80 }, (_, at) => 10 + at)
/** Smallest count of each cell of the coverage after the fixed runs, which are steered to rarer cells. */
const TIMES_LEAST = 5

describe('core and reference exchange agree on answers, events, balances, books and open orders', () => {
  const coverage = new Coverage()
  const steered = { coverage, timesLeast: TIMES_LEAST }

  test('in the fixed run', () => {
    expect(checkAgreement({ ...steered, seed: FIXED_SEED, steps: STEPS * PART.fixed })).toBeGreaterThan(0)
  })

  test.each(MORE_SEEDS)('in the shorter fixed run of seed %d', (seed) => {
    expect(checkAgreement({ ...steered, seed, steps: STEPS * PART.more })).toBeGreaterThan(0)
  })

  test(`in further fixed runs, until each kind of command had every answer ${TIMES_LEAST} times`, () => {
    for (const seed of FURTHER_SEEDS) {
      if (coverage.missing(TIMES_LEAST).length === 0) break
      checkAgreement({ ...steered, seed, steps: STEPS * PART.more })
    }
  })

  test('in a fixed run that is not steered', () => {
    expect(checkAgreement({ ...FREE, coverage: new Coverage() })).toBeGreaterThan(0)
  })

  test(`in fresh runs (seed ${FRESH_SEED})`, () => {
    const steps = STEPS * PART.fresh
    const fresh = { seed: FRESH_SEED, steps, coverage: new Coverage(), timesLeast: TIMES_LEAST }
    expect(checkAgreement(fresh)).toBeGreaterThan(0)
  })

  test(`the fixed runs reach every kind of command with every answer at least ${TIMES_LEAST} times`, () => {
    expect(coverage.cells().filter(([, times]) => times < TIMES_LEAST)).toEqual([])
  })

  test('the fixed runs reach every possible pair of type, time in force, self-trade mode, role in a list and end', () => {
    expect(coverage.pairs().filter(([, times]) => times === 0)).toEqual([])
  })
})

test('equal seeds give equal runs, and neighboring ones have none in common', () => {
  /** Steps of each of the first runs. */
  const lengths = (seed: number, steps: number): number[] => {
    const ends = [0]
    checkAgreement({ seed, steps, coverage: new Coverage(), progress: (taken) => ends.push(taken) })
    return ends.slice(1).map((end, run) => end - (ends[run] as number))
  }
  const runs = lengths(FIXED_SEED, 5_000)
  const next = lengths(FIXED_SEED + 1, 1)
  expect(lengths(FIXED_SEED, 1)).toEqual(runs.slice(0, next.length))
  for (let from = 0; from + next.length <= runs.length; from++)
    expect(runs.slice(from, from + next.length)).not.toEqual(next)
})
