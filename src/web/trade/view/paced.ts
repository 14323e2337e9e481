/** A rate-limited signal for views, for values that may change hundreds of times a second. */
import { effect, type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pagePointer } from './page-pointer.ts'

/**
 * The value of a signal, updated with the next frame of the browser after a quiet time, and otherwise at most
 * every `everyMs` milliseconds. While a pointer is pressed nothing is updated: a button that moves away
 * before the release is not clicked.
 */
export function usePaced<Value>(source: ReadonlySignal<Value>, everyMs: number): Value {
  const shown = useSignal(source.peek())
  useEffect(() => {
    let shownAt = Number.NEGATIVE_INFINITY
    let [timer, frame] = [0, 0]
    let [isHeld, isOver] = [false, false]
    const pointer = pagePointer()
    const show = () => {
      frame = 0
      if (pointer.isPressed) {
        isHeld = true
        void pointer.untilReleased().then(released)
        return
      }
      shownAt = performance.now()
      shown.value = source.peek()
    }
    // Requests a frame, since a change between two frames would make the browser compute styles and layout
    // separately.
    const ask = () => {
      timer = 0
      frame = requestAnimationFrame(show)
    }
    const released = () => {
      isHeld = false
      if (!isOver) ask()
    }
    const stop = effect(() => {
      void source.value
      const waitMs = shownAt + everyMs - performance.now()
      if (timer !== 0 || frame !== 0 || isHeld) return
      if (waitMs <= 0) ask()
      else timer = window.setTimeout(ask, waitMs)
    })
    return () => {
      isOver = true
      stop()
      window.clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [source, everyMs])
  return shown.value
}
