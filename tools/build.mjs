/**
 * `npm run build`: builds the complete program as one executable, `dist/bourse`, for a machine that has
 * neither Node nor Bun, and the installable client, `dist/client`. With a FILE it builds only the executable,
 * at that path. Runs on Bun. The executable contains the workers under their own names and the page as a
 * value.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { bundleOperatorPage, bundlePage, readReference } from '../src/app/node/page/bundle.ts'
import { builtVersion } from '../src/app/version.ts'
import { versionText } from '../src/contract/program-version.ts'
import { buildClient } from './lib/client-package.mjs'
import { notUnderstood, readProgram } from './lib/program.mjs'

const PROGRAM = {
  command: 'npm run build --',
  about:
    'Builds the complete program as one executable, for a machine that has neither Node nor Bun, and the client as a package; with a file, only the executable.',
  words: '[file: dist/bourse]',
  options: { client: { kind: 'text', help: 'builds only the client, in this directory' } },
}
const { words, values } = readProgram(PROGRAM)
if (words.length > 1) notUnderstood(PROGRAM.command, `expected one file, found ${words.join(' ')}`)

const ROOT = path.resolve(import.meta.dir, '..')
const version = builtVersion(process.env)
const outfile = path.resolve(words[0] ?? path.join(ROOT, 'dist', 'bourse'))

if (words[0] === undefined) {
  const directory = path.resolve(values.client ?? path.join(ROOT, 'dist', 'client'))
  try {
    const { scriptBytes, typeBytes } = await buildClient(directory, version.number)
    const sizes = `${scriptBytes} bytes compressed, and ${typeBytes} of types`
    process.stdout.write(`${directory}: bourse-client ${version.number}, ${sizes}\n`)
  } catch (error) {
    process.stderr.write(`bourse: the client cannot be built: ${error.message}\n`)
    process.exit(1)
  }
}
if (values.client !== undefined) process.exit(0)

const inBase64 = ({ bytes, ...file }) => ({ ...file, base64: bytes.toBase64() })
const page = [...(await bundlePage()), ...(await readReference())].map(inBase64)
const operatorPage = (await bundleOperatorPage()).map(inBase64)
const inSource = (name) => path.join(ROOT, 'src', 'app', name)
mkdirSync(path.dirname(outfile), { recursive: true })

const built = await Bun.build({
  entrypoints: [
    'main.ts',
    'node/engine-worker.ts',
    'node/follower-worker.ts',
    'cluster/engine/cluster-worker.ts',
    'customers/store-worker.ts',
  ].map(inSource),
  // All in one directory: code that is bundled into one file looks for the workers beside that file.
  naming: { entry: '[name].[ext]' },
  compile: {
    outfile,
    // As in a checkout: the working directory must not change how an exchange runs.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  minify: { syntax: true, whitespace: true },
  // Compiled to bytecode here and not at each start: a sandbox then starts in half of the processor time, a
  // command in a third.
  bytecode: true,
  format: 'esm',
  define: { BOURSE_EMBEDDED: JSON.stringify({ version, page, operatorPage }) },
  throw: false,
})
if (!built.success) {
  process.stderr.write(`bourse: the executable cannot be built:\n${built.logs.map(String).join('\n')}\n`)
  process.exit(1)
}
process.stdout.write(
  `${outfile}: bourse ${versionText(version)}, ${Math.round(Bun.file(outfile).size / 2 ** 20)} MiB\n`,
)
