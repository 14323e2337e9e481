/** Executables for tests: the program of this tree, of another one, and of an earlier state of the repository. */
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
// @ts-expect-error The tools are plain JavaScript without types.
import { writeEarlierTree } from '../../tools/lib/earlier-build.mjs'
import { ROOT } from './bourse-process.ts'

/** Builds the tree at `root` as one executable. Rejects with what the build has said. */
export async function buildExecutable(executable: string, root = ROOT): Promise<void> {
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
