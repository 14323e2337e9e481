/**
 * The executable that tests start in place of the sources. A full run starts the program many hundred times,
 * and each start from the sources compiles hundreds of files and bundles the pages: starting and stopping a
 * sandbox takes 1.25 s of processor time from the sources, and 0.46 s with the executable.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bunBinary, fail, ROOT } from './setup.mjs'

/** Environment variable of the tests with the path of the executable. No setting has this prefix. */
const PROGRAM_VARIABLE = 'TEST_RUN_PROGRAM'

/**
 * Builds the executable for this run; it is removed when this process ends. Returns the variables for the
 * environment of the tests: none if the tree has no program.
 */
export function buildProgram() {
  if (!existsSync(path.join(ROOT, 'src', 'app', 'main.ts'))) return {}
  const folder = mkdtempSync(path.join(tmpdir(), 'bourse-of-tests-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'bourse')
  const args = ['--no-env-file', path.join('tools', 'build.mjs'), file]
  const { status, stdout, stderr, error } = spawnSync(bunBinary(), args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) fail(`the program cannot be built for the tests: ${error?.message ?? stdout + stderr}`)
  return { [PROGRAM_VARIABLE]: file }
}
