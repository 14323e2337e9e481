/**
 * `npm run ccxt:tests -- <checkout>`: runs ccxt's own tests of requests and answers, in a checkout of its
 * repository, on our files. The files are in the checkout only while the tests run; nothing else in it is
 * changed.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { endWith, readProgram } from './lib/program.mjs'
import { fail, ROOT } from './lib/setup.mjs'

const { words } = readProgram({
  command: 'npm run ccxt:tests --',
  about: "Runs ccxt's own tests of requests and answers on our class, in a checkout of ccxt's repository.",
  words: '<checkout>',
})
if (words.length !== 1) fail("expected the folder of a checkout of ccxt's repository (github.com/ccxt/ccxt)")

const checkout = path.resolve(words[0])
const ENTRY = path.join(checkout, 'js/ccxt.js')
const RUNNER = path.join(checkout, 'js/src/test/tests.init.js')
for (const file of [ENTRY, RUNNER]) {
  if (!existsSync(file))
    fail(`expected a built checkout of ccxt in ${checkout}: ${path.relative(checkout, file)} is missing`)
}

const files = ['request', 'response', 'markets', 'currencies'].map((kind) => ({
  ours: path.join(ROOT, 'clients/ccxt/test/static', kind, 'bourse.json'),
  theirs: path.join(checkout, 'ts/src/test/static', kind, 'bourse.json'),
}))
for (const { theirs } of files) if (existsSync(theirs)) fail(`${theirs} already exists: remove it first`)

function run(kind) {
  const preload = pathToFileURL(path.join(ROOT, 'tools/lib/ccxt-preload.mjs')).href
  const env = { ...process.env, CCXT_ENTRY: pathToFileURL(ENTRY).href }
  const args = ['--import', preload, RUNNER, 'bourse', kind]
  const { status } = spawnSync(process.execPath, args, { cwd: checkout, env, stdio: 'inherit' })
  return status === 0
}

let isRight = false
try {
  for (const { ours, theirs } of files) {
    mkdirSync(path.dirname(theirs), { recursive: true })
    copyFileSync(ours, theirs)
  }
  isRight = ['--requestTests', '--responseTests'].map(run).every(Boolean)
} finally {
  for (const { theirs } of files) rmSync(theirs, { force: true })
}
endWith(isRight ? 0 : 1)
