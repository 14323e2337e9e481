/**
 * Builds the installable client: one file of JavaScript that refers to no runtime, its type declarations, and
 * the files that npm needs. Runs on Bun.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ensureClientTypes } from './client-types.mjs'
import { ROOT } from './setup.mjs'

const NAME = 'bourse-client'
const ENTRY = 'client/index'

/** Output folder of the compiler's declarations, by ring. */
const TYPES = path.join(ROOT, '.cache', 'types')

const IMPORTED = /(from |import\()'(\.{1,2}\/[^']+)\.ts'/g

/**
 * Builds the client in `directory`, which it empties first; returns its size. Throws if it cannot be built.
 */
export async function buildClient(directory, version) {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  ensureClientTypes()
  const script = await bundle()
  writeFileSync(path.join(directory, 'index.js'), script)
  const declarations = declarationFiles()
  for (const [name, text] of declarations) {
    const file = path.join(directory, 'types', `${name}.d.ts`)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  writeFileSync(path.join(directory, 'package.json'), `${JSON.stringify(manifest(version), null, 2)}\n`)
  const readme = readFileSync(path.join(ROOT, 'packaging', 'client', 'README.md'))
  writeFileSync(path.join(directory, 'README.md'), readme)
  const types = [...declarations.values()].join('')
  return { scriptBytes: gzipSync(script).length, typeBytes: gzipSync(types).length }
}

async function bundle() {
  const built = await Bun.build({
    entrypoints: [path.join(ROOT, 'src', `${ENTRY}.ts`)],
    target: 'browser',
    format: 'esm',
    // Names are kept, so that stack traces can be read.
    minify: { syntax: true, whitespace: true },
    throw: false,
  })
  const [output] = built.outputs
  if (!built.success || output === undefined) throw new Error(built.logs.map(String).join('\n'))
  const text = await output.text()
  const foreign = /(?:\bfrom|\bimport)\s*\(?\s*["'][^"']+["']/.exec(text)
  if (foreign !== null) throw new Error(`the client must be self-contained, found ${foreign[0]}`)
  return text
}

/** The entry's declarations and all that they import, as paths without extension. */
function declarationFiles() {
  const compiler = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout, stderr } = spawnSync('node', [compiler, '-b', path.join(ROOT, 'src', 'client')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the types cannot be generated: ${stdout}${stderr}`)
  const files = new Map()
  const waiting = [ENTRY]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (files.has(name)) continue
    const text = readFileSync(path.join(TYPES, `${name}.d.ts`), 'utf8')
    for (const [, , imported] of text.matchAll(IMPORTED)) {
      waiting.push(path.posix.join(path.posix.dirname(name), imported))
    }
    files.set(name, text.replace(IMPORTED, "$1'$2.js'"))
  }
  return files
}

function manifest(version) {
  return {
    name: NAME,
    version,
    description:
      'Client of the Bourse exchange for Node, Bun and browsers: exact, typed, never sends an order twice',
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { '.': { types: `./types/${ENTRY}.d.ts`, default: './index.js' } },
    types: `./types/${ENTRY}.d.ts`,
    files: ['index.js', 'types', 'README.md'],
  }
}
