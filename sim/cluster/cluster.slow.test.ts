import { expect, test } from 'bun:test'
import { Coverage } from '../coverage.ts'
import { CLUSTER_CANARIES, type ClusterCanary } from './canaries.ts'
import { type ClusterResult, runCluster } from './cluster.ts'
import { REQUIRED } from './coverage-required.ts'

const FIXED_SEEDS = 90
/** Further seeds run only while an outcome is missing. */
const LAST_SEED = 200
const FRESH_SEEDS = 10
const TIMEOUT_MS = 900_000

/** Runs a seed; a violation fails the test with everything needed to reproduce it. */
function sound(seed: number): ClusterResult {
  const result = runCluster({ seed })
  if (result.violation === undefined) return result
  const again = `npm run sim:cluster -- ${seed}`
  throw new Error(`${result.violation.message}\n${result.trace.join('\n')}\nagain: ${again}`)
}

const produced = new Coverage()

test(
  `a cluster under faults breaks no rule, and serves again once they stop (seeds 1 to ${FIXED_SEEDS})`,
  () => {
    for (let seed = 1; seed <= FIXED_SEEDS; seed++) produced.add(sound(seed).coverage)
  },
  TIMEOUT_MS,
)

function missing(): string[] {
  return Object.entries(REQUIRED)
    .filter(([cell, least]) => produced.of(cell) < least)
    .map(([cell, least]) => `${cell}: ${produced.of(cell)} of ${least}`)
}

test(
  `the fixed seeds of the cluster, up to ${LAST_SEED}, produce every fault, and every outcome of a claim, a batch and a request`,
  () => {
    for (let seed = FIXED_SEEDS + 1; seed <= LAST_SEED && missing().length > 0; seed++)
      produced.add(sound(seed).coverage)
    expect(missing()).toEqual([])
  },
  TIMEOUT_MS,
)

const first = crypto.getRandomValues(new Uint32Array(1))[0] as number

test(
  `no fresh seed of the cluster breaks a rule (${FRESH_SEEDS} from ${first})`,
  () => {
    console.log(`simulator of the cluster: fresh seeds from ${first}`)
    for (let seed = first; seed < first + FRESH_SEEDS; seed++) sound(seed)
  },
  TIMEOUT_MS,
)

test('equal seeds give equal runs of the cluster, and other seeds different ones', () => {
  const digests = [7, 7, 8].map((seed) => sound(seed).digest)
  expect(digests[0]).toBe(digests[1] as string)
  expect(digests[0]).not.toBe(digests[2] as string)
})

for (const [name, { guards, rule, found, theme, seeds }] of Object.entries<ClusterCanary>(CLUSTER_CANARIES)) {
  test(
    `the bug ${name} is found within ${seeds} seeds: ${rule}`,
    () => {
      const messages: string[] = []
      for (let seed = 1; seed <= seeds && !messages.some((message) => found.test(message)); seed++) {
        const { violation } = runCluster({ seed, guards, theme })
        if (violation !== undefined) messages.push(violation.message)
      }
      expect(messages.find((message) => found.test(message))).toBeDefined()
    },
    TIMEOUT_MS,
  )
}
