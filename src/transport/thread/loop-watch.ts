/** Measures the delay of a thread's event loop: the time between when a timer was due and when it ran. */
import type { LoopMeter } from '../../engine/writer/meters.ts'
import { cannotFail, guarded } from '../../units/guarded.ts'

/** Interval of the measurement. */
const EVERY_MS = 250

/** Updates the meter until the returned function is called; it does not keep a thread alive. */
export function watchLoop({ lagSeconds, lastTurnMs }: LoopMeter): () => void {
  let dueMs = performance.now() + EVERY_MS
  const timer = setInterval(
    guarded(() => {
      const nowMs = performance.now()
      lagSeconds.add(Math.max(0, nowMs - dueMs) / 1_000)
      // Not the time of day: a jump of the clock would look like a blocked thread.
      lastTurnMs.set(performance.timeOrigin + nowMs)
      dueMs = nowMs + EVERY_MS
    }, cannotFail),
    EVERY_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
