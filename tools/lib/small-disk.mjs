/** Whether the tests can mount a small file system of their own: as root, or if sudo needs no password. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** `{}` if they can, otherwise `{ reason }`. */
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

/** Runs a command as root; returns the error, if any. */
function asRoot(...command) {
  const [program, ...args] = process.getuid() === 0 ? command : ['sudo', '-n', ...command]
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}
