/** Measures how late a thread's event loop is: a timer says when it should have been called, and was. */
import type { LoopMeter } from '../../engine/writer/meters.ts'
import { cannotFail, guarded } from '../../units/guarded.ts'

/** How often it is looked. */
const EVERY_MS = 250

/** Fills the meter until the answer is called; it does not keep a thread alive. */
export function watchLoop({ lagSeconds, lastTurnMs }: LoopMeter): () => void {
  let dueMs = performance.now() + EVERY_MS
  const timer = setInterval(
    guarded(() => {
      const nowMs = performance.now()
      lagSeconds.add(Math.max(0, nowMs - dueMs) / 1_000)
      // Not the time of day, whose jump would look like a thread that hangs.
      lastTurnMs.set(performance.timeOrigin + nowMs)
      dueMs = nowMs + EVERY_MS
    }, cannotFail),
    EVERY_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
