/**
 * Every parser of outside input, about 1.8 million executions in total from a fresh seed, which is in the
 * tests' names. FUZZ_SEED in the environment repeats them; `npm run fuzz` runs one target for any length.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { fuzz } from './fuzz.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets/all.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)

describe(`any input leads to documented results only (seed ${SEED})`, () => {
  const closing: Target['close'][] = []
  afterAll(async () => {
    for (const close of closing) await close?.()
  })

  for (const [name, make] of Object.entries(TARGETS)) {
    test(name, async () => {
      const target = await make()
      closing.push(target.close)
      const seen = await fuzz(target, { seed: SEED, executions: target.executions })
      expect(target.outcomes.filter((outcome) => !seen.has(outcome))).toEqual([])
    })
  }
})
