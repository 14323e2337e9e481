/**
 * How often a room is told. What is told costs one write to the network per member, so a busy symbol's batches can come
 * faster than its room can be told of them one by one. After each telling there is a pause, as long as the telling took;
 * what happens meanwhile is told together (decisions "Stream": updates of one flush may be merged). So a room takes half
 * of the thread's time at most, and a small one, told in less than a millisecond, does not wait.
 */
export type Pace = {
  /** Milliseconds. */
  readonly now: () => number
  /** Calls back after some time; the answer cancels that. */
  readonly later: (task: () => void, delayMs: number) => () => void
  /** How long a room is left alone after a telling that took `tookMs`. */
  readonly pauseMs: (tookMs: number) => number
}

/** The pace of a real server. `now` in milliseconds. */
export function runtimePace(now: () => number): Pace {
  const later = (task: () => void, delayMs: number) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  }
  return { now, later, pauseMs: (tookMs) => tookMs }
}
