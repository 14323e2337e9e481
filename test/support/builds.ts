/** Executables for tests: the program of this tree, of another one, and of an earlier state of the repository. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
// @ts-expect-error The tools are plain JavaScript without types.
import { writeEarlierTree } from '../../tools/lib/earlier-build.mjs'
import { ROOT } from './bourse-process.ts'
import { BUILT } from './program.ts'

/** Builds the tree at `root` as one executable; of this tree, that of the run is taken where it has one. Rejects with what the build has said. */
export async function buildExecutable(executable: string, root = ROOT): Promise<void> {
  if (root === ROOT && BUILT !== undefined) {
    mkdirSync(path.dirname(executable), { recursive: true })
    copyFileSync(BUILT, executable)
    return
  }
  const built = Bun.spawn([process.execPath, path.join(root, 'tools/build.mjs'), executable], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [said, code] = [await new Response(built.stderr).text(), await built.exited]
  if (said !== '' || code !== 0) throw new Error(`the build of ${root} ended with ${code}: ${said}`)
}

/** The same of the earlier tree, which is unpacked at `root` and uses the packages of this one. */
export async function buildEarlier(executable: string, root: string): Promise<void> {
  mkdirSync(root)
  writeEarlierTree(root)
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  await buildExecutable(executable, root)
}

/** The rules that a tree of the future knows, and nothing before it does. */
export const NEXT_RULES_VERSION = RULES_VERSION + 1

/** A tree of the future, at `root`: this one with newer rules, which cancelling all orders needs. */
export function writeNextTree(root: string): void {
  for (const part of ['src', 'tools', 'docs/api', 'package.json']) {
    cpSync(path.join(ROOT, part), path.join(root, part), { recursive: true })
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  const file = path.join(root, 'src/core/exchange/rules.ts')
  const changed = readFileSync(file, 'utf8')
    .replace(/export const RULES_VERSION = \w+/, `export const RULES_VERSION = ${NEXT_RULES_VERSION}`)
    .replace('  CancelOrders: 1,', `  CancelOrders: ${NEXT_RULES_VERSION},`)
  for (const part of [`RULES_VERSION = ${NEXT_RULES_VERSION}`, `CancelOrders: ${NEXT_RULES_VERSION},`])
    if (!changed.includes(part)) throw new Error(`expected ${part} in ${file}`)
  writeFileSync(file, changed)
}
