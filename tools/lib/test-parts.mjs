/**
 * The parts of the tests: which folders each has, whether it is fast, and what of the machine it needs. A test file belongs
 * to the part that names the deepest folder above it; `*.slow.test.ts` is never fast. Files of no part do not exist:
 * the last one has all of `test`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensureEarlierTree } from './earlier-build.mjs'
import { ensurePostgres } from './postgres.mjs'
import { ensurePython } from './python.mjs'
import { ROOT } from './setup.mjs'
import { probeMount } from './small-disk.mjs'
import { ensureStrace } from './strace.mjs'

/** Gets all that is asked for; answers with the first reason why something cannot be had. */
const all =
  (...needs) =>
  () =>
    needs.reduce((gap, ensure) => (gap.reason === undefined ? ensure() : gap), {})

/** What `npm test` runs: no browser, database or Python, and few processes. In the order in which they start, longest first. */
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
  { name: 'web', folders: ['src/web/market'] },
  { name: 'units, contract, views', folders: ['src/units', 'src/wire', 'src/views'] },
  { name: 'scenarios', folders: ['test/scenarios'] },
]

/**
 * What `npm run test:rest` runs, in the order in which they start, longest first. `slow` has the files that the fast parts leave out below these folders.
 * `shares`: into how many its files are dealt, each with a runner of its own; one long part would be waited for when all others are done.
 */
const REST_PARTS = [
  { name: 'simulator, long', folders: [], slow: ['sim'], shares: 2 },
  { name: 'outside', folders: ['test'], shares: 8 },
  { name: 'model, long', folders: [], slow: ['test/model'], shares: 2 },
  { name: 'pages', folders: ['test/browser'], needs: ensureBrowser, shares: 4 },
  { name: 'cluster', folders: ['test/cluster'], needs: ensurePostgres },
  { name: 'program and storage', folders: ['src', 'bench'], slow: ['src'], shares: 2 },
  { name: 'postgres', folders: ['test/postgres'], needs: ensurePostgres },
  { name: 'acceptance', folders: ['test/acceptance', 'test/security', 'test/scenarios/on-a-node'] },
  { name: 'fuzz, long', folders: [], slow: ['test/fuzz'] },
  { name: 'failing system calls', folders: ['test/faults'], needs: ensureStrace },
  { name: 'two builds', folders: ['test/rolling-upgrade'], needs: all(ensurePostgres, ensureEarlierTree) },
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

/** The part of a file: the one whose folder lies deepest above it, among those of its speed. */
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

/** A part as the parts that its files are dealt to, one after the other; itself where it is not shared. */
function sharesOf({ shares = 1, ...part }) {
  if (shares === 1) return [part]
  return Array.from({ length: shares }, (_, share) => ({
    ...part,
    name: `${part.name}, ${share + 1} of ${shares}`,
    files: part.files.filter((_file, at) => at % shares === share),
  }))
}

/** All parts with their files, fast ones first. Throws where a file is in none. */
export function testParts(files = testFiles()) {
  const parts = [
    ...FAST_PARTS.map((part) => ({ ...part, isFast: true, files: [] })),
    ...REST_PARTS.map((part) => ({ ...part, isFast: false, files: [] })),
  ]
  for (const file of files) {
    const part = partOf(file, parts)
    if (part === undefined) throw new Error(`expected a part of the tests for ${file}, found none`)
    part.files.push(file)
  }
  return parts.flatMap(sharesOf)
}

/** How many tests the files declare at least: one that stands in a loop counts once. */
export function declaredTests(files) {
  const declaration = /^\s*(?:test|it)(?:\.\w+(?:\([^\n]*?\))?)*\(/gm
  return files.reduce((sum, file) => {
    return sum + [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(declaration)].length
  }, 0)
}
