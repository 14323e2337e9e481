/** Executables for tests: the program of this tree, and of future trees. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import { ROOT } from './bourse-process.ts'
import { BUILT } from './program.ts'

/**
 * Builds the tree at `root` as one executable; for this tree, the run's executable is copied if there is one.
 * Rejects with the output of the build.
 */
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

/** Rules that only a future tree supports. */
export const NEXT_RULES_VERSION = RULES_VERSION + 1

/**
 * Writes a future tree to `root`: this tree with `newer` additional rules versions, the last of which is
 * required to cancel all orders.
 */
export function writeNextTree(root: string, newer = 1): void {
  for (const part of ['src', 'tools', 'docs/api', 'package.json']) {
    cpSync(path.join(ROOT, part), path.join(root, part), { recursive: true })
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  edit(path.join(root, 'src/core/exchange/rules.ts'), /export const RULES_VERSION = \w+/, `$& + ${newer}`)
  edit(
    path.join(root, 'src/core/commands/orders.ts'),
    /CancelOrders: \{\n {4}code: 18,/,
    `$& since: ${RULES_VERSION + newer},`,
  )
}

function edit(file: string, found: RegExp, replacement: string): void {
  const text = readFileSync(file, 'utf8')
  if (!found.test(text)) throw new Error(`expected ${found} in ${file}`)
  writeFileSync(file, text.replace(found, replacement))
}
