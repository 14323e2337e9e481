/**
 * The types of the client are generated from the contract and are not committed. They are generated before
 * each compilation. Plain Node.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bunBinary, fail, ROOT } from './setup.mjs'

/** Inputs of the generator: the contract, the words of its ring, and the generator itself. */
const SOURCES = ['src/contract', 'src/units', 'tools/client-types.mjs', 'tools/lib/client-type-files.mjs']
/** One of the generated files; if it exists, all exist. */
const MADE = path.join(ROOT, 'src', 'client', 'interface', 'words.ts')
/** Records the sources from which the types were generated. */
const STAMP = path.join(ROOT, '.cache', 'client-types')

function filesUnder(place) {
  const full = path.join(ROOT, place)
  if (!existsSync(full)) return []
  if (place.endsWith('.mjs')) return [place]
  const entries = readdirSync(full, { withFileTypes: true })
  return entries.flatMap((entry) => {
    const inner = path.posix.join(place, entry.name)
    if (entry.isDirectory()) return filesUnder(inner)
    return inner.endsWith('.ts') && !inner.endsWith('.test.ts') ? [inner] : []
  })
}

function digestOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesUnder).toSorted()) {
    hash.update(`${file}\0`)
    hash.update(readFileSync(path.join(ROOT, file)))
  }
  return hash.digest('hex')
}

/**
 * Generates the types if they are missing or were generated from other sources. Dependencies must be
 * installed.
 */
export function ensureClientTypes() {
  // The tools may be used with another tree: without a contract there is nothing to generate from.
  if (!existsSync(path.join(ROOT, 'src', 'contract'))) return
  const digest = digestOfSources()
  if (existsSync(MADE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  const program = path.join(ROOT, 'tools', 'client-types.mjs')
  const result = spawnSync(bunBinary(), ['--no-env-file', program], { cwd: ROOT, encoding: 'utf8' })
  if (result.status !== 0)
    fail(`the types of the client cannot be generated:\n${result.stdout}${result.stderr}`)
  mkdirSync(path.dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, digest)
}
