/** The server's time, as the gateway needs it; passed in by the composition so that tests can stop it. */
import type { TimeMs } from '../../units/quantities.ts'

export interface Clock {
  /**
   * The sequencer's time: never before the journal's last command, and it never goes back. The time windows
   * of signed requests use it. It does not advance while a clock that was set back catches up.
   */
  now(): TimeMs
  /**
   * Like `now`, except that it also advances while such a clock catches up: for everything that must end at
   * some time, such as limits, bans and keys.
   */
  steady(): TimeMs
  /**
   * The time of the clock while it is not trusted, when it is unknown which of the two times is correct;
   * undefined if it is trusted.
   */
  doubted(): TimeMs | undefined
}
