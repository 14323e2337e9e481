/** Finds the Python for the tests of the Python client: 3.9 or newer, `PYTHON` unchanged, or from PATH. */
import { spawnSync } from 'node:child_process'
import { inPath } from './apt.mjs'

const NAMES = ['python3', 'python']
const PROBE_MS_MAX = 30_000
const PROBE = 'import hashlib, ssl, sys, zlib; sys.exit(0 if sys.version_info >= (3, 9) else 77)'

/** `{ file }`: its path; or `{ reason }`: why no suitable one was found. */
export function ensurePython() {
  const file = process.env.PYTHON || NAMES.map(inPath).find((found) => found !== undefined)
  if (file === undefined) return { reason: `no ${NAMES.join(', ')} in PATH, PYTHON not set` }
  const { error, status, stderr } = spawnSync(file, ['-c', PROBE], {
    encoding: 'utf8',
    timeout: PROBE_MS_MAX,
  })
  if (error !== undefined) return { reason: `${file} does not start: ${error.message}` }
  if (status === 77) return { reason: `${file} is older than Python 3.9` }
  return status === 0 ? { file } : { reason: `${file} lacks a module: ${stderr.trim().split('\n').at(-1)}` }
}
