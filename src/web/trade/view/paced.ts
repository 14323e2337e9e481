/** A signal for views, limited in rate, since it may change hundreds of times a second. */
import { effect, type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/**
 * The value of a signal, updated with the next frame of the browser after a quiet time, and otherwise at most
 * every `everyMs` milliseconds.
 */
export function usePaced<Value>(source: ReadonlySignal<Value>, everyMs: number): Value {
  const shown = useSignal(source.peek())
  useEffect(() => {
    let shownAt = Number.NEGATIVE_INFINITY
    let [timer, frame] = [0, 0]
    const show = () => {
      frame = 0
      shownAt = performance.now()
      shown.value = source.peek()
    }
    // Between two frames the browser would compute styles and layout for it alone.
    const ask = () => {
      timer = 0
      frame = requestAnimationFrame(show)
    }
    const stop = effect(() => {
      void source.value
      const waitMs = shownAt + everyMs - performance.now()
      if (timer !== 0 || frame !== 0) return
      if (waitMs <= 0) ask()
      else timer = window.setTimeout(ask, waitMs)
    })
    return () => {
      stop()
      window.clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [source, everyMs])
  return shown.value
}
