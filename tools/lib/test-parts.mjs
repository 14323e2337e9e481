/**
 * The parts of the tests: the folders of each, whether it is fast, and what it needs from the machine. A test
 * file belongs to the part with the deepest folder above it; `*.slow.test.ts` is never fast. Every file
 * belongs to a part: the last one has all of `test`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensurePostgres } from './postgres.mjs'
import { ensurePython } from './python.mjs'
import { ROOT } from './setup.mjs'
import { probeMount } from './small-disk.mjs'
import { ensureStrace } from './strace.mjs'

/** Provides all requirements of a part; returns the first reason why one of them is not available. */
const all =
  (...needs) =>
  () =>
    needs.reduce((gap, ensure) => (gap.reason === undefined ? ensure() : gap), {})

/**
 * Parts that `npm test` runs: no browser, database or Python, and few processes. They start in this order,
 * longest first.
 */
const FAST_PARTS = [
  { name: 'server', folders: ['src/server'] },
  { name: 'engine', folders: ['src/engine'] },
  { name: 'core', folders: ['src/core'] },
  { name: 'simulator', folders: ['sim'] },
  { name: 'model', folders: ['test/model'] },
  { name: 'fuzz corpus', folders: ['test/fuzz'] },
  { name: 'golden journals', folders: ['test/golden'] },
  { name: 'corpus', folders: ['test/corpus'] },
  {
    name: 'storage and transport',
    folders: ['src/storage/files', 'src/transport/link'],
  },
  { name: 'client and command line', folders: ['src/client', 'src/cli'] },
  { name: 'web', folders: ['src/web', 'src/app/node/page'] },
  { name: 'units, contract, views', folders: ['src/units', 'src/contract', 'src/views'] },
  { name: 'scenarios', folders: ['test/scenarios'] },
]

/**
 * Parts that `npm run test:rest` runs, in the order in which they start. The first parts use the available
 * load: those that wait for processes and the clock, longest first, and one that computes. Whenever a part
 * ends, the first one that fits takes its place, so that one part computes while others wait, and no
 * processor is idle. If several parts that compute ran side by side at the beginning, only parts that wait
 * would be left at the end. `slow` contains the files below these folders that the fast parts leave out.
 * `shares`: the number of shares of its files, each with a runner of its own; otherwise one long part would
 * still run when all others are done. `computes`: the part keeps a processor busy, as the fast parts do, and
 * seldom waits.
 */
const REST_PARTS = [
  { name: 'soak', folders: ['test/soak'] },
  { name: 'cluster', folders: ['test/cluster'], needs: ensurePostgres },
  { name: 'postgres', folders: ['test/postgres'], needs: ensurePostgres },
  { name: 'two builds', folders: ['test/rolling-upgrade'], needs: ensurePostgres },
  { name: 'model, long', folders: [], slow: ['test/model'], shares: 2, computes: true },
  { name: 'simulator, long', folders: [], slow: ['sim'], shares: 2, computes: true },
  { name: 'sources, long', folders: [], slow: ['src'], computes: true },
  { name: 'failing system calls', folders: ['test/faults'], needs: ensureStrace, computes: true },
  { name: 'fuzz, long', folders: [], slow: ['test/fuzz'], computes: true },
  { name: 'outside', folders: ['test'], shares: 8 },
  { name: 'pages', folders: ['test/browser'], needs: ensureBrowser, shares: 4 },
  { name: 'program and storage', folders: ['src', 'bench'], shares: 4 },
  { name: 'acceptance', folders: ['test/acceptance', 'test/security', 'test/scenarios/on-a-node'] },
  { name: 'page of a cluster', folders: ['test/cluster-page'], needs: all(ensurePostgres, ensureBrowser) },
  { name: 'python', folders: ['test/python'], needs: ensurePython },
  { name: 'small disk', folders: ['test/storage'], needs: probeMount },
]

const TEST_FILE = /\.test\.ts$/
const SLOW_FILE = /\.slow\.test\.ts$/
/** Broken on purpose: the violations that the checks must find. */
const NO_TESTS = ['test/violations']

/** Every test file of the checkout, as a path from its root. */
export function testFiles(folders = ['src', 'sim', 'bench', 'test']) {
  return folders.flatMap((folder) => {
    if (NO_TESTS.includes(folder)) return []
    const entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && TEST_FILE.test(entry.name))
    const inner = entries.filter((entry) => entry.isDirectory()).map((entry) => `${folder}/${entry.name}`)
    return [...files.map((entry) => `${folder}/${entry.name}`), ...testFiles(inner)].sort()
  })
}

const isBelow = (file, folder) => file.startsWith(`${folder}/`)

/** The part of a file: of the parts of its speed, the one with the deepest folder above it. */
function partOf(file, parts) {
  const isSlow = SLOW_FILE.test(file)
  let best
  let depth = -1
  for (const part of parts) {
    for (const folder of part.isFast || !isSlow ? part.folders : [...part.folders, ...(part.slow ?? [])]) {
      if ((isSlow && part.isFast) || !isBelow(file, folder) || folder.length <= depth) continue
      best = part
      depth = folder.length
    }
  }
  return best
}

/**
 * A part as the list of its shares, to which its files are dealt in turn; the part itself if it is not
 * shared.
 */
function sharesOf({ shares = 1, ...part }) {
  if (shares === 1) return [part]
  return Array.from({ length: shares }, (_, share) => ({
    ...part,
    name: `${part.name}, ${share + 1} of ${shares}`,
    files: part.files.filter((_file, at) => at % shares === share),
  }))
}

/** All parts with their files, fast ones first. Throws if a file is in no part. */
export function testParts(files = testFiles()) {
  const parts = [
    ...FAST_PARTS.map((part) => ({ ...part, isFast: true, computes: true, files: [] })),
    ...REST_PARTS.map((part) => ({ ...part, isFast: false, files: [] })),
  ]
  for (const file of files) {
    const part = partOf(file, parts)
    if (part === undefined) throw new Error(`expected a part of the tests for ${file}, found none`)
    part.files.push(file)
  }
  return parts.flatMap(sharesOf)
}

/** Lower bound of the number of tests that the files declare: a test in a loop counts once. */
export function declaredTests(files) {
  const declaration = /^\s*(?:test|it)(?:\.\w+(?:\([^\n]*?\))?)*\(/gm
  return files.reduce((sum, file) => {
    return sum + [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(declaration)].length
  }, 0)
}
