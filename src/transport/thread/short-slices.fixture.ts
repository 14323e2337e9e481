/** A thread that says at once how long its slices are, in nanoseconds, as the system has it. */
import { sliceNs } from './slice-length.fixture.ts'

declare function postMessage(sliceNs: number | undefined): void

postMessage(sliceNs())
