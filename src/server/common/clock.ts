/**
 * The server's time, as the gateway needs it; given by the composition so that tests can hold it still.
 */
import type { TimeMs } from '../../units/quantities.ts'

export interface Clock {
  /**
   * The sequencer's time: never before the journal's last command, and it never goes back. What windows of signed requests
   * mean. It stands still while a clock set back catches up.
   */
  now(): TimeMs
  /** The same, but that it goes on then too: for whatever must end at some time, such as limits, bans and keys. */
  steady(): TimeMs
  /** What the clock shows while it is not trusted; undefined: it is. Which of the two is right nobody knows then. */
  doubted(): TimeMs | undefined
}
