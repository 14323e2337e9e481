/**
 * Writes the types of the client, `src/client/interface`, from the table of the interface. Runs on Bun.
 * tools/lib/client-types.mjs calls it before each compilation.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { clientTypeFiles } from './lib/client-type-files.mjs'
import { readProgram } from './lib/program.mjs'

readProgram({
  command: 'node tools/run.mjs tools/client-types.mjs',
  about: 'Writes the types of the client, src/client/interface, from the table of the interface.',
})
const folder = path.resolve(import.meta.dir, '..', 'src', 'client', 'interface')
const files = clientTypeFiles()

mkdirSync(folder, { recursive: true })
for (const [name, text] of files) {
  // Atomic: another command in this checkout may be compiling at the same time.
  const file = path.join(folder, name)
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
for (const name of readdirSync(folder)) {
  if (name.endsWith('.ts') && !files.has(name)) rmSync(path.join(folder, name))
}
