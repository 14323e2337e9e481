import { expect, test } from 'bun:test'
import { CANARIES } from './canary/canaries.ts'
import type { CanaryTest } from './canary/canary-test.ts'
import { Coverage } from './coverage.ts'
import { REQUIRED } from './coverage-required.ts'
import { run } from './simulation.ts'
import { sound } from './sound.ts'

/** Number of commands of each run here; `npm run sim` sends many more. */
const COMMANDS = 500
const COMMANDS_LONG = 5_000
const LONG_SEEDS = [201, 202]
const COMMANDS_CANARY = 300
/** Seeds that always run, from 1. */
const FIXED_SEEDS = 60
/** If cells of the coverage are still missing after the fixed seeds, further seeds run, up to this one. */
const LAST_SEED = 300
const FRESH_SEEDS = 20
const TIMEOUT_MS = 900_000

const produced = new Coverage()

/** Cells that the seeds so far reached too seldom or not at all. */
function missing(): string[] {
  return Object.entries(REQUIRED)
    .filter(([cell, least]) => produced.of(cell) < least)
    .map(([cell, least]) => `${cell}: ${produced.of(cell)} of ${least}`)
}

test(
  `under faults no rule is broken, and once they stop the exchange serves again (seeds 1 to ${FIXED_SEEDS})`,
  () => {
    for (let seed = 1; seed <= FIXED_SEEDS; seed++) produced.add(sound({ seed, commands: COMMANDS }).coverage)
  },
  TIMEOUT_MS,
)

test(
  'further fixed seeds break no rule, until each command had every outcome and each fault occurred',
  () => {
    const next = Array.from({ length: LAST_SEED - FIXED_SEEDS }, (_, at) => FIXED_SEEDS + 1 + at)
    for (const seed of next) {
      if (missing().length === 0) break
      produced.add(sound({ seed, commands: COMMANDS }).coverage)
    }
  },
  TIMEOUT_MS,
)

test('the fixed seeds produce every command with every outcome, and every fault', () => {
  expect(missing()).toEqual([])
})

const first = crypto.getRandomValues(new Uint32Array(1))[0] as number

test(
  `no fresh seed breaks a rule (${FRESH_SEEDS} from ${first})`,
  () => {
    console.log(`simulator: fresh seeds from ${first}`)
    for (let seed = first; seed < first + FRESH_SEEDS; seed++) sound({ seed, commands: COMMANDS })
  },
  TIMEOUT_MS,
)

test(
  `long runs of ${COMMANDS_LONG} requests break no rule`,
  () => {
    for (const seed of LONG_SEEDS) sound({ seed, commands: COMMANDS_LONG })
  },
  TIMEOUT_MS,
)

for (const [name, { canary, seeds, rule }] of Object.entries<CanaryTest>(CANARIES)) {
  if (seeds === undefined) continue
  test(
    `the bug ${name} is found within ${seeds} seeds: ${rule}`,
    () => {
      let found: string | undefined
      for (let seed = 1; seed <= seeds && found === undefined; seed++) {
        found = run({ seed, commands: COMMANDS_CANARY, canary }).violation?.message
      }
      expect(found).toBeDefined()
    },
    TIMEOUT_MS,
  )
}
