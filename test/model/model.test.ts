/**
 * The core and the reference exchange do the same, step by step. MODEL_STEPS and MODEL_SEED in the environment make
 * the runs longer, or the same again; long runs with progress are `npm run model -- --steps N --seed S`.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import { checkAgreement, shrink } from './agreement.ts'
import { Coverage } from './coverage.ts'
import { ReferenceExchange } from './reference-exchange.ts'
import { Comparison, DisagreementError, type Step } from './run.ts'
import { marketSteps, orderStep, TRADER } from './scenario.ts'

/** On a busy machine a run takes many times as long as on a quiet one. */
setDefaultTimeout(1_500_000)

const FIXED_SEED = 6
const STEPS = Number(process.env.MODEL_STEPS ?? 1_050_000)
/** Parts of `STEPS` that each run takes. */
const PART = { fixed: 0.75, more: 0.1, fresh: 0.1 }
const FRESH_SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)
/** Shorter fixed runs, which reach what one seed alone meets seldom. */
const MORE_SEEDS = [7, 8, 9]
/** Times that each cell of the coverage must have been reached in the fixed runs of 1,102,500 steps. */
const TIMES_LEAST = 5

describe('core and reference exchange agree on answers, events, balances, books and open orders', () => {
  const coverage = new Coverage()

  test('in the fixed run', () => {
    expect(checkAgreement({ seed: FIXED_SEED, steps: STEPS * PART.fixed, coverage })).toBeGreaterThan(0)
  })

  test.each(MORE_SEEDS)('in the shorter fixed run of seed %d', (seed) => {
    expect(checkAgreement({ seed, steps: STEPS * PART.more, coverage })).toBeGreaterThan(0)
  })

  test(`in fresh runs (seed ${FRESH_SEED})`, () => {
    const fresh = { seed: FRESH_SEED, steps: STEPS * PART.fresh, coverage: new Coverage() }
    expect(checkAgreement(fresh)).toBeGreaterThan(0)
  })

  test(`the fixed runs reach every kind of command with every answer at least ${TIMES_LEAST} times`, () => {
    expect(coverage.cells().filter(([, times]) => times < TIMES_LEAST)).toEqual([])
  })

  test('the fixed runs reach every possible pair of type, time in force, self-trade mode, role in a list and end', () => {
    expect(coverage.pairs().filter(([, times]) => times === 0)).toEqual([])
  })
})

test('equal seeds give equal runs, and neighbouring ones have none in common', () => {
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

describe('the comparison notices', () => {
  const rest = orderStep({ accountId: TRADER.ann, side: 'SELL', price: 300, quantity: 7 })
  const take = orderStep({ accountId: TRADER.ben, side: 'BUY', price: 300, quantity: 5 })

  /** A core that is given another command than the reference exchange. */
  function disagreement(change: (order: PlaceOrder) => PlaceOrder): string {
    const comparison = new Comparison()
    for (const step of [...marketSteps(), rest]) comparison.take(step)
    const apply = ReferenceExchange.prototype.apply
    const commandOf = (step: Step) => (step.kind === 'apply' ? step.command : undefined)
    comparison.reference.apply = function (command, time, emit) {
      return apply.call(
        this,
        command === commandOf(take) ? change(command as PlaceOrder) : command,
        time,
        emit,
      )
    }
    try {
      comparison.take(take)
    } catch (error) {
      if (error instanceof DisagreementError) return error.message.split(' after ')[0] ?? ''
      throw error
    }
    return 'nothing'
  }

  test('nothing when both are given the same', () => {
    expect(disagreement((order) => order)).toBe('nothing')
  })

  test('one lot more, another price, another account', () => {
    expect(disagreement((order) => ({ ...order, quantity: 6 as never }))).toBe('reply')
    expect(disagreement((order) => ({ ...order, price: 301 as never, quantity: 5 as never }))).toBe('events')
    expect(disagreement((order) => ({ ...order, accountId: TRADER.cleo }))).toBe('events')
  })

  test('and leaves out of a failing run what it does not need', () => {
    const isUnwanted = (step: Step) => step === take
    const failsWith = (steps: readonly Step[]) => steps.some(isUnwanted)
    expect(shrink([...marketSteps(), rest, take], failsWith)).toEqual([take])
  })
})
