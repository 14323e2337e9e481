/**
 * The program as tests start it: the executable that the run has built (`npm run test:rest`), which is up with a part of the work that the
 * sources take; else, in runs of some paths, from the sources. Both are the same program, and tests hold for both.
 */
import path from 'node:path'

const MAIN = path.resolve(import.meta.dir, '../../src/app/main.ts')
/** `tools/lib/test-program.mjs` names the executable here. */
export const BUILT = process.env.TEST_RUN_PROGRAM || undefined

/** The program from the sources: for tests that put something before them. */
export const FROM_SOURCES: readonly string[] = [process.execPath, '--no-env-file', MAIN]

/** The command line up to the program's own arguments. */
export const PROGRAM: readonly string[] = BUILT === undefined ? FROM_SOURCES : [BUILT]
