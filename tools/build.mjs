/**
 * `npm run build [-- FILE]`: the whole program as one executable, `dist/bourse` unless FILE says otherwise, for a machine that
 * has neither Node nor Bun. Runs on Bun. The workers are in it under their own names, the page as a value.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { bundlePage, readReference } from '../src/app/page/bundle.ts'
import { programVersion } from '../src/app/version.ts'
import { notUnderstood, readProgram } from './lib/program.mjs'

const PROGRAM = {
  command: 'npm run build --',
  about: 'The whole program as one executable, for a machine that has neither Node nor Bun.',
  words: '[file: dist/bourse]',
}
const { words } = readProgram(PROGRAM)
if (words.length > 1) notUnderstood(PROGRAM.command, `expected one file, found ${words.join(' ')}`)

const ROOT = path.resolve(import.meta.dir, '..')
const outfile = path.resolve(words[0] ?? path.join(ROOT, 'dist', 'bourse'))

const page = [...(await bundlePage()), ...(await readReference())].map(({ bytes, ...file }) => ({
  ...file,
  base64: bytes.toBase64(),
}))
const inSource = (name) => path.join(ROOT, 'src', 'app', name)
mkdirSync(path.dirname(outfile), { recursive: true })

const built = await Bun.build({
  entrypoints: [
    'main.ts',
    'node/engine-worker.ts',
    'node/follower-worker.ts',
    'engine/cluster-worker.ts',
  ].map(inSource),
  // All side by side: what is bundled into one file looks for the workers beside that file.
  naming: { entry: '[name].[ext]' },
  compile: {
    outfile,
    // As from a checkout: the working directory must not change how an exchange runs.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  minify: { syntax: true, whitespace: true },
  define: { BOURSE_EMBEDDED: JSON.stringify({ version: programVersion(), page }) },
  throw: false,
})
if (!built.success) {
  process.stderr.write(`bourse: the executable cannot be built:\n${built.logs.map(String).join('\n')}\n`)
  process.exit(1)
}
process.stdout.write(
  `${outfile}: bourse ${programVersion()}, ${Math.round(Bun.file(outfile).size / 2 ** 20)} MiB\n`,
)
