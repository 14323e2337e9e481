/**
 * May the tests let single system calls of a node fail? Linux, and strace, which is installed where it is missing.
 */
import { spawnSync } from 'node:child_process'
import { aptInstall, inPath } from './apt.mjs'

const NAME = 'strace'
const PROBE_MS_MAX = 10_000

/** `{ file }`: where it is; or `{ reason }`: why there is none that works. */
export function ensureStrace() {
  if (process.platform !== 'linux') return { reason: 'system calls can be made to fail on Linux only' }
  const find = () => inPath(NAME)
  const purpose = 'the tests with failing system calls'
  const missing = `no ${NAME} in PATH`
  const gap = find() === undefined ? aptInstall({ name: NAME, missing, purpose, find }) : undefined
  const reason = gap ?? probe(find())
  return reason === undefined ? { file: find() } : { reason }
}

/** Why it makes no call fail: too old, or a machine that lets no process trace another. */
function probe(file) {
  const line = ['-f', '--seccomp-bpf', '-o', '/dev/null', '-P', '/', '-e', 'inject=chdir:error=EIO:when=1']
  const options = { encoding: 'utf8', timeout: PROBE_MS_MAX }
  const { error, status, stderr } = spawnSync(file, [...line, 'sh', '-c', 'cd / || exit 77'], options)
  if (error !== undefined) return `${file} does not start: ${error.message}`
  return status === 77 ? undefined : `${file} makes no system call fail: ${stderr.trim().split('\n').at(-1)}`
}
