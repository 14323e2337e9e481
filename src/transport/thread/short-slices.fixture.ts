/** A thread that reports the length of its slices in nanoseconds, as read from the system. */
import { sliceNs } from './slice-length.fixture.ts'

declare function postMessage(sliceNs: number | undefined): void

postMessage(sliceNs())
