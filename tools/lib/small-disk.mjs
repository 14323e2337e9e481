/**
 * May the tests mount a small file system of their own? As root, or where sudo asks for no password.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** `{}` when they may, else `{ reason }`. */
export function probeMount() {
  if (process.platform !== 'linux') return { reason: 'a small file system can be mounted on Linux only' }
  const place = mkdtempSync(path.join(tmpdir(), 'bourse-mount-'))
  try {
    const mounted = asRoot('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place)
    if (mounted !== undefined) return { reason: `nothing can be mounted: ${mounted}` }
    asRoot('umount', place)
    return {}
  } finally {
    rmdirSync(place)
  }
}

/** Runs a command as root; answers with what went wrong. */
function asRoot(...command) {
  const [program, ...args] = process.getuid() === 0 ? command : ['sudo', '-n', ...command]
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}
