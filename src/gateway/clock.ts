/**
 * The time of day, as the doors need it; given by the composition so that tests can hold it still.
 */
import type { TimeMs } from '../units/quantities.ts'

export interface Clock {
  now(): TimeMs
}
