/**
 * Asks the system to run a thread in short turns: one that others wait for, and that has little to do each time it wakes up. Linux lets
 * such a thread in when it wakes up, in front of those that run in longer turns, as long as it has not had its share of the processor.
 * The share stays what it was, so nobody starves, and any thread may ask (`sched_runtime` in sched_setattr(2), Linux 6.12).
 * What it does for orders: `npm run bench -- order-entry`.
 */
import { dlopen, ptr } from 'bun:ffi'

/** The shortest that Linux has. */
const SLICE_NS = 100_000n

/** The C library has no functions for these two: their numbers by the processor's architecture. */
const CALLS: Readonly<Record<string, { readonly set: number; readonly get: number }>> = {
  x64: { set: 314, get: 315 },
  arm64: { set: 274, get: 275 },
}
/** The thread that calls. */
const SELF = 0

/** `struct sched_attr`, in the order of the machine, which is this on both architectures. */
const ATTRIBUTE_BYTES = 48
const [POLICY, FLAGS, NICE, SLICE] = [4, 8, 16, 24]
const LITTLE_ENDIAN = true
/** SCHED_OTHER and SCHED_BATCH: other policies have no slices. */
const POLICIES_WITH_SLICES: readonly number[] = [0, 3]
/** What the thread starts has the system's own slices. */
const RESET_ON_FORK = 1n

/** Asks for the calling thread, not for those that it starts. False: this system has no such slices, and all is as it was. */
export function askForShortSlices(): boolean {
  const calls = CALLS[process.arch]
  if (process.platform !== 'linux' || calls === undefined) return false
  const call = systemCall()
  if (call === undefined) return false
  const attribute = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES))
  const read = (): boolean => call(calls.get, SELF, ptr(attribute), ATTRIBUTE_BYTES, 0) === 0
  if (!read() || !POLICIES_WITH_SLICES.includes(attribute.getUint32(POLICY, LITTLE_ENDIAN))) return false
  attribute.setBigUint64(SLICE, SLICE_NS, LITTLE_ENDIAN)
  // It would take a raised priority away too: where there is one, what the thread starts has its slices as well.
  if (attribute.getInt32(NICE, LITTLE_ENDIAN) >= 0)
    attribute.setBigUint64(FLAGS, RESET_ON_FORK, LITTLE_ENDIAN)
  return (
    call(calls.set, SELF, ptr(attribute), 0, 0) === 0 &&
    read() &&
    attribute.getBigUint64(SLICE, LITTLE_ENDIAN) === SLICE_NS
  )
}

/** Undefined: another C library than the one that Linux distributions mostly have. */
function systemCall() {
  try {
    return dlopen('libc.so.6', { syscall: { args: ['i64', 'i64', 'ptr', 'i64', 'i64'], returns: 'i32' } })
      .symbols.syscall
  } catch {
    return undefined
  }
}
