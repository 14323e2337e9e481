/**
 * Which file a path leads to, and nothing else about it. Linux is asked for the number alone (`STATX_INO` in statx(2)). Since Linux 6.13
 * whoever asks when a file was changed has its next write note a finer time, and the sync after that writes the inode too: a commit that
 * is followed by `stat` is always three requests to the disk (data, inode, flush), and mostly two with this.
 */
import { dlopen, ptr } from 'bun:ffi'
import { statSync } from 'node:fs'

export type FileIdentity = { readonly device: number; readonly inode: bigint }

/** Looks once. Undefined: there is no file of the name. Throws what `stat` throws. */
export type FileLook = () => FileIdentity | undefined

/** How to look at this path; a relative one is relative to the process's directory at each look. */
export function lookAt(path: string): FileLook {
  return statxLook(path) ?? statLook(path)
}

/** On any system, with all that it has about the file. */
export function statLook(path: string): FileLook {
  return () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? undefined : { device: Number(found.dev), inode: found.ino }
  }
}

/** From the process's directory, of what a link leads to, as `stat` does. */
const AT_FDCWD = -100
const NO_FLAGS = 0
const STATX_INO = 0x100

/** `struct statx`, the same on each architecture, in the order of the machine, which is this on all that the runtime has. */
const STATX_BYTES = 256
const [MASK, INODE, DEVICE_MAJOR, DEVICE_MINOR] = [0, 32, 136, 140]
const LITTLE_ENDIAN = true

/** Undefined: this system has no such call. */
export function statxLook(path: string): FileLook | undefined {
  statx ??= findStatx() ?? 'NONE'
  const call = statx
  // The system would take what is before it for the path.
  if (call === 'NONE' || path.includes('\0')) return undefined
  const name = new TextEncoder().encode(`${path}\0`)
  const found = new DataView(new ArrayBuffer(STATX_BYTES))
  const lookByStat = statLook(path)
  return () => {
    const isFound = call(AT_FDCWD, name, NO_FLAGS, STATX_INO, found) === 0
    // It says what is wrong, also where a file system knows no number.
    if (!isFound || (found.getUint32(MASK, LITTLE_ENDIAN) & STATX_INO) === 0) return lookByStat()
    const major = found.getUint32(DEVICE_MAJOR, LITTLE_ENDIAN)
    const minor = found.getUint32(DEVICE_MINOR, LITTLE_ENDIAN)
    return { device: deviceOf(major, minor), inode: found.getBigUint64(INODE, LITTLE_ENDIAN) }
  }
}

/** A device's two numbers as the one that `stat` has (makedev(3)). */
function deviceOf(major: number, minor: number): number {
  const [majorLow, minorLow] = [major & 0xfff, minor & 0xff]
  return (major - majorLow) * 2 ** 32 + (minor - minorLow) * 2 ** 12 + majorLow * 2 ** 8 + minorLow
}

type Statx = NonNullable<ReturnType<typeof findStatx>>
let statx: Statx | 'NONE' | undefined

/** Undefined: another system, or another C library than the one that Linux distributions mostly have. */
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
