/**
 * How often a room is told. What is told costs one write to the network per member, so a busy symbol's batches can come
 * faster than its room can be told of them one by one. After each telling there is a pause, as long as the telling took;
 * what happens meanwhile is told together (decisions "Stream": updates of one flush may be merged). So a room takes half
 * of the thread's time at most, and a small one, told in less than a millisecond, does not wait.
 */
export type Pace = {
  /** Milliseconds since some moment. */
  readonly now: () => number
  /** Calls back after some time; the answer cancels that. */
  readonly later: (task: () => void, delayMs: number) => () => void
  /** How long a room is left alone after a telling that took `tookMs`. */
  readonly pauseMs: (tookMs: number) => number
}

/** A telling that is shorter is not worth a timer. */
const TELLING_MS_MIN = 1

/** The pace of a real server. */
export const RUNTIME_PACE: Pace = {
  now: () => performance.now(),
  later: (task, delayMs) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
  pauseMs: (tookMs) => (tookMs < TELLING_MS_MIN ? 0 : tookMs),
}

/** Every batch is told by itself, at once: for tests and benchmarks of a single telling. */
export const NO_PAUSE: Pace = { ...RUNTIME_PACE, pauseMs: () => 0 }
