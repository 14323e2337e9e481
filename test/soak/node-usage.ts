/** Resources that a running node uses. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** Resident memory of a process, in bytes. */
export function rssBytes(pid: number): number {
  const kib =
    process.platform === 'linux'
      ? rssOfLinux(pid)
      : Bun.spawnSync(['ps', '-o', 'rss=', '-p', `${pid}`]).stdout
  const bytes = Number(kib) * 1024
  if (!(bytes > 0)) throw new Error(`process ${pid} has no memory: it has ended`)
  return bytes
}

function rssOfLinux(pid: number): string | undefined {
  return /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
}

/** All files below the directory, in bytes. */
export function diskBytes(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + sizeOf(path.join(parentPath, name)), 0)
}

/** A file that has been removed since it was listed has no size. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
