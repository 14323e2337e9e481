/** The types of the client, by the names of their files in `src/client/interface`, formatted. Runs on Bun. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { asyncApiDocument } from '../../src/contract/publish/asyncapi.ts'
import { clientInterface } from '../../src/contract/publish/client-interface.ts'
import { ROOT } from './setup.mjs'

/** @returns {ReadonlyMap<string, string>} */
export function clientTypeFiles() {
  const files = clientInterface(asyncApiDocument([]).components.schemas)
  return new Map([...files].map(([name, text]) => [name, formatted(name, text)]))
}

/** Formatted as the tree is, under a name that the formatter does not ignore. */
function formatted(name, text) {
  const biome = path.join(ROOT, 'node_modules', '.bin', 'biome')
  const args = ['format', `--stdin-file-path=${path.join(ROOT, 'src', 'client', name)}`]
  const { stdout, stderr, status } = spawnSync(biome, args, { cwd: ROOT, input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`)
  return stdout
}
