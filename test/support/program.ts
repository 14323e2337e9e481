/**
 * The program as tests start it: the executable that the run built (`npm run test:rest`), which starts with a
 * fraction of the work that the sources need; otherwise, in runs of single paths, the sources. Both are the
 * same program, and the tests apply to both.
 */
import path from 'node:path'

const MAIN = path.resolve(import.meta.dir, '../../src/app/main.ts')
/** `tools/lib/test-program.mjs` sets this variable to the path of the executable. */
export const BUILT = process.env.TEST_RUN_PROGRAM || undefined

/** The program from the sources: for tests that preload other code. */
export const FROM_SOURCES: readonly string[] = [process.execPath, '--no-env-file', MAIN]

/** The command line up to the program's own arguments. */
export const PROGRAM: readonly string[] = BUILT === undefined ? FROM_SOURCES : [BUILT]
