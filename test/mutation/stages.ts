/**
 * Which tests a mutant must face, nearest first: those of its own folder, those of the rings that stand on it, and
 * machines that try to break the whole (model, simulator, golden journals) for some seconds. The first that fails ends it.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '../..')

/** For a test that sets none: a mutant is to fail by what it does, not by how busy the machine is. */
const TEST_TIMEOUT_MS = 30_000

/** One process: what Bun is to run. */
export type Stage = { readonly name: string; readonly args: readonly string[] }

const MODEL: Stage = { name: 'model', args: ['test/model/main.ts', '--steps', '20000', '--seed', '7'] }
const SIMULATOR: Stage = { name: 'simulator', args: ['test/mutation/simulate.ts'] }
const MODEL_TESTS = ['test/model/counter-examples', 'test/model/lessons', 'test/model/slicing']

const RINGS: readonly { readonly ring: string; readonly after: readonly Stage[] }[] = [
  {
    ring: 'src/units/',
    after: [
      tests('dependents', ['src/units', 'src/core', 'src/wire', 'src/views', 'src/engine']),
      tests('golden', ['test/golden']),
      tests('gateway', ['src/gateway']),
    ],
  },
  {
    ring: 'src/core/',
    after: [
      tests('core', ['src/core', 'test/golden']),
      MODEL,
      tests('dependents', ['src/engine', 'src/views', ...MODEL_TESTS]),
      SIMULATOR,
    ],
  },
  {
    ring: 'src/engine/',
    after: [
      tests('dependents', ['src/engine', 'src/drivers', 'test/golden']),
      SIMULATOR,
      tests('app', ['src/app']),
    ],
  },
  {
    ring: 'src/drivers/',
    after: [
      tests('dependents', ['src/drivers', 'test/golden', 'src/app']),
      tests('whole', ['test/audit.test', 'test/storage']),
    ],
  },
  { ring: 'src/views/', after: [tests('gateway', ['src/gateway'])] },
  { ring: 'src/gateway/', after: [tests('gateway', ['src/gateway', 'src/app'])] },
]

/** The stages for a source file. A ring without a row has the tests of its own folder alone. */
export function stagesFor(file: string): readonly Stage[] {
  const after = RINGS.find(({ ring }) => file.startsWith(ring))?.after ?? []
  const folder = path.posix.dirname(file)
  const hasTests = readdirSync(path.join(ROOT, folder)).some((name) => name.endsWith('.test.ts'))
  return hasTests ? [tests('own folder', [folder]), ...after] : after
}

function tests(name: string, places: readonly string[]): Stage {
  return {
    name,
    args: [
      'test',
      '--bail',
      '--only-failures',
      `--timeout=${TEST_TIMEOUT_MS}`,
      ...places.map((place) => `./${place}`),
    ],
  }
}
