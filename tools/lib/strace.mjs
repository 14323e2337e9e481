/**
 * Whether the tests can make single system calls of a node fail. This needs Linux and strace, which is
 * installed if it is missing.
 */
import { spawnSync } from 'node:child_process'
import { aptInstall, inPath } from './apt.mjs'

const NAME = 'strace'
const PROBE_MS_MAX = 10_000

/** `{ file }`: its path; or `{ reason }`: why no working strace was found. */
export function ensureStrace() {
  if (process.platform !== 'linux') return { reason: 'system calls can be made to fail on Linux only' }
  const find = () => inPath(NAME)
  const purpose = 'the tests with failing system calls'
  const missing = `no ${NAME} in PATH`
  const gap = find() === undefined ? aptInstall({ name: NAME, missing, purpose, find }) : undefined
  const reason = gap ?? probe(find())
  return reason === undefined ? { file: find() } : { reason }
}

/**
 * Why this strace cannot make system calls fail: it is too old, or the machine does not allow one process to
 * trace another.
 */
function probe(file) {
  const line = ['-f', '--seccomp-bpf', '-o', '/dev/null', '-P', '/', '-e', 'inject=chdir:error=EIO:when=1']
  const options = { encoding: 'utf8', timeout: PROBE_MS_MAX }
  const { error, status, stderr } = spawnSync(file, [...line, 'sh', '-c', 'cd / || exit 77'], options)
  if (error !== undefined) return `${file} does not start: ${error.message}`
  return status === 77
    ? undefined
    : `${file} cannot make system calls fail: ${stderr.trim().split('\n').at(-1)}`
}
