/**
 * The property that the core and the reference exchange agree, checked over random runs. A failing run is
 * shrunk: first by fast-check, which leaves out steps, then command by command, until each remaining command
 * is needed.
 */
import * as fc from 'fast-check'
import type { Coverage } from './coverage.ts'
import { RandomSource } from './random-source.ts'
import { Comparison, DisagreementError, type Outcome, runSeeds, show } from './run.ts'
import { type Wanted, wantedOf } from './steering.ts'
import type { Step } from './step.ts'

export type AgreementOptions = {
  /** Equal seeds give equal runs. */
  readonly seed: number
  /** Stops after the run in which this many steps were taken. */
  readonly steps: number
  readonly coverage: Coverage
  /**
   * The runs are steered to cells of the coverage with fewer hits than this; if undefined, they are not
   * steered.
   */
  readonly timesLeast?: number
  /** Called with the number of steps after every run. */
  readonly progress?: (steps: number) => void
}

/** Maximum number of steps of one run, including those that set up its market. */
const RUN_STEPS_MAX = 250
/**
 * Runs under one seed of fast-check, which is derived from the seed of all runs: neighboring seeds have no
 * runs in common.
 */
const RUNS_PER_SEED = 20

const stepSeed = fc.noShrink(fc.integer({ min: 0, max: 2 ** 32 - 1 }))
const runOfSeeds = fc.array(stepSeed, { minLength: 1, maxLength: RUN_STEPS_MAX, size: 'max' })

/**
 * Runs until `steps` are reached; throws with the shrunk commands if core and reference exchange do not
 * agree.
 */
export function checkAgreement({ seed, steps, coverage, timesLeast, progress }: AgreementOptions): number {
  const chunkSeeds = new RandomSource(seed)
  let taken = 0
  while (taken < steps) {
    // The same for all runs of the chunk: a failing run stays the same while it is shrunk.
    const wanted = timesLeast === undefined ? undefined : wantedOf(coverage.missing(timesLeast))
    const result = fc.check(
      fc.property(runOfSeeds, (seeds) => {
        const watch = (outcome: Outcome) => {
          taken++
          coverage.count(outcome)
        }
        runSeeds(seeds, watch, new Comparison(), wanted)
        progress?.(taken)
      }),
      { seed: chunkSeeds.word() | 0, numRuns: RUNS_PER_SEED },
    )
    if (result.failed) throw new Error(failureText(result, seed, wanted))
  }
  return taken
}

function failureText(result: fc.RunDetails<[number[]]>, seed: number, wanted?: Wanted): string {
  const seeds = result.counterexample?.[0] ?? []
  const steps = shrink(stepsOf(seeds, wanted))
  return [
    `core and reference exchange disagree (--seed ${seed}; fast-check seed ${result.seed}, path ${result.counterexamplePath})`,
    `${disagreementOf(steps)?.message ?? result.errorInstance}`,
    'steps, for counter-examples.test.ts:',
    ...steps.map((step) => `  ${show(step)},`),
  ].join('\n')
}

/** The steps that these seeds produce, up to and including a failing one. */
function stepsOf(seeds: readonly number[], wanted: Wanted | undefined): Step[] {
  const comparison = new Comparison()
  try {
    runSeeds(seeds, () => {}, comparison, wanted)
  } catch {
    // The steps up to the failure are returned.
  }
  return comparison.steps
}

/** The disagreement that these steps cause; undefined if both exchanges agree on all of them. */
export function disagreementOf(steps: readonly Step[]): Error | undefined {
  const comparison = new Comparison()
  try {
    for (const step of steps) comparison.take(step)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new DisagreementError(String(error))
  }
}

/** Leaves out one step after another, as long as the rest still fails. */
export function shrink(
  steps: readonly Step[],
  fails = (fewer: readonly Step[]) => disagreementOf(fewer) !== undefined,
): Step[] {
  let least = [...steps]
  for (let isShorter = true; isShorter; ) {
    isShorter = false
    for (let at = least.length - 1; at >= 0; at--) {
      const fewer = least.toSpliced(at, 1)
      if (!fails(fewer)) continue
      least = fewer
      isShorter = true
    }
  }
  return least
}
