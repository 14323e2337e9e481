/**
 * The identity of the file at a path, without its other properties. On Linux only the inode number is queried
 * (`STATX_INO` in statx(2)). Since Linux 6.13, a query of a file's change time makes its next write record a
 * finer time, and the sync after that also writes the inode: a commit followed by `stat` always takes three
 * requests to the disk (data, inode, flush), and without `stat` mostly two.
 */
import { dlopen, ptr } from 'bun:ffi'
import { statSync } from 'node:fs'

export type FileIdentity = { readonly device: number; readonly inode: bigint }

/** Queries the file once. Undefined if no file has the name. Throws the errors of `stat`. */
export type FileProbe = () => FileIdentity | undefined

/** A query for this path. A relative path is resolved against the process's directory at each call. */
export function probeOf(path: string): FileProbe {
  return statxProbe(path) ?? statProbe(path)
}

/** A query of all properties, on any system. */
export function statProbe(path: string): FileProbe {
  return () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? undefined : { device: Number(found.dev), inode: found.ino }
  }
}

/** Relative to the process's directory, and following links, as `stat` does. */
const AT_FDCWD = -100
const NO_FLAGS = 0
const STATX_INO = 0x100

/**
 * `struct statx` has the same layout on every architecture, in the machine's byte order, which is
 * little-endian on all that the runtime supports.
 */
const STATX_BYTES = 256
const [MASK, INODE, DEVICE_MAJOR, DEVICE_MINOR] = [0, 32, 136, 140]
const LITTLE_ENDIAN = true

/** Undefined if this system has no such call. */
export function statxProbe(path: string): FileProbe | undefined {
  statx ??= findStatx() ?? 'NONE'
  const call = statx
  // The system would use the text before the null character as the path.
  if (call === 'NONE' || path.includes('\0')) return undefined
  const name = new TextEncoder().encode(`${path}\0`)
  const found = new DataView(new ArrayBuffer(STATX_BYTES))
  const probeByStat = statProbe(path)
  return () => {
    const isFound = call(AT_FDCWD, name, NO_FLAGS, STATX_INO, found) === 0
    // `stat` reports the error, and also works on a file system for which `statx` returns no inode number.
    if (!isFound || (found.getUint32(MASK, LITTLE_ENDIAN) & STATX_INO) === 0) return probeByStat()
    const major = found.getUint32(DEVICE_MAJOR, LITTLE_ENDIAN)
    const minor = found.getUint32(DEVICE_MINOR, LITTLE_ENDIAN)
    return { device: deviceOf(major, minor), inode: found.getBigUint64(INODE, LITTLE_ENDIAN) }
  }
}

/** The two numbers of a device as the single number of `stat` (makedev(3)). */
function deviceOf(major: number, minor: number): number {
  const [majorLow, minorLow] = [major & 0xfff, minor & 0xff]
  return (major - majorLow) * 2 ** 32 + (minor - minorLow) * 2 ** 12 + majorLow * 2 ** 8 + minorLow
}

type Statx = NonNullable<ReturnType<typeof findStatx>>
let statx: Statx | 'NONE' | undefined

/** Undefined on another system, or with a C library other than that of most Linux distributions. */
function findStatx() {
  if (process.platform !== 'linux') return undefined
  try {
    const args = ['i32', 'ptr', 'i32', 'u32', 'ptr'] as const
    const { symbols } = dlopen('libc.so.6', { statx: { args, returns: 'i32' } })
    return (directory: number, name: Uint8Array, flags: number, mask: number, found: DataView): number =>
      symbols.statx(directory, ptr(name), flags, mask, ptr(found))
  } catch {
    return undefined
  }
}
