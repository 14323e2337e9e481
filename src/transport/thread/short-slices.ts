/**
 * Requests that the system run a thread in short turns: a thread for which others wait, with little work at
 * each wake-up. At its wake-up, Linux schedules such a thread before threads with longer turns, as long as it
 * has not used up its share of the processor. The share does not change, so no thread starves, and any thread
 * may request it (`sched_runtime` in sched_setattr(2), Linux 6.12). For the effect on orders:
 * `npm run bench -- order-entry`.
 */
import { dlopen, ptr } from 'bun:ffi'

/** The shortest slice in Linux. */
const SLICE_NS = 100_000n

/** System call numbers by processor architecture: the C library has no functions for these two. */
const CALLS: Readonly<Record<string, { readonly set: number; readonly get: number }>> = {
  x64: { set: 314, get: 315 },
  arm64: { set: 274, get: 275 },
}
/** The calling thread. */
const SELF = 0

/** `struct sched_attr`, in the machine's byte order, which is little-endian on both architectures. */
const ATTRIBUTE_BYTES = 48
const [POLICY, FLAGS, NICE, SLICE] = [4, 8, 16, 24]
const LITTLE_ENDIAN = true
/** SCHED_OTHER and SCHED_BATCH: other policies have no slices. */
const POLICIES_WITH_SLICES: readonly number[] = [0, 3]
/** Threads started by this thread have the system's default slices. */
const RESET_ON_FORK = 1n

/**
 * Requests short slices for the calling thread, not for the threads that it starts. Returns false, and
 * changes nothing, if this system has no such slices.
 */
export function askForShortSlices(): boolean {
  const calls = CALLS[process.arch]
  if (process.platform !== 'linux' || calls === undefined) return false
  const call = systemCall()
  if (call === undefined) return false
  const attribute = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES))
  const read = (): boolean => call(calls.get, SELF, ptr(attribute), ATTRIBUTE_BYTES, 0) === 0
  if (!read() || !POLICIES_WITH_SLICES.includes(attribute.getUint32(POLICY, LITTLE_ENDIAN))) return false
  attribute.setBigUint64(SLICE, SLICE_NS, LITTLE_ENDIAN)
  // The flag would also reset a raised priority; so, with a raised priority, started threads keep these
  // slices.
  if (attribute.getInt32(NICE, LITTLE_ENDIAN) >= 0)
    attribute.setBigUint64(FLAGS, RESET_ON_FORK, LITTLE_ENDIAN)
  return (
    call(calls.set, SELF, ptr(attribute), 0, 0) === 0 &&
    read() &&
    attribute.getBigUint64(SLICE, LITTLE_ENDIAN) === SLICE_NS
  )
}

/** Undefined if the C library is not the one of most Linux distributions. */
function systemCall() {
  try {
    return dlopen('libc.so.6', { syscall: { args: ['i64', 'i64', 'ptr', 'i64', 'i64'], returns: 'i32' } })
      .symbols.syscall
  } catch {
    return undefined
  }
}
