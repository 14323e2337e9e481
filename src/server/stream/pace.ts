/**
 * How often rooms publish to their members, and how much at a time. A publication costs one write to the
 * network per member, so a busy symbol's batches can come faster than its room can publish them one by one,
 * and one large batch can take seconds. So there are turns (`turns.ts`): after each there is a pause as long
 * as it was, and what happens in the meantime is published together (docs/reference/stream.md: several orders
 * may be published together). Sending takes half of the thread's time at most, and a small room, which takes
 * less than a millisecond, waits only for the answers of the turn in which the event occurred.
 */
export type StreamPace = {
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number
  /** Calls `task` after `delayMs`; the returned function cancels the call. */
  readonly later: (task: () => void, delayMs: number) => () => void
  /**
   * Calls back after all messages of this turn of the event loop, once their answers have been sent; the
   * returned function cancels the call. If undefined, the call is made at once.
   */
  readonly soon?: (task: () => void) => () => void
  /** The pause after a turn that took `tookMs`. */
  readonly pauseMs: (tookMs: number) => number
  /**
   * A turn that has lasted this long ends with the next step: one write to one member, or one text created.
   */
  readonly sliceMs: number
  /**
   * A turn ends after this number of bytes for each member of a room, because networks are slower than the
   * server.
   */
  readonly turnBytes: number
}

/** A pause after a shorter turn is not worth a timer. */
const TURN_MS_MIN = 1

/** The pace of a real server. */
export const RUNTIME_PACE: StreamPace = {
  now: () => performance.now(),
  later: (task, delayMs) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
  soon: (task) => {
    const immediate = setImmediate(task)
    return () => clearImmediate(immediate)
  },
  pauseMs: (tookMs) => (tookMs < TURN_MS_MIN ? 0 : tookMs),
  sliceMs: 10,
  turnBytes: 64 * 1024,
}

/**
 * Every batch is published on its own, at once and in one piece: for tests and benchmarks of a single
 * publication.
 */
export const NO_PAUSE: StreamPace = {
  now: RUNTIME_PACE.now,
  later: RUNTIME_PACE.later,
  pauseMs: () => 0,
  sliceMs: Number.POSITIVE_INFINITY,
  turnBytes: Number.POSITIVE_INFINITY,
}
