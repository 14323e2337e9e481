/**
 * The tests for a mutant, nearest first: those of its own folder, those of the rings above it, and some
 * seconds of the model, the simulator and the golden journals, which test everything together. The first
 * failure ends the run.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Mutant } from './mutant.ts'

const ROOT = path.resolve(import.meta.dir, '../..')
/**
 * Limit for tests without one of their own, as in every other run of tests: a mutant must fail by its
 * behavior, not because the machine is busy.
 */
export const TEST_TIMEOUT_MS = 300_000

/** One process: the arguments for Bun. */
export type Stage = { readonly name: string; readonly args: readonly string[] }

/** Test files and folders of them, or a program that fails. */
type Plan = { readonly name: string; readonly tests: readonly string[] } | Stage

const MODEL: Plan = { name: 'model', args: ['test/model/main.ts', '--steps', '20000', '--seed', '7'] }
const SIMULATOR: Plan = { name: 'simulator', args: ['test/mutation/simulate.ts'] }
const CLUSTER: Plan = { name: 'simulated cluster', args: ['sim/cluster/main.ts', '1', '--rounds', '60'] }
const GOLDEN: Plan = {
  name: 'golden journals',
  tests: [
    'test/golden',
    'test/model/counter-examples.test.ts',
    'test/model/lessons.test.ts',
    'test/model/slicing.slow.test.ts',
  ],
}

const RINGS: readonly { readonly ring: string; readonly after: readonly Plan[] }[] = [
  {
    ring: 'src/units/',
    after: [
      { name: 'core', tests: ['src/core', 'src/contract'] },
      GOLDEN,
      { name: 'dependents', tests: ['src/views', 'src/engine', 'src/server'] },
    ],
  },
  {
    ring: 'src/core/',
    after: [
      { name: 'core', tests: ['src/core'] },
      MODEL,
      GOLDEN,
      { name: 'dependents', tests: ['src/engine', 'src/views'] },
      SIMULATOR,
    ],
  },
  { ring: 'src/engine/leadership/', after: [CLUSTER, { name: 'database', tests: ['test/postgres'] }] },
  {
    ring: 'src/engine/',
    after: [
      SIMULATOR,
      { name: 'storage and transport', tests: ['src/storage', 'src/transport', 'test/golden'] },
      { name: 'app', tests: ['src/app'] },
    ],
  },
  { ring: 'src/transport/', after: [{ name: 'app', tests: ['src/app'] }] },
  {
    ring: 'src/storage/',
    after: [
      { name: 'storage and transport', tests: ['src/storage', 'src/transport', 'test/golden'] },
      { name: 'app', tests: ['src/app'] },
      { name: 'whole', tests: ['test/audit.test.ts', 'test/storage'] },
    ],
  },
  { ring: 'src/views/', after: [{ name: 'server', tests: ['src/server'] }] },
  {
    ring: 'src/server/',
    after: [
      { name: 'order entry', tests: ['test/order-entry'] },
      { name: 'server', tests: ['src/server', 'src/app'] },
    ],
  },
  { ring: 'clients/ccxt/', after: [{ name: 'ccxt', tests: ['test/ccxt'] }] },
]

/**
 * The stages for a mutant: the tests given with it, then those for its file. A ring without a row has only
 * the tests of its own folder.
 */
export function stagesFor({ file, tests }: Pick<Mutant, 'file' | 'tests'>): readonly Stage[] {
  const named = tests === undefined ? [] : [{ name: 'named tests', args: bunTest(tests) }]
  return [...named, ...stagesOf(file)]
}

function stagesOf(file: string): readonly Stage[] {
  const folder = path.posix.dirname(file)
  const after = RINGS.find(({ ring }) => file.startsWith(ring))?.after ?? []
  const plans: readonly Plan[] = [{ name: 'own folder', tests: [folder] }, ...after]
  return plans.flatMap((plan, place) => {
    if ('args' in plan) return [plan]
    const wanted = plan.tests.filter((tests) => place === 0 || tests !== folder)
    return wanted.some(hasTests) ? [{ name: plan.name, args: bunTest(wanted) }] : []
  })
}

/**
 * Whether Bun has anything to run: otherwise it would fail. A path that is not a folder is the start of a
 * file's name.
 */
function hasTests(place: string): boolean {
  try {
    const names = readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' })
    return names.some((name) => name.endsWith('.test.ts'))
  } catch {
    return true
  }
}

function bunTest(places: readonly string[]): readonly string[] {
  const limit = `--timeout=${TEST_TIMEOUT_MS}`
  return ['test', '--bail', '--only-failures', limit, ...places.map((place) => `./${place}`)]
}
